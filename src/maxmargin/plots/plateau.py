"""The number of clusters over the width."""

from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from maxmargin.explain.colors import CHOSEN, MAIN
from maxmargin.plots.axes import AxesDisplay, axes_for
from maxmargin.plots.checks import model_with


@dataclass(repr=False, eq=False)
class PlateauDisplay(AxesDisplay):
    """The number of clusters at every width, and its longest plateau.

    Parameters
    ----------
    gammas : array of shape (w,)
        The widths, in ascending order.
    n_clusters : array of shape (w,)
        The number of clusters at each.
    first, last : int, default=None
        The ends of the plateau, positions in ``gammas``; None draws none.

    Attributes
    ----------
    ax_, figure_ : matplotlib Axes and Figure
        Where it was drawn.
    line_ : matplotlib Line2D
        The curve.
    plateau_ : matplotlib Line2D or None
        The plateau.

    Examples
    --------
    >>> from sklearn.datasets import make_blobs
    >>> from maxmargin import SupportVectorClustering
    >>> from maxmargin.plots import PlateauDisplay
    >>> X, _ = make_blobs(200, cluster_std=0.5, random_state=0)
    >>> model = SupportVectorClustering(gamma="plateau").fit(X)
    >>> display = PlateauDisplay.from_estimator(model)  # doctest: +SKIP
    """

    gammas: NDArray[np.floating]
    n_clusters: NDArray[np.integer]
    first: int | None = None
    last: int | None = None

    @classmethod
    def from_estimator(cls, estimator: Any, *, ax: Any = None, **line_kwargs: Any) -> Self:
        """Draw what ``gamma="plateau"`` looked at.

        Parameters
        ----------
        estimator : SupportVectorClustering, alone, in a pipeline or in a search
            Fitted with ``gamma="plateau"``.
        ax : matplotlib Axes, default=None
            Where to draw; None makes a new figure.
        **line_kwargs : dict
            Passed to :meth:`matplotlib.axes.Axes.plot`.
        """
        owners = "SupportVectorClustering(gamma='plateau') has"
        found = model_with("plateau_", owners, estimator).plateau_
        ends = (found.first, found.last) if found.length else (None, None)
        return cls(found.gammas, found.n_clusters, *ends).plot(ax=ax, **line_kwargs)

    def plot(self, *, ax: Any = None, **line_kwargs: Any) -> Self:
        """Draw the curve; the parameters are those of :meth:`from_estimator`."""
        ax = axes_for("PlateauDisplay", ax)
        look = {"color": MAIN, "marker": "o", "markersize": 4, **line_kwargs}
        (self.line_,) = ax.plot(self.gammas, self.n_clusters, **look)
        self.plateau_ = None
        if self.first is not None and self.last is not None:
            there = slice(self.first, self.last + 1)
            thick = {"color": CHOSEN, "linewidth": 5, "alpha": 0.5, "solid_capstyle": "round"}
            label = f"{self.n_clusters[self.first]} clusters"
            gammas, n_clusters = self.gammas[there], self.n_clusters[there]
            (self.plateau_,) = ax.plot(gammas, n_clusters, label=label, **thick)
            ax.legend(loc="best", fontsize="small")
        ax.set(xscale="log", xlabel="gamma", ylabel="number of clusters")
        ax.yaxis.get_major_locator().set_params(integer=True)
        return self._drawn_on(ax)
