"""The names of our types in model files, and where each of these types is now.

A model file calls a type by a stable name such as ``maxmargin/Kernel``, and not by its module. So a
class can move or be renamed without breaking a saved model: only its line below changes. The
attributes of the class must keep their names, though, because files hold them too.
"""

import re
from typing import Any

from maxmargin.persistence.archive import nodes

#: What a file has in place of the module; no module can have this name.
PREFIX = "maxmargin/"

#: The name of each type in model files, which never changes, and where the class is now. No other
#: type of ours is read or written.
TYPES = {
    # estimators
    "CuttingPlaneClustering": (
        "maxmargin.estimators.cutting_plane_clustering.CuttingPlaneClustering"
    ),
    "IterativeSVRClustering": (
        "maxmargin.estimators.iterative_svr_clustering.IterativeSVRClustering"
    ),
    "MaxMarginClustering": "maxmargin.front_door.max_margin_clustering.MaxMarginClustering",
    "MultipleKernelClustering": (
        "maxmargin.estimators.multiple_kernel_clustering.MultipleKernelClustering"
    ),
    "RLSClustering": "maxmargin.estimators.rls_clustering.RLSClustering",
    "SDPClustering": "maxmargin.estimators.sdp_clustering.SDPClustering",
    "SupportVectorClustering": (
        "maxmargin.estimators.support_vector_clustering.SupportVectorClustering"
    ),
    "UnsupervisedSearch": "maxmargin.front_door.unsupervised_search.UnsupervisedSearch",
    "TableEncoder": "maxmargin.preprocessing.table_encoder.TableEncoder",
    "TableScaler": "maxmargin.preprocessing.table_scaler.TableScaler",
    # objects that are parameters
    "Alternation": "maxmargin.solvers.optimizers.Alternation",
    "CCCP": "maxmargin.solvers.optimizers.CCCP",
    "CPM3C": "maxmargin.solvers.papers.CPM3C",
    "CPMMC": "maxmargin.solvers.papers.CPMMC",
    "EquilibriaAssignment": "maxmargin.domain.equilibria.Equilibria",
    "Evolutionary": "maxmargin.search.evolutionary.Evolutionary",
    "GraphAssignment": "maxmargin.domain.graph.Graph",
    "LeaveOneOutCriterion": "maxmargin.selection.criteria.LeaveOneOutCriterion",
    "OneClassOnlineSGD": "maxmargin.solvers.online.OnlineSGD",
    "OneClassLibSVM": "maxmargin.solvers.libsvm.LibSVM",
    "OneClassSGD": "maxmargin.solvers.sgd.SGD",
    "OneClassSMO": "maxmargin.solvers.one_class.SMO",
    "Shaking": "maxmargin.search.shaking.Shaking",
    "SplitGapCriterion": "maxmargin.selection.criteria.SplitGapCriterion",
    "Steepest": "maxmargin.search.steepest.Steepest",
    "Stochastic": "maxmargin.search.stochastic.Stochastic",
    # spaces
    "ExactKernel": "maxmargin.spaces.exact.ExactKernel",
    "Features": "maxmargin.spaces.features.Features",
    "GaussianSettings": "maxmargin.spaces.pairwise.GaussianSettings",
    "GaussianSpace": "maxmargin.spaces.pairwise.GaussianSpace",
    "Kernel": "maxmargin.spaces.kernel.Kernel",
    "Metric": "maxmargin.spaces.metric.Metric",
    "NamedSpace": "maxmargin.spaces.several.NamedSpace",
    "Nystroem": "maxmargin.spaces.nystroem.Nystroem",
    "SeveralSpaces": "maxmargin.spaces.several.Several",
    "TransformerSpace": "maxmargin.spaces.transformer.Transformer",
    "Units": "maxmargin._runtime.units.Units",
    # what a fit found
    "Alternative": "maxmargin.front_door.partition.Alternative",
    "ColumnEncoding": "maxmargin.preprocessing.encodings.ColumnEncoding",
    "FittedPartition": "maxmargin.front_door.partition.FittedPartition",
    "KernelClassifier": "maxmargin.front_door.partition.KernelClassifier",
    "NearestNeighborLabels": "maxmargin.domain.domain_graph.NearestRow",
    "Outliers": "maxmargin.domain.outliers.Outliers",
    "OnlineReservoir": "maxmargin.estimators.online.OnlineReservoir",
    "Reservoir": "maxmargin.estimators.streaming.Reservoir",
    "SizeConstraints": "maxmargin.sizes.Sizes",
    "Subsample": "maxmargin.front_door.subsample.Subsample",
    "StreamArrival": "maxmargin.estimators.arrival.Arrival",
    "StreamViolations": "maxmargin.solvers.violations.Violations",
    "SupportVectorDomain": "maxmargin.domain.domain.Domain",
    "WeightedSizes": "maxmargin.weights.WeightedSizes",
    "WidthPlateau": "maxmargin.domain.width.Plateau",
}


def stable_name(kind: type) -> str:
    """The name of a type in model files; its own name if it is not ours.

    Examples
    --------
    >>> from maxmargin.persistence.type_names import stable_name
    >>> from maxmargin.search import Shaking
    >>> stable_name(Shaking), stable_name(list)
    ('Shaking', 'list')
    """
    return _names().get(f"{kind.__module__}.{kind.__name__}", kind.__name__)


def write_names(schema: dict[str, Any]) -> None:
    """Replace the modules and classes of our types in a schema of skops by their stable names."""
    names = _names()
    for node in nodes(schema):
        name = names.get(path_of(node))
        if name is not None:
            node["__module__"], node["__class__"] = PREFIX, name


def read_names(schema: dict[str, Any]) -> set[str]:
    """Replace the stable names in a schema by modules and classes; return the names to refuse.

    Names that are not in the table are refused, and so is every module of ours: our own files
    name none.

    Examples
    --------
    >>> from maxmargin.persistence.type_names import read_names
    >>> search = {"__module__": "maxmargin/", "__class__": "Shaking"}
    >>> read_names({"content": [search, {"__module__": "maxmargin.sizes", "__class__": "Sizes"}]})
    {'maxmargin.sizes.Sizes'}
    >>> search["__module__"]
    'maxmargin.search.shaking'
    """
    refused = set()
    for node in nodes(schema):
        path = path_of(node)
        if node.get("__module__") == PREFIX and node.get("__class__") in TYPES:
            node["__module__"], _, node["__class__"] = TYPES[node["__class__"]].rpartition(".")
        elif re.match(r"maxmargin\b", path):
            refused.add(path.replace(f"{PREFIX}.", PREFIX))
    return refused


def path_of(node: dict[str, Any]) -> str:
    """The module and the class that a node of a schema names; empty if it names none."""
    module, name = node.get("__module__"), node.get("__class__")
    return f"{module}.{name}" if isinstance(module, str) and isinstance(name, str) else ""


def _names() -> dict[str, str]:
    return {path: name for name, path in TYPES.items()}
