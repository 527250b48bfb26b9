"""The domain of support vector clustering in the plane."""

from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.utils import check_array
from sklearn.utils.validation import check_is_fitted

from maxmargin._runtime.validation import check_choice, check_int, check_nonnegative
from maxmargin.explain.clustering import layers
from maxmargin.explain.colors import style_of
from maxmargin.plots.axes import axes_for

#: Rings around support vectors are drawn if at most this share of the points are some.
FEW = 0.34
#: A picture with the same unit both ways is at most so many times as long as it is high.
LONGEST = 6.0


class DomainDisplay:
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
    ax_ : matplotlib Axes
        The axes that were drawn on.
    figure_ : matplotlib Figure
        Their figure.
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

    def __init__(
        self,
        x0: NDArray[np.floating],
        x1: NDArray[np.floating],
        values: NDArray[np.floating],
        regions: NDArray[np.integer],
        levels: NDArray[np.floating],
        X: NDArray[np.floating],
        labels: NDArray[np.integer],
        *,
        support_vectors: NDArray[np.floating] | None = None,
        equilibria: NDArray[np.floating] | None = None,
        xlabel: str | None = None,
        ylabel: str | None = None,
    ) -> None:
        self.x0 = x0
        self.x1 = x1
        self.values = values
        self.regions = regions
        self.levels = levels
        self.X = X
        self.labels = labels
        self.support_vectors = support_vectors
        self.equilibria = equilibria
        self.xlabel = xlabel
        self.ylabel = ylabel

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

        Returns
        -------
        DomainDisplay
        """
        check_is_fitted(estimator)
        layers(estimator)  # which fits rows of partial_fit that wait
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
        check_int("grid_resolution", grid_resolution, low=2)
        check_nonnegative("eps", eps)
        check_choice("support", support, (True, False, "auto"))
        labels = estimator.predict(X)
        names = getattr(estimator, "feature_names_in_", (None, None))
        points = check_array(X, dtype=np.float64)
        spread = np.ptp(points, axis=0)
        margin = np.where(spread > 0, eps * spread, 1.0)
        sides = np.linspace(
            points.min(axis=0) - margin, points.max(axis=0) + margin, grid_resolution
        )
        x0, x1 = np.meshgrid(*sides.T)
        grid_rows = np.column_stack([x0.ravel(), x1.ravel()])
        grid = _like(X, grid_rows)
        few = len(estimator.support_) <= FEW * len(estimator.landmarks_)
        return cls(
            x0,
            x1,
            estimator.decision_function(grid).reshape(x0.shape),
            estimator._nearest.labels_of(grid_rows).reshape(x0.shape),  # outliers are nowhere
            estimator.levels_,
            points,
            labels,
            support_vectors=estimator.support_vectors_
            if support is True or (support and few)
            else None,
            equilibria=getattr(estimator, "equilibria_", None),
            xlabel=names[0],
            ylabel=names[1],
        ).plot(ax=ax, **scatter_kwargs)

    def plot(self, *, ax: Any = None, **scatter_kwargs: Any) -> Self:
        """Draw it.

        Parameters
        ----------
        ax : matplotlib Axes, default=None
            Where to draw; None makes a new figure.
        **scatter_kwargs : dict
            Passed to :meth:`matplotlib.axes.Axes.scatter` for the points.

        Returns
        -------
        DomainDisplay
        """
        ax = axes_for("DomainDisplay", ax)
        own_levels = bool(np.any(self.levels))
        for cluster, level in enumerate(self.levels):
            inside = np.where(self.regions == cluster, self.values, -np.inf)
            if inside.max() > level:
                color = style_of(cluster)["color"]
                top = [level, max(inside.max(), level) + 1]
                filled = np.maximum(inside, min(level - 1, -1.0))
                ax.contourf(self.x0, self.x1, filled, levels=top, colors=[color], alpha=0.15)
                if own_levels:
                    line = {"colors": [color], "linestyles": "solid", "linewidths": 1.2}
                    ax.contour(self.x0, self.x1, filled, levels=[level], **line)
        self.surface_ = ax.contour(
            self.x0,
            self.x1,
            self.values,
            levels=[0.0],
            colors="black",
            linewidths=0.8,
            linestyles="dashed" if own_levels else "solid",
        )
        self.points_ = []
        present = np.unique(self.labels)
        for cluster in [*present[present >= 0], *present[present < 0]]:
            chosen = {"s": 12, "label": _name(cluster), **style_of(int(cluster)), **scatter_kwargs}
            points = self.X[self.labels == cluster]
            self.points_.append(ax.scatter(points[:, 0], points[:, 1], zorder=2, **chosen))
        self.support_ = self.equilibria_ = None
        if self.support_vectors is not None:
            self.support_ = ax.scatter(
                *self.support_vectors.T,
                s=40,
                facecolors="none",
                edgecolors="black",
                linewidths=0.6,
                label="support vectors",
                zorder=3,
            )
        if self.equilibria is not None:
            self.equilibria_ = ax.scatter(
                *self.equilibria.T,
                s=60,
                marker="*",
                color="black",
                edgecolors="white",
                label="equilibria",
                zorder=4,
            )
        sides = np.ptp(self.x0), np.ptp(self.x1)
        # One unit both ways, unless the picture would be a line.
        aspect = "equal" if max(sides) <= LONGEST * min(sides) else "auto"
        ax.set(xlabel=self.xlabel, ylabel=self.ylabel, aspect=aspect)
        if len(present) <= 10:
            ax.legend(loc="best", fontsize="small", framealpha=0.8)
        self.ax_, self.figure_ = ax, ax.figure
        return self


def _name(cluster: int) -> str:
    return f"cluster {cluster}" if cluster >= 0 else "outliers"


def _like(X: Any, grid: NDArray[np.float64]) -> Any:
    """The grid as a table with the columns of X, where X is one: names are checked."""
    columns = getattr(X, "columns", None)
    return grid if columns is None else type(X)(dict(zip(columns, grid.T, strict=True)))
