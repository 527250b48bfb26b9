"""The least-squares classifier that a labelling leaves behind: it predicts new rows."""

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize_scalar
from scipy.special import log_softmax, softmax

from maxmargin.kernels.geometry import Geometry
from maxmargin.kernels.kernel import Matrix, row_blocks
from maxmargin.objectives.leave_one_out import LeaveOneOut

#: γ‖x − s‖² beyond which a row is outside of the data: one width from the nearest row.
REACH = 0.5
#: The error of a kernel value that does not matter.
TOLERANCE = 1e-9
#: Sharpness is sought between these.
SHARPNESS = (1e-2, 1e3)


@dataclass(frozen=True)
class KernelClassifier:
    """A function for each cluster, Σ_i α_ic exp(−γ‖x − x_i‖²) + b_c.

    A row farther than one width from all basis rows is seen as if the nearest of them were
    one width away: with a kernel that has died out, only b would decide, and every outlier
    would go to the largest cluster.

    Attributes
    ----------
    geometry : Geometry
        How rows are compared.
    basis : matrix of shape (m, d)
        The rows x_i, prepared by the geometry.
    columns : ndarray of shape (m,) or None
        Which of the fitted rows they are, where distances are precomputed.
    gamma : float
    coef : ndarray of shape (m, k)
    intercept : ndarray of shape (k,)
    sharpness : float
        Memberships are the softmax of the values times this.
    """

    geometry: Geometry
    basis: Matrix
    columns: NDArray[np.intp] | None
    gamma: float
    coef: NDArray[np.float64]
    intercept: NDArray[np.float64]
    sharpness: float = 1.0

    def features(self, rows: Matrix) -> Iterator[tuple[slice, NDArray[np.float64]]]:
        """Yield the kernel between prepared rows and the basis in blocks of rows."""
        for block in row_blocks(rows.shape[0], len(self.coef)):
            yield (
                block,
                gaussian_features(self.geometry, rows[block], self.basis, self.columns, self.gamma),
            )

    def values(self, rows: Matrix) -> NDArray[np.float64]:
        """The value of each cluster's function at prepared rows (n × k)."""
        values = np.empty((rows.shape[0], len(self.intercept)))
        for block, K in self.features(rows):
            values[block] = K @ self.coef + self.intercept
        return values

    def memberships(self, values: NDArray[np.float64]) -> NDArray[np.float64]:
        """Shares that sum to 1, largest where the value is."""
        return softmax(self.sharpness * values, axis=1)

    def calibrated(
        self, left_out: NDArray[np.float64], labels: NDArray[np.integer]
    ) -> "KernelClassifier":
        """Choose the sharpness so that memberships mean what they say on rows left out."""
        return replace(self, sharpness=calibrate(left_out, labels))


def gaussian_features(
    geometry: Geometry,
    rows: Matrix,
    basis: Matrix,
    columns: NDArray[np.intp] | None,
    gamma: float,
) -> NDArray[np.float64]:
    """exp(−γ‖x − s‖²), with rows outside of the data drawn to within ``REACH``."""
    K = geometry.squared_distances(rows, basis, columns, tol=TOLERANCE / gamma)
    K *= -gamma
    nearest = K.max(axis=1)
    far = nearest < -REACH
    if far.any():
        K[far] -= (nearest[far] + REACH)[:, None]
    return np.exp(K, out=K)


def fit_classifier(
    geometry: Geometry,
    basis: Matrix,
    columns: NDArray[np.intp] | None,
    gamma: float,
    kernel: NDArray[np.float64],
    criterion: LeaveOneOut,
    lam: float,
    labels: NDArray[np.int32],
    k: int,
) -> tuple[KernelClassifier, NDArray[np.float64]]:
    """Fit the model with a bias to the labels of its own basis rows.

    Its residuals on them are A_b H: so α = A_b H/λ, and the bias is what is then missing to
    H − A_b H = Kα + b. The residuals are known already, from the criterion.

    Returns
    -------
    classifier : KernelClassifier
        Calibrated by the values below.
    left_out : ndarray of shape (n, k)
        What models that never saw a row say of it.
    """
    rows = np.arange(criterion.n)
    residuals = criterion.residuals(labels, k)
    coef = residuals / lam
    fitted = -residuals
    fitted[rows, labels] += 1
    intercept = np.mean(fitted - kernel @ coef, axis=0)
    left_out = -residuals / criterion.diagonal[:, None]
    left_out[rows, labels] += 1
    classifier = KernelClassifier(geometry, basis, columns, gamma, coef, intercept)
    return classifier.calibrated(left_out, labels), left_out


def calibrate(left_out: NDArray[np.float64], labels: NDArray[np.integer]) -> float:
    """The sharpness with the largest likelihood of the labels, one row of doubt added.

    Without that row, clusters that are told apart without error would get memberships of 0
    and 1 whatever the distance to the boundary.
    """
    n, k = left_out.shape
    if k == 1:
        return 1.0

    def surprise(log_sharpness: float) -> float:
        log_p = log_softmax(np.exp(log_sharpness) * left_out, axis=1)
        own = log_p[np.arange(n), labels]
        return float(-own.sum() - log_p.mean(axis=1).mean())

    low, high = np.log(SHARPNESS)
    return float(np.exp(minimize_scalar(surprise, bounds=(low, high), method="bounded").x))


def margins(values: NDArray[np.float64], labels: NDArray[np.integer]) -> NDArray[np.float64]:
    """How far the value of a row's own cluster is above the best other one."""
    n, k = values.shape
    if k == 1:
        return values[:, 0].copy()
    others = values.copy()
    own = others[np.arange(n), labels].copy()
    others[np.arange(n), labels] = -np.inf
    return own - others.max(axis=1)
