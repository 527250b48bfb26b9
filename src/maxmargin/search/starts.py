"""Where the runs of one fit begin."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from maxmargin._runtime.validation import check_choice
from maxmargin.kernels.kernel import Kernel, Matrix
from maxmargin.kernels.seeding import nearest_seed
from maxmargin.search.base import Job, Search, Start
from maxmargin.search.steepest import Steepest
from maxmargin.sizes import Sizes

NAMES = ("random", "k-means++")


def read_init(init: Any, sizes: Sizes, names: tuple[str, ...] = NAMES) -> NDArray[np.int32] | None:
    """Labels that the user gave, with the pins put in; None for a start by name."""
    if isinstance(init, str):
        check_choice("init", init, names)
        return None
    n, k = len(sizes.pins), sizes.n_clusters
    try:
        labels = np.asarray(init, dtype=np.float64)
    except (TypeError, ValueError):
        labels = np.empty(0)
    if labels.shape != (n,) or not np.all(np.isin(labels, np.arange(k))):
        raise ValueError(
            f"init must be one of {', '.join(map(repr, names))} or {n} labels from 0 to {k - 1}; "
            f"got an array of shape {labels.shape} with values {np.unique(labels)[:5].tolist()}."
        )
    return _pinned(labels.astype(np.int32), sizes)


def make_jobs(
    init: Any,
    given: NDArray[np.int32] | None,
    search: Search,
    sizes: Sizes,
    kernel: Kernel,
    X: Matrix,
    rngs: Sequence[np.random.Generator],
) -> list[Job]:
    """One run for each generator.

    From labels that the user gave there is one run only, unless the search is a random one,
    and besides it a plain descent: the result is never worse than the start polished.
    """
    if given is not None:
        # The sizes of the start are part of what it says, unless others were asked for.
        quota = sizes.quota
        if np.any(sizes.lower < sizes.upper):
            quota = np.bincount(given, minlength=sizes.n_clusters).astype(np.float64)
        rngs = rngs if search.random else rngs[:1]
        jobs = [Job(search, Start(given, True, quota, i), rng) for i, rng in enumerate(rngs)]
        return [*jobs, Job(Steepest(), Start(given, True, quota, len(rngs)), rngs[0])]
    jobs = []
    for number, rng in enumerate(rngs):
        quota = sizes.draw_quota(rng, number)
        if init == "k-means++":
            labels = _pinned(nearest_seed(kernel, X, sizes.n_clusters, rng), sizes)
        else:
            labels = sizes.random_labels(rng, quota)
        jobs.append(Job(search, Start(labels, init == "k-means++", quota, number), rng))
    return jobs


def _pinned(labels: NDArray[np.integer], sizes: Sizes) -> NDArray[np.int32]:
    return np.where(sizes.pins >= 0, sizes.pins, labels).astype(np.int32)
