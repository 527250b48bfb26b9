"""Where runs begin: from seed rows, labels of the user, or those that least squares finds."""

from collections.abc import Sequence
from itertools import cycle, islice
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.utils import gen_batches
from sklearn.utils.extmath import row_norms

from maxmargin._runtime.memory import require_memory
from maxmargin._runtime.parameters import OneOf, as_floats
from maxmargin.search.engine import Engine, Search, Start, best_run
from maxmargin.search.shaking import Shaking
from maxmargin.search.steepest import Steepest
from maxmargin.sizes import Sizes
from maxmargin.spaces.exact import ExactKernel
from maxmargin.spaces.kernel import MANY_CLUSTERS, Kernel
from maxmargin.spaces.metric import Matrix
from maxmargin.spaces.quadratic_form import QuadraticForm

INITS = ("auto", "random", "k-means++")
#: Draws for each of many seeds, of which the best is taken: a cluster that is missed by all seeds
#: is one of very many places.
MANY_TRIALS = 30
#: λ/n of a start by least squares.
START_ALPHA = 1e-4


def read_init(init: Any, sizes: Sizes, names: tuple[str, ...] = INITS) -> NDArray[np.int32] | None:
    """Labels that the user gave, with the pins put in; None for a start by name."""
    if isinstance(init, str):
        OneOf(*names).check("init", init)
        return None
    n, k = len(sizes.pins), sizes.n_clusters
    labels = as_floats(init)
    if labels.shape != (n,) or not np.all(np.isin(labels, np.arange(k))):
        raise ValueError(
            f"init must be one of {', '.join(map(repr, names))} or {n} labels from 0 to {k - 1}; "
            f"got an array of shape {labels.shape} with values {np.unique(labels)[:5].tolist()}."
        )
    return sizes.pinned(labels)


def seeded_start(
    kernel: Kernel, X: Matrix, sizes: Sizes, rng: np.random.Generator, number: int
) -> Start:
    """Rows by their nearest of k seeds, which are drawn by k-means++ in the space of a kernel."""
    quota = sizes.draw_quota(rng, number)
    labels = nearest_seed(kernel, X, sizes.n_clusters, rng)
    return Start(sizes.pinned(labels), True, quota, number)


def first_starts(
    init: str, kernel: Kernel, X: Matrix, sizes: Sizes, rngs: Sequence[np.random.Generator]
) -> list[Start]:
    """The starts of as many runs as there are generators.

    ``"auto"`` is at random for up to ten clusters. More are rarely found by chance.
    """
    if init == "random" or (init == "auto" and sizes.n_clusters <= MANY_CLUSTERS):
        return [Start.at_random(sizes, rng, i, aim=i) for i, rng in enumerate(rngs)]
    return [seeded_start(kernel, X, sizes, rng, i) for i, rng in enumerate(rngs)]


def given_starts(
    labels: NDArray[np.int32], search: Search, sizes: Sizes, n_init: int
) -> list[tuple[Search, Start]]:
    """From labels that the user gave there is one run, unless the search is a random one.

    Besides it a plain descent: the result is never worse than the start polished.
    """
    # The sizes of the start are part of what it says, unless others were asked for.
    quota = sizes.quota
    if np.any(sizes.lower < sizes.upper):
        quota = sizes.counts(labels).astype(np.float64)
    runs = range(n_init if search.random else 1)
    starts = [(search, Start(labels, True, quota, number)) for number in runs]
    return [*starts, (Steepest(), Start(labels, True, quota, len(starts)))]


def runs_from(
    init: str | NDArray[np.int32],
    search: Search,
    kernel: Kernel,
    X: Matrix,
    sizes: Sizes,
    rngs: Sequence[np.random.Generator],
) -> list[tuple[Search, Start, np.random.Generator]]:
    """Which search, from where, with which random numbers: one run for each generator."""
    if isinstance(init, str):
        starts = first_starts(init, kernel, X, sizes, rngs)
        return [(search, start, rng) for start, rng in zip(starts, rngs, strict=True)]
    runs = given_starts(init, search, sizes, len(rngs))
    # the plain descent draws nothing
    return [(*run, rng) for run, rng in zip(runs, (*rngs, rngs[0]), strict=False)]


def nearest_seed(kernel: Kernel, X: Matrix, k: int, rng: np.random.Generator) -> NDArray[np.int32]:
    """Draw k seeds by k-means++ (Arthur and Vassilvitskii 2007); each row takes its nearest.

    Distances are those of the kernel's space, ‖x − s‖² = k(x, x) + k(s, s) − 2 k(x, s), so
    that every kernel can be seeded, a precomputed one too. As in scikit-learn, each seed is
    the best of 2 + log k draws, and of 30 where there are more than ten of them.
    """
    n = X.shape[0]
    norms = self_products(kernel, X)
    trials = 2 + int(np.log(k)) if k <= MANY_CLUSTERS else MANY_TRIALS

    def distances_to(seeds: NDArray[np.intp]) -> NDArray[np.float64]:
        products = kernel(X[seeds], X).astype(np.float64)
        return np.maximum(norms + norms[seeds, None] - 2 * products, 0)

    closest = distances_to(rng.integers(n, size=1))[0]
    labels = np.zeros(n, np.int32)
    for c in range(1, k):
        total = closest.sum()
        draws = rng.choice(n, trials, p=closest / total) if total > 0 else rng.integers(n, size=1)
        candidates = distances_to(draws)
        new = candidates[np.argmin(np.minimum(candidates, closest).sum(axis=1))]
        labels[new < closest] = c
        closest = np.minimum(closest, new)
    return labels


def nearest_random_row(
    kernel: Kernel, X: Matrix, k: int, rng: np.random.Generator
) -> NDArray[np.int32]:
    """Draw k rows at random; each row takes its nearest."""
    seeds = rng.permutation(X.shape[0])[:k]
    products = kernel(X[seeds], X).astype(np.float64)
    closeness = 2 * products - self_products(kernel, X[seeds])[:, None]
    return np.argmax(closeness, axis=0).astype(np.int32)


def self_products(kernel: Kernel, X: Matrix) -> NDArray[np.float64]:
    """k(x, x) for every row."""
    if kernel.precomputed:
        return np.asarray(X.diagonal(), dtype=np.float64)
    if kernel.linear:
        return row_norms(kernel.prepare(X), squared=True).astype(np.float64)
    blocks = gen_batches(X.shape[0], 64)
    return np.concatenate([kernel(X[b], X[b]).diagonal() for b in blocks]).astype(np.float64)


#: How seeds are drawn, by turns.
SEEDS = {
    "k-means++": (nearest_seed,),
    "random": (nearest_random_row,),
    "mixed": (nearest_seed, nearest_random_row),
}


def seeded_labels(
    kind: str, features: Matrix, sizes: Sizes, n_init: int, rng: np.random.Generator
) -> list[NDArray[np.int32]]:
    """Labels from k seed rows, for each of ``n_init`` runs; each row takes its nearest seed."""
    kernel = Kernel("linear").fit(features, rng)
    draws = islice(cycle(SEEDS[kind]), n_init)
    return [sizes.adopted(draw(kernel, features, sizes.n_clusters, rng)) for draw in draws]


def least_squares_form(
    kernel: Kernel, X: Matrix, sizes: Sizes, rng: np.random.Generator
) -> QuadraticForm:
    """Least squares as a function of the labels, as starts have it."""
    space = ExactKernel(kernel)
    what = f"a start by least squares on {X.shape[0]} rows"
    require_memory(space.memory(X), what, 'Use init="mixed" or a smaller init_size.')
    return space.fit(X, rng, sizes.weights).form(X, START_ALPHA * X.shape[0], sizes.weights)


def least_squares_labels(
    X: Matrix, sizes: Sizes, n_init: int, rng: np.random.Generator
) -> NDArray[np.int32]:
    """The labels for which least squares with a Gaussian kernel predicts best, by shaking.

    What ``RLSClustering`` finds with its defaults, but the run is kept whose leave-one-out
    score is largest, as in the front door: with ten clusters and more the objective leads to
    unequal sizes. Time O(n³).
    """
    kernel = Kernel("rbf", gamma="auto", n_clusters=sizes.n_clusters)
    form = least_squares_form(kernel, X, sizes, rng)
    if sizes.n_clusters <= MANY_CLUSTERS:
        starts = [Start.at_random(sizes, rng, number) for number in range(n_init)]
    else:
        starts = [seeded_start(kernel, X, sizes, rng, number) for number in range(n_init)]
    engine = Engine(form.narrowed(), sizes)
    return sizes.adopted(
        best_run([engine.run(Shaking(), start, rng) for start in starts], by_loo=True).labels
    )
