"""The small problem under the cuts, solved in its dual: hyperplanes, and the weights of kernels."""

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from maxmargin._core.small_dual import solve_small_qp
from maxmargin.objectives.hinge import KernelNorm, power_norm

#: Of the quadratic program: the price of moving in a proximal round, relative to the curvature,
#: the error at which the rounds end, and their number at most.
PROXIMAL = 1e-6
QP_ERROR = 1e-13
QP_ROUNDS = 1000
#: Of the kernel weights: the gap, relative to the objective, at which the rounds end, and their
#: number at most.
WEIGHTS_GAP = 1e-7
WEIGHTS_ROUNDS = 300
#: No kernel gets less than this share of the largest weight, or it could never come back.
SMALLEST_RATIO = 1e-9
#: By how much a stride grows as long as the objective falls.
LONGER = 1.5


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
        unit[:, None] * Q * unit, unit * q, E * unit, e, x, PROXIMAL, QP_ERROR, QP_ROUNDS
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


def solve_tied_dual(
    gram: NDArray[np.float64],
    counts: NDArray[np.float64],
    constants: NDArray[np.float64],
    alpha: float,
    balance: float,
    start: NDArray[np.float64] | None = None,
) -> SmallDual:
    """The same without biases: problem (17) of CPM3C as it is written, where w_pᵀm are balanced.

    The last k of m + k gradients are those of w_pᵀm for the mean row m, with dual variables
    ν⁻ − ν⁺ for |w_pᵀm − t| ≤ l/2. Weights are signed there. ``start`` has λ, and perhaps these.
    """
    m, k = counts.shape
    signs = np.zeros((m + k, 1 + m + 2 * k))
    signs[:m, 1 : m + 1] = np.eye(m)
    signs[m:, m + 1 :] = np.hstack([-np.eye(k), np.eye(k)])
    Q = signs.T @ (gram / alpha) @ signs
    q = np.concatenate([[0.0], constants, np.full(2 * k, -balance / 2)])
    E = np.zeros((2, len(q)))
    E[0, : m + 1] = 1
    E[1, m + 1 :] = np.repeat([1.0, -1.0], k)
    x = np.zeros(len(q))
    if start is not None:
        x[1 : m + 1] = start[:m]
        if len(start) > m:
            x[m + 1 :] = np.concatenate([np.maximum(-start[m:], 0), np.maximum(start[m:], 0)])
    x[0] = max(0.0, 1 - x[1 : m + 1].sum())
    unit = 1 / np.sqrt(1 + Q.diagonal())
    x /= unit
    solve_small_qp(
        unit[:, None] * Q * unit, unit * q, E * unit, np.array([1.0, 0.0]), x,
        PROXIMAL, QP_ERROR, QP_ROUNDS,
    )  # fmt: skip
    x *= unit
    weights = signs @ x
    curve = gram @ weights / alpha
    slack = max(0.0, float(np.max(constants - curve[:m], initial=0.0)))
    penalty = 0.5 * float(weights @ curve)
    tilt = 0.5 * balance * float(np.abs(weights[m:]).sum())
    dual = float(constants @ weights[:m]) - penalty - tilt
    return SmallDual(weights, np.zeros(k), slack, penalty + slack, penalty + slack - dual)


@dataclass(frozen=True)
class KernelDual(SmallDual):
    """The solution of min ½ α Σ_m ‖v_m‖²/β_m + ξ under the cuts of :class:`SmallDual`.

    Attributes
    ----------
    factors : ndarray of shape (M,)
        v_m = β_m Σ_j λ_j A_jm / α: the β that the hyperplanes were made with.
    n_rounds : int
        Quadratic programs solved.
    """

    factors: NDArray[np.float64]
    n_rounds: int


def solve_kernel_weights(
    grams: NDArray[np.float64],
    counts: NDArray[np.float64],
    constants: NDArray[np.float64],
    alpha: float,
    balance: float,
    norm: KernelNorm,
    start: NDArray[np.float64] | None = None,
    kernel_weights: NDArray[np.float64] | None = None,
    tolerance: float = WEIGHTS_GAP,
    tied: bool = False,
) -> KernelDual:
    """Solve the cone program (2.14, 4.35) of MKC by turns of a quadratic program and β.

    Parameters
    ----------
    grams : ndarray of shape (M, m, m)
        ⟨A_im, A_jm⟩ for each kernel.
    counts, constants, alpha, balance, start
        As in :func:`solve_small_dual`.
    norm : KernelNorm
    kernel_weights : ndarray of shape (M,) or None
        β to begin with.
    tolerance : float
        The gap to the dual, relative to the objective, that is good enough.
    tied : bool
        Whether there are no biases (:func:`solve_tied_dual`).

    Notes
    -----
    For fixed β this is the problem of one kernel, Σ_m β_m K_m; for fixed hyperplanes the best
    β has a closed form. Each turn lowers the objective. With s_m = λᵀG_mλ the dual is

        max_λ cᵀλ − ½ ‖s‖_{p*}/α − l/2 ‖Σ_j λ_j a_j‖₁,   1/p + 1/p* = 1,

    so that every λ tells how far the optimum can be.
    """
    solve = solve_tied_dual if tied else solve_small_dual
    beta = norm.kernel_weights(np.ones(len(grams))) if kernel_weights is None else kernel_weights
    if len(grams) == 1:  # nothing to weigh
        dual = solve(grams[0], counts, constants, alpha, balance, start)
        return KernelDual(**vars(dual), factors=beta, n_rounds=1)
    best: KernelDual | None = None
    bound, stride, n_rounds = -np.inf, 1.0, 0
    while best is None or best.objective - bound > tolerance * max(1.0, best.objective):
        beta = np.maximum(beta, SMALLEST_RATIO * beta.max())
        combined = (beta @ grams.reshape(len(grams), -1)).reshape(grams.shape[1:])
        dual = solve(combined, counts, constants, alpha, balance, start)
        start = dual.weights
        squares = np.maximum(np.einsum("i,mij,j->m", start, grams, start), 0)
        lengths = beta * np.sqrt(squares) / alpha
        objective = alpha * norm.penalty_of(lengths) + dual.slack
        fixed = 0.5 * float(beta @ squares)  # the dual penalty of the kernel that β combines
        value = dual.objective - dual.gap + (fixed - norm.dual_penalty(squares)) / alpha
        bound = max(bound, value)
        n_rounds += 1
        if best is None or objective < best.objective:
            best = KernelDual(
                start, dual.bias, dual.slack, objective, 0.0, factors=beta, n_rounds=n_rounds
            )
            found = norm.kernel_weights(lengths)
            stride *= LONGER
        elif stride > 1:
            stride = 1.0
        else:  # not even a plain turn lowers it: all that is left is rounding
            break
        if n_rounds == WEIGHTS_ROUNDS:
            break
        # Small weights shrink by a constant factor in each turn: go on in this direction.
        step = np.maximum(found, SMALLEST_RATIO * found.max()) / best.factors
        beta = best.factors * step**stride
        beta /= power_norm(beta, norm.p)
    return replace(best, gap=best.objective - bound, n_rounds=n_rounds)
