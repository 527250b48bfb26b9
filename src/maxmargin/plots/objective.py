"""The objective over the steps of a fit."""

from collections.abc import Sequence
from dataclasses import KW_ONLY, dataclass
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from maxmargin.explain.axis_limits import widened
from maxmargin.explain.colors import CHOSEN, MAIN
from maxmargin.explain.objective import ObjectivePath
from maxmargin.plots.axes import AxesDisplay, axes_for
from maxmargin.plots.checks import model_with


@dataclass(repr=False, eq=False)
class ObjectiveDisplay(AxesDisplay):
    """The objective of the best run over its rounds, and where it ended.

    :class:`~maxmargin.RLSClustering` has one stretch of values: one for each round of the search,
    and one for the polish. :class:`~maxmargin.CuttingPlaneClustering` and
    :class:`~maxmargin.MultipleKernelClustering` have a stretch for each cut (of the objective
    under the cuts so far) and for each alternation (of the objective itself). Stretches are not
    joined: each is of another problem.

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
    ax_, figure_ : matplotlib Axes and Figure
        Where it was drawn.
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

    path: Sequence[NDArray[np.floating]]
    objective: float
    _: KW_ONLY
    larger: bool = False

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
        """
        model = model_with(
            "objective_path_",
            "RLSClustering, CuttingPlaneClustering and MultipleKernelClustering have",
            estimator,
            " What MaxMarginClustering and SupportVectorClustering chose among is drawn by "
            "SelectionDisplay.",
        )
        path = ObjectivePath.of(model)
        return cls(path.stretches, path.objective, larger=path.larger).plot(ax=ax, **line_kwargs)

    def plot(self, *, ax: Any = None, **line_kwargs: Any) -> Self:
        """Draw the stretches; the parameters are those of :meth:`from_estimator`."""
        ax = axes_for("ObjectiveDisplay", ax)
        look = {"color": MAIN, "marker": "o", "markersize": 3, **line_kwargs}
        path = ObjectivePath(self.path, self.objective, self.larger)
        self.lines_ = [
            ax.plot(steps, values, **look)[0]
            for steps, values in zip(path.steps, path.stretches, strict=True)
        ]
        circle = {"linestyle": "none", "marker": "o", "markersize": 7, "markerfacecolor": "white"}
        label = "a new cut, or alternation" if len(path.starts) > 1 else "first round"
        x, y = zip(*path.starts, strict=True) if path.starts else ([], [])
        (self.starts_,) = ax.plot([*x], [*y], label=label, color=look["color"], **circle)
        dashed = {"color": CHOSEN, "linewidth": 1.2, "linestyle": "dashed", "zorder": 0}
        label = f"of the answer: {self.objective:.4g}"
        self.end_ = ax.axhline(self.objective, label=label, **dashed)
        ax.set(xlabel=path.axes[0], ylabel=path.axes[1])
        ax.xaxis.get_major_locator().set_params(integer=True)
        ax.margins(y=0.12)
        ax.ticklabel_format(axis="y", useOffset=False)
        ax.set_ylim(*widened(*ax.get_ylim()))
        ax.legend(loc="best", fontsize="small")
        return self._drawn_on(ax)
