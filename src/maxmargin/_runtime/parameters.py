"""The values that parameters may have: declared once for each estimator, checked before any work.

An estimator declares ``_parameters``, a dict from the name of a parameter to what it may be.
Every message names the parameter, the value and what is allowed. Numbers of whatever type, also of
NumPy's small ones that overflow or round, are plain ints and floats from there on.
"""

import reprlib
from collections.abc import Callable, Collection, Mapping
from copy import copy
from dataclasses import dataclass
from numbers import Integral, Real
from typing import Any

import numpy as np
from numpy.typing import NDArray

LARGEST_INT = 2**63 - 1  # compiled loops count with these
LONGEST = 200  # characters of a value in a message
_SHORT = reprlib.Repr()


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
    plain: Callable[[Any], Any] = lambda value: value

    def check(self, name: str, value: Any) -> Any:
        """Return the value if it is allowed; a number as an int or a float."""
        if not self.accepts(value):
            raise ValueError(f"{name} must be {self.words}; got {shown(value)}.")
        return self.plain(value)

    def __or__(self, other: "Allowed") -> "Allowed":
        first = self.words if self.is_one else ", ".join(self.words.rsplit(" or ", 1))
        words = f"{first}{',' * first.startswith('one of')} or {other.words}"
        return Allowed(
            words,
            lambda value: self.accepts(value) or other.accepts(value),
            is_one=False,
            plain=lambda value: (self if self.accepts(value) else other).plain(value),
        )


def shown(value: Any) -> str:
    """What stands for a value in a message: not all digits of 10**400."""
    try:
        large = isinstance(value, int) and abs(value) >= 10**40
        text = _SHORT.repr(value) if large else repr(value)
    except ValueError:  # Python writes no int of more than 4,300 digits
        text = f"{type(value).__name__} of too many digits"
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 3]}..."


def _is_bool(value: Any) -> bool:
    return isinstance(value, (bool, np.bool_))


def OneOf(*choices: Any) -> Allowed:
    """One of some names, or None among them."""
    names = ", ".join(map(repr, choices))

    def accepts(value: Any) -> bool:
        return any(value is c or (isinstance(value, str) and value == c) for c in choices)

    return Allowed(f"one of {names}" if len(choices) > 1 else names, accepts)


def Integer(low: int, high: int = LARGEST_INT) -> Allowed:
    """A whole number in [low, high]."""

    def accepts(value: Any) -> bool:
        whole = isinstance(value, Integral) and not _is_bool(value)
        return whole and low <= int(value) <= high

    usual = f"an int >= {low}" if high == LARGEST_INT else f"an int from {low} to {high}"
    return Allowed(usual, accepts, plain=int)


def Number(words: str, accepts: Callable[[float], bool]) -> Allowed:
    """A number with a property, such as ``lambda x: 0 < x < 1``."""

    def allowed(value: Any) -> bool:
        return isinstance(value, Real) and not _is_bool(value) and accepts(as_float(value))

    return Allowed(words, allowed, plain=as_float)


def as_float(value: Any) -> float:
    """A number as a float, infinite if it is too large for one."""
    try:
        return float(value)
    except OverflowError:  # of an int or a fraction
        return np.inf if value > 0 else -np.inf


def number_of(value: Any, otherwise: float) -> float:
    """A number as a float, NaN if it is missing (None, NaN or pd.NA), else something else."""
    if value is None or type(value).__name__ == "NAType":
        return np.nan
    return as_float(value) if isinstance(value, Real) and not _is_bool(value) else otherwise


def as_floats(values: Any) -> NDArray[np.float64]:
    """An array-like of numbers as floats; NaN for what is no number, and empty if it is no such.

    Examples
    --------
    >>> from maxmargin._runtime.parameters import as_floats
    >>> as_floats([1, 10**400, None]).tolist(), as_floats(["1", "2"]).tolist()
    ([1.0, inf, nan], [])
    """
    try:
        array = np.asarray(values)
    except ValueError:  # lists of several lengths
        return np.empty(0)
    if np.ma.is_masked(values):
        array = np.where(np.ma.getmaskarray(values), np.nan, array)
    if array.dtype.kind == "O":
        numbers = [number_of(value, otherwise=np.nan) for value in array.flat]
        return np.array(numbers, np.float64).reshape(array.shape)
    if array.dtype.kind not in "biuf":
        return np.empty(0)
    with np.errstate(over="ignore"):  # long doubles
        return array.astype(np.float64)


def InstanceOf(kind: type, words: str) -> Allowed:
    """An object of a class."""
    return Allowed(words, lambda value: isinstance(value, kind))


def Listed(words: str) -> Allowed:
    """A list or an array; what stands in it is checked where its meaning is known."""
    return Allowed(words, lambda v: hasattr(v, "__len__") and not isinstance(v, (str, bytes)))


def Bool() -> Allowed:
    """True or False."""
    return Allowed("True or False", _is_bool, plain=bool)


def Function() -> Allowed:
    """Anything that can be called."""
    return Allowed("a callable", callable)


NONE = OneOf(None)
AUTO = OneOf("auto")
POSITIVE = Number("a finite number > 0", lambda x: 0 < x < np.inf)
NONNEGATIVE = Number("a finite number >= 0", lambda x: 0 <= x < np.inf)
#: A weight in an objective; its product with other numbers, or its inverse, must not overflow.
STRENGTH = Number("a finite number > 0 (1e-100 to 1e100)", lambda x: 1e-100 <= x <= 1e100)
STRENGTH_OR_ZERO = Number("a finite number >= 0 (up to 1e100)", lambda x: 0 <= x <= 1e100)
SHARE = Number("a number in (0, 1)", lambda x: 0 < x < 1)
SHARE_OR_ZERO = Number("a number in [0, 1)", lambda x: 0 <= x < 1)
FINITE = Number("a finite number", lambda x: -np.inf < x < np.inf)
STARTS = Integer(1, 1_000_000)
RANDOM_STATE = (
    NONE
    | Integer(0, 2**32 - 1)
    | Allowed("a RandomState", lambda v: v is np.random or isinstance(v, np.random.RandomState))
)
#: What every estimator has, as far as it has them.
OF_EVERY_FIT: Mapping[str, Allowed] = {
    "n_jobs": NONE
    | Allowed(
        "an int other than 0 (-1: all cores)",
        lambda v: isinstance(v, Integral) and not _is_bool(v) and 0 < abs(int(v)) <= LARGEST_INT,
        plain=int,
    ),
    "random_state": RANDOM_STATE,
    "verbose": Allowed("a number or a bool", lambda value: isinstance(value, (Real, np.bool_))),
    "on_interrupt": OneOf("raise", "keep"),
}


def check_parameters(estimator: Any) -> None:
    """Check all parameters that an estimator, or an object with parameters, declares.

    Its numbers become plain ones; those of an estimator get back what the user gave after a fit
    (see ``all_or_nothing``).
    """
    given = vars(estimator)
    plain = {
        name: allowed.check(name, given[name])
        for name, allowed in estimator._parameters.items()
        if name in given
    }
    given.update(plain)


def named(value: Any, table: Mapping[str, Callable[[], Any]]) -> Any:
    """Return the object that a name stands for, or a copy of the object; check its parameters."""
    part = table[value]() if isinstance(value, str) else copy(value)
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
            message = f"{part} {refusal} {name}; got {name}={shown(value)}. {instead}"
            raise ValueError(message.rstrip())
