"""How the number of clusters was chosen."""

from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from maxmargin.explain.colors import CHOSEN, MAIN
from maxmargin.explain.formatting import count
from maxmargin.explain.number import rules_of
from maxmargin.plots.axes import panels_for
from maxmargin.plots.checks import model_with


@dataclass(repr=False, eq=False)
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

    curve: dict[str, NDArray[Any]]
    k: int
    agreement: int

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
        """
        model = model_with(
            "k_curve_",
            "MaxMarginClustering(n_clusters=None) has after it chose a number",
            estimator,
        )
        shown = cls(model.k_curve_, int(model.n_clusters_), int(model.k_confidence_))
        return shown.plot(ax=ax, **line_kwargs)

    def plot(self, *, ax: Any = None, **line_kwargs: Any) -> Self:
        """Draw the panels; the parameters are those of :meth:`from_estimator`."""
        tried, rules = self.curve["k"], rules_of(self.curve)
        self.said_ = {rule.name: rule.says for rule in rules}
        self.axes_ = panels_for("NumberDisplay", len(rules), 1, ax, figsize=(6.4, 5.2))
        self.lines_, self.chosen_ = [], []
        look = {"color": MAIN, "marker": "o", "markersize": 4, **line_kwargs}
        for panel, rule in zip(self.axes_, rules, strict=True):
            shown = np.where(np.isfinite(rule.values), rule.values, np.nan)
            (line,) = panel.plot(tried, shown, **look)
            self.lines_.append(line)
            color = {"color": CHOSEN, "linewidth": 2, "alpha": 0.5, "zorder": 0}
            self.chosen_.append(panel.axvline(self.k, **color))
            at = shown[tried == rule.says]
            panel.plot([rule.says] * len(at), at, "o", color=CHOSEN, markersize=8)
            if rule.threshold is not None:
                panel.axhline(rule.threshold, color="black", linewidth=0.8, linestyle="dashed")
                _mark_endless(panel, tried[np.isposinf(rule.values)])
            panel.set_ylabel(rule.title)
            panel.set_title(f"says {rule.says}", loc="right", fontsize="small", pad=2)
            panel.spines[["top", "right"]].set_visible(False)
            panel.margins(y=0.15)
            panel.tick_params(labelbottom=panel is self.axes_[-1])
        self.axes_[-1].set_xlabel("number of clusters")
        self.axes_[-1].xaxis.get_major_locator().set_params(integer=True)
        title = f"{count(self.k, 'cluster')} chosen: confidence {self.agreement} of 3"
        self.axes_[0].set_title(title, loc="left", fontsize="medium")
        self.figure_ = self.axes_[0].figure
        self.figure_.align_ylabels(self.axes_)
        return self


def _mark_endless(panel: Any, there: NDArray[np.integer]) -> None:
    """Mark the numbers whose clusters do not touch, at the upper edge."""
    if len(there):
        look = {"linestyle": "none", "marker": "^", "color": MAIN, "clip_on": False}
        at_top = {"transform": panel.get_xaxis_transform(), "label": "no two clusters touch"}
        panel.plot(there, np.ones(len(there)), **look, **at_top)
        panel.legend(loc="best", fontsize="small", frameon=False)
