"""Pictures of fitted models, as display classes in the manner of scikit-learn.

They need matplotlib: ``pip install "maxmargin[plots]"``.
"""

from maxmargin.plots.clusters import ClustersDisplay
from maxmargin.plots.comparison import ComparisonDisplay
from maxmargin.plots.domain import DomainDisplay
from maxmargin.plots.kernel_weights import KernelWeightsDisplay
from maxmargin.plots.margins import MarginsDisplay
from maxmargin.plots.number import NumberDisplay
from maxmargin.plots.objective import ObjectiveDisplay
from maxmargin.plots.plateau import PlateauDisplay
from maxmargin.plots.selection import SelectionDisplay

__all__ = [
    "ClustersDisplay",
    "ComparisonDisplay",
    "DomainDisplay",
    "KernelWeightsDisplay",
    "MarginsDisplay",
    "NumberDisplay",
    "ObjectiveDisplay",
    "PlateauDisplay",
    "SelectionDisplay",
]
