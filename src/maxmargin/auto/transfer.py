"""From the rows that everything was chosen on to all rows."""

import numpy as np
from numpy.typing import NDArray

from maxmargin._runtime.interrupts import StopFlag
from maxmargin.kernels.geometry import Geometry
from maxmargin.kernels.kernel import Matrix
from maxmargin.objectives.classifier import KernelClassifier, gaussian_features
from maxmargin.search.sweeps import MOMENT_ROWS, LandmarkSweeps
from maxmargin.sizes import Sizes

#: Landmarks of the model for all rows, taken from the rows that were looked at.
LANDMARKS = 1000


def transfer(
    geometry: Geometry,
    rows: Matrix,
    seen: NDArray[np.intp],
    classifier: KernelClassifier,
    alpha: float,
    sizes: Sizes,
    rng: np.random.Generator,
    stop: StopFlag,
) -> tuple[KernelClassifier, NDArray[np.int32], NDArray[np.float64]]:
    """Carry a model over to all rows, at the same width and the same alpha.

    λ = alpha · n then grows with the rows, so that the degrees of freedom stay the same.

    Returns
    -------
    classifier : KernelClassifier
    labels : ndarray of shape (n,)
    left_out : ndarray of shape (n, k)
    """
    n = rows.shape[0]
    marks = np.sort(seen[:LANDMARKS])
    basis = rows[marks]
    columns = marks if geometry.precomputed else None
    model = KernelClassifier(
        geometry,
        basis,
        columns,
        classifier.gamma,
        np.zeros((len(marks), len(classifier.intercept))),
        classifier.intercept,
    )

    def kernel(some: Matrix) -> NDArray[np.float64]:
        return gaussian_features(geometry, some, basis, columns, classifier.gamma)

    sample = np.sort(rng.permutation(n)[:MOMENT_ROWS])
    sweeps = LandmarkSweeps(
        lambda: model.features(rows), kernel(basis), kernel(rows[sample]), sizes, alpha, stop
    )
    start = sizes.assign(classifier.values(rows))
    found = sweeps.run(start)
    model = KernelClassifier(
        geometry, basis, columns, classifier.gamma, found.coef, found.intercept
    )
    return model.calibrated(found.left_out, found.labels), found.labels, found.left_out
