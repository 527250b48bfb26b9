"""How large-margin models and their labels are found together.

``cutting_plane.py``, ``kernel_weights.py``
    The hinge loss under a working set of cuts, and the small problem that is solved for it.
``optimizers.py``
    How cuts and labels go on in turn: what ``optimizer=`` takes.
``multistart.py``
    Starts → optimisers → polish → best, on some of the rows and then on all.
``one_class.py``, ``sgd.py``
    One-class machines, exact and stochastic.
"""

from maxmargin.solvers.optimizers import CCCP, CPM3C, Alternation, Optimizer

#: The optimisers by the names that ``optimizer=`` takes.
OPTIMIZERS: dict[str, type[Optimizer]] = {
    "cccp": CCCP,
    "alternation": Alternation,
    "cpm3c": CPM3C,
    "mkc": CPM3C,
}

__all__ = ["CCCP", "CPM3C", "OPTIMIZERS", "Alternation", "Optimizer"]
