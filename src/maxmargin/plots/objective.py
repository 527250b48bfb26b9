"""The objective on its way."""

from collections.abc import Sequence
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.utils.validation import check_is_fitted

from maxmargin.explain.clustering import nested_estimators
from maxmargin.explain.colors import PALETTE
from maxmargin.plots.axes import axes_for


class ObjectiveDisplay:
    """The objective of the best run over its rounds, and where it ended.

    The path of :class:`~maxmargin.RLSClustering` is one stretch: a value for each round of the
    search, and one for the polish. Those of :class:`~maxmargin.CuttingPlaneClustering` and
    :class:`~maxmargin.MultipleKernelClustering` have a stretch for each cut, under the cuts so
    far, and for each alternation, of the objective itself. Values of different stretches are
    not joined: a new cut raises what is under the cuts.

    Parameters
    ----------
    path : sequence of arrays
        The values in each stretch.
    objective : float
        The objective at the answer.
    larger : bool, default=False
        Whether larger is better.

    Attributes
    ----------
    ax_ : matplotlib Axes
        The axes that were drawn on.
    figure_ : matplotlib Figure
        Their figure.
    lines_ : list of matplotlib Line2D
        The stretches.
    starts_ : matplotlib Line2D
        The beginning of each.
    end_ : matplotlib Line2D
        The objective at the answer.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from maxmargin import RLSClustering
    >>> from maxmargin.plots import ObjectiveDisplay
    >>> model = RLSClustering(n_clusters=3, random_state=0).fit(load_iris().data)
    >>> display = ObjectiveDisplay.from_estimator(model)  # doctest: +SKIP
    """

    def __init__(
        self, path: Sequence[NDArray[np.floating]], objective: float, *, larger: bool = False
    ) -> None:
        self.path = path
        self.objective = objective
        self.larger = larger

    @classmethod
    def from_estimator(cls, estimator: Any, *, ax: Any = None, **line_kwargs: Any) -> Self:
        """Draw the path of a fitted clusterer.

        Parameters
        ----------
        estimator : RLSClustering, CuttingPlaneClustering or MultipleKernelClustering
            Fitted; alone, in a pipeline or in a search.
        ax : matplotlib Axes, default=None
            Where to draw; None makes a new figure.
        **line_kwargs : dict
            Passed to :meth:`matplotlib.axes.Axes.plot`.

        Returns
        -------
        ObjectiveDisplay
        """
        check_is_fitted(estimator)
        model = nested_estimators(estimator)[-1]
        if not hasattr(model, "objective_path_"):
            raise ValueError(
                f"estimator must have objective_path_, as RLSClustering, CuttingPlaneClustering "
                f"and MultipleKernelClustering have; got {type(model).__name__}. What "
                f"MaxMarginClustering and SupportVectorClustering chose among is drawn by "
                f"SelectionDisplay."
            )
        path = model.objective_path_
        one = isinstance(path, np.ndarray)  # least squares, whose fit is maximised
        shown = cls([path] if one else path, float(model.objective_), larger=one)
        return shown.plot(ax=ax, **line_kwargs)

    def plot(self, *, ax: Any = None, **line_kwargs: Any) -> Self:
        """Draw the stretches one after the other.

        Parameters
        ----------
        ax : matplotlib Axes, default=None
            Where to draw; None makes a new figure.
        **line_kwargs : dict
            Passed to :meth:`matplotlib.axes.Axes.plot`.

        Returns
        -------
        ObjectiveDisplay
        """
        ax = axes_for("ObjectiveDisplay", ax)
        look = {"color": PALETTE[0], "marker": "o", "markersize": 3, **line_kwargs}
        ends = np.cumsum([len(steps) for steps in self.path])
        self.lines_ = [
            ax.plot(np.arange(end - len(steps), end) + 1, steps, **look)[0]
            for end, steps in zip(ends, self.path, strict=True)
        ]
        filled = [
            (end - len(s) + 1, s[0]) for end, s in zip(ends, self.path, strict=True) if len(s)
        ]
        several = len(filled) > 1
        (self.starts_,) = ax.plot(
            [place for place, _ in filled],
            [value for _, value in filled],
            linestyle="none",
            marker="o",
            markersize=7,
            markerfacecolor="white",
            color=look["color"],
            label="a new cut, or alternation" if several else "first round",
        )
        self.end_ = ax.axhline(
            self.objective,
            color=PALETTE[5],
            linewidth=1.2,
            linestyle="dashed",
            label=f"of the answer: {self.objective:.4g}",
            zorder=0,
        )
        better = "larger" if self.larger else "smaller"
        ax.set(
            xlabel="problem solved, or round" if several else "round",
            ylabel=f"objective ({better} is better)",
        )
        ax.xaxis.get_major_locator().set_params(integer=True)
        ax.margins(y=0.12)
        ax.ticklabel_format(axis="y", useOffset=False)
        low, high = ax.get_ylim()
        least = 1e-3 * max(abs(low), abs(high))  # differences below are no news
        if high - low < least:
            ax.set_ylim((low + high - least) / 2, (low + high + least) / 2)
        ax.legend(loc="best", fontsize="small")
        ax.spines[["top", "right"]].set_visible(False)
        self.ax_, self.figure_ = ax, ax.figure
        return self
