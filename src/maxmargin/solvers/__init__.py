"""How large-margin models and their labels are found together; one-class machines.

``cutting_plane.py``, ``kernel_weights.py``
    The hinge loss under a working set of cuts, and the small problem that is solved for it.
``optimizers.py``
    How cuts and labels go on in turn: what ``optimizer=`` takes.
``papers.py``
    The papers to the letter.
``bisection.py``, ``relaxations.py``, ``conic.py``
    Rows in two, by iterated regression or by semidefinite programs.
``multistart.py``
    Starts → optimisers → polish → best, on some of the rows and then on all.
``one_class.py``, ``sgd.py``, ``online.py``, ``violations.py``, ``libsvm.py``
    One-class machines, exact, stochastic and online: what ``solver=`` takes.
"""

from maxmargin.solvers.libsvm import LibSVM
from maxmargin.solvers.one_class import SMO, OneClassProblem, OneClassSolution, OneClassSolver
from maxmargin.solvers.online import OnlineSGD
from maxmargin.solvers.optimizers import CCCP, Alternation, Optimizer
from maxmargin.solvers.papers import CPM3C, CPMMC
from maxmargin.solvers.sgd import SGD

#: The optimisers by the names that ``optimizer=`` takes.
OPTIMIZERS: dict[str, type[Optimizer]] = {
    "cccp": CCCP,
    "alternation": Alternation,
    "cpmmc": CPMMC,
    "cpm3c": CPM3C,
    "mkc": CPM3C,
}
#: The one-class machines by the name that ``SupportVectorClustering(solver=...)`` takes.
ONE_CLASS_SOLVERS: dict[str, type[OneClassSolver]] = {
    "exact": SMO,
    "sgd": SGD,
    "online": OnlineSGD,
    "libsvm": LibSVM,
}

__all__ = [
    "CCCP",
    "CPM3C",
    "CPMMC",
    "ONE_CLASS_SOLVERS",
    "OPTIMIZERS",
    "SGD",
    "SMO",
    "Alternation",
    "LibSVM",
    "OneClassProblem",
    "OneClassSolution",
    "OneClassSolver",
    "OnlineSGD",
    "Optimizer",
]
