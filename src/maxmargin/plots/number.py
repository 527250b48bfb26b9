"""Why there are so many clusters."""

from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.utils.validation import check_is_fitted

from maxmargin.explain.clustering import nested_estimators
from maxmargin.explain.colors import PALETTE
from maxmargin.plots.axes import panels_for
from maxmargin.selection.number import SMALLEST_DIP, steepest_drop


class NumberDisplay:
    """What was measured at each number of clusters, and what each of three rules says.

    From top to bottom: the split gap, whose largest value counts; the smallest dip between
    two clusters, the last one above the dashed line; the predictability of the labels, the
    last value before it falls most. The median of the three is taken.

    Parameters
    ----------
    curve : dict of arrays
        ``"k"``, ``"split_gap"``, ``"smallest_dip"`` and, where it is known,
        ``"predictability"``.
    k : int
        The number that was chosen.
    agreement : int
        How many of the three rules say it.

    Attributes
    ----------
    axes_ : ndarray of matplotlib Axes
        The panels.
    figure_ : matplotlib Figure
        Their figure.
    lines_ : list of matplotlib Line2D
        The curve in each panel.
    chosen_ : list of matplotlib Line2D
        The number that was chosen, a line in each panel.
    said_ : dict of str to int
        What each rule says.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from maxmargin import MaxMarginClustering
    >>> from maxmargin.plots import NumberDisplay
    >>> model = MaxMarginClustering(random_state=0).fit(load_iris().data)
    >>> display = NumberDisplay.from_estimator(model)  # doctest: +SKIP
    """

    def __init__(self, curve: dict[str, NDArray[Any]], k: int, agreement: int) -> None:
        self.curve = curve
        self.k = k
        self.agreement = agreement

    @classmethod
    def from_estimator(cls, estimator: Any, *, ax: Any = None, **line_kwargs: Any) -> Self:
        """Draw why a fitted model has so many clusters.

        Parameters
        ----------
        estimator : MaxMarginClustering, alone, in a pipeline or in a search
            Fitted with ``n_clusters=None``.
        ax : matplotlib Axes, default=None
            A place to divide into panels; None makes a new figure.
        **line_kwargs : dict
            Passed to :meth:`matplotlib.axes.Axes.plot`.

        Returns
        -------
        NumberDisplay
        """
        check_is_fitted(estimator)
        model = nested_estimators(estimator)[-1]
        if not hasattr(model, "k_curve_"):
            raise ValueError(
                f"estimator must have k_curve_, as MaxMarginClustering(n_clusters=None) has after "
                f"it chose a number; got {model!r}."
            )
        shown = cls(model.k_curve_, int(model.n_clusters_), int(model.k_confidence_))
        return shown.plot(ax=ax, **line_kwargs)

    def plot(self, *, ax: Any = None, **line_kwargs: Any) -> Self:
        """Draw the panels.

        Parameters
        ----------
        ax : matplotlib Axes, default=None
            A place to divide into panels; None makes a new figure.
        **line_kwargs : dict
            Passed to :meth:`matplotlib.axes.Axes.plot`.

        Returns
        -------
        NumberDisplay
        """
        tried = np.asarray(self.curve["k"])
        names = [n for n in ("split_gap", "smallest_dip", "predictability") if n in self.curve]
        self.said_ = self._votes(tried)
        self.axes_ = panels_for("NumberDisplay", len(names), 1, ax, figsize=(6.4, 5.2))
        self.lines_, self.chosen_ = [], []
        look = {"color": PALETTE[0], "marker": "o", "markersize": 4, **line_kwargs}
        for panel, name in zip(self.axes_, names, strict=True):
            values = np.asarray(self.curve[name], dtype=np.float64)
            shown = np.where(np.isfinite(values), values, np.nan)
            (line,) = panel.plot(tried, shown, **look)
            self.lines_.append(line)
            color = {"color": PALETTE[5], "linewidth": 2, "alpha": 0.5, "zorder": 0}
            self.chosen_.append(panel.axvline(self.k, **color))
            said = self.said_[name]
            at = shown[tried == said]
            panel.plot([said] * len(at), at, "o", color=PALETTE[5], markersize=8)
            if name == "smallest_dip":
                panel.axhline(SMALLEST_DIP, color="black", linewidth=0.8, linestyle="dashed")
                _mark_endless(panel, tried, values)
            panel.set_ylabel(name.replace("_", " "))
            panel.set_title(f"says {said}", loc="right", fontsize="small", pad=2)
            panel.spines[["top", "right"]].set_visible(False)
            panel.margins(y=0.15)
            panel.tick_params(labelbottom=panel is self.axes_[-1])
        self.axes_[-1].set_xlabel("number of clusters")
        self.axes_[-1].xaxis.get_major_locator().set_params(integer=True)
        many = "1 cluster" if self.k == 1 else f"{self.k} clusters"
        self.axes_[0].set_title(
            f"{many} chosen: confidence {self.agreement} of 3", loc="left", fontsize="medium"
        )
        self.figure_ = self.axes_[0].figure
        self.figure_.align_ylabels(self.axes_)
        return self

    def _votes(self, tried: NDArray[np.integer]) -> dict[str, int]:
        """The number that each rule says: the rules of :mod:`maxmargin.selection.number`."""
        if not len(tried):
            return dict.fromkeys(self.curve, 1)
        above = tried[np.asarray(self.curve["smallest_dip"]) > SMALLEST_DIP]
        said = {
            "split_gap": int(tried[np.argmax(self.curve["split_gap"])]),
            "smallest_dip": int(above.max(initial=1)),
        }
        if "predictability" in self.curve:
            said["predictability"] = int(
                steepest_drop(tried.tolist(), self.curve["predictability"].tolist())
            )
        return said


def _mark_endless(panel: Any, tried: NDArray[np.integer], values: NDArray[np.float64]) -> None:
    """Numbers whose clusters do not touch, at the upper edge."""
    there = tried[np.isposinf(values)]
    if len(there):
        panel.plot(
            there,
            np.ones(len(there)),
            linestyle="none",
            marker="^",
            color=PALETTE[0],
            clip_on=False,
            transform=panel.get_xaxis_transform(),
            label="no two clusters touch",
        )
        panel.legend(loc="best", fontsize="small", frameon=False)
