"""The values that parameters may have: declared once for each estimator, checked before any work.

An estimator declares ``_parameters``, a dict from the name of a parameter to what it may be.
Every message names the parameter, the value and what is allowed.
"""

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from numbers import Integral, Real
from typing import Any

import numpy as np


@dataclass(frozen=True)
class Allowed:
    """What a parameter may be; ``a | b`` is one or the other.

    Examples
    --------
    >>> from maxmargin._runtime.parameters import AUTO, Integer
    >>> (AUTO | Integer(1)).check("n_init", 0)
    Traceback (most recent call last):
        ...
    ValueError: n_init must be 'auto' or an int >= 1; got 0.
    """

    words: str
    accepts: Callable[[Any], bool]
    is_one: bool = True

    def check(self, name: str, value: Any) -> Any:
        """Return the value if it is allowed."""
        if not self.accepts(value):
            raise ValueError(f"{name} must be {self.words}; got {value!r}.")
        return value

    def __or__(self, other: "Allowed") -> "Allowed":
        first = self.words if self.is_one else ", ".join(self.words.rsplit(" or ", 1))
        words = f"{first}{',' * first.startswith('one of')} or {other.words}"
        return Allowed(words, lambda v: self.accepts(v) or other.accepts(v), is_one=False)


def _is_bool(value: Any) -> bool:
    return isinstance(value, (bool, np.bool_))


def OneOf(*choices: Any) -> Allowed:
    """One of some names, or None among them."""
    names = ", ".join(map(repr, choices))

    def accepts(value: Any) -> bool:
        return any(value is c or (isinstance(value, str) and value == c) for c in choices)

    return Allowed(f"one of {names}" if len(choices) > 1 else names, accepts)


def Integer(low: int, high: int | None = None) -> Allowed:
    """A whole number in [low, high]."""

    def accepts(value: Any) -> bool:
        whole = isinstance(value, Integral) and not _is_bool(value)
        return whole and low <= int(value) and (high is None or int(value) <= high)

    return Allowed(f"an int >= {low}" if high is None else f"an int from {low} to {high}", accepts)


def Number(words: str, accepts: Callable[[float], bool]) -> Allowed:
    """A number with a property, such as ``lambda x: 0 < x < 1``."""
    return Allowed(words, lambda v: isinstance(v, Real) and not _is_bool(v) and accepts(float(v)))


def InstanceOf(kind: type, words: str) -> Allowed:
    """An object of a class."""
    return Allowed(words, lambda value: isinstance(value, kind))


def Listed(words: str) -> Allowed:
    """A list or an array; what stands in it is checked where its meaning is known."""
    return Allowed(words, lambda v: hasattr(v, "__len__") and not isinstance(v, (str, bytes)))


def Bool() -> Allowed:
    """True or False."""
    return Allowed("True or False", _is_bool)


def Function() -> Allowed:
    """Anything that can be called."""
    return Allowed("a callable", callable)


NONE = OneOf(None)
AUTO = OneOf("auto")
POSITIVE = Number("a finite number > 0", lambda x: 0 < x < np.inf)
NONNEGATIVE = Number("a finite number >= 0", lambda x: 0 <= x < np.inf)
SHARE = Number("a number in (0, 1)", lambda x: 0 < x < 1)
SHARE_OR_ZERO = Number("a number in [0, 1)", lambda x: 0 <= x < 1)
#: What every estimator has.
OF_EVERY_FIT: Mapping[str, Allowed] = {
    "verbose": Allowed("a number or a bool", lambda value: isinstance(value, (Real, np.bool_))),
    "on_interrupt": OneOf("raise", "keep"),
}


def check_parameters(estimator: Any) -> None:
    """Check all parameters that an estimator, or an object with parameters, declares."""
    for name, allowed in estimator._parameters.items():
        allowed.check(name, getattr(estimator, name))


def named(value: Any, table: Mapping[str, Callable[[], Any]]) -> Any:
    """Return the object that a name stands for, or the object itself; check its parameters."""
    part = table[value]() if isinstance(value, str) else value
    check_parameters(part)
    return part


def check_fits(
    part: str, takes: Collection[str], given: Mapping[str, Any], instead: str = ""
) -> None:
    """Refuse what a part of an estimator does not take; None is not given.

    Examples
    --------
    >>> from maxmargin._runtime.parameters import check_fits
    >>> check_fits("solver='libsvm'", ["nu"], {"nu": 0.5, "C": None})
    >>> check_fits("solver='libsvm'", ["nu"], {"nu": None, "C": 0.3}, "Use solver='exact'.")
    Traceback (most recent call last):
        ...
    ValueError: solver='libsvm' takes nu and not C; got C=0.3. Use solver='exact'.
    """
    for name, value in given.items():
        if value is not None and name not in takes:
            refusal = f"takes {' and '.join(takes)} and not" if takes else "does not take"
            message = f"{part} {refusal} {name}; got {name}={value!r}. {instead}"
            raise ValueError(message.rstrip())
