"""What a model file may hold, besides the types that skops trusts by itself.

skops trusts numbers, texts, lists, dicts and arrays, NumPy's and SciPy's ufuncs and the public
estimators of scikit-learn. What is listed here must be harmless however it is filled. Objects of
ours are made without ``__init__``, and their attributes are set; other types may be called with
whatever the file says. So no class with a side effect, and none whose compiled code follows
indices that it does not check, such as scikit-learn's trees.
"""

from typing import Any

from maxmargin.persistence.archive import nodes
from maxmargin.persistence.type_names import TYPES, path_of

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

#: The one of them that makes objects of ours.
OUR_LOADER = "ObjectNode"


def trusted_types() -> list[str]:
    """The types that skops is told to trust."""
    return [*TYPES.values(), *OTHERS]


def wrongly_made(schema: dict[str, Any]) -> set[str]:
    """The types in a schema of skops that are made in a way that is not listed.

    Examples
    --------
    >>> from maxmargin.persistence.trust import wrongly_made
    >>> call = {"__loader__": "MethodNode", "__module__": "shutil", "__class__": "rmtree"}
    >>> wrongly_made({"__loader__": "ListNode", "content": [call]})
    {'shutil.rmtree'}
    """
    ours = set(TYPES.values())
    refused = set()
    for node in nodes(schema):
        loader, path = node.get("__loader__"), path_of(node)
        known = not isinstance(loader, str) or loader in LOADERS
        if not known or (path in ours and loader != OUR_LOADER) or _hides_nodes(node):
            refused.add(path or f"a node with the loader {loader!r}")
    return refused


def _hides_nodes(node: dict[str, Any]) -> bool:
    """Whether a slice has an end that could be taken for a node: skops hands it on as it is."""
    ends = node.get("content") if node.get("__loader__") == "SliceNode" else None
    return isinstance(ends, dict) and any(isinstance(end, (dict, list)) for end in ends.values())
