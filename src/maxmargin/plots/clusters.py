"""Clusters in the plane, and the regions that the model gives them."""

from dataclasses import KW_ONLY, dataclass
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.ndimage import gaussian_filter

from maxmargin._runtime.parameters import NONNEGATIVE, Bool, Integer, OneOf
from maxmargin.explain.clustering import Clustering, clusters_in
from maxmargin.explain.colors import style_of
from maxmargin.explain.formatting import count, name_with_size, shorten
from maxmargin.explain.plane import plane_of
from maxmargin.explain.sample import sample_of
from maxmargin.plots.axes import AxesDisplay, axes_for
from maxmargin.plots.checks import exemplars_of
from maxmargin.plots.scatter import legend_for, scatter_clusters

#: Clusters that the legend names: under a figure, and inside of axes that were given.
NAMED, NAMED_INSIDE = 20, 8
#: Characters of a name that fit along the lower and the left edge of 600 × 450 pixels.
LONGEST_AXES = (60, 32)


@dataclass(repr=False, eq=False)
class ClustersDisplay(AxesDisplay):
    """The rows in the plane, coloured by cluster, and the regions of the clusters.

    Rows with a negative margin, which the model would rather put elsewhere, have rings;
    outliers are black crosses. Colours repeat after eight clusters, with other markers.

    Parameters
    ----------
    points : array of shape (n, 2)
        The rows in the plane.
    labels : array of shape (n,)
        Their clusters; −1 for outliers.
    axes : pair of str, default=("", "")
        What the coordinates are.
    margin : array of shape (n,), default=None
        How sure each label is.
    exemplars : array of int, default=None
        Rows to be marked, as they stand for their clusters.
    x0, x1 : arrays of shape (r, r), default=None
        A grid, as of :func:`numpy.meshgrid`.
    regions : array of shape (r, r), default=None
        The cluster of each point of the grid.
    exact : bool, default=True
        Whether the regions are the whole truth; if not, a note says so.

    Attributes
    ----------
    ax_, figure_ : matplotlib Axes and Figure
        Where it was drawn.
    points_ : list of matplotlib PathCollection
        The rows of each cluster, outliers last.
    uncertain_ : matplotlib PathCollection or None
        The rings.
    exemplars_ : matplotlib PathCollection or None
        The stars.
    regions_, boundaries_ : list of matplotlib QuadContourSet
        The regions and their outlines.
    legend_ : matplotlib Legend
        It counts all rows, drawn or not.
    rows_ : ndarray
        Which rows were drawn.
    note_ : str
        What the reader has to know, as it stands above the picture.

    Examples
    --------
    >>> from sklearn.datasets import make_moons
    >>> from maxmargin import MaxMarginClustering
    >>> from maxmargin.plots import ClustersDisplay
    >>> X, _ = make_moons(200, noise=0.05, random_state=0)
    >>> model = MaxMarginClustering(n_clusters=2, random_state=0).fit(X)
    >>> display = ClustersDisplay.from_estimator(model, X)  # doctest: +SKIP
    """

    points: NDArray[np.floating]
    labels: NDArray[np.integer]
    _: KW_ONLY
    axes: tuple[str, str] = ("", "")
    margin: NDArray[np.floating] | None = None
    exemplars: NDArray[np.integer] | None = None
    x0: NDArray[np.floating] | None = None
    x1: NDArray[np.floating] | None = None
    regions: NDArray[np.integer] | None = None
    exact: bool = True

    @classmethod
    def from_estimator(
        cls,
        estimator: Any,
        X: ArrayLike,
        *,
        view: str = "auto",
        regions: bool | str = "auto",
        exemplars: bool = False,
        grid_resolution: int = 200,
        eps: float = 0.05,
        max_points: int = 5000,
        ax: Any = None,
        **scatter_kwargs: Any,
    ) -> Self:
        """Draw what a fitted clusterer makes of rows.

        Parameters
        ----------
        estimator : clusterer, pipeline or search
            Fitted; of this package, of scikit-learn or alike.
        X : array-like or CSR matrix of shape (n_samples, n_features)
            The rows to draw, most often those that were fitted.
        view : {"auto", "features", "discriminant", "principal"}, default="auto"
            The plane: the two features; the first two directions in which the clusters'
            models differ; the first two principal components. ``"auto"`` takes the first of
            them that there is.
        regions : bool or "auto", default="auto"
            Whether the regions of the clusters are drawn; ``"auto"`` if the model says them and
            the plane shows all of them. From four clusters on, those of ``"discriminant"``
            are a cut: True draws it, with a note.
        exemplars : bool, default=False
            Whether the model's ``exemplars_`` are marked.
        grid_resolution : int, default=200
            Regions are asked for at so many points on each side.
        eps : float, default=0.05
            How far they extend beyond the rows, as a share of their range.
        max_points : int, default=5000
            Of more rows, about so many are drawn at random, some of each cluster.
        ax : matplotlib Axes, default=None
            Where to draw; None makes a new figure.
        **scatter_kwargs : dict
            Passed to :meth:`matplotlib.axes.Axes.scatter` for the rows.
        """
        OneOf(True, False, "auto").check("regions", regions)
        Bool().check("exemplars", exemplars)
        Integer(2).check("grid_resolution", grid_resolution)
        NONNEGATIVE.check("eps", eps)
        Integer(1).check("max_points", max_points)
        clustering = Clustering.of(estimator, X)
        plane = plane_of(clustering, view)
        if plane.labels_at is None and regions is True:
            raise ValueError(
                f"regions=True needs a model that says which cluster is where in the plane, and "
                f"{type(clustering.model).__name__} does not with view={plane.kind!r}. Use "
                f'regions="auto".'
            )
        drawn = regions is True or (regions and plane.exact)
        x0, x1, labels = (drawn and plane.regions(grid_resolution, eps)) or (None, None, None)
        return cls(
            plane.points,
            clustering.labels,
            axes=plane.axes,
            margin=clustering.margin,
            exemplars=exemplars_of(clustering) if exemplars else None,
            x0=x0,
            x1=x1,
            regions=labels,
            exact=plane.exact,
        ).plot(ax=ax, max_points=max_points, **scatter_kwargs)

    def plot(self, *, ax: Any = None, max_points: int = 5000, **scatter_kwargs: Any) -> Self:
        """Draw the rows and their regions; the parameters are those of :meth:`from_estimator`."""
        Integer(1).check("max_points", max_points)
        own = ax is None
        ax = axes_for("ClustersDisplay", ax)
        self.rows_, least = sample_of(self.labels, max_points)
        drawn = len(self.rows_)
        look = {
            "s": float(np.clip(6000 / max(drawn, 1), 6, 24)),
            "alpha": 0.9 if drawn <= 1000 else 0.65,
            **scatter_kwargs,
        }
        self._plot_regions(ax)
        names = self._plot_points(ax, look)
        handles: list[Any] = list(self.points_)
        self._limit(handles, names, NAMED if own else NAMED_INSIDE, ax)
        size = float(np.max(look["s"]))
        self._plot_uncertain(ax, size, handles, names)
        self._plot_exemplars(ax, size, handles, names)
        notes = []
        if drawn < len(self.labels):
            notes.append(
                f"{drawn:,} of {len(self.labels):,} rows drawn at random, at least {least:,} of "
                f"each cluster"
            )
        if self.regions is not None and not self.exact:
            notes.append(
                "regions of a cut through more dimensions: rows off it may belong elsewhere"
            )
        self.note_ = "\n".join(notes)
        if self.note_:
            ax.set_title(self.note_, fontsize="small")
        ax.set_xlabel(shorten(self.axes[0], LONGEST_AXES[0]), parse_math=False)
        ax.set_ylabel(shorten(self.axes[1], LONGEST_AXES[1]), parse_math=False)
        self.legend_ = legend_for(ax, handles, names, below=own, size=size)
        return self._drawn_on(ax)

    def _plot_regions(self, ax: Any) -> None:
        self.regions_, self.boundaries_ = [], []
        if self.regions is None:
            return
        for cluster in np.unique(self.regions[self.regions >= 0]):
            # A contour of zeros and ones has steps; a blur of less than a point has not.
            inside = gaussian_filter((self.regions == cluster).astype(np.float64), 0.7)
            color = [style_of(int(cluster))["color"]]
            grid = (self.x0, self.x1, inside)
            self.regions_.append(
                ax.contourf(*grid, levels=[0.5, 1.5], colors=color, alpha=0.15, zorder=0)
            )
            if inside.min() < 0.5:
                line = {"colors": "#555555", "linewidths": 0.8, "zorder": 1}
                self.boundaries_.append(ax.contour(*grid, levels=[0.5], **line))

    def _plot_points(self, ax: Any, look: dict[str, Any]) -> list[str]:
        clusters, sizes = clusters_in(self.labels)
        self.points_ = scatter_clusters(
            ax,
            self.points[self.rows_],
            self.labels[self.rows_],
            clusters,
            {"edgecolors": "#333333", "linewidths": 0.2, "zorder": 2},
            outliers={"edgecolors": None, "linewidths": 0.8},
            given=look,
        )
        return [name_with_size(int(c), int(n)) for c, n in zip(clusters, sizes, strict=True)]

    def _limit(self, handles: list[Any], names: list[str], most: int, ax: Any) -> None:
        """Name the first clusters only, and say how many there are besides."""
        clusters = int(np.sum(np.unique(self.labels) >= 0))
        if clusters > most:
            (nothing,) = ax.plot([], [], linestyle="none")
            handles[most:clusters] = [nothing]
            names[most:clusters] = [f"and {clusters - most} more"]

    def _plot_uncertain(self, ax: Any, size: float, handles: list[Any], names: list[str]) -> None:
        self.uncertain_ = None
        if self.margin is None:
            return
        uncertain = (np.asarray(self.margin) < 0) & (self.labels >= 0)
        if not uncertain.any():
            return
        ringed = self.points[self.rows_[uncertain[self.rows_]]]
        ring: dict[str, Any] = {"s": 2 * size + 8, "facecolors": "none", "edgecolors": "black"}
        ring.update(
            {"linewidths": 0.8} if len(ringed) <= 100 else {"linewidths": 0.4, "alpha": 0.4}
        )
        self.uncertain_ = ax.scatter(*ringed.T, zorder=3, **ring)
        handles.append(self.uncertain_)
        names.append(f"margin below 0 ({count(int(uncertain.sum()), 'row')})")

    def _plot_exemplars(self, ax: Any, size: float, handles: list[Any], names: list[str]) -> None:
        self.exemplars_ = None
        if self.exemplars is None or not len(self.exemplars):
            return
        colors = [style_of(int(cluster))["color"] for cluster in self.labels[self.exemplars]]
        star: dict[str, Any] = {"marker": "*", "edgecolors": "black", "linewidths": 0.8}
        points = self.points[self.exemplars].T
        self.exemplars_ = ax.scatter(*points, s=4 * size + 40, c=colors, zorder=4, **star)
        handles.append(self.exemplars_)
        names.append("exemplars")
