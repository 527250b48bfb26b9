"""The least-squares classifier that a labelling leaves behind: it predicts new rows."""

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize_scalar
from scipy.special import log_softmax, softmax

from maxmargin.objectives.leave_one_out import LeaveOneOut
from maxmargin.spaces.kernel import Matrix, row_blocks
from maxmargin.spaces.metric import Metric

#: γ‖x − s‖² to the nearest basis row beyond which a row is outside of the data: two widths.
OUTSIDE = 2.0
#: The error of a kernel value that does not matter.
TOLERANCE = 1e-9
#: Sharpness is sought between these.
SHARPNESS = (1e-2, 1e3)


@dataclass(frozen=True)
class KernelClassifier:
    """A function for each cluster, Σ_i α_ic exp(−γ‖x − x_i‖²) + b_c.

    A row farther than two widths from all basis rows gets the values of the nearest of them:
    with a kernel that has died out only b would decide, and every outlier would go to the
    largest cluster.

    Attributes
    ----------
    geometry : Metric
        How rows are compared.
    basis : matrix of shape (m, d)
        The rows x_i, prepared by the geometry.
    columns : ndarray of shape (m,) or None
        Which of the fitted rows they are, where distances are precomputed.
    gamma : float
    coef : ndarray of shape (m, k)
    intercept : ndarray of shape (k,)
    anchors : ndarray of shape (m, k)
        The values at the basis rows.
    sharpness : float
        Memberships are the softmax of the values times this.
    """

    geometry: Metric
    basis: Matrix
    columns: NDArray[np.intp] | None
    gamma: float
    coef: NDArray[np.float64]
    intercept: NDArray[np.float64]
    anchors: NDArray[np.float64]
    sharpness: float = 1.0

    def kernel(self, rows: Matrix) -> NDArray[np.float64]:
        """The kernel between some prepared rows and the basis."""
        K = self.geometry.squared_distances(
            rows, self.basis, self.columns, tol=TOLERANCE / self.gamma
        )
        K *= -self.gamma
        return np.exp(K, out=K)

    def values(self, rows: Matrix) -> NDArray[np.float64]:
        """The value of each cluster's function at prepared rows (n × k)."""
        values = np.empty((rows.shape[0], len(self.intercept)))
        for block in row_blocks(rows.shape[0], len(self.coef)):
            D = self.geometry.squared_distances(
                rows[block], self.basis, self.columns, tol=TOLERANCE / self.gamma
            )
            nearest = np.argmin(D, axis=1)
            outside = self.gamma * D[np.arange(len(D)), nearest] > OUTSIDE
            D *= -self.gamma
            values[block] = np.exp(D, out=D) @ self.coef + self.intercept
            values[block][outside] = self.anchors[nearest[outside]]
        return values

    def memberships(self, values: NDArray[np.float64]) -> NDArray[np.float64]:
        """Shares that sum to 1, largest where the value is."""
        return softmax(self.sharpness * values, axis=1)

    def reordered(self, order: NDArray[np.intp]) -> "KernelClassifier":
        """The same with other numbers for the clusters: cluster c was ``order[c]``."""
        return replace(
            self,
            coef=self.coef[:, order],
            intercept=self.intercept[order],
            anchors=self.anchors[:, order],
        )

    def calibrated(
        self, left_out: NDArray[np.float64], labels: NDArray[np.integer]
    ) -> "KernelClassifier":
        """Choose the sharpness so that memberships mean what they say on rows left out."""
        return replace(self, sharpness=calibrate(left_out, labels))


def fit_classifier(
    geometry: Metric,
    basis: Matrix,
    columns: NDArray[np.intp] | None,
    gamma: float,
    kernel: NDArray[np.float64],
    criterion: LeaveOneOut,
    lam: float,
    labels: NDArray[np.int32],
    k: int,
    dropped: NDArray[np.float64] | None = None,
) -> tuple[KernelClassifier, NDArray[np.float64]]:
    """Fit the model with a bias to the labels of its own basis rows.

    Its residuals on them are A_b H: so α = A_b H/λ, and the bias is what is then missing to
    H − A_b H = Kα + b. The residuals are known already, from the criterion. ``dropped`` are
    the eigenvectors of an indefinite kernel that K lacks: new rows are seen by all of it.

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
    if dropped is not None:
        coef -= dropped @ (dropped.T @ coef)
    fitted = -residuals
    fitted[rows, labels] += 1
    intercept = np.mean(fitted - kernel @ coef, axis=0)
    left_out = -residuals / criterion.diagonal[:, None]
    left_out[rows, labels] += 1
    classifier = KernelClassifier(geometry, basis, columns, gamma, coef, intercept, fitted)
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
