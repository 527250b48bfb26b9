"""Labels that least squares finds: starts for methods that improve what they are given."""

import numpy as np
from numpy.typing import NDArray

from maxmargin._runtime.memory import require_memory
from maxmargin.search.engine import Engine, Start, best_run
from maxmargin.search.shaking import Shaking
from maxmargin.search.starts import seeded_start
from maxmargin.sizes import Sizes
from maxmargin.spaces.exact import ExactKernel
from maxmargin.spaces.kernel import MANY_CLUSTERS, Kernel
from maxmargin.spaces.metric import Matrix

#: λ/n of the start.
START_ALPHA = 1e-4


def least_squares_labels(
    X: Matrix, sizes: Sizes, n_init: int, rng: np.random.Generator
) -> NDArray[np.int32]:
    """The labels for which least squares with a Gaussian kernel predicts best, by shaking.

    What ``RLSClustering`` finds with its defaults, but the run is kept whose leave-one-out
    score is largest, as in the front door: with ten clusters and more the objective leads to
    unequal sizes. Time O(n³).
    """
    kernel = Kernel("rbf", gamma="auto", n_clusters=sizes.n_clusters)
    space = ExactKernel(kernel)
    what = f"a start by least squares on {X.shape[0]} rows"
    require_memory(space.memory(X), what, 'Use init="mixed" or a smaller init_size.')
    form = space.fit(X, rng, sizes.weights).form(X, START_ALPHA * X.shape[0], sizes.weights)
    if sizes.n_clusters <= MANY_CLUSTERS:
        starts = [Start.at_random(sizes, rng, number) for number in range(n_init)]
    else:
        starts = [seeded_start(kernel, X, sizes, rng, number) for number in range(n_init)]
    engine = Engine(form.narrowed(), sizes)
    return sizes.adopted(
        best_run([engine.run(Shaking(), start, rng) for start in starts], by_loo=True).labels
    )
