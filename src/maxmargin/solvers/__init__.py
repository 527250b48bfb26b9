"""How large-margin models and their labels are found together."""

from maxmargin.solvers.alternation import Alternation
from maxmargin.solvers.base import Limits, Optimizer, Outcome
from maxmargin.solvers.cccp import CCCP, Published
from maxmargin.solvers.cutting_plane import CuttingPlane

#: The optimisers by name.
OPTIMIZERS: dict[str, type[Optimizer]] = {
    "cccp": CCCP,
    "alternation": Alternation,
    "cpm3c": Published,
}

__all__ = [
    "CCCP",
    "OPTIMIZERS",
    "Alternation",
    "CuttingPlane",
    "Limits",
    "Optimizer",
    "Outcome",
    "Published",
]
