"""Clustering by margins: find the labels for which a large-margin model fits best."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from maxmargin._version import __version__

if TYPE_CHECKING:
    from maxmargin._runtime.versions import show_versions
    from maxmargin._runtime.warnings import MaxMarginWarning
    from maxmargin.auto.max_margin_clustering import MaxMarginClustering
    from maxmargin.auto.unsupervised_search import UnsupervisedSearch
    from maxmargin.estimators.cutting_plane_clustering import CuttingPlaneClustering
    from maxmargin.estimators.multiple_kernel_clustering import MultipleKernelClustering
    from maxmargin.estimators.rls_clustering import RLSClustering
    from maxmargin.estimators.support_vector_clustering import SupportVectorClustering
    from maxmargin.persistence.model_files import load, save
    from maxmargin.report.report import Report

# Where each public name lives; it is imported when it is first used.
_HOME = {
    "CuttingPlaneClustering": "maxmargin.estimators.cutting_plane_clustering",
    "MaxMarginClustering": "maxmargin.auto.max_margin_clustering",
    "MaxMarginWarning": "maxmargin._runtime.warnings",
    "MultipleKernelClustering": "maxmargin.estimators.multiple_kernel_clustering",
    "RLSClustering": "maxmargin.estimators.rls_clustering",
    "Report": "maxmargin.report.report",
    "SupportVectorClustering": "maxmargin.estimators.support_vector_clustering",
    "UnsupervisedSearch": "maxmargin.auto.unsupervised_search",
    "load": "maxmargin.persistence.model_files",
    "save": "maxmargin.persistence.model_files",
    "show_versions": "maxmargin._runtime.versions",
}

__all__ = [
    "CuttingPlaneClustering",
    "MaxMarginClustering",
    "MaxMarginWarning",
    "MultipleKernelClustering",
    "RLSClustering",
    "Report",
    "SupportVectorClustering",
    "UnsupervisedSearch",
    "__version__",
    "load",
    "save",
    "show_versions",
]


def __getattr__(name: str) -> Any:
    if name in _HOME:
        return getattr(import_module(_HOME[name]), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted(__all__)
