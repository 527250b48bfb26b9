"""The domain of support vector clustering in the plane."""

from dataclasses import KW_ONLY, dataclass
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.utils.validation import check_is_fitted

from maxmargin._runtime.parameters import NONNEGATIVE, Integer, OneOf
from maxmargin.explain.clustering import Clustering, clusters_in, nested_estimators
from maxmargin.explain.colors import style_of
from maxmargin.explain.domain import domain_surface, outlines
from maxmargin.plots.axes import AxesDisplay, axes_for
from maxmargin.plots.scatter import scatter_clusters

#: Support vectors get rings if they are at most this share of the points.
FEW_SUPPORT_VECTORS = 0.34
#: A picture with the same unit both ways is at most so many times as long as it is high.
LONGEST_SHAPE = 6.0


@dataclass(repr=False, eq=False)
class DomainDisplay(AxesDisplay):
    """The contour f = 0, the clusters inside, support vectors and equilibria.

    Where clusters have levels of their own (``gamma="auto"``), each is outlined at its level,
    and the contour f = 0 is a dashed line.

    Parameters
    ----------
    x0, x1 : arrays of shape (r, r)
        The grid, as of :func:`numpy.meshgrid`.
    values : array of shape (r, r)
        f on the grid.
    regions : array of shape (r, r)
        The cluster of each point of the grid.
    levels : array of shape (n_clusters,)
        The level of f at which each cluster is outlined.
    X : array of shape (n, 2)
        The points.
    labels : array of shape (n,)
        Their clusters; −1 for outliers.
    support_vectors : array of shape (s, 2), default=None
    equilibria : array of shape (e, 2), default=None
    xlabel, ylabel : str, default=None
        The names of the two features.

    Attributes
    ----------
    ax_, figure_ : matplotlib Axes and Figure
        Where it was drawn.
    surface_ : matplotlib QuadContourSet
        The contour f = 0.
    points_ : list of matplotlib PathCollection
        The points of each cluster, outliers last.
    support_ : matplotlib PathCollection or None
        The rings around support vectors.
    equilibria_ : matplotlib PathCollection or None
        The equilibria.

    Examples
    --------
    >>> from sklearn.datasets import make_moons
    >>> from maxmargin import SupportVectorClustering
    >>> from maxmargin.plots import DomainDisplay
    >>> X, _ = make_moons(200, noise=0.05, random_state=0)
    >>> model = SupportVectorClustering().fit(X)
    >>> display = DomainDisplay.from_estimator(model, X)  # doctest: +SKIP
    """

    x0: NDArray[np.floating]
    x1: NDArray[np.floating]
    values: NDArray[np.floating]
    regions: NDArray[np.integer]
    levels: NDArray[np.floating]
    X: NDArray[np.floating]
    labels: NDArray[np.integer]
    _: KW_ONLY
    support_vectors: NDArray[np.floating] | None = None
    equilibria: NDArray[np.floating] | None = None
    xlabel: str | None = None
    ylabel: str | None = None

    @classmethod
    def from_estimator(
        cls,
        estimator: Any,
        X: ArrayLike,
        *,
        grid_resolution: int = 200,
        eps: float = 0.1,
        support: bool | str = "auto",
        ax: Any = None,
        **scatter_kwargs: Any,
    ) -> Self:
        """Draw the domain of a fitted clusterer around points.

        Parameters
        ----------
        estimator : SupportVectorClustering
            Fitted to two features.
        X : array-like of shape (n_samples, 2)
            The points to draw, most often those that were fitted.
        grid_resolution : int, default=200
            The grid has so many points on each side.
        eps : float, default=0.1
            How far it extends beyond the points, as a share of their range.
        support : bool or "auto", default="auto"
            Whether support vectors get rings; ``"auto"`` if they are few.
        ax : matplotlib Axes, default=None
            Where to draw; None makes a new figure.
        **scatter_kwargs : dict
            Passed to :meth:`matplotlib.axes.Axes.scatter` for the points.
        """
        check_is_fitted(estimator)
        nested_estimators(estimator)  # which fits rows of partial_fit that wait
        if not hasattr(estimator, "support_vectors_") or not hasattr(estimator, "levels_"):
            raise ValueError(
                f"estimator must have support_vectors_ and levels_, as SupportVectorClustering "
                f"has; got {type(estimator).__name__}."
            )
        if estimator.n_features_in_ != 2:
            raise ValueError(
                f"estimator must be fitted to 2 features to be drawn; got "
                f"{estimator.n_features_in_}."
            )
        Integer(2).check("grid_resolution", grid_resolution)
        NONNEGATIVE.check("eps", eps)
        OneOf(True, False, "auto").check("support", support)
        clustering = Clustering.of(estimator, X, new=True)
        x0, x1, values, regions = domain_surface(clustering, grid_resolution, eps)
        few = len(estimator.support_) <= FEW_SUPPORT_VECTORS * len(estimator.landmarks_)
        names = getattr(estimator, "feature_names_in_", (None, None))
        return cls(
            x0,
            x1,
            values,
            regions,
            estimator.levels_,
            clustering.X,
            clustering.labels,
            support_vectors=estimator.support_vectors_
            if support is True or (support and few)
            else None,
            equilibria=getattr(estimator, "equilibria_", None),
            xlabel=names[0],
            ylabel=names[1],
        ).plot(ax=ax, **scatter_kwargs)

    def plot(self, *, ax: Any = None, **scatter_kwargs: Any) -> Self:
        """Draw the domain; the parameters are those of :meth:`from_estimator`."""
        ax = axes_for("DomainDisplay", ax)
        own_levels = bool(np.any(self.levels))
        for cluster, level, inside in outlines(self.values, self.regions, self.levels):
            color = [style_of(cluster)["color"]]
            grid = (self.x0, self.x1, inside)
            ax.contourf(*grid, levels=[level, inside.max() + 1], colors=color, alpha=0.15)
            if own_levels:
                ax.contour(*grid, levels=[level], colors=color, linestyles="solid", linewidths=1.2)
        style = "dashed" if own_levels else "solid"
        line = {"colors": "black", "linewidths": 0.8, "linestyles": style}
        self.surface_ = ax.contour(self.x0, self.x1, self.values, levels=[0.0], **line)
        present = clusters_in(self.labels)[0]
        look = {"s": 12, "zorder": 2}
        self.points_ = scatter_clusters(
            ax, self.X, self.labels, present, look, given=scatter_kwargs
        )
        self.support_ = self.equilibria_ = None
        if self.support_vectors is not None:
            ring = {"s": 40, "facecolors": "none", "edgecolors": "black", "linewidths": 0.6}
            points = self.support_vectors.T
            self.support_ = ax.scatter(*points, label="support vectors", zorder=3, **ring)
        if self.equilibria is not None:
            star = {"s": 60, "marker": "*", "color": "black", "edgecolors": "white"}
            self.equilibria_ = ax.scatter(*self.equilibria.T, label="equilibria", zorder=4, **star)
        sides = np.ptp(self.x0), np.ptp(self.x1)
        # One unit both ways, unless the picture would be a line.
        aspect = "equal" if max(sides) <= LONGEST_SHAPE * min(sides) else "auto"
        ax.set(xlabel=self.xlabel, ylabel=self.ylabel, aspect=aspect)
        if len(present) <= 10:
            ax.legend(loc="best", fontsize="small", framealpha=0.8)
        return self._drawn_on(ax, hide=())
