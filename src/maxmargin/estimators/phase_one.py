"""Phase 1 of support vector clustering: which solver, which form, which bound."""

from dataclasses import dataclass

import numpy as np

from maxmargin.solvers.one_class import OneClass, solve_box, solve_libsvm, solve_nu
from maxmargin.solvers.sgd import solve_sgd
from maxmargin.spaces.pairs import Pairs

SOLVERS = ("exact", "sgd", "libsvm")


@dataclass(frozen=True, eq=False)
class PhaseOne:
    """Finds the domain of rows at any width.

    Parameters
    ----------
    pairs : Pairs
    nu, C : float or None
        Exactly one of them bounds the weights.
    solver : {"exact", "sgd", "libsvm"}
    tol, max_iter, theta, min_epochs, average
        See :class:`~maxmargin.SupportVectorClustering`.
    seed : int
        For the stochastic solver: the same rows are drawn at every width.
    """

    pairs: Pairs
    nu: float | None
    C: float | None
    solver: str
    tol: float
    max_iter: int
    theta: float
    min_epochs: float
    average: bool
    seed: int

    def exact(self, gamma: float) -> OneClass:
        """The domain by the exact solver, whatever the solver is: to choose a width by."""
        solve, bound = (solve_box, self.C) if self.nu is None else (solve_nu, self.nu)
        assert bound is not None, "nu or C is given"
        return solve(self.pairs, gamma, bound, tol=self.tol, max_iter=self.max_iter)

    def __call__(self, gamma: float) -> OneClass:
        """The domain by the solver that was asked for."""
        if self.solver == "exact":
            return self.exact(gamma)
        if self.solver == "libsvm":
            assert self.nu is not None, "libsvm takes nu"
            return solve_libsvm(self.pairs, gamma, self.nu, tol=self.tol, max_iter=self.max_iter)
        # The paper's method knows C only: the one that ν stands for at this width.
        C = self.exact(gamma).C if self.C is None else self.C
        return solve_sgd(
            self.pairs,
            gamma,
            C,
            theta=self.theta,
            max_iter=self.max_iter,
            min_epochs=self.min_epochs,
            average=self.average,
            rng=np.random.default_rng(self.seed),
        )
