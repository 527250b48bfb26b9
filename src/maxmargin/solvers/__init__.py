"""How large-margin models and their labels are found together; one-class machines."""

from maxmargin.solvers.alternation import Alternation
from maxmargin.solvers.base import Limits, Optimizer, Outcome
from maxmargin.solvers.cccp import CCCP, Published
from maxmargin.solvers.cutting_plane import CuttingPlane
from maxmargin.solvers.libsvm import LibSVM
from maxmargin.solvers.one_class import SMO, OneClassProblem, OneClassSolution, OneClassSolver
from maxmargin.solvers.sgd import SGD

#: The one-class machines by the name that ``SupportVectorClustering(solver=...)`` takes.
ONE_CLASS_SOLVERS: dict[str, type[OneClassSolver]] = {"exact": SMO, "sgd": SGD, "libsvm": LibSVM}

__all__ = [
    "CCCP",
    "ONE_CLASS_SOLVERS",
    "SGD",
    "SMO",
    "Alternation",
    "CuttingPlane",
    "LibSVM",
    "Limits",
    "OneClassProblem",
    "OneClassSolution",
    "OneClassSolver",
    "Optimizer",
    "Outcome",
    "Published",
]
