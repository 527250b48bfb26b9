"""Several kernels as a user writes them: names, pairs, dicts, functions, transformers."""

from collections import Counter
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import issparse

from maxmargin.spaces.columns import read_columns
from maxmargin.spaces.explicit import ExplicitMap
from maxmargin.spaces.feature_map import FeatureMap
from maxmargin.spaces.kernel import PARAMETERS, Kernel, Matrix
from maxmargin.spaces.transformer import TransformerMap

ALLOWED = (
    "a kernel name, a pair of a name and a dict of parameters, a dict with the key 'kernel', a "
    "function of two rows, or a scikit-learn transformer"
)
KEYS = ("kernel", "columns", "name", "gamma", "degree", "coef0", "params")
#: Columns that are listed one by one in the name of a kernel.
FEW_COLUMNS = 3


@dataclass(frozen=True)
class View:
    """One of several kernels: what it is called, the columns that it sees, and its map.

    Attributes
    ----------
    name : str
    map : FeatureMap
    columns : ndarray of int or None
        None for all.
    source : hashable
        Where it gets what it knows: kernels of the same columns have the same source, a
        transformer and a kernel matrix have one of their own.
    """

    name: str
    map: FeatureMap
    columns: NDArray[np.intp] | None = None
    source: Hashable = None

    def of(self, X: Any) -> Matrix:
        """The part of X that this kernel sees."""
        return X if self.columns is None else X[:, self.columns]

    @property
    def plain(self) -> bool:
        """Whether it sees rows of X, and not what somebody else made of them."""
        return not isinstance(self.map, TransformerMap)


@dataclass(frozen=True)
class GramView(View):
    """One of several kernel matrices.

    Attributes
    ----------
    place : int
        Which of them.
    """

    place: int = 0

    def of(self, X: Any) -> Matrix:
        """The matrix, of all that there are."""
        return X[self.place]

    @property
    def plain(self) -> bool:
        """Never: its rows are products with other rows."""
        return False


def read_kernels(
    kernels: Any, n_components: int, n_features: int, feature_names: Sequence[str] | None
) -> list[View]:
    """Turn the parameter ``kernels`` into views with names of their own."""
    if isinstance(kernels, (str, bytes, dict)) or not isinstance(kernels, (list, tuple)):
        raise ValueError(
            f"kernels must be None, 'precomputed' or a list of kernels, each of which is "
            f"{ALLOWED}; got {kernels!r}."
        )
    if not kernels:
        raise ValueError("kernels must have at least one kernel; got an empty list.")
    views = [
        _read(item, place, n_components, n_features, feature_names)
        for place, item in enumerate(kernels)
    ]
    return with_names_of_their_own(views)


def default_kernels(X: Matrix, n_components: int, rng: np.random.Generator) -> list[View]:
    """Linear, polynomial and Gaussian at three widths; linear and cosine for sparse rows."""
    if issparse(X):
        kernels = [Kernel("linear"), Kernel("cosine")]
    else:
        kernels = [Kernel("linear"), Kernel("poly", degree=2), *gaussians(X, "median", rng)]
    told = {"rbf": "gamma", "poly": "degree"}
    names = [
        _name(kernel.name, {told[kernel.name]: getattr(kernel, told[kernel.name])})
        if kernel.name in told
        else kernel.name
        for kernel in kernels
    ]
    return [
        View(name, ExplicitMap(kernel, n_components))
        for name, kernel in zip(names, kernels, strict=True)
    ]


#: The Gaussian kernels that stand for all widths, as multiples of the gamma of a rule.
WIDTHS = (1.0, 4.0, 16.0)


def gaussians(X: Matrix, gamma: float | str, rng: np.random.Generator) -> list[Kernel]:
    """Gaussian kernels of several widths, the widest by the rule."""
    widest = Kernel("rbf", gamma=gamma).fit(X, rng).gamma_
    assert widest is not None, "a Gaussian kernel has a width"
    return [Kernel("rbf", gamma=width * widest) for width in WIDTHS]


def with_names_of_their_own(views: Sequence[View]) -> list[View]:
    """Number kernels of the same name."""
    often = Counter(view.name for view in views)
    seen: Counter[str] = Counter()
    taken = set(often)
    out = []
    for view in views:
        name = view.name
        while often[view.name] > 1:
            seen[view.name] += 1
            name = f"{view.name} #{seen[view.name]}"
            if name not in taken:
                taken.add(name)
                break
        out.append(replace(view, name=name))
    return out


def _read(
    item: Any,
    place: int,
    n_components: int,
    n_features: int,
    feature_names: Sequence[str] | None,
) -> View:
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
        map_: FeatureMap = TransformerMap(kernel)
    else:
        named, map_ = _read_kernel(kernel, given, where, n_components)
    if name is None:
        name = named + _columns_in_words(seen, feature_names)
    source: Hashable = frozenset(range(n_features) if seen is None else seen.tolist())
    if isinstance(map_, TransformerMap):
        source = place
    return View(name, map_, seen, source)


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
            raise ValueError(f"{where} must be {ALLOWED}; got {item!r}.")
        kernel, parameters = item
        if isinstance(kernel, str):
            if "kernel" in parameters:
                raise ValueError(f"{where} names its kernel twice; got {item!r}.")
            return _as_dict({"kernel": kernel, **parameters}, where)
        return {"kernel": kernel, "params": dict(parameters)}
    return {"kernel": item}


def _read_kernel(
    kernel: Any, given: dict[str, Any], where: str, n_components: int
) -> tuple[str, ExplicitMap]:
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
            f"{where} must be {ALLOWED}, where names are {', '.join(map(repr, PARAMETERS))}; got "
            f"{kernel!r}.{hint}"
        )
    try:
        made = Kernel(kernel, **given)
    except (ValueError, TypeError, OverflowError) as error:
        raise ValueError(f"{where}: {error}") from None
    shown = given.get("params") or {} if callable(kernel) else given
    name = kernel if isinstance(kernel, str) else _name_of_function(kernel)
    return _name(name, shown), ExplicitMap(made, n_components)


def _name(kernel: str, parameters: dict[str, Any]) -> str:
    if not parameters:
        return kernel
    shown = (
        f"{key}={value:.3g}" if isinstance(value, float) else f"{key}={value}"
        for key, value in parameters.items()
    )
    return f"{kernel}({', '.join(shown)})"


def _name_of_function(function: Callable[..., Any]) -> str:
    return getattr(function, "__name__", type(function).__name__)


def _columns_in_words(seen: NDArray[np.intp] | None, names: Sequence[str] | None) -> str:
    if seen is None:
        return ""
    if len(seen) > FEW_COLUMNS:
        return f"[{len(seen)} columns]"
    return f"[{', '.join(str(i if names is None else names[i]) for i in seen)}]"
