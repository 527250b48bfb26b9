"""What a model file may hold, besides the types that skops trusts by itself.

skops trusts numbers, texts, lists, dicts and arrays, NumPy's and SciPy's ufuncs and the public
estimators of scikit-learn. What is listed here must be harmless however it is filled: skops
makes an object without ``__init__`` and sets its attributes, or calls the class with whatever
the file says. So no class with a side effect, and none whose compiled code follows indices that
it does not check, such as scikit-learn's trees.
"""

from typing import Any

from maxmargin.persistence.archive import nodes

#: Our own types, one by one: a new one in a fitted model is refused until it is listed.
OURS = (
    "maxmargin._runtime.reservoir.Reservoir",
    "maxmargin.assignment.nearest.NearestRow",
    "maxmargin.auto.answer.Answer",
    "maxmargin.auto.max_margin_clustering.MaxMarginClustering",
    "maxmargin.auto.scene.Scene",
    "maxmargin.auto.tables.Alternative",
    "maxmargin.auto.unsupervised_search.UnsupervisedSearch",
    "maxmargin.estimators.cutting_plane_clustering.CuttingPlaneClustering",
    "maxmargin.estimators.multiple_kernel_clustering.MultipleKernelClustering",
    "maxmargin.estimators.rls_clustering.RLSClustering",
    "maxmargin.estimators.support_vector_clustering.SupportVectorClustering",
    "maxmargin.kernels.explicit.ExplicitMap",
    "maxmargin.kernels.geometry.Geometry",
    "maxmargin.kernels.kernel.Kernel",
    "maxmargin.kernels.nystroem.NystroemMap",
    "maxmargin.kernels.space.Space",
    "maxmargin.kernels.transformer.TransformerMap",
    "maxmargin.kernels.views.GramView",
    "maxmargin.kernels.views.View",
    "maxmargin.objectives.classifier.KernelClassifier",
    "maxmargin.objectives.domain.Domain",
    "maxmargin.search.evolutionary.Evolutionary",
    "maxmargin.search.shaking.Shaking",
    "maxmargin.search.steepest.Steepest",
    "maxmargin.search.stochastic.Stochastic",
    "maxmargin.selection.cells.Cell",
    "maxmargin.selection.criteria.LeaveOneOutCriterion",
    "maxmargin.selection.criteria.SplitGapCriterion",
    "maxmargin.selection.plateau.Plateau",
    "maxmargin.sizes.Sizes",
)

#: Types of others that our models, and pipelines around them, hold. Sparse matrices are checked
#: once they are read.
OTHERS = (
    "builtins.frozenset",
    "numpy.dtype",
    "scipy.sparse._csr.csr_array",
    "scipy.sparse._csr.csr_matrix",
    "sklearn.compose._column_transformer._RemainderColsList",  # of scikit-learn < 1.7
    "sklearn.model_selection._search.ParameterGrid",
    "sklearn.model_selection._search.ParameterSampler",
)

TRUSTED = (*OURS, *OTHERS)

#: The ways of skops to make an object that our models need. Others call methods and operators,
#: or mix a generator from a pool of any size, which may never end.
LOADERS = (
    "ConstructorFromReduceNode",
    "DTypeNode",
    "DefaultDictNode",
    "DictNode",
    "FunctionNode",
    "JsonNode",
    "ListNode",
    "MaskedArrayNode",
    "NdArrayNode",
    "ObjectNode",
    "RandomStateNode",
    "SetNode",
    "SliceNode",
    "SparseMatrixNode",
    "TupleNode",
    "TypeNode",
)


def untrusted_loaders(schema: dict[str, Any]) -> set[str]:
    """The types in a schema of skops that are made in a way that is not listed.

    Examples
    --------
    >>> from maxmargin.persistence.trust import untrusted_loaders
    >>> call = {"__loader__": "MethodNode", "__module__": "shutil", "__class__": "rmtree"}
    >>> untrusted_loaders({"__loader__": "ListNode", "content": [call]})
    {'shutil.rmtree'}
    """
    return {
        f"{node.get('__module__')}.{node.get('__class__')}"
        for node in nodes(schema)
        if "__loader__" in node and node["__loader__"] not in LOADERS
    }
