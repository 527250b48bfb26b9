"""SGD-LMSVC online: one pass over a stream, of which the rows that violate are kept."""

import numpy as np

from maxmargin._runtime.memory import filled
from maxmargin._runtime.parameters import NONE, Bool, Integer
from maxmargin.solvers.one_class import OneClassProblem, OneClassSolution, OneClassSolver
from maxmargin.solvers.sgd import solution_of_steps
from maxmargin.solvers.violations import Violations


class OnlineSGD(OneClassSolver):
    """Algorithm 1 of SGD-LMSVC in one pass, with memory for the violations only.

    ``SupportVectorClustering(gamma, solver="online")`` goes once over the rows that come by
    ``partial_fit``, as they come; over those of ``fit`` in a random order. It knows ν, which is the
    share of rows that violate: a stream does not say how many rows C × N is meant for. Rows should
    come in no order, as for every stochastic gradient descent: of a sorted stream the default
    solver, which is fitted to a fair sample, makes the better clusters.

    Parameters
    ----------
    budget : int or None, default=2000
        Violations that are kept at most: a fair sample of all. None keeps all.
    average : bool, default=True
        Whether to return a mean of all w, as :class:`SGD` does, or the last one.

    Examples
    --------
    >>> import numpy as np
    >>> from sklearn.datasets import make_moons
    >>> from maxmargin import SupportVectorClustering
    >>> X, _ = make_moons(4000, noise=0.05, random_state=0)
    >>> model = SupportVectorClustering(20, nu=0.1, solver="online", random_state=0)
    >>> for batch in np.array_split(X, 10):
    ...     model = model.partial_fit(batch)
    >>> model.predict([[1.0, -0.5], [0.0, 1.0]]), model.n_clusters_
    (array([1, 0], dtype=int32), 2)
    """

    takes = ("nu",)
    _parameters = {"budget": NONE | Integer(1), "average": Bool()}

    def __init__(self, budget: int | None = 2000, average: bool = True) -> None:
        self.budget = budget
        self.average = average

    def solve(self, problem: OneClassProblem) -> OneClassSolution:
        """Go over the rows once."""
        assert problem.nu is not None, "nu is given"
        rng, n = np.random.default_rng(problem.seed), problem.distances.n
        order = rng.permutation(n)
        empty = Violations(problem.gamma, problem.nu, self.budget, rng)
        rows = filled(problem.distances.rows, 'Use solver="exact", which keeps rows sparse.')
        seen = empty.grown(rows[order])
        alpha = np.zeros(n)
        alpha[order[seen.rounds.astype(np.intp) - 1]] = seen.alpha(self.average)
        return solution_of_steps(problem, alpha, seen.C / n, n, True)


class Streamed(OneClassSolver):
    """What a stream has left: the weights of its violations, which are the last of the rows.

    The rows before them are a fair sample of the stream. It says which C has a share ν outside: in
    a sorted stream the last C is that of the last rows.

    Parameters
    ----------
    seen : Violations
    average : bool
    """

    takes = ("nu",)

    def __init__(self, seen: Violations, average: bool) -> None:
        self.seen = seen
        self.average = average

    def solve(self, problem: OneClassProblem) -> OneClassSolution:
        """The heights of the rows; how far the optimum is would need all rows that came."""
        seen, weights = self.seen, self.seen.alpha(self.average)
        fair = problem.distances.n - len(weights)
        alpha = np.append(np.zeros(fair), weights)
        heights = problem.kernel.sums(alpha)
        boundary = np.quantile(heights[:fair], seen.nu)
        found = alpha / boundary, heights / boundary, seen.n_violations / seen.n_seen
        C = seen.C / (boundary * seen.n_seen)
        return OneClassSolution(problem.gamma, *found, C, np.nan, seen.n_seen, True)
