"""The small problem of a cutting plane method, solved in its dual."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from maxmargin._core.small_dual import solve_small_qp

#: The price of moving in a proximal round, relative to the curvature, and the error at which
#: the rounds end.
PROXIMAL = 1e-6
TOLERANCE = 1e-13
MAX_ROUNDS = 1000


@dataclass(frozen=True)
class SmallDual:
    """The solution of min ½ α ‖W‖² + ξ under cuts ξ ≥ c_j − ⟨A_j, W⟩ − a_jᵀb and ξ ≥ 0.

    Attributes
    ----------
    weights : ndarray of shape (m,)
        λ: W = Σ_j λ_j A_j / α. What is missing to 1 is the weight of ξ ≥ 0.
    bias : ndarray of shape (k,)
        b, with |b_p − b_q| ≤ balance for all pairs.
    slack : float
        ξ, the largest violation.
    objective : float
        The value of the problem at this solution.
    gap : float
        What it is above the dual value at most: 0 up to rounding.
    """

    weights: NDArray[np.float64]
    bias: NDArray[np.float64]
    slack: float
    objective: float
    gap: float


def solve_small_dual(
    gram: NDArray[np.float64],
    counts: NDArray[np.float64],
    constants: NDArray[np.float64],
    alpha: float,
    balance: float,
    start: NDArray[np.float64] | None = None,
) -> SmallDual:
    """Solve problem (20) of CPM3C.

    Parameters
    ----------
    gram : ndarray of shape (m, m)
        ⟨A_i, A_j⟩.
    counts : ndarray of shape (m, k)
        a_j, the gradient in b; each sums to 0.
    constants : ndarray of shape (m,)
        c_j.
    alpha : float
    balance : float
        The largest difference of two biases: with centred rows this is eq. 16, l = n · balance.
    start : ndarray of shape (m,) or None
        λ ≥ 0 with sum ≤ 1 to begin with.

    Notes
    -----
    Adding a number to all biases changes nothing, so |b_p − b_q| ≤ l holds for all pairs if
    and only if some shift of b has |b_p| ≤ l/2: a box, whose dual has two variables for each
    cluster (μ⁺, μ⁻ ≥ 0) instead of k(k − 1):

        min ½ λᵀGλ/α − cᵀλ + l/2 Σ(μ⁺ + μ⁻)   s.t.  λ₀ + Σλ = 1,  Σ_j λ_j a_j = μ⁺ − μ⁻

    and the multipliers of the two kinds of constraint are ξ and b.
    """
    m, k = counts.shape
    boxed = k if balance > 0 else 0
    n_variables = 1 + m + 2 * boxed
    Q = np.zeros((n_variables, n_variables))
    Q[1 : m + 1, 1 : m + 1] = gram / alpha
    q = np.concatenate([[0.0], constants, np.full(2 * boxed, -balance / 2)])
    E = np.zeros((1 + boxed, n_variables))
    E[0, : m + 1] = 1
    e = np.zeros(1 + boxed)
    e[0] = 1
    x = np.zeros(n_variables)
    if start is not None:
        x[1 : m + 1] = start
    x[0] = max(0.0, 1 - x[1 : m + 1].sum())
    if boxed:
        E[1:, 1 : m + 1] = counts.T
        E[1:, m + 1 : m + 1 + k] = -np.eye(k)
        E[1:, m + 1 + k :] = np.eye(k)
        net = counts.T @ x[1 : m + 1]
        x[m + 1 : m + 1 + k], x[m + 1 + k :] = np.maximum(net, 0), np.maximum(-net, 0)
    # Cuts may differ by many orders of magnitude: give each variable a curvature near 1.
    unit = 1 / np.sqrt(1 + Q.diagonal())
    x /= unit
    y = solve_small_qp(
        unit[:, None] * Q * unit, unit * q, E * unit, e, x, PROXIMAL, TOLERANCE, MAX_ROUNDS
    )
    x *= unit
    weights = x[1 : m + 1] / x[: m + 1].sum()
    bias = np.clip(y[1:], -balance / 2, balance / 2) if boxed else np.zeros(k)

    curve = gram @ weights / alpha
    slack = max(0.0, float(np.max(constants - curve - counts @ bias, initial=0.0)))
    penalty = 0.5 * float(weights @ curve)
    objective = penalty + slack
    tilt = 0.5 * balance * float(np.abs(counts.T @ weights).sum())
    dual = float(constants @ weights) - penalty - tilt
    return SmallDual(weights, bias, slack, objective, objective - dual)
