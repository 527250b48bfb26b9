"""The rows of a stream that violate, which are all that the online SGD-LMSVC keeps of it."""

from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.utils import gen_batches

from maxmargin._core.interrupts import check_interrupt
from maxmargin._runtime.generators import with_generator, with_plain_generator
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
    >>> from maxmargin.solvers.violations import Violations
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
