"""Steepest descent: Algorithm 2 of UMC-RLS."""

import numpy as np

from maxmargin._runtime.interrupts import StopFlag
from maxmargin.objectives.labelling import Labelling
from maxmargin.objectives.rls import QuadraticForm
from maxmargin.search.base import Found, Search, Start
from maxmargin.sizes import Sizes


class Steepest(Search):
    """The best single move within the size limits, as long as there is one that gains.

    Fast and easily stuck: it is the polish after every other search, and Steep-RLS of the
    paper by itself.

    Examples
    --------
    >>> from maxmargin import RLSClustering
    >>> from maxmargin.search import Steepest
    >>> RLSClustering(3, search=Steepest())
    RLSClustering(n_clusters=3, search=Steepest())
    """

    def check(self) -> None:
        """Nothing to check: there are no parameters."""

    def run(
        self,
        form: QuadraticForm,
        sizes: Sizes,
        start: Start,
        rng: np.random.Generator,
        stop: StopFlag,
    ) -> Found:
        """Descend from the start."""
        labelling = Labelling(form, sizes, start.labels.copy(), stop)
        labelling.repair()
        moves = labelling.descend()
        return Found(labelling, [labelling.value], moves)
