"""From the rows that everything was chosen on to all rows."""

from collections.abc import Iterator
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from maxmargin.objectives.classifier import KernelClassifier
from maxmargin.search.sweeps import MOMENT_ROWS, LandmarkSweeps
from maxmargin.selection.ranking import SAME, pairwise_agreement
from maxmargin.sizes import Sizes
from maxmargin.spaces.kernel import Matrix
from maxmargin.spaces.metric import Metric

#: Landmarks of the model for all rows, taken from the rows that were looked at.
LANDMARKS = 1000
#: Rows in a block: labels change from block to block, so that it must not depend on the machine.
BLOCK_ROWS = 1024


def transfer(
    geometry: Metric,
    rows: Matrix,
    seen: NDArray[np.intp],
    classifier: KernelClassifier,
    alpha: float,
    sizes: Sizes,
    rng: np.random.Generator,
    found: NDArray[np.int32],
) -> tuple[KernelClassifier, NDArray[np.int32], NDArray[np.float64]]:
    """Carry a model over to all rows, at the same width and the same alpha.

    λ = alpha · n then grows with the rows, so that the degrees of freedom stay the same.
    ``found`` are the labels of the rows seen, which the labels of all rows must keep to.

    Returns
    -------
    classifier : KernelClassifier
    labels : ndarray of shape (n,)
    left_out : ndarray of shape (n, k)
    """
    n = rows.shape[0]
    marks = np.sort(seen[:LANDMARKS])
    model = replace(
        classifier,
        basis=geometry.take(rows, marks),
        columns=marks if geometry.precomputed else None,
    )

    def features() -> Iterator[tuple[slice, NDArray[np.float64]]]:
        for start in range(0, n, BLOCK_ROWS):
            block = slice(start, min(start + BLOCK_ROWS, n))
            yield block, model.kernel(rows[block])

    sample = np.sort(rng.permutation(n)[:MOMENT_ROWS])
    landmarks = model.kernel(rows[marks])
    sweeps = LandmarkSweeps(features, landmarks, model.kernel(rows[sample]), sizes, alpha)
    first = sweeps.project(model.kernel(rows[seen]), classifier.values(rows[seen]))
    end = sweeps.run(*first)
    if pairwise_agreement([found, end.labels[seen]])[0, 1] < SAME:
        # More rows must improve the answer, not replace it: what was chosen is what is told.
        end = sweeps.run(*first, max_sweeps=0)
    model = replace(
        model,
        coef=end.coef,
        intercept=end.intercept,
        anchors=landmarks @ end.coef + end.intercept,
    )
    return model.calibrated(end.left_out, end.labels), end.labels, end.left_out
