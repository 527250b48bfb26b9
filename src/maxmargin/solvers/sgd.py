"""SGD-LMSVC: the one-class machine by stochastic gradient descent."""

import numpy as np
from numpy.typing import NDArray

from maxmargin._core.violations import descend
from maxmargin._runtime.parameters import NONNEGATIVE, POSITIVE, Bool, Integer
from maxmargin.solvers.one_class import (
    MOST_STEPS,
    OneClassProblem,
    OneClassSolution,
    OneClassSolver,
    row_cache,
    solution_of_box,
)


class SGD(OneClassSolver):
    """Stochastic gradient descent: Algorithm 1 of SGD-LMSVC.

    w_{t+1} = (1 − 1/t) w_t + (C'/t) [w_t·φ(x) < 1] φ(x) for random rows x, with C' = C × N. The
    last w is α_i = C' · violations of i / t. The paper knows C only. Σα/(NC), what ν stands for, is
    then the share of rounds that violate: where ν is given, log C moves by (violation − ν)/√t in
    each round, up to C = 1, and no other problem is solved for it.

    Parameters
    ----------
    theta : float, default=0.01
        The rounds end when a step changes w by at most this: the paper's θ. Most often that is
        a round without a violation, ‖w_t‖/t ≤ θ, long before each row was looked at once.
    min_epochs : float, default=10.0
        The rounds before ``theta`` is looked at, in units of the number of rows; 0 is the
        paper's way.
    average : bool, default=True
        Whether to return the mean of all w_{t+1} with weights t (t + 1) (t + 2) (polynomial
        decay: Shamir and Zhang, 2013); False is the paper's last step.
    max_iter : int, default=10_000_000
        The most rounds.

    Examples
    --------
    >>> from sklearn.datasets import make_moons
    >>> from maxmargin import SupportVectorClustering
    >>> from maxmargin.solvers import SGD
    >>> X, _ = make_moons(100, noise=0.05, random_state=0)
    >>> solver = SGD(min_epochs=50)
    >>> model = SupportVectorClustering(20, C=0.5, solver=solver, random_state=0).fit(X)
    >>> bool(model.n_iter_ >= 50 * 100)
    True
    """

    _parameters = {
        "theta": POSITIVE,
        "min_epochs": NONNEGATIVE,
        "average": Bool(),
        "max_iter": Integer(1, MOST_STEPS),
    }

    def __init__(
        self,
        theta: float = 0.01,
        min_epochs: float = 10.0,
        average: bool = True,
        max_iter: int = 10_000_000,
    ) -> None:
        self.theta = theta
        self.min_epochs = min_epochs
        self.average = average
        self.max_iter = max_iter

    def solve(self, problem: OneClassProblem) -> OneClassSolution:
        """Find the weights of the rows."""
        n, kernel, rng = problem.distances.n, problem.kernel, np.random.default_rng(problem.seed)
        nu, C = problem.nu or 0.0, problem.C
        # From 1 on every C is the same problem, and the larger it is the slower: to the letter a C
        # that is given is the paper's.
        most = n if C is None or self.average else np.inf
        C_n = min(1 / nu if C is None else C * n, most)
        rows = row_cache(kernel)
        sums, counts, moments = np.zeros(n), np.zeros(n), np.zeros(n)
        t, squared_norm, ended = 1, 0.0, False
        first_end = int(min(np.ceil(self.min_epochs * n), self.max_iter))
        while not ended and t <= self.max_iter:
            draws = rng.integers(n, size=min(n, self.max_iter - t + 1)).astype(np.intp)
            t, squared_norm, C_n, ended = descend(
                *(rows, C_n, nu, most, draws, t, squared_norm, self.theta, first_end),
                *(sums, counts, moments),
            )
        C = C_n / n if C is None else C
        rounds = t - 1
        if self.average:
            # A violation in round s weighs C'/t in every w_{t+1}, t ≥ s, and
            # Σ_{t=s}^T (t + 1)(t + 2) = ((T + 1)(T + 2)(T + 3) − s (s + 1)(s + 2)) / 3.
            all_rounds = float((rounds + 1) * (rounds + 2) * (rounds + 3))
            alpha = C_n / rounds * (4 / 3) * (counts - moments / all_rounds)
        else:
            alpha = C_n * counts / rounds
        return solution_of_steps(problem, alpha, C, rounds, ended)


def solution_of_steps(
    problem: OneClassProblem, alpha: NDArray[np.float64], C: float, rounds: int, ended: bool
) -> OneClassSolution:
    """Say how good weights are that steps made, some of which may be above C."""
    kernel = problem.kernel
    feasible = np.minimum(alpha, C)  # others are no bound on the optimum
    dual = float(feasible.sum() - 0.5 * feasible @ kernel.sums(feasible))
    return solution_of_box(problem.gamma, alpha, kernel.sums(alpha), C, rounds, ended, dual)
