"""The number of clusters over the width."""

from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from maxmargin.explain.colors import CHOSEN, MAIN
from maxmargin.plots.axes import AxesDisplay, axes_for
from maxmargin.plots.checks import attribute_of, needed


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
    ax_ : matplotlib Axes
        The axes that were drawn on.
    figure_ : matplotlib Figure
        Their figure.
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

    def __init__(
        self,
        gammas: NDArray[np.floating],
        n_clusters: NDArray[np.integer],
        first: int | None = None,
        last: int | None = None,
    ) -> None:
        self.gammas = gammas
        self.n_clusters = n_clusters
        self.first = first
        self.last = last

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

        Returns
        -------
        PlateauDisplay
        """
        condition = "have plateau_, as SupportVectorClustering(gamma='plateau') has"
        found = needed(attribute_of(estimator, "plateau_"), condition, estimator)
        ends = (found.first, found.last) if found.length else (None, None)
        return cls(found.gammas, found.n_clusters, *ends).plot(ax=ax, **line_kwargs)

    def plot(self, *, ax: Any = None, **line_kwargs: Any) -> Self:
        """Draw the curve.

        Parameters
        ----------
        ax : matplotlib Axes, default=None
            Where to draw; None makes a new figure.
        **line_kwargs : dict
            Passed to :meth:`matplotlib.axes.Axes.plot`.

        Returns
        -------
        PlateauDisplay
        """
        ax = axes_for("PlateauDisplay", ax)
        look = {"color": MAIN, "marker": "o", "markersize": 4, **line_kwargs}
        (self.line_,) = ax.plot(self.gammas, self.n_clusters, **look)
        self.plateau_ = None
        if self.first is not None and self.last is not None:
            there = slice(self.first, self.last + 1)
            (self.plateau_,) = ax.plot(
                self.gammas[there],
                self.n_clusters[there],
                color=CHOSEN,
                linewidth=5,
                alpha=0.5,
                solid_capstyle="round",
                label=f"{self.n_clusters[self.first]} clusters",
            )
            ax.legend(loc="best", fontsize="small")
        ax.set(xscale="log", xlabel="gamma", ylabel="number of clusters")
        ax.yaxis.get_major_locator().set_params(integer=True)
        return self._drawn_on(ax)
