"""Axes to draw on."""

from typing import Any, Self

import numpy as np


class AxesDisplay:
    """A picture on one pair of axes; they and their figure are kept."""

    ax_: Any
    figure_: Any

    def _drawn_on(self, ax: Any, *, hide: tuple[str, ...] = ("top", "right")) -> Self:
        """Hide some lines of the frame, and keep the axes."""
        for side in hide:
            ax.spines[side].set_visible(False)
        self.ax_, self.figure_ = ax, ax.figure
        return self


def axes_for(who: str, ax: Any = None, *, figsize: tuple[float, float] | None = None) -> Any:
    """Return ``ax``, or new axes; ``who`` is named in the error if matplotlib is missing."""
    plt = _pyplot(who)
    return plt.subplots(figsize=figsize, layout="constrained")[1] if ax is None else ax


def panels_for(
    who: str,
    n_rows: int,
    n_columns: int,
    ax: Any = None,
    *,
    figsize: tuple[float, float] | None = None,
    sharey: bool = False,
) -> Any:
    """Several axes that share x, in the place of ``ax``, or in a new figure: an array of them."""
    plt = _pyplot(who)
    if ax is None:
        figure = plt.figure(figsize=figsize, layout="constrained")
        grid = figure.add_gridspec(n_rows, n_columns)
    else:
        ax.set_axis_off()
        figure = ax.figure
        place = ax.get_subplotspec()
        if place is None:  # axes that were put somewhere by hand
            box = ax.get_position()
            sides = {"left": box.x0, "right": box.x1, "bottom": box.y0, "top": box.y1}
            grid = figure.add_gridspec(n_rows, n_columns, **sides)
        else:
            grid = place.subgridspec(n_rows, n_columns)
    panels = np.empty(n_rows * n_columns, dtype=object)
    for i in range(len(panels)):
        first = panels[0] if i else None
        panels[i] = figure.add_subplot(
            grid[i // n_columns, i % n_columns], sharex=first, sharey=first if sharey else None
        )
    return panels


def _pyplot(who: str) -> Any:
    try:
        from matplotlib import pyplot as plt
    except ImportError as error:
        raise ImportError(
            f'{who} needs matplotlib: install it with pip install "maxmargin[plots]".'
        ) from error
    return plt
