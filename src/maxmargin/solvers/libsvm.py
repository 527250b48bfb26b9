"""The one-class machine by LIBSVM."""

import warnings

import numpy as np
from scipy.sparse import issparse
from sklearn.exceptions import ConvergenceWarning
from sklearn.svm import OneClassSVM

from maxmargin._runtime.parameters import POSITIVE, Integer
from maxmargin.solvers.one_class import (
    LARGEST_BOUND,
    MOST_STEPS,
    OneClassProblem,
    OneClassSolution,
    OneClassSolver,
    gap_of_nu,
)


class LibSVM(OneClassSolver):
    """scikit-learn's OneClassSVM, with ν only: α = α_libsvm / ρ, C = 1/ρ.

    It does not answer Ctrl-C. Widths are still chosen by :class:`SMO`.

    Parameters
    ----------
    tol : float, default=1e-4
        How far its values, which are of the size of ρ, may be from their optimum.
    max_iter : int, default=10_000_000
        The most steps.

    Examples
    --------
    >>> from sklearn.datasets import make_moons
    >>> from maxmargin import SupportVectorClustering
    >>> from maxmargin.solvers import LibSVM
    >>> X, _ = make_moons(200, noise=0.05, random_state=0)
    >>> model = SupportVectorClustering(20, nu=0.1, solver=LibSVM(tol=1e-6)).fit(X)
    >>> model.n_clusters_
    2
    """

    _parameters = {"tol": POSITIVE, "max_iter": Integer(1, MOST_STEPS)}
    takes = ("nu",)

    def __init__(self, tol: float = 1e-4, max_iter: int = 10_000_000) -> None:
        self.tol = tol
        self.max_iter = max_iter

    def solve(self, problem: OneClassProblem) -> OneClassSolution:
        """Find the weights of the rows."""
        nu, gamma, n = problem.nu, problem.gamma, problem.distances.n
        assert nu is not None, "nu is all that it takes"
        steps = min(self.max_iter, 2**31 - 1)
        # A bound of 1 or more on weights with Σα = 1 is none: the same problem for all ν ≤ 1/n.
        at_least = max(nu, 1 / n)
        # LIBSVM's tolerance is on values of the size of ρ, which lies between 0 and νn.
        model = OneClassSVM(gamma=gamma, nu=at_least, tol=self.tol, max_iter=steps, cache_size=256)
        model.random_state = 0  # it would draw a seed, of no use, from NumPy's generator
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ConvergenceWarning)  # the caller says it, with the gap
            model.fit(problem.distances.rows)
        rho = -float(model.intercept_[0])
        alpha = np.zeros(n)
        dual = model.dual_coef_  # sparse of sparse rows
        alpha[model.support_] = (dual.toarray() if issparse(dual) else dual)[0] / rho
        heights = problem.kernel.sums(alpha)
        n_iter = int(np.max(model.n_iter_))
        bound = float(alpha.sum()) * min(1 / (nu * n), LARGEST_BOUND)
        gap = gap_of_nu(alpha, heights, at_least)
        found = alpha, heights, nu, bound, gap, n_iter, n_iter < self.max_iter
        return OneClassSolution(gamma, *found)
