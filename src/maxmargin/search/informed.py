"""Labels that know something: starts for methods that improve what they are given."""

from itertools import cycle, islice

import numpy as np
from numpy.typing import NDArray

from maxmargin._runtime.memory import require_memory
from maxmargin.kernels.kernel import Kernel, Matrix
from maxmargin.kernels.seeding import nearest_random_row, nearest_seed
from maxmargin.objectives.labelling import Labelling
from maxmargin.objectives.rls import QuadraticForm
from maxmargin.search.base import Problem, Start
from maxmargin.search.shaking import Shaking
from maxmargin.sizes import Sizes

ALPHA = 1e-4

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
    return [named(draw(kernel, features, sizes.n_clusters, rng), sizes) for draw in draws]


def named(labels: NDArray[np.int32], sizes: Sizes) -> NDArray[np.int32]:
    """Name clusters as sizes and pins want them, and put the pins in."""
    labels = sizes.matched_by_size(labels)
    if sizes.n_pinned:
        labels = sizes.named(labels)
    return np.where(sizes.pins >= 0, sizes.pins, labels).astype(np.int32)


def shaken_labels(
    X: Matrix, sizes: Sizes, n_init: int, rng: np.random.Generator
) -> NDArray[np.int32]:
    """The labels for which least squares with a Gaussian kernel predicts best, by shaking.

    What ``RLSClustering`` finds with its defaults, but the run is kept whose leave-one-out
    score is largest, as in the front door: with ten clusters and more the objective leads to
    unequal sizes. Time O(n³).
    """
    n = X.shape[0]
    require_memory(
        12 * n * n, f"a start by least squares on {n} rows", 'Use init="mixed" or fewer init_size.'
    )
    kernel = Kernel("rbf").fit(X, rng)
    K, _ = kernel.gram(X)
    form = QuadraticForm.from_gram(K, ALPHA * n, dtype=np.float32)
    problem = Problem(form, sizes)
    starts = random_starts(sizes, n_init, rng)
    runs = [shaken(problem, start, rng) for start in starts]
    return max(runs, key=lambda run: form.loo_score(run.scores, run.labels)).labels


def random_starts(sizes: Sizes, n_init: int, rng: np.random.Generator) -> list[Start]:
    """Starts that know nothing."""
    return [Start(sizes.random_labels(rng), False, sizes.quota, number) for number in range(n_init)]


def shaken(problem: Problem, start: Start, rng: np.random.Generator) -> Labelling:
    """Shake a start, and bring it to rest within the limits."""
    labelling = Shaking().run(problem, start, rng).labelling
    labelling.align()
    labelling.repair()
    labelling.polish()
    return labelling
