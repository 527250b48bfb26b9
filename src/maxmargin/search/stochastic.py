"""Stochastic descent: Algorithm 1 of UMC-RLS."""

import numpy as np

from maxmargin._core.sweeps import settle_rows
from maxmargin._runtime.parameters import Bool, Integer
from maxmargin.search.engine import Found, Problem, Search, Start


class Stochastic(Search):
    """Row after row takes its best cluster, until a whole sweep changes nothing.

    Parameters
    ----------
    max_sweeps : int, default=1000
        Ends the search at the latest; the sweeps needed are usually below 20.
    shuffle : bool, default=False
        Visit the rows in a new random order in each sweep. The paper goes from the first to
        the last.

    Examples
    --------
    >>> from maxmargin import RLSClustering
    >>> from maxmargin.search import Stochastic
    >>> RLSClustering(3, search=Stochastic()).set_params(search__shuffle=True).search
    Stochastic(shuffle=True)
    """

    _parameters = {"max_sweeps": Integer(1), "shuffle": Bool()}

    def __init__(self, max_sweeps: int = 1000, shuffle: bool = False) -> None:
        self.max_sweeps = max_sweeps
        self.shuffle = shuffle

    @property
    def random(self) -> bool:  # type: ignore[override]
        """Whether two runs from the same start can end differently."""
        return self.shuffle

    def run(self, problem: Problem, start: Start, rng: np.random.Generator) -> Found:
        """Sweep from the start; every single move keeps the size limits."""
        form, sizes = problem.form, problem.sizes
        labelling = problem.labelling(start.labels)
        labelling.repair()
        labels, counts, value = labelling.labels, labelling.counts, labelling.value
        state = form.state(labels, sizes.n_clusters)
        rows = np.flatnonzero(labelling.movable)
        path = []
        for _ in range(self.max_sweeps):
            moves, gained = settle_rows(
                form.matrix, form.factored, form.diagonal, labels, state, counts, labelling.mass,
                sizes.lower, sizes.upper, rng.permutation(rows) if self.shuffle else rows,
                form.tol,
            )  # fmt: skip
            value += gained
            labelling.n_moves += moves
            path.append(value)
            if moves == 0:
                break
        labelling.relabel(labels)  # brings the scores up to date
        return Found(labelling, path, len(path))
