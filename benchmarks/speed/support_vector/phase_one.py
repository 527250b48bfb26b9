"""Phase 1 alone, beside scikit-learn's OneClassSVM, at the same gamma and nu."""

import time
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray
from six_shapes import six_shapes
from sklearn.svm import OneClassSVM

from maxmargin.domain.domain_graph import DomainGraph
from maxmargin.solvers import SMO, OneClassProblem
from maxmargin.spaces.pairwise import GaussianKernelRows, PairwiseDistances

SIZES, NUS = (1_000, 3_000, 10_000), (0.1, 0.5, 0.9)
#: In units of the median distance to the 7th neighbour: one that the default tries, a wide one.
WIDTHS = (0.35, 1.6)
TOL = 1e-4
EXACT, LIBSVM, ALIKE = "SMO", "OneClassSVM", "OneClassSVM, tol alike"
ROUNDS, ENOUGH = 3, 12.0


def fastest(run: Callable[[], Any]) -> tuple[float, Any]:
    """CPU seconds of the fastest repetition, and its result."""
    seconds: list[float] = []
    found = None
    while len(seconds) < ROUNDS and sum(seconds) < ENOUGH:
        began = time.process_time()
        found = run()
        seconds.append(time.process_time() - began)
    return min(seconds), found


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


def measure() -> Iterator[dict[str, Any]]:
    """One row for each size, width, nu and solver."""
    for n in SIZES:
        X, _ = six_shapes(n)
        graph = DomainGraph(X)
        distances, gammas = graph.distances, graph.gammas(WIDTHS)
        for width, gamma in zip(WIDTHS, gammas, strict=True):
            for nu in NUS:

                def exact(X: Any = X, gamma: float = gamma, nu: float = nu) -> Any:
                    made = PairwiseDistances.of_rows(X)  # they are timed as well
                    return SMO(TOL).solve(OneClassProblem(made, gamma, nu=nu))

                seconds, found = fastest(exact)
                key = {"n": n, "width": width, "gamma": gamma, "nu": nu}
                row = {**key, "solver": EXACT, "tol": TOL, "cpu_seconds": seconds}
                yield (row | {"n_iter": found.n_iter} | quality(distances, gamma, nu, found.alpha))
                # LIBSVM's tolerance is in units of its ρ = 1/C
                for solver, tol in ((LIBSVM, 1e-3), (ALIKE, TOL / found.C)):
                    model = OneClassSVM(gamma=gamma, nu=nu, tol=tol)
                    seconds, _ = fastest(lambda model=model, X=X: model.fit(X))
                    row = {**key, "solver": solver, "tol": tol, "cpu_seconds": seconds}
                    row["n_iter"] = int(np.max(model.n_iter_))
                    yield row | quality(distances, gamma, nu, weights(model, n))
