"""A model as it is written: without callbacks, and no function in it."""

from collections.abc import Iterator
from typing import Any

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


class PlainCopy:
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
    >>> from maxmargin.persistence.plain import PlainCopy
    >>> PlainCopy(RLSClustering(kernel=min))
    Traceback (most recent call last):
        ...
    ValueError: cannot save RLSClustering: its parameter kernel is a function, <built-in function
    min>, and a model file holds no code. Use a named kernel, or fit the kernel matrix with
    kernel="precomputed".
    """

    def __init__(self, model: BaseEstimator) -> None:
        self._first: dict[str, tuple[Any, str, str]] = {}
        self._who = type(model).__name__
        self._done: dict[int, tuple[Any, Any]] = {}  # the originals stay alive, and so their ids
        self.model = self._copy(model, model, "", "")

    def _copy(self, value: Any, owner: Any, above: str, here: str) -> Any:
        """Copy a value that is called ``here`` in an estimator that is called ``above``."""
        if id(value) in self._done:
            return self._done[id(value)][1]
        kind = type(value)
        self._first.setdefault(f"{kind.__module__}.{kind.__name__}", (owner, above, here))
        copied = value
        if isinstance(value, BaseEstimator) and not isinstance(value, type):
            copied = self._copy_attributes(value, value, f"{above}.{here}".strip("."), "")
        elif kind.__module__.startswith("maxmargin."):
            copied = self._copy_attributes(value, owner, above, f"{here}.")
        elif kind is dict:
            copied = {k: self._copy(v, owner, above, f"{here}[{k!r}]") for k, v in value.items()}
        elif kind in (list, tuple):
            copied = kind(self._copy(v, owner, above, f"{here}[{i}]") for i, v in enumerate(value))
        elif isinstance(value, np.memmap):
            copied = np.asarray(value)
        elif callable(value) and not isinstance(value, (type, np.ufunc)):
            raise ValueError(
                f"cannot save {self._who}: {_in_words(owner, above, here)} is a function, "
                f"{value!r}, and a model file holds no code. {_way_out(here)}"
            )
        self._done[id(value)] = value, copied
        return copied

    def _copy_attributes(self, value: Any, owner: Any, above: str, here: str) -> Any:
        copied = object.__new__(type(value))
        for name, attribute in vars(value).items():
            if name not in CALLBACKS:
                vars(copied)[name] = self._copy(attribute, owner, above, here + name)
        return copied

    def where(self, kind: str) -> str:
        """Where a type was seen first, in words."""
        return _in_words(*self._first[kind]) if kind in self._first else "inside of another one"


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


def _in_words(owner: Any, above: str, here: str) -> str:
    kind = "parameter" if _root(here) in owner.get_params(deep=False) else "attribute"
    if not here:
        return f"in {above}" if above else "itself"
    return (
        f"the {kind} {here} of {type(owner).__name__} (in {above})"
        if above
        else f"its {kind} {here}"
    )


def _root(here: str) -> str:
    return here.partition(".")[0].partition("[")[0]


def _way_out(here: str) -> str:
    return WAYS_OUT.get(_root(here), "Give a name or numbers instead, or leave it out.")
