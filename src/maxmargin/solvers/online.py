"""SGD-LMSVC online: one pass over a stream, of which the rows that violate are kept."""

from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.utils import gen_batches

from maxmargin._core.interrupts import check_interrupt
from maxmargin._runtime.generators import with_generator, with_plain_generator
from maxmargin._runtime.memory import filled
from maxmargin._runtime.parameters import NONE, Bool, Integer
from maxmargin.solvers.one_class import OneClassProblem, OneClassSolution, OneClassSolver
from maxmargin.solvers.sgd import solution_of_steps
from maxmargin.spaces.metric import gaussian, squared_distances

#: Rows whose kernel with the kept ones is computed at a time.
BLOCK = 256


@dataclass(frozen=True, eq=False)
class Violations:
    """The w of Algorithm 1 after some rows of a stream: the rows that violated, and when.

    Row x_t violates if w_t·φ(x_t) < 1, and w_t = C/(t − 1) · Σ φ(x_s) over the violations s < t.
    Of more than ``budget`` violations a fair sample is kept, each for as many as it stands for. As
    in :class:`SGD`, log C follows the share of rows that violate, which is to be ν.

    Parameters
    ----------
    gamma, nu : float
        The width, and the share of rows that is to violate.
    budget : int or None
        Rows that are kept at most; None for all violations.
    rng : Generator
        Draws the sample.
    rows : array of shape (m, d)
        The violations that are kept.
    rounds : array of shape (m,)
        The number of each in the stream, from 1.
    n_seen, n_violations : int
        The rows that came, and how many of them violated.
    C : float
        The C of Equation (1), which is N times the bound on a weight.

    Examples
    --------
    >>> import numpy as np
    >>> from maxmargin.solvers.online import Violations
    >>> rng = np.random.default_rng(0)
    >>> stream = Violations(gamma=1.0, nu=0.5, budget=20, rng=rng)
    >>> stream = stream.grown(rng.normal(size=(500, 2))).grown(rng.normal(size=(500, 2)))
    >>> len(stream.rows), stream.n_seen, round(stream.n_violations / stream.n_seen, 1)
    (20, 1000, 0.5)
    """

    gamma: float
    nu: float
    budget: int | None
    rng: np.random.Generator
    rows: NDArray[np.float64] = field(default_factory=lambda: np.empty((0, 0)))
    rounds: NDArray[np.float64] = field(default_factory=lambda: np.empty(0))
    n_seen: int = 0
    n_violations: int = 0
    C: float = 0.0

    def grown(self, X: NDArray[np.floating]) -> "Violations":
        """The state after more rows; this one stays as it is."""
        state: Violations = self
        for block in gen_batches(len(X), BLOCK):
            check_interrupt()
            state = state._after(np.asarray(X[block], dtype=np.float64))
        return state

    def alpha(self, average: bool) -> NDArray[np.float64]:
        """The weights of the kept rows: of the last w, or of the mean of all w (see SGD)."""
        m, T = len(self.rounds), self.n_seen
        each = self.C * self.n_violations / (m * T)
        if not average:
            return np.full(m, each)
        s = self.rounds
        return 4 / 3 * each * (1 - s * (s + 1) * (s + 2) / ((T + 1.0) * (T + 2) * (T + 3)))

    def _after(self, X: NDArray[np.float64]) -> "Violations":
        """The state after a block of rows, whose kernel with all that matter is made at once."""
        b, m = len(X), len(self.rows)
        room = m + b if self.budget is None else max(m, min(m + b, self.budget))
        rows, rounds = np.empty((room, X.shape[1])), np.empty(room)
        K = np.zeros((b, room))  # the kernel with what is kept at each place
        if m:
            rows[:m], rounds[:m] = self.rows, self.rounds
            K[:, :m] = self._kernel(X, rows[:m])
        among, sums = self._kernel(X, X), K.sum(axis=1)
        n_seen, violations, C = self.n_seen, self.n_violations, self.C or 1 / self.nu
        for i in range(b):
            # each of the m that are kept stands for violations/m, and the mean has 1/(t − 1)
            violates = m == 0 or C * violations / m * sums[i] < n_seen
            n_seen += 1
            if violates:
                violations += 1
                place = m if m < room else int(self.rng.integers(violations))
                if place < room:
                    sums += among[:, i] - K[:, place]
                    K[:, place], rows[place], rounds[place] = among[:, i], X[i], n_seen
                    m = max(m, place + 1)
            # a bound above 1 is that of a hard margin, as 1 is
            C = min(n_seen, C * np.exp((violates - self.nu) / np.sqrt(n_seen)))
        kept = replace(self, rows=rows[:m], rounds=rounds[:m])
        return replace(kept, n_seen=n_seen, n_violations=violations, C=float(C))

    def _kernel(self, A: NDArray[np.float64], B: NDArray[np.float64]) -> NDArray[np.float64]:
        squared = squared_distances(A, B)
        return gaussian(squared, self.gamma, out=squared)

    def __getstate__(self) -> dict[str, Any]:
        return with_plain_generator(vars(self))

    def __setstate__(self, state: dict[str, Any]) -> None:
        vars(self).update(with_generator(state))


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
