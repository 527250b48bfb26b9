"""Several kernels as a user writes them: names, pairs, dicts, functions, transformers, matrices."""

from collections.abc import Hashable, Sequence
from numbers import Integral
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import issparse
from sklearn.utils import check_array

from maxmargin._runtime.parameters import Allowed, Listed, OneOf
from maxmargin.spaces.features import explicit_space
from maxmargin.spaces.kernel import PARAMETERS, Kernel
from maxmargin.spaces.nystroem import Nystroem
from maxmargin.spaces.several import NamedSpace, with_names_of_their_own
from maxmargin.spaces.space import Space
from maxmargin.spaces.transformer import Transformer

A_KERNEL = (
    "a kernel name, a pair of a name and a dict of parameters, a dict with the key 'kernel', a "
    "function of two rows, or a scikit-learn transformer"
)
COLUMN_CHOICES = "names, numbers, a slice or a mask of columns"
A_STACK = (
    "with kernels='precomputed', X must be a list or stack of kernel matrices of the same shape"
)
KEYS = ("kernel", "columns", "name", "gamma", "degree", "coef0", "params")
#: What the parameter ``kernels`` may be.
KERNEL_LIST = Allowed(
    f"None, 'precomputed' or a list of kernels, each of which is {A_KERNEL}",
    (OneOf(None, "precomputed") | Listed("kernels")).accepts,
)
#: Columns that are listed one by one in the name of a kernel.
LISTED_COLUMNS = 3


def read_kernels(
    kernels: Any, n_components: int, n_features: int, feature_names: Sequence[str] | None
) -> list[NamedSpace]:
    """Turn the parameter ``kernels`` into spaces with names of their own."""
    if not isinstance(kernels, (list, tuple)):
        raise ValueError(f"kernels must be {KERNEL_LIST.words}; got {kernels!r}.")
    if not kernels:
        raise ValueError("kernels must have at least one kernel; got an empty list.")
    spaces = [
        _read_item(item, place, n_components, n_features, feature_names)
        for place, item in enumerate(kernels)
    ]
    return with_names_of_their_own(spaces)


def _read_item(
    item: Any, place: int, n_components: int, n_features: int, feature_names: Sequence[str] | None
) -> NamedSpace:
    where = f"kernels[{place}]"
    given = _as_dict(item, where)
    kernel = given.pop("kernel")
    columns = given.pop("columns", None)
    name = given.pop("name", None)
    if name is not None and not isinstance(name, str):
        raise ValueError(f"the name of {where} must be a string; got {name!r}.")
    seen = None if columns is None else read_columns(columns, where, n_features, feature_names)
    if hasattr(kernel, "fit") and hasattr(kernel, "transform"):
        if isinstance(kernel, type):
            raise ValueError(f"{where} must be an instance, not the class {kernel.__name__}.")
        if not hasattr(kernel, "get_params"):
            raise ValueError(
                f"{where} must be a scikit-learn transformer, with get_params and set_params; "
                f"got {kernel!r}."
            )
        if given.get("params") == {}:
            del given["params"]
        if given:
            raise ValueError(
                f"{where} is a transformer, which has its own parameters; got {given!r} besides."
            )
        named: str = type(kernel).__name__
        space: Space = Transformer(kernel)
    else:
        named, space = _read_kernel(kernel, given, where, n_components)
    if name is None:
        name = named + _columns_in_words(seen, feature_names)
    source: Hashable = frozenset(range(n_features) if seen is None else seen.tolist())
    if isinstance(space, Transformer):
        source = place
    return NamedSpace(name, space, seen, source=source)


def _as_dict(item: Any, where: str) -> dict[str, Any]:
    """Any form of an item as the dict that says the same."""
    if isinstance(item, dict):
        unknown = [key for key in item if key not in KEYS]
        if unknown or "kernel" not in item:
            raise ValueError(
                f"{where} must be a dict with the key 'kernel' and any of "
                f"{', '.join(map(repr, KEYS[1:]))}; got the keys {list(item)!r}."
            )
        return dict(item)
    if isinstance(item, (tuple, list)):
        if len(item) != 2 or not isinstance(item[1], dict):
            raise ValueError(f"{where} must be {A_KERNEL}; got {item!r}.")
        kernel, parameters = item
        if isinstance(kernel, str):
            if "kernel" in parameters:
                raise ValueError(f"{where} names its kernel twice; got {item!r}.")
            return _as_dict({"kernel": kernel, **parameters}, where)
        return {"kernel": kernel, "params": dict(parameters)}
    return {"kernel": item}


def _read_kernel(
    kernel: Any, given: dict[str, Any], where: str, n_components: int
) -> tuple[str, Space]:
    """A named kernel or a function, with its parameters."""
    if isinstance(kernel, str) and kernel in PARAMETERS:
        useless = [key for key in given if key not in PARAMETERS[kernel]]
        if useless:
            allowed = PARAMETERS[kernel] or ("none",)
            raise ValueError(
                f"{where}: the parameters of the kernel {kernel!r} are {', '.join(allowed)}; got "
                f"{', '.join(useless)}."
            )
    elif callable(kernel):
        useless = [key for key in given if key != "params"]
        if useless:
            raise ValueError(
                f"{where} is a function: give its parameters as 'params'; got {', '.join(useless)}."
            )
    else:
        given_matrix = hasattr(kernel, "shape") or (
            isinstance(kernel, str) and kernel == "precomputed"
        )
        hint = " Give the matrices to fit with kernels='precomputed'." * given_matrix
        raise ValueError(
            f"{where} must be {A_KERNEL}, where names are {', '.join(map(repr, PARAMETERS))}; got "
            f"{kernel!r}.{hint}"
        )
    try:
        made = Kernel(kernel, **given)
    except (ValueError, TypeError, OverflowError) as error:
        raise ValueError(f"{where}: {error}") from None
    shown = given.get("params") or {} if callable(kernel) else given
    name = kernel if isinstance(kernel, str) else getattr(kernel, "__name__", type(kernel).__name__)
    return _name(name, shown), explicit_space(made, n_components)


def _name(kernel: str, parameters: dict[str, Any]) -> str:
    if not parameters:
        return kernel
    shown = (
        f"{key}={value:.3g}" if isinstance(value, float) else f"{key}={value}"
        for key, value in parameters.items()
    )
    return f"{kernel}({', '.join(shown)})"


def _columns_in_words(seen: NDArray[np.intp] | None, names: Sequence[str] | None) -> str:
    if seen is None:
        return ""
    if len(seen) > LISTED_COLUMNS:
        return f"[{len(seen)} columns]"
    return f"[{', '.join(str(i if names is None else names[i]) for i in seen)}]"


def read_columns(
    columns: Any, where: str, n_features: int, names: Sequence[str] | None
) -> NDArray[np.intp]:
    """Turn a choice of columns into their numbers, or say which one there is not.

    Parameters
    ----------
    columns : str, int, slice, or sequence of str, int or bool
    where : str
        Who asks, for messages.
    n_features : int
    names : sequence of str or None
        Those of the columns, where X has any.
    """
    if isinstance(columns, slice):
        try:
            chosen = np.arange(n_features)[columns]
        except (TypeError, ValueError):
            raise ValueError(
                f"columns of {where} must be {COLUMN_CHOICES}; got {columns!r}."
            ) from None
    elif isinstance(columns, (str, Integral)) and not isinstance(columns, bool):
        chosen = np.array([_number(columns, where, n_features, names)])
    else:
        if isinstance(columns, (set, frozenset, dict, bytes)):
            raise ValueError(
                f"columns of {where} must be {COLUMN_CHOICES} in order; got {columns!r}."
            )
        try:
            items = list(columns)
        except TypeError:
            raise ValueError(
                f"columns of {where} must be {COLUMN_CHOICES}; got {columns!r}."
            ) from None
        if items and all(isinstance(item, (bool, np.bool_)) for item in items):
            if len(items) != n_features:
                raise ValueError(
                    f"columns of {where} is a mask of {len(items)} entries; X has {n_features} "
                    f"columns."
                )
            chosen = np.flatnonzero(items)
        else:
            chosen = np.array([_number(item, where, n_features, names) for item in items])
    if not len(chosen):
        raise ValueError(f"columns of {where} must choose at least one column; got {columns!r}.")
    if len(np.unique(chosen)) < len(chosen):
        raise ValueError(f"columns of {where} name a column twice; got {columns!r}.")
    return chosen.astype(np.intp)


def _number(item: Any, where: str, n_features: int, names: Sequence[str] | None) -> int:
    if isinstance(item, str):
        if names is None:
            raise ValueError(
                f"columns of {where} has the name {item!r}, and X has no column names: give "
                f"numbers, or a data frame to fit."
            )
        if item not in names:
            raise ValueError(
                f"columns of {where}: there is no column {item!r}. X has {', '.join(names[:10])}"
                f"{', …' if len(names) > 10 else ''}."
            )
        return list(names).index(item)
    if isinstance(item, (bool, np.bool_)) or not isinstance(item, Integral):
        raise ValueError(f"columns of {where} must be {COLUMN_CHOICES}; got {item!r} among them.")
    if not -n_features <= int(item) < n_features:
        raise ValueError(
            f"columns of {where}: there is no column {int(item)}. X has {n_features} columns, "
            f"from 0 to {n_features - 1}."
        )
    return int(item) % n_features


def read_stack(X: Any, shape: tuple[int, int] | None = None) -> list[NDArray[np.floating]]:
    """Return the matrices; ``shape`` is their number and that of their columns, if known."""
    flat = len(getattr(X, "shape", (0, 0, 0))) != 3
    if flat or issparse(X) or isinstance(X, (str, bytes, dict)) or not hasattr(X, "__len__"):
        raise ValueError(f"{A_STACK}; got one {type(X).__name__} of shape {np.shape(X)}.")
    if not len(X):
        raise ValueError(f"{A_STACK}; got an empty one.")
    stack = [_read_matrix(K, f"X[{i}]") for i, K in enumerate(X)]
    stack = [K if isinstance(K, np.ndarray) else K.toarray() for K in stack]
    if len({K.shape for K in stack}) > 1:
        raise ValueError(f"{A_STACK}; got {', '.join(str(K.shape) for K in stack)}.")
    if shape is not None and (len(stack), stack[0].shape[1]) != shape:
        raise ValueError(
            f"X must have {shape[0]} matrices with a column for each of the {shape[1]} rows of "
            f"fit; got {len(stack)} of shape {stack[0].shape}."
        )
    return stack


def _read_matrix(K: Any, name: str) -> Any:
    try:
        return check_array(K, accept_sparse="csr", dtype=[np.float64, np.float32], input_name=name)
    except (ValueError, TypeError, OverflowError) as error:
        raise ValueError(f"{A_STACK}; {name} is none: {error}") from None


def spaces_of_stack(stack: list[NDArray[np.floating]]) -> list[NamedSpace]:
    """A space for each matrix; kernel PCA makes features of it."""
    return [
        NamedSpace(
            f"kernel {place}", Nystroem(Kernel("precomputed"), len(K)), matrix=place, source=place
        )
        for place, K in enumerate(stack)
    ]
