"""From the rows that everything was chosen on to all rows."""

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from maxmargin._runtime.interrupts import StopFlag
from maxmargin.kernels.geometry import Geometry
from maxmargin.kernels.kernel import Matrix
from maxmargin.objectives.classifier import KernelClassifier
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
    columns = marks if geometry.precomputed else None
    k = len(classifier.intercept)
    model = replace(classifier, basis=rows[marks], columns=columns, coef=np.zeros((len(marks), k)))

    def kernel(which: NDArray[np.intp]) -> NDArray[np.float64]:
        return np.concatenate([K for _, K in model.features(rows[which])])

    sample = np.sort(rng.permutation(n)[:MOMENT_ROWS])
    sweeps = LandmarkSweeps(
        lambda: model.features(rows), kernel(marks), kernel(sample), sizes, alpha, stop
    )
    found = sweeps.run(*sweeps.project(kernel(seen), classifier.values(rows[seen])))
    model = replace(model, coef=found.coef, intercept=found.intercept)
    return model.calibrated(found.left_out, found.labels), found.labels, found.left_out
