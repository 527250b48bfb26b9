"""The small problem of several kernels: hyperplanes and kernel weights in turn."""

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from maxmargin.objectives.kernel_norm import KernelNorm
from maxmargin.solvers.small_dual import SmallDual, solve_small_dual

#: The gap, relative to the objective, at which the rounds end, and their number at most.
TOLERANCE = 1e-7
MAX_ROUNDS = 300
#: No kernel gets less than this share of the largest weight, or it could never come back.
SMALLEST = 1e-9
#: By how much a stride grows as long as the objective falls.
LONGER = 1.5


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
    tolerance: float = TOLERANCE,
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

    Notes
    -----
    For fixed β this is the problem of one kernel, Σ_m β_m K_m; for fixed hyperplanes the best
    β has a closed form. Each turn lowers the objective. With s_m = λᵀG_mλ the dual is

        max_λ cᵀλ − ½ ‖s‖_{p*}/α − l/2 ‖Σ_j λ_j a_j‖₁,   1/p + 1/p* = 1,

    so that every λ tells how far the optimum can be.
    """
    beta = norm.kernel_weights(np.ones(len(grams))) if kernel_weights is None else kernel_weights
    best: KernelDual | None = None
    bound, stride, n_rounds = -np.inf, 1.0, 0
    while best is None or best.objective - bound > tolerance * max(1.0, best.objective):
        beta = np.maximum(beta, SMALLEST * beta.max())
        dual = solve_small_dual(
            np.tensordot(beta, grams, 1), counts, constants, alpha, balance, start
        )
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
        if n_rounds == MAX_ROUNDS:
            break
        # Small weights shrink by a constant factor in each turn: go on in this direction.
        step = np.maximum(found, SMALLEST * found.max()) / best.factors
        beta = best.factors * step**stride
        beta /= np.linalg.norm(beta, ord=norm.p)
    return replace(best, gap=best.objective - bound, n_rounds=n_rounds)
