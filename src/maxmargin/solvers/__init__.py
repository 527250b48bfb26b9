"""How large-margin models and their labels are found together."""

from maxmargin.solvers.alternation import Alternation
from maxmargin.solvers.base import Limits, Optimizer, Outcome
from maxmargin.solvers.cccp import CCCP, Published
from maxmargin.solvers.cutting_plane import CuttingPlane

__all__ = [
    "CCCP",
    "Alternation",
    "CuttingPlane",
    "Limits",
    "Optimizer",
    "Outcome",
    "Published",
]
