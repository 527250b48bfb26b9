"""Clustering by margins: find the labels for which a large-margin model fits best.

The public names are those of this module and of ``maxmargin.preprocessing``,
``maxmargin.search``, ``maxmargin.solvers``, ``maxmargin.domain``, ``maxmargin.selection``,
``maxmargin.metrics``, ``maxmargin.persistence``, ``maxmargin.plots`` and ``maxmargin.blocks``,
each in its ``__all__``. All other modules are internal: what is in them may move or change at
any time.
"""

from importlib import import_module
from typing import Any

from maxmargin._version import __version__

# Where each public name lives; it is imported when it is first used. Editors and mypy read
# __init__.pyi instead.
_HOME = {
    "CuttingPlaneClustering": "maxmargin.estimators.cutting_plane_clustering",
    "IterativeSVRClustering": "maxmargin.estimators.iterative_svr_clustering",
    "MaxMarginClustering": "maxmargin.front_door.max_margin_clustering",
    "MaxMarginWarning": "maxmargin._runtime.warnings",
    "MultipleKernelClustering": "maxmargin.estimators.multiple_kernel_clustering",
    "RLSClustering": "maxmargin.estimators.rls_clustering",
    "Report": "maxmargin.report.report",
    "SDPClustering": "maxmargin.estimators.sdp_clustering",
    "SupportVectorClustering": "maxmargin.estimators.support_vector_clustering",
    "TableEncoder": "maxmargin.preprocessing.table_encoder",
    "UnsupervisedSearch": "maxmargin.front_door.unsupervised_search",
    "load": "maxmargin.persistence.model_files",
    "rls_path": "maxmargin.estimators.rls_path",
    "save": "maxmargin.persistence.model_files",
    "show_versions": "maxmargin._runtime.versions",
}

__all__ = ["__version__", *_HOME]


def __getattr__(name: str) -> Any:
    if name in _HOME:
        return getattr(import_module(_HOME[name]), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted(__all__)
