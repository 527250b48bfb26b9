"""Pictures of fitted models, as display classes in the manner of scikit-learn.

They need matplotlib: ``pip install "maxmargin[plot]"``.
"""

from maxmargin.plots.kernel_weights import KernelWeightsDisplay

__all__ = ["KernelWeightsDisplay"]
