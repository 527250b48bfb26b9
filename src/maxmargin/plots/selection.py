"""What a model was chosen among, as a heat map."""

from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from sklearn.utils.validation import check_is_fitted

from maxmargin._runtime.parameters import Integer
from maxmargin.explain.candidates import CandidateScores
from maxmargin.explain.colors import CHOSEN, MAIN
from maxmargin.explain.formatting import shorten
from maxmargin.explain.heat_map import HeatMap
from maxmargin.plots.axes import AxesDisplay, axes_for

#: What a cell needs for a number, in points.
ROOM = (27.0, 9.0)
LONGEST_ROW, LONGEST_COLUMN = 52, 32


@dataclass(repr=False, eq=False)
class SelectionDisplay(AxesDisplay):
    """Candidates and their scores, the chosen one in a frame.

    Darker is better; far below the median all cells are white. Cells that were not measured
    are hatched.

    Parameters
    ----------
    candidates : CandidateScores
        The scores with their names: see :meth:`maxmargin.explain.candidates.CandidateScores.of`.

    Attributes
    ----------
    ax_, figure_ : matplotlib Axes and Figure
        Where it was drawn.
    image_ : matplotlib AxesImage
        The heat map.
    frame_ : matplotlib Rectangle
        The frame around the choice.
    numbers_ : list of matplotlib Text
        The scores in the cells, row by row; none where there is no room.
    colorbar_ : matplotlib Colorbar or None
        What the shades mean, where there are no numbers.
    rows_, columns_ : ndarrays
        Which rows and columns of the candidates are shown.
    note_ : str
        What is not shown, as it stands above the picture.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from maxmargin import MaxMarginClustering
    >>> from maxmargin.plots import SelectionDisplay
    >>> model = MaxMarginClustering(n_clusters=3, random_state=0).fit(load_iris().data)
    >>> display = SelectionDisplay.from_estimator(model)  # doctest: +SKIP
    """

    candidates: CandidateScores

    @classmethod
    def from_estimator(
        cls, estimator: Any, *, max_candidates: int = 25, ax: Any = None, **imshow_kwargs: Any
    ) -> Self:
        """Draw what a fitted model was chosen among.

        Parameters
        ----------
        estimator : MaxMarginClustering, UnsupervisedSearch, SupportVectorClustering or pipeline
            Fitted. Of a search of scikit-learn, the scores of its test sets are drawn.
        max_candidates : int, default=25
            So many rows and columns are drawn, the best ones.
        ax : matplotlib Axes, default=None
            Where to draw; None makes a new figure.
        **imshow_kwargs : dict
            Passed to :meth:`matplotlib.axes.Axes.imshow`.
        """
        check_is_fitted(estimator)
        candidates = CandidateScores.of(estimator)
        if candidates is None:
            raise ValueError(
                f"estimator must have chosen among candidates, as MaxMarginClustering with two "
                f"clusters or more does, UnsupervisedSearch, and "
                f"SupportVectorClustering(gamma='auto'); got {estimator!r}."
            )
        return cls(candidates).plot(ax=ax, max_candidates=max_candidates, **imshow_kwargs)

    def plot(self, *, ax: Any = None, max_candidates: int = 25, **imshow_kwargs: Any) -> Self:
        """Draw the heat map; the parameters are those of :meth:`from_estimator`."""
        Integer(1).check("max_candidates", max_candidates)
        shown = HeatMap.of(self.candidates, max_candidates)
        self.rows_, self.columns_ = shown.rows, shown.columns
        height = 1.8 + 0.25 * len(shown.rows)
        ax = axes_for("SelectionDisplay", ax, figsize=(6.4, max(3.2, height)))
        look = {"cmap": _shades(), "aspect": "auto", "interpolation": "nearest"}
        look = {**look, "vmin": shown.lowest, **imshow_kwargs}
        ax.set_facecolor("#EEEEEE")
        self.image_ = ax.imshow(np.ma.masked_invalid(shown.values), **look)
        self.frame_ = _mark_cells(ax, shown)
        _name_cells(ax, shown)
        self.note_ = _note(shown)
        # From the right: the names of the rows leave no room under a title in the middle.
        ax.set_title(self.note_, fontsize="small", loc="right", parse_math=False)
        self.numbers_ = self._write(ax, shown)
        self.colorbar_ = None
        if not self.numbers_ and np.isfinite(shown.values).any():
            self.colorbar_ = ax.figure.colorbar(
                self.image_,
                ax=ax,
                label=self.candidates.score,
                extend="min" if np.any(shown.values < self.image_.get_clim()[0]) else "neither",
            )
        return self._drawn_on(ax, hide=("top", "right", "bottom", "left"))

    def _write(self, ax: Any, shown: HeatMap) -> list[Any]:
        """The score in each cell, if cells have the room."""
        if ax.figure.get_layout_engine() is not None:
            ax.figure.figure.draw_without_rendering()  # the names take their place first
        extent = ax.get_window_extent()
        n_rows, n_columns = shown.values.shape
        points = 72 / ax.figure.dpi
        if extent.width * points < ROOM[0] * n_columns or extent.height * points < ROOM[1] * n_rows:
            return []
        low, top = self.image_.get_clim()
        dark, texts = shown.values > low + 0.42 * (top - low), shown.texts
        look: dict[str, Any] = {"ha": "center", "va": "center", "fontsize": "x-small"}
        return [
            ax.text(j, i, texts[i][j], color="white" if dark[i, j] else "black", **look)
            for i, j in np.argwhere(np.isfinite(shown.values))
        ]


def _name_cells(ax: Any, shown: HeatMap) -> None:
    columns = [shorten(name, LONGEST_COLUMN) for name in shown.column_names]
    rows = [shorten(name, LONGEST_ROW) for name in shown.row_names]
    as_is = {"fontsize": "small", "parse_math": False}
    ax.set_yticks(np.arange(len(rows)), rows, **as_is)
    ax.set_xticks(np.arange(len(columns)), columns, **as_is)
    if sum(map(len, columns)) > 30:
        for label in ax.get_xticklabels():
            label.set(rotation=35, horizontalalignment="right", rotation_mode="anchor")
    ax.set_xlabel(shorten(shown.candidates.column_title, LONGEST_COLUMN), parse_math=False)
    ax.set_ylabel(shorten(shown.candidates.row_title, LONGEST_COLUMN), parse_math=False)
    ax.tick_params(length=0)


def _mark_cells(ax: Any, shown: HeatMap) -> Any:
    """Hatch what was not measured, and draw a frame around the choice: the frame is returned."""
    from matplotlib.patches import Rectangle

    hatch: dict[str, Any] = {"fill": False, "hatch": "////", "edgecolor": "#AAAAAA"}
    for i, j in np.argwhere(np.isnan(shown.values)):
        ax.add_patch(Rectangle((j - 0.5, i - 0.5), 1, 1, linewidth=0, **hatch))
    row, column = shown.chosen
    width = len(shown.columns) if column < 0 else 1
    frame: dict[str, Any] = {"fill": False, "edgecolor": CHOSEN, "linewidth": 2.5}
    corner = (max(column, 0) - 0.5, row - 0.5)
    return ax.add_patch(Rectangle(corner, width, 1, zorder=3, clip_on=False, **frame))


def _note(shown: HeatMap) -> str:
    score = shown.candidates.score
    measured = np.isfinite(shown.candidates.values).any()
    first = f"{score}, darker is better" if measured else f"no candidate has a {score}"
    lines = [f"{first}; framed: the choice", *shown.hidden]
    if shown.constants:
        lines.append(f"throughout: {shorten(', '.join(shown.constants), 60)}")
    return "\n".join(lines)


def _shades() -> Any:
    """White to the main colour: one hue, so that only lightness has to be seen."""
    from matplotlib.colors import LinearSegmentedColormap

    return LinearSegmentedColormap.from_list("maxmargin", ["#FFFFFF", MAIN, "#00263D"])
