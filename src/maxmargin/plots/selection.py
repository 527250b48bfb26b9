"""What a model was chosen among, as a heat map."""

from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.utils.validation import check_is_fitted

from maxmargin._runtime.validation import check_int
from maxmargin.explain.candidates import CandidateScores, candidates_of
from maxmargin.explain.colors import PALETTE
from maxmargin.explain.formatting import shorten, without_constants
from maxmargin.plots.axes import axes_for, makes_room

#: What a cell needs for a number, in points.
ROOM = (27.0, 9.0)
LONGEST_ROW, LONGEST_COLUMN = 52, 32
#: Shades cover so many times the distance from the best score to the median.
REACH = 2.5


class SelectionDisplay:
    """Candidates and their scores, the chosen one in a frame.

    Darker is better; far below the median all cells are white. Cells that were not measured
    are hatched.

    Parameters
    ----------
    candidates : CandidateScores
        The scores with their names: see :func:`maxmargin.explain.candidates.candidates_of`.

    Attributes
    ----------
    ax_ : matplotlib Axes
        The axes that were drawn on.
    figure_ : matplotlib Figure
        Their figure.
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

    def __init__(self, candidates: CandidateScores) -> None:
        self.candidates = candidates

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

        Returns
        -------
        SelectionDisplay
        """
        check_is_fitted(estimator)
        candidates = candidates_of(estimator)
        if candidates is None:
            raise ValueError(
                f"estimator must have chosen among candidates, as MaxMarginClustering with two "
                f"clusters or more does, UnsupervisedSearch, and "
                f"SupportVectorClustering(gamma='auto'); got {estimator!r}."
            )
        return cls(candidates).plot(ax=ax, max_candidates=max_candidates, **imshow_kwargs)

    def plot(self, *, ax: Any = None, max_candidates: int = 25, **imshow_kwargs: Any) -> Self:
        """Draw the heat map.

        Parameters
        ----------
        ax : matplotlib Axes, default=None
            Where to draw; None makes a new figure.
        max_candidates : int, default=25
            So many rows and columns are drawn, the best ones.
        **imshow_kwargs : dict
            Passed to :meth:`matplotlib.axes.Axes.imshow`.

        Returns
        -------
        SelectionDisplay
        """
        check_int("max_candidates", max_candidates, low=1)
        land = self.candidates
        row, column = land.chosen
        ranked = column < 0  # rows are in the order of their ranks
        self.rows_ = _best(land.values, row, max_candidates, ranked=ranked)
        self.columns_ = _best(land.values.T, column, max_candidates)
        if land.values.shape[1] == 1:  # a list: the best first
            order = np.argsort(
                -np.nan_to_num(land.values[self.rows_, 0], nan=-np.inf), kind="stable"
            )
            self.rows_ = self.rows_[order]
        values = land.values[np.ix_(self.rows_, self.columns_)]
        height = 1.8 + 0.25 * len(self.rows_)
        ax = axes_for("SelectionDisplay", ax, figsize=(6.4, max(3.2, height)))
        look = {"cmap": _shades(), "aspect": "auto", "interpolation": "nearest"}
        look = {**look, "vmin": _lowest(values), **imshow_kwargs}
        ax.set_facecolor("#EEEEEE")
        self.image_ = ax.imshow(np.ma.masked_invalid(values), **look)
        self._mark_missing(ax, values)
        same = self._name_cells(ax)
        self.frame_ = self._mark_choice(ax, list(self.rows_).index(row), column)
        self.note_ = self._note(same)
        # From the right: the names of the rows leave no room under a title in the middle.
        ax.set_title(self.note_, fontsize="small", loc="right", parse_math=False)
        self.numbers_ = self._write(ax, values)
        self.colorbar_ = None
        if not self.numbers_ and np.isfinite(values).any():
            self.colorbar_ = ax.figure.colorbar(
                self.image_,
                ax=ax,
                label=land.score,
                extend="min" if np.any(values < self.image_.get_clim()[0]) else "neither",
            )
        self.ax_, self.figure_ = ax, ax.figure
        return self

    def _name_cells(self, ax: Any) -> list[str]:
        """Name rows and columns; returns the parameters that are the same in all names."""
        land = self.candidates
        rows, same = without_constants([land.rows[i] for i in self.rows_])
        columns, same_too = without_constants([land.columns[j] for j in self.columns_])
        columns = [shorten(name, LONGEST_COLUMN) for name in columns]
        rows = [shorten(name, LONGEST_ROW) for name in rows]
        plain = {"fontsize": "small", "parse_math": False}
        ax.set_yticks(np.arange(len(rows)), rows, **plain)
        ax.set_xticks(np.arange(len(columns)), columns, **plain)
        if sum(map(len, columns)) > 30:
            for label in ax.get_xticklabels():
                label.set(rotation=35, horizontalalignment="right", rotation_mode="anchor")
        ax.set_xlabel(shorten(land.column_title, LONGEST_COLUMN), parse_math=False)
        ax.set_ylabel(shorten(land.row_title, LONGEST_COLUMN), parse_math=False)
        ax.tick_params(length=0)
        ax.spines[:].set_visible(False)
        return sorted({*same, *same_too})

    def _mark_missing(self, ax: Any, values: NDArray[np.float64]) -> None:
        from matplotlib.patches import Rectangle

        hatch: dict[str, Any] = {"fill": False, "hatch": "////", "edgecolor": "#AAAAAA"}
        for i, j in np.argwhere(np.isnan(values)):
            ax.add_patch(Rectangle((j - 0.5, i - 0.5), 1, 1, linewidth=0, **hatch))

    def _mark_choice(self, ax: Any, row: int, column: int) -> Any:
        from matplotlib.patches import Rectangle

        if column < 0:
            corner, width = -0.5, len(self.columns_)
        else:
            corner, width = list(self.columns_).index(column) - 0.5, 1
        frame: dict[str, Any] = {"fill": False, "edgecolor": PALETTE[5], "linewidth": 2.5}
        return ax.add_patch(
            Rectangle((corner, row - 0.5), width, 1, zorder=3, clip_on=False, **frame)
        )

    def _note(self, same: list[str]) -> str:
        land = self.candidates
        parts = [f"{land.score}, darker is better; framed: the choice"]
        if not np.isfinite(land.values).any():
            parts = [f"no candidate has a {land.score}; framed: the choice"]
        for shown, names, what in (
            (self.rows_, land.rows, land.row_title),
            (self.columns_, land.columns, land.column_title),
        ):
            if len(shown) < len(names):
                kind = "candidates" if what.startswith("candidate") else f"values of {what}"
                hidden = len(names) - len(shown)
                parts.append(f"the best {len(shown)} of {len(names)} {kind} ({hidden} not shown)")
        if same:
            parts.append(f"throughout: {shorten(', '.join(same), 60)}")
        return "\n".join(parts)

    def _write(self, ax: Any, values: NDArray[np.float64]) -> list[Any]:
        """The score in each cell, if cells have the room."""
        if makes_room(ax):
            ax.figure.figure.draw_without_rendering()  # the names take their place first
        extent = ax.get_window_extent()
        points = 72 / ax.figure.dpi
        wide, high = extent.width * points / values.shape[1], extent.height * points / len(values)
        if wide < ROOM[0] or high < ROOM[1]:
            return []
        low, top = self.image_.get_clim()
        form = _format(values)
        return [
            ax.text(
                j,
                i,
                form(values[i, j]),
                horizontalalignment="center",
                verticalalignment="center",
                fontsize="x-small",
                color="white" if values[i, j] > low + 0.42 * (top - low) else "black",
            )
            for i, j in np.argwhere(np.isfinite(values))
        ]


def _best(
    values: NDArray[np.float64], chosen: int, most: int, *, ranked: bool = False
) -> NDArray[np.intp]:
    """The rows with the largest values in their order, with the chosen one if there is one."""
    if len(values) <= most:
        return np.arange(len(values))
    highest = np.where(np.isnan(values), -np.inf, values).max(axis=1)
    if ranked:
        highest = -np.arange(len(values), dtype=np.float64)
    if chosen >= 0:
        highest[chosen] = np.inf
    return np.sort(np.argsort(-highest, kind="stable")[:most])


def _lowest(values: NDArray[np.float64]) -> float | None:
    """The score that is white: one that failed must not make all others look the same."""
    if np.isnan(values).all():
        return None
    top = float(np.nanmax(values))
    return max(float(np.nanmin(values)), top - REACH * (top - float(np.nanmedian(values))))


def _shades() -> Any:
    """White to the first colour of the palette: one hue, so that only lightness has to be seen."""
    from matplotlib.colors import LinearSegmentedColormap

    return LinearSegmentedColormap.from_list("maxmargin", ["#FFFFFF", PALETTE[0], "#00263D"])


def _format(values: NDArray[np.float64]) -> Any:
    largest = float(np.nanmax(np.abs(values), initial=0.0))
    if largest >= 100:
        return lambda value: f"{value:.3g}"
    digits = 3 if largest < 1 else 2
    return lambda value: f"{round(value, digits) + 0.0:.{digits}f}".replace("-", "−")
