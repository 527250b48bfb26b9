"""Phase 1 alone, beside scikit-learn's OneClassSVM, at the same gamma and nu."""

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.svm import OneClassSVM

from benchmarks.datasets.six_shapes import six_shapes
from benchmarks.runner.measure import fastest
from maxmargin.domain.domain_graph import DomainGraph
from maxmargin.solvers import SMO, OneClassProblem
from maxmargin.spaces.pairwise import GaussianKernelRows, PairwiseDistances

SIZES, NUS = (1_000, 3_000, 10_000), (0.1, 0.5, 0.9)
#: In units of the median distance to the 7th neighbour: one that the default tries, a wide one.
WIDTHS = (0.35, 1.6)
TOL = 1e-4
EXACT, LIBSVM, ALIKE = "SMO", "OneClassSVM", "OneClassSVM, tol alike"


def quality(
    distances: PairwiseDistances, gamma: float, nu: float, alpha: NDArray
) -> dict[str, float]:
    """½ αᵀKα with Σα = 1, and the duality gap as a share of it."""
    alpha = alpha / alpha.sum()
    heights = GaussianKernelRows(distances, gamma).sums(alpha)
    at = min(int(nu * distances.n), distances.n - 1)
    rho = float(np.partition(heights, at)[at])
    norm = float(alpha @ heights)
    outside = float(np.maximum(rho - heights, 0).sum()) / (nu * distances.n)
    return {"objective": norm / 2, "gap": (norm - rho + outside) / (norm / 2)}


def weights(model: OneClassSVM, n: int) -> NDArray:
    alpha = np.zeros(n)
    alpha[model.support_] = model.dual_coef_[0]
    return alpha


def measure(n: int, width: float, nu: float) -> Iterator[dict[str, Any]]:
    """A row for each solver."""
    X, _ = six_shapes(n)
    graph = DomainGraph(X)
    distances, (gamma,) = graph.distances, graph.gammas((width,))

    def exact() -> Any:
        made = PairwiseDistances.of_rows(X)  # they are timed as well
        return SMO(TOL).solve(OneClassProblem(made, gamma, nu=nu))

    found, taken = fastest(exact)
    row = {"gamma": gamma, "solver": EXACT, "tol": TOL, "cpu_seconds": taken["cpu_seconds"]}
    yield row | {"n_iter": found.n_iter} | quality(distances, gamma, nu, found.alpha)
    # LIBSVM's tolerance is in units of its ρ = 1/C
    for solver, tol in ((LIBSVM, 1e-3), (ALIKE, TOL / found.C)):
        model = OneClassSVM(gamma=gamma, nu=nu, tol=tol)
        _, taken = fastest(lambda model=model: model.fit(X))
        row = {"gamma": gamma, "solver": solver, "tol": tol, "cpu_seconds": taken["cpu_seconds"]}
        row["n_iter"] = int(np.max(model.n_iter_))
        yield row | quality(distances, gamma, nu, weights(model, n))
