"""Rows in the colours of their clusters, and a legend for them."""

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from maxmargin.explain.colors import style_of
from maxmargin.explain.formatting import name_of

#: Entries of a legend side by side under a figure 600 pixels wide.
LEGEND_COLUMNS = 3


def scatter_clusters(
    ax: Any,
    points: NDArray[np.floating],
    labels: NDArray[np.integer],
    clusters: Iterable[int],
    look: Mapping[str, Any],
    *,
    outliers: Mapping[str, Any] | None = None,
    given: Mapping[str, Any] | None = None,
) -> list[Any]:
    """Draw the rows of each cluster; ``outliers`` look different, ``given`` goes before all."""
    drawn = []
    for cluster in map(int, clusters):
        own = {**look, **(outliers or {})} if cluster < 0 else look
        chosen = {"label": name_of(cluster), **own, **style_of(cluster), **(given or {})}
        drawn.append(ax.scatter(*points[labels == cluster].T, **chosen))
    return drawn


def legend_for(ax: Any, handles: list[Any], names: list[str], *, below: bool, size: float) -> Any:
    """Put a legend under the whole figure (``below``), or where it hides least of the axes.

    ``size`` is the area of a marker in the picture: in the legend all are legible.
    """
    lines = max(1, -(-len(names) // LEGEND_COLUMNS))
    under = {"loc": "outside lower center", "ncols": -(-len(names) // lines), "frameon": False}
    legend = (ax.figure if below else ax).legend(
        handles,
        names,
        fontsize="small",
        markerscale=max(1.0, (30 / size) ** 0.5),
        handletextpad=0.3,
        columnspacing=1.2,
        **(under if below else {"loc": "best", "framealpha": 0.8}),
    )
    for handle in legend.legend_handles:
        handle.set_alpha(1)
    return legend
