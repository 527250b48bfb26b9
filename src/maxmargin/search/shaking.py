"""Steepest descent with shaking: Algorithm 3 of UMC-RLS."""

import numpy as np

from maxmargin._runtime.parameters import NONE, Integer
from maxmargin.search.engine import Found, Problem, Search, Start

#: From this round on a cluster claims an eighth of its size: an informed start survives.
GENTLE_ROUND = 3


class Shaking(Search):
    """Clusters claim rows by turns, fewer in each round.

    In round i cluster c claims q_c/2ⁱ + q_c − size(c) rows (eq. 14 of [1]_, with the quota
    q_c = n/k where nothing else is asked for), each time the row that raises the objective
    most or lowers it least.

    Parameters
    ----------
    rounds : int, default=20
        The number of rounds. The claims halve from round to round, so that more rounds only
        cost time. The paper writes i = 0 … 20; its authors' code has i = 0 … 19.
    first_round : int or None, default=None
        The round i to begin with. None begins a random start at 0 and a start that knows
        something (labels from the user, k-means++) at 3, whose claims do not erase it.
        With two clusters round 0 claims every row and all starts would end the same:
        there, restart r begins at round r mod 4.

    References
    ----------
    .. [1] Pahikkala, Airola, Gieseke and Kramer, "On Unsupervised Training of Multi-Class
       Regularized Least-Squares Classifiers", JCST 29(1), 2014.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from maxmargin import RLSClustering
    >>> from maxmargin.search import Shaking
    >>> X = load_iris().data
    >>> model = RLSClustering(3, search=Shaking(rounds=10), random_state=0).fit(X)
    >>> model.n_iter_ <= 10
    True
    """

    _parameters = {"rounds": Integer(1), "first_round": NONE | Integer(0, 100)}

    def __init__(self, rounds: int = 20, first_round: int | None = None) -> None:
        self.rounds = rounds
        self.first_round = first_round

    def run(self, problem: Problem, start: Start, rng: np.random.Generator) -> Found:
        """Shake the start; the sizes are brought within their limits at the end."""
        labelling = problem.labelling(start.labels)
        quota = start.quota.astype(np.intp)
        first = self._first_round(start)
        path = []
        for i in range(first, first + self.rounds):
            before = labelling.labels.copy()
            extra = (start.quota / 2.0 ** min(i, 1000)).astype(np.intp)
            for c in range(len(quota)):
                labelling.claim(c, extra[c] + quota[c] - labelling.counts[c])
            path.append(labelling.value)
            if not extra.any() and np.array_equal(labelling.labels, before):
                break  # all later rounds would end where this one did
        labelling.repair()
        return Found(labelling, path, len(path))

    def from_labels(self) -> list[Search]:
        """From round 1, which claims half of each cluster, and as mildly as an informed start."""
        return [self] if self.first_round is not None else [Shaking(self.rounds, 1), self]

    def _first_round(self, start: Start) -> int:
        if self.first_round is not None:
            return self.first_round
        if start.informed:
            return GENTLE_ROUND
        return start.number % (GENTLE_ROUND + 1) if len(start.quota) == 2 else 0
