"""Steepest descent: Algorithm 2 of UMC-RLS."""

import numpy as np

from maxmargin.search.engine import Found, Problem, Search, Start


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

    def run(self, problem: Problem, start: Start, rng: np.random.Generator) -> Found:
        """Descend from the start."""
        labelling = problem.labelling(start.labels)
        labelling.repair()
        moves = labelling.descend()
        return Found(labelling, [labelling.value], moves)
