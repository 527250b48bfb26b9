"""Runs of RLSClustering that share an eigendecomposition: one cell of a grid at a time."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from maxmargin.objectives.leave_one_out import loo_score
from maxmargin.search import Problem, Search, Start
from maxmargin.sizes import Sizes, read_sizes
from maxmargin.spaces.quadratic_form import QuadraticForm


@dataclass(frozen=True)
class Run:
    """The outcome of one run: what ``RLSClustering(n_init=1)`` keeps of it."""

    labels: NDArray[np.int32]
    objective: float
    loo_score: float
    n_iter: int
    n_moves: int


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
    found = search.run(Problem(form, sizes), start, rng)
    if polish:
        found.labelling.polish()
    labels = sizes.number(found.labelling.labels)
    scores = form.scores(labels, sizes.n_clusters)
    return Run(
        labels,
        form.value(labels, sizes.n_clusters),
        loo_score(form, scores, labels),
        found.n_iter,
        found.labelling.n_moves,
    )
