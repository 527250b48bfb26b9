"""The values that parameters may have: declared once for each estimator, checked before any work.

An estimator declares ``_parameters``, a dict from the name of a parameter to what it may be.
Every message names the parameter, the value and what is allowed.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Mapping
from numbers import Integral, Real
from typing import Any

import numpy as np


class Allowed(ABC):
    """What a parameter may be; ``a | b`` is one or the other."""

    #: For the message: "alpha must be <words>; got …".
    words: str

    @abstractmethod
    def accepts(self, value: Any) -> bool:
        """Whether it may be this value."""

    def check(self, name: str, value: Any) -> Any:
        """Return the value if it is allowed."""
        if not self.accepts(value):
            raise ValueError(f"{name} must be {self.words}; got {value!r}.")
        return value

    def __or__(self, other: "Allowed") -> "Allowed":
        return Either(self, other)


class Either(Allowed):
    """One or the other."""

    def __init__(self, *parts: Allowed) -> None:
        self.parts = parts
        *first, last = [part.words for part in parts]
        self.words = f"{', '.join(first)} or {last}"

    def accepts(self, value: Any) -> bool:
        """Whether any of the parts allows it."""
        return any(part.accepts(value) for part in self.parts)

    def __or__(self, other: Allowed) -> Allowed:
        return Either(*self.parts, other)


class OneOf(Allowed):
    """One of some names, or None among them."""

    def __init__(self, *choices: Any) -> None:
        self.choices = choices
        names = ", ".join(map(repr, choices))
        self.words = f"one of {names}" if len(choices) > 1 else names

    def accepts(self, value: Any) -> bool:
        """Whether it is one of them."""
        return any(
            value is choice or (isinstance(value, str) and value == choice)
            for choice in self.choices
        )


class Integer(Allowed):
    """A whole number in [low, high]."""

    def __init__(self, low: int, high: int | None = None) -> None:
        self.low, self.high = low, high
        self.words = f"an int >= {low}" if high is None else f"an int from {low} to {high}"

    def accepts(self, value: Any) -> bool:
        """Whether it is such a number."""
        return (
            isinstance(value, Integral)
            and not isinstance(value, (bool, np.bool_))
            and int(value) >= self.low
            and (self.high is None or int(value) <= self.high)
        )


class Number(Allowed):
    """A number between two bounds.

    Parameters
    ----------
    low, high : float
    includes : {"neither", "low", "high", "both"}
        The bounds that are allowed themselves.
    words : str
    """

    def __init__(self, low: float, high: float, includes: str, words: str) -> None:
        self.low, self.high, self.includes, self.words = low, high, includes, words

    def accepts(self, value: Any) -> bool:
        """Whether it is such a number."""
        if isinstance(value, (bool, np.bool_)) or not isinstance(value, Real):
            return False
        number = float(value)
        return (
            self.low < number < self.high
            or (number == self.low and self.includes in ("low", "both"))
            or (number == self.high and self.includes in ("high", "both"))
        )


class Bool(Allowed):
    """True or False."""

    words = "True or False"

    def accepts(self, value: Any) -> bool:
        """Whether it is one of them."""
        return isinstance(value, (bool, np.bool_))


class InstanceOf(Allowed):
    """An object of a class."""

    def __init__(self, cls: type, words: str) -> None:
        self.cls, self.words = cls, words

    def accepts(self, value: Any) -> bool:
        """Whether it is an instance."""
        return isinstance(value, self.cls)


class Function(Allowed):
    """Anything that can be called, but for classes."""

    words = "a callable"

    def accepts(self, value: Any) -> bool:
        """Whether it can be called."""
        return callable(value)


class Anything(Allowed):
    """Any value: it is read, and refused, where its meaning is known."""

    words = "anything"

    def accepts(self, value: Any) -> bool:
        """Always."""
        return True


NONE = OneOf(None)
AUTO = OneOf("auto")
POSITIVE = Number(0, np.inf, "neither", "a finite number > 0")
NONNEGATIVE = Number(0, np.inf, "low", "a finite number >= 0")
FINITE = Number(-np.inf, np.inf, "neither", "a finite number")
SHARE = Number(0, 1, "neither", "a number in (0, 1)")
SHARE_OR_ZERO = Number(0, 1, "low", "a number in [0, 1)")
#: What every estimator has.
OF_EVERY_FIT: Mapping[str, Allowed] = {
    "verbose": Integer(0) | Bool(),
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
