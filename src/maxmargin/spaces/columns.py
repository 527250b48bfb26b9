"""Some of the columns of a table, by name or by number."""

from collections.abc import Sequence
from numbers import Integral
from typing import Any

import numpy as np
from numpy.typing import NDArray

ALLOWED = "names, numbers, a slice or a mask of columns"


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
            raise ValueError(f"columns of {where} must be {ALLOWED}; got {columns!r}.") from None
    elif isinstance(columns, (str, Integral)) and not isinstance(columns, bool):
        chosen = np.array([_number(columns, where, n_features, names)])
    else:
        if isinstance(columns, (set, frozenset, dict, bytes)):
            raise ValueError(f"columns of {where} must be {ALLOWED} in order; got {columns!r}.")
        try:
            items = list(columns)
        except TypeError:
            raise ValueError(f"columns of {where} must be {ALLOWED}; got {columns!r}.") from None
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
        raise ValueError(f"columns of {where} must be {ALLOWED}; got {item!r} among them.")
    if not -n_features <= int(item) < n_features:
        raise ValueError(
            f"columns of {where}: there is no column {int(item)}. X has {n_features} columns, "
            f"from 0 to {n_features - 1}."
        )
    return int(item) % n_features
