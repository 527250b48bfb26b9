"""Maximum margin clustering as semidefinite programs: a matrix says who is together."""

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix, eye, hstack

from maxmargin.solvers.conic import ConicProgram, ConicSolution

Array = NDArray[np.float64]


def mmc(K: Array, C: float, balance: float) -> ConicProgram:
    """Xu, Neufeld, Larson and Schuurmans 2004: M for yyᵀ, hinge loss, |M e| ≤ balance · n.

    Variables: M above the diagonal, μ ≥ 0, ν ≥ 0 and δ, which is minimised. δ is ‖w‖² + 2 C Σ
    loss of the best machine without a bias, if M is yyᵀ.
    """
    n = len(K)
    i, j = np.triu_indices(n, 1)
    m = len(i)
    mu, nu, delta = m + np.arange(n), m + n + np.arange(n), m + 2 * n
    cost = np.zeros(delta + 1)
    cost[delta] = 1.0
    program = ConicProgram(cost)
    pairs = np.arange(m)
    sums = csr_matrix((np.ones(2 * m), (np.r_[i, j], np.r_[pairs, pairs])), shape=(n, delta + 1))
    program.at_most(sums, balance * n - 1)
    program.at_most(-sums, balance * n + 1)
    program.at_most(-eye(2 * n, delta + 1, k=m), 0.0)
    program.semidefinite(n, (i, j, pairs, np.ones(m)), np.eye(n))
    last = np.full(n, n)
    border = np.arange(n)
    constant = np.zeros((n + 1, n + 1))
    constant[np.arange(n), np.arange(n)] = K.diagonal()
    constant[:n, n] = constant[n, :n] = 1.0
    entries = (
        np.r_[i, border, border, last, n],
        np.r_[j, last, last, last, n],
        np.r_[pairs, mu, nu, nu, delta],
        np.r_[K[i, j], np.ones(n), -np.ones(n), np.full(n, -2.0 * C), 1.0],
    )
    program.semidefinite(n + 1, entries, constant)
    return program


def gmmc(K: Array, C: float, balance: float) -> ConicProgram:
    """Valizadegan and Jin 2007: with z = y ∘ (margins), min zᵀPz under z_i² ≥ 1, by its dual.

    Slacks are squared, which adds I/C to the kernel; the best bias is inside of P; the balance
    is a penalty on (Σ z)². Variables: γ ≥ 0 with P − diag(γ) ⪰ 0, whose sum is maximised. The
    dual of that matrix is the relaxation of zzᵀ. ``balance`` softens the penalty.
    """
    n = len(K)
    inverse = np.linalg.inv(K + np.eye(n) / C)
    column = inverse.sum(axis=0)
    P = inverse - np.outer(column, column) / column.sum()
    P += np.trace(P) / n / max(balance * n, 1.0) * np.ones((n, n))
    program = ConicProgram(-np.ones(n))
    program.at_most(-eye(n), 0.0)
    diagonal = np.arange(n)
    program.semidefinite(n, (diagonal, diagonal, diagonal, -np.ones(n)), (P + P.T) / 2)
    return program


def features_of(K: Array, energy: float = 0.99) -> Array:
    """Rows with the products K, in as few columns as have this share of its trace."""
    values, vectors = np.linalg.eigh(K)
    values, vectors = np.clip(values[::-1], 0, None), vectors[:, ::-1]
    r = 1 + int(np.searchsorted(np.cumsum(values), energy * values.sum()))
    return vectors[:, :r] * np.sqrt(values[:r])


def multiclass(K: Array, C: float, balance: float, k: int) -> ConicProgram:
    """Xu and Schuurmans 2005: M for "the same cluster", and the hinge loss of Crammer and Singer.

    Minimises ½ Σ ‖w‖² + C Σ_i max_j (1 − M_ij + (v_j − v_i)ᵀx_i), where v_j are the weights of the
    cluster of row j, and Σ ‖w‖² is tr Vᵀ M⁻¹ V: the smallest tr T with [[M, V], [Vᵀ, T]] ⪰ 0.
    Variables: M above the diagonal, V, T's upper triangle, a slack ξ_i for each row.
    """
    X = features_of(K)
    n, r = X.shape
    i, j = np.triu_indices(n, 1)
    a, b = np.triu_indices(r)
    m, pairs = len(i), np.arange(len(i))
    V = m + np.arange(n * r).reshape(n, r)
    T = m + n * r + np.arange(len(a))
    xi = m + n * r + len(a) + np.arange(n)
    p = int(xi[-1]) + 1
    cost = np.zeros(p)
    cost[T[a == b]] = 0.5
    cost[xi] = C
    program = ConicProgram(cost)
    M = csr_matrix((np.ones(2 * m), (np.r_[i, j], np.r_[pairs, pairs])), shape=(n, p))
    share = n / k
    program.at_most(M, share * (1 + balance) + 0.5 - 1)
    program.at_most(-M, -max(share * (1 - balance) - 0.5 - 1, 0.0))
    program.at_most(-eye(m, p), 0.0)
    _add_margins(program, X, V, xi, (i, j))
    rows, columns = np.divmod(np.arange(n * r), r)
    entries = (
        np.r_[i, rows, n + a],
        np.r_[j, n + columns, n + b],
        np.r_[pairs, V.ravel(), T],
        np.ones(m + n * r + len(a)),
    )
    constant = np.zeros((n + r, n + r))
    constant[:n, :n] = np.eye(n)
    program.semidefinite(n + r, entries, constant)
    return program


def _add_margins(
    program: ConicProgram,
    X: Array,
    V: NDArray[np.intp],
    xi: NDArray[np.intp],
    pairs: tuple[NDArray[np.intp], NDArray[np.intp]],
) -> None:
    """ξ_i ≥ 1 − M_ij + (v_j − v_i)ᵀx_i for all i ≠ j, and ξ_i ≥ 0."""
    n, r = X.shape
    first, second = pairs
    m, p = len(first), len(program.cost)
    for one, other in ((first, second), (second, first)):
        rows = np.arange(m)
        wide = np.repeat(rows, r)
        values = X[one].ravel()
        A = csr_matrix(
            (
                np.r_[values, -values, -np.ones(m), -np.ones(m)],
                (
                    np.r_[wide, wide, rows, rows],
                    np.r_[V[other].ravel(), V[one].ravel(), rows, xi[one]],
                ),
            ),
            shape=(m, p),
        )
        program.at_most(A, -1.0)
    none = csr_matrix((n, int(xi[0])))
    program.at_most(hstack([none, -eye(n)]), 0.0)


def relaxed(
    relaxation: str, K: Array, C: float, balance: float, k: int, solver: str
) -> tuple[Array, ConicSolution]:
    """Solve a relaxation for rows with the products K.

    Returns a matrix (n × n) that is large where two rows belong together, and the solution.
    """
    if relaxation == "gmmc":
        found = gmmc(K, C, balance).solve(solver)
        return found.duals[0], found
    program = mmc(K, C, balance) if relaxation == "mmc" else multiclass(K, C, balance, k)
    found = program.solve(solver)
    together = np.eye(len(K))
    i, j = np.triu_indices(len(K), 1)
    together[i, j] = together[j, i] = found.x[: len(i)]
    return together, found


def orders_of(relaxation: str, n: int, n_features: int) -> list[int]:
    """The orders of the matrices that must be semidefinite."""
    return {"mmc": [n, n + 1], "gmmc": [n], "multiclass": [n + n_features]}[relaxation]


def cost_of(orders: list[int], solver: str) -> tuple[float, float]:
    """About how many seconds and bytes a solver will take.

    The interior point method factorises a matrix whose order is the number of entries of the
    triangles; the splitting method takes eigenvalues of the matrices, thousands of times. The
    constants are those of one core of 2020, and on the safe side.
    """
    if solver == "scs":
        return 2e-5 * sum(order**3 for order in orders), 2e3 * sum(order**2 for order in orders)
    entries = sum(order * (order + 1) / 2 for order in orders)
    return 4e-9 * entries**3, 50 * entries**2
