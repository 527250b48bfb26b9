"""Pictures of fitted models, as display classes in the manner of scikit-learn.

They need matplotlib: ``pip install "maxmargin[plots]"``.
"""

from maxmargin.plots.domain import DomainDisplay
from maxmargin.plots.kernel_weights import KernelWeightsDisplay
from maxmargin.plots.plateau import PlateauDisplay

__all__ = ["DomainDisplay", "KernelWeightsDisplay", "PlateauDisplay"]
