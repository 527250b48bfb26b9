"""A legend that hides no data where that can be helped."""

from typing import Any

#: Entries side by side under a figure 600 pixels wide.
COLUMNS = 3


def legend_for(ax: Any, handles: list[Any], names: list[str], *, below: bool, size: float) -> Any:
    """Put a legend under the whole figure (``below``), or where it hides least of the axes.

    ``size`` is the area of a marker in the picture: in the legend all are legible.
    """
    lines = -(-len(names) // COLUMNS)
    look: dict[str, Any] = {
        "fontsize": "small",
        "markerscale": max(1.0, (30 / size) ** 0.5),
        "handletextpad": 0.3,
        "columnspacing": 1.2,
    }
    if below:
        legend = ax.figure.legend(
            handles,
            names,
            loc="outside lower center",
            ncols=-(-len(names) // max(1, lines)),
            frameon=False,
            **look,
        )
    else:
        legend = ax.legend(handles, names, loc="best", framealpha=0.8, **look)
    for handle in legend.legend_handles:
        handle.set_alpha(1)
    return legend
