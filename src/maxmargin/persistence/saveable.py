"""A copy of a model that can be saved: without callbacks, and no function in it."""

import re
from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
from scipy.sparse import issparse
from sklearn.base import BaseEstimator

#: What scikit-learn keeps of callbacks: they belong to a session and not to a model.
CALLBACKS = ("_skl_callbacks", "_skl_callbacks_to_teardown")

WAYS_OUT = {
    "kernel": 'Use a named kernel, or fit the kernel matrix with kernel="precomputed".',
    "kernels": 'Use named kernels, or fit kernel matrices with kernels="precomputed".',
    "criterion": 'Use a named criterion such as "loo", or save best_estimator_ alone.',
}
OTHER_WAY_OUT = "Give a name or numbers instead, or leave it out."


class Place(NamedTuple):
    """Where in a model a value is: in an estimator of the model, under a name.

    ``path`` leads from the model to the estimator.
    """

    estimator: BaseEstimator
    path: str = ""
    name: str = ""

    def item(self, key: Any) -> "Place":
        """The place of an item of the value."""
        return self._replace(name=f"{self.name}[{key!r}]")

    @property
    def attribute(self) -> str:
        """The attribute of the estimator that the name begins with."""
        return re.split(r"[.\[]", self.name)[0]

    def __str__(self) -> str:
        if not self.name:
            return f"in {self.path}" if self.path else "itself"
        known = self.estimator.get_params(deep=False)
        kind = "parameter" if self.attribute in known else "attribute"
        if self.path:
            who = type(self.estimator).__name__
            return f"the {kind} {self.name} of {who} (in {self.path})"
        return f"its {kind} {self.name}"


class SaveableCopy:
    """A copy of a model that shares its arrays, and may be written.

    Parameters
    ----------
    model : estimator

    Attributes
    ----------
    model : estimator
        The copy, without callbacks, with arrays in memory where they were mapped from disk.

    Examples
    --------
    >>> from maxmargin import RLSClustering
    >>> from maxmargin.persistence.saveable import SaveableCopy
    >>> SaveableCopy(RLSClustering(kernel=min))
    Traceback (most recent call last):
        ...
    ValueError: cannot save RLSClustering: its parameter kernel is a function, <built-in function
    min>, and a model file holds no code. Use a named kernel, or fit the kernel matrix with
    kernel="precomputed".
    """

    def __init__(self, model: BaseEstimator) -> None:
        self._first_seen: dict[str, Place] = {}
        self._done: dict[int, tuple[Any, Any]] = {}  # the originals stay alive, and so their ids
        self._name = type(model).__name__
        self.model = self._copy(model, Place(model))

    def _copy(self, value: Any, place: Place) -> Any:
        if id(value) in self._done:
            return self._done[id(value)][1]
        kind = value if isinstance(value, type) else type(value)
        self._first_seen.setdefault(f"{kind.__module__}.{kind.__name__}", place)
        copied = value
        if isinstance(value, type | np.ufunc):
            pass
        elif isinstance(value, BaseEstimator):
            inside = Place(value, f"{place.path}.{place.name}".strip("."))
            copied = self._copy_attributes(value, inside)
        elif kind.__module__.startswith("maxmargin."):
            copied = self._copy_attributes(value, place._replace(name=f"{place.name}."))
        elif kind is dict:
            copied = {key: self._copy(item, place.item(key)) for key, item in value.items()}
        elif kind in (list, tuple):
            copied = kind(self._copy(item, place.item(i)) for i, item in enumerate(value))
        elif isinstance(value, np.memmap):
            copied = np.asarray(value)
        elif callable(value):
            raise ValueError(
                f"cannot save {self._name}: {place} is a function, {value!r}, and a model file "
                f"holds no code. {WAYS_OUT.get(place.attribute, OTHER_WAY_OUT)}"
            )
        self._done[id(value)] = value, copied
        return copied

    def _copy_attributes(self, value: Any, place: Place) -> Any:
        copied = object.__new__(type(value))
        for name, attribute in vars(value).items():
            if name not in CALLBACKS:
                inside = place._replace(name=place.name + name)
                vars(copied)[name] = self._copy(attribute, inside)
        return copied

    def where(self, kind: str) -> str:
        """Where a type was seen first, in words."""
        return str(self._first_seen.get(kind, "inside of another one"))


def parts(value: Any) -> Iterator[Any]:
    """Everything that a model is made of, each thing once."""
    seen: dict[int, Any] = {}
    left = [value]
    while left:
        value = left.pop()
        if id(value) in seen:
            continue
        seen[id(value)] = value
        yield value
        if isinstance(value, dict):
            left.extend(value.values())
        elif isinstance(value, (list, tuple, set, frozenset)):
            left.extend(value)
        elif isinstance(value, np.ndarray):
            left.extend(np.asarray(value).ravel().tolist() if value.dtype == object else ())
        elif not isinstance(value, type) and not issparse(value):
            left.extend(getattr(value, "__dict__", {}).values())
