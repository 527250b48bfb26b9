"""The same rows as several methods see them."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from maxmargin._runtime.parameters import Integer
from maxmargin.explain.clustering import clusters_in
from maxmargin.explain.formatting import shorten
from maxmargin.explain.matching import match_labels
from maxmargin.explain.sample import sample_of
from maxmargin.plots.axes import panels_for
from maxmargin.plots.scatter import scatter_clusters

MAX_METHODS = 12
LONGEST_TITLE, LONGEST_CAPTION, LONGEST_AXIS = 30, 40, 48


@dataclass(repr=False, eq=False)
class ComparisonDisplay:
    """Small pictures of the same rows, coloured by the clusters of each method.

    Clusters get the colours of those of the first method that they share most rows with, so
    that what differs is seen at once.

    Parameters
    ----------
    points : array of shape (n, 2)
        The rows in the plane.
    axes : pair of str
        What the coordinates are.
    labellings : dict of str to array of shape (n,)
        The clusters of each method, up to 12; −1 for outliers.
    captions : dict of str to str, default=None
        A line under the name of a method, such as its score.

    Attributes
    ----------
    axes_ : ndarray of matplotlib Axes
        A panel for each method.
    figure_ : matplotlib Figure
        Their figure.
    points_ : list of list of matplotlib PathCollection
        For each method the rows of its clusters, outliers last.
    matched_ : dict of str to ndarray
        The labels with the numbers that the colours are of.
    rows_ : ndarray
        Which rows were drawn.
    note_ : str
        Says so if these are not all.

    Examples
    --------
    >>> import numpy as np
    >>> from maxmargin.plots import ComparisonDisplay
    >>> points = np.array([[0.0, 0.0], [0.0, 1.0], [9.0, 0.0], [9.0, 1.0]])
    >>> labellings = {"a": np.array([0, 0, 1, 1]), "b": np.array([1, 1, 0, 0])}
    >>> display = ComparisonDisplay(points, ("x", "y"), labellings)
    >>> display.plot()  # doctest: +SKIP
    """

    points: NDArray[np.floating]
    axes: tuple[str, str]
    labellings: Mapping[str, NDArray[np.integer]]
    captions: Mapping[str, str] | None = None

    def plot(self, *, ax: Any = None, max_points: int = 5000, **scatter_kwargs: Any) -> Self:
        """Draw the panels.

        Parameters
        ----------
        ax : matplotlib Axes, default=None
            A place to divide into panels; None makes a new figure of 1200 × 800 pixels.
        max_points : int, default=5000
            Of more rows, about so many are drawn at random, some of each cluster of the first
            method.
        **scatter_kwargs : dict
            Passed to :meth:`matplotlib.axes.Axes.scatter`.
        """
        Integer(1).check("max_points", max_points)
        names = list(self.labellings)
        self._check(names)
        first = np.asarray(self.labellings[names[0]])
        self.matched_ = {
            name: match_labels(first, np.asarray(self.labellings[name])) for name in names
        }
        self.rows_, _ = sample_of(first, max_points)
        n_columns = int(np.ceil(np.sqrt(len(names))))
        n_rows = -(-len(names) // n_columns)
        figsize = (12, 5.5 if len(names) == 2 else 8)
        panels = panels_for(
            "ComparisonDisplay", n_rows, n_columns, ax, figsize=figsize, sharey=True
        )
        for panel in panels[len(names) :]:
            panel.remove()
        self.axes_ = panels[: len(names)]
        self.figure_ = self.axes_[0].figure
        self.points_ = [
            self._plot_one(panel, name, scatter_kwargs)
            for panel, name in zip(self.axes_, names, strict=True)
        ]
        self._name_axes(n_columns)
        drawn, n = len(self.rows_), len(first)
        self.note_ = f"{drawn:,} of {n:,} rows drawn at random" if drawn < n else ""
        if self.note_:
            place = {"xycoords": "axes fraction", "ha": "right", "va": "top"}
            self.axes_[-1].annotate(self.note_, (1, 1), fontsize="small", **place)
        return self

    def _check(self, names: list[str]) -> None:
        if not 1 <= len(names) <= MAX_METHODS:
            raise ValueError(
                f"labellings must hold 1 to {MAX_METHODS} methods; got {len(names)}. Draw the "
                f"others in another figure."
            )
        for name in names:
            if len(self.labellings[name]) != len(self.points):
                raise ValueError(
                    f"labellings[{name!r}] must label the {len(self.points)} rows of points; got "
                    f"{len(self.labellings[name])} labels."
                )

    def _plot_one(self, panel: Any, name: str, scatter_kwargs: dict[str, Any]) -> list[Any]:
        labels = self.matched_[name][self.rows_]
        points = np.asarray(self.points)[self.rows_]
        size = float(np.clip(4000 / max(len(points), 1), 3, 16))
        drawn = scatter_clusters(
            panel,
            points,
            labels,
            clusters_in(labels)[0],
            {"s": size, "linewidths": 0.0, "zorder": 2},
            outliers={"linewidths": 0.6, "alpha": 0.5, "zorder": 1},
            given=scatter_kwargs,
        )
        panel.set_title(shorten(name, LONGEST_TITLE), fontsize="medium", parse_math=False, pad=18)
        caption = (self.captions or {}).get(name, "")
        above = {"xycoords": "axes fraction", "xytext": (0, 4), "textcoords": "offset points"}
        look = {"ha": "center", "fontsize": "small", "color": "#444444", "parse_math": False}
        panel.annotate(shorten(caption, LONGEST_CAPTION), (0.5, 1), **above, **look)
        panel.tick_params(labelsize="small")
        panel.spines[["top", "right"]].set_visible(False)
        return drawn

    def _name_axes(self, n_columns: int) -> None:
        """Names and numbers along the lower and the left edge only."""
        last = len(self.axes_)
        for i, panel in enumerate(self.axes_):
            lowest, leftmost = i + n_columns >= last, i % n_columns == 0
            panel.tick_params(labelbottom=lowest, labelleft=leftmost)
            if lowest:
                panel.set_xlabel(shorten(self.axes[0], LONGEST_AXIS), parse_math=False)
            if leftmost:
                panel.set_ylabel(shorten(self.axes[1], LONGEST_TITLE), parse_math=False)
