"""Checks of parameters: every message names the parameter, the value and what is allowed."""

from numbers import Integral, Real
from typing import Any

import numpy as np


def check_int(name: str, value: Any, *, low: int, high: int | None = None) -> int:
    """Return ``value`` if it is a whole number in [low, high]."""
    if (
        isinstance(value, (bool, np.bool_))
        or not isinstance(value, Integral)
        or int(value) < low
        or (high is not None and int(value) > high)
    ):
        allowed = f"an int >= {low}" if high is None else f"an int from {low} to {high}"
        raise ValueError(f"{name} must be {allowed}; got {value!r}.")
    return int(value)


def check_positive(name: str, value: Any) -> float:
    """Return ``value`` if it is a finite number above zero."""
    if (
        isinstance(value, (bool, np.bool_))
        or not isinstance(value, Real)
        or not 0 < float(value) < float("inf")
    ):
        raise ValueError(f"{name} must be a finite number > 0; got {value!r}.")
    return float(value)


def check_nonnegative(name: str, value: Any) -> float:
    """Return ``value`` if it is a finite number of zero or more."""
    if (
        isinstance(value, (bool, np.bool_))
        or not isinstance(value, Real)
        or not 0 <= float(value) < float("inf")
    ):
        raise ValueError(f"{name} must be a finite number >= 0; got {value!r}.")
    return float(value)


def check_share(name: str, value: Any, *, zero: bool = False) -> float:
    """Return ``value`` if it is a number in (0, 1), or with ``zero`` in [0, 1)."""
    if (
        isinstance(value, (bool, np.bool_))
        or not isinstance(value, Real)
        or not (0 < float(value) < 1 or (zero and float(value) == 0))
    ):
        raise ValueError(
            f"{name} must be a number in {'[0, 1)' if zero else '(0, 1)'}; got {value!r}."
        )
    return float(value)


def check_bool(name: str, value: Any) -> bool:
    """Return ``value`` if it is True or False."""
    if not isinstance(value, (bool, np.bool_)):
        raise ValueError(f"{name} must be True or False; got {value!r}.")
    return bool(value)


def check_choice(name: str, value: Any, allowed: tuple[Any, ...]) -> Any:
    """Return ``value`` if it is one of the allowed ones."""
    if not any(
        value is choice or (isinstance(value, str) and value == choice) for choice in allowed
    ):
        names = ", ".join(repr(choice) for choice in allowed)
        raise ValueError(f"{name} must be one of {names}; got {value!r}.")
    return value
