"""Runs of RLSClustering that share an eigendecomposition: one cell of a grid at a time."""

from dataclasses import replace

import numpy as np

from maxmargin.search import Search
from maxmargin.search.engine import Engine, Run, Start
from maxmargin.sizes import Sizes, read_sizes
from maxmargin.spaces.quadratic_form import QuadraticForm


def free_sizes(n: int, k: int, min_size: float = 0) -> Sizes:
    """Return ``proportions="balanced"`` (a quota of n/k) with a lower bound and no pins."""
    return read_sizes(n, k, "balanced", min_size, None, np.full(n, -1, np.int32))


def run_once(
    form: QuadraticForm,
    search: Search,
    sizes: Sizes,
    seed: int,
    *,
    polish: bool = False,
    independent: bool = False,
) -> Run:
    """Do what ``RLSClustering(n_init=1, random_state=seed).fit`` does after its kernel.

    ``independent`` draws each label of the start by itself; the estimator draws equal sizes.
    """
    first = np.random.RandomState(seed).randint(2**31 - 1)
    _, run_seed = np.random.SeedSequence(first).spawn(2)
    rng = np.random.default_rng(run_seed)
    labels = sizes.random_labels(rng)
    if independent:
        labels = rng.integers(sizes.n_clusters, size=form.n).astype(np.int32)
    start = Start(labels, informed=False, quota=sizes.quota, number=0)
    run = Engine(form, sizes, polish).run(search, start, rng)
    return replace(run, labels=sizes.number(run.labels))
