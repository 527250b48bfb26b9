"""Axes to draw on."""

from typing import Any


def axes_for(who: str, ax: Any = None) -> Any:
    """Return ``ax``, or new axes; ``who`` asks, should matplotlib be missing."""
    try:
        from matplotlib import pyplot as plt
    except ImportError as error:
        raise ImportError(
            f'{who} needs matplotlib: install it with pip install "maxmargin[plots]".'
        ) from error
    return plt.subplots()[1] if ax is None else ax
