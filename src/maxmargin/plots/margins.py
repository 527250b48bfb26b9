"""How sure the labels are, cluster by cluster."""

from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from maxmargin._runtime.parameters import Integer
from maxmargin.explain.clustering import Clustering
from maxmargin.explain.colors import style_of
from maxmargin.explain.formatting import name_with_size
from maxmargin.explain.margins import MarginHistogram
from maxmargin.plots.axes import AxesDisplay, axes_for

#: Up to so many clusters have half an inch each.
ROOMY_CLUSTERS = 12


@dataclass(repr=False, eq=False)
class MarginsDisplay(AxesDisplay):
    """A histogram of the margins of each cluster, above one axis.

    The margin of a row is how far the model of its own cluster is above the best other one;
    of support vector clustering, its height in the domain. Rows below 0 would go elsewhere:
    their bars are darker, and counted.

    Parameters
    ----------
    margin : array of shape (n,)
        The margins.
    labels : array of shape (n,)
        The clusters; −1 for outliers.

    Attributes
    ----------
    ax_, figure_ : matplotlib Axes and Figure
        Where it was drawn.
    strips_ : list of matplotlib StepPatch
        The histogram of each cluster from top to bottom, outliers last.
    below_ : list of matplotlib StepPatch
        The part of each below 0.
    counts_ : list of matplotlib Text
        How many rows of each are below 0.
    zero_ : matplotlib Line2D
        The line at 0.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from maxmargin import MaxMarginClustering
    >>> from maxmargin.plots import MarginsDisplay
    >>> X = load_iris().data
    >>> model = MaxMarginClustering(n_clusters=3, random_state=0).fit(X)
    >>> display = MarginsDisplay.from_estimator(model, X)  # doctest: +SKIP
    """

    margin: NDArray[np.floating]
    labels: NDArray[np.integer]

    @classmethod
    def from_estimator(
        cls, estimator: Any, X: ArrayLike, *, bins: int = 40, ax: Any = None, **stairs_kwargs: Any
    ) -> Self:
        """Draw the margins of rows under a fitted clusterer.

        Parameters
        ----------
        estimator : clusterer, pipeline or search
            Fitted, with a model for each cluster or a domain.
        X : array-like or CSR matrix of shape (n_samples, n_features)
            The rows, most often those that were fitted.
        bins : int, default=40
            About so many bars over the whole range.
        ax : matplotlib Axes, default=None
            Where to draw; None makes a new figure.
        **stairs_kwargs : dict
            Passed to :meth:`matplotlib.axes.Axes.stairs`.
        """
        clustering = Clustering.of(estimator, X)
        if clustering.margin is None:
            raise ValueError(
                f"estimator must say how sure its labels are; {type(clustering.model).__name__} "
                f"has no decision_function. Use a clusterer of maxmargin, such as "
                f"MaxMarginClustering."
            )
        return cls(clustering.margin, clustering.labels).plot(ax=ax, bins=bins, **stairs_kwargs)

    def plot(self, *, ax: Any = None, bins: int = 40, **stairs_kwargs: Any) -> Self:
        """Draw the histograms; the parameters are those of :meth:`from_estimator`."""
        Integer(1).check("bins", bins)
        found = MarginHistogram.of(self.margin, self.labels, bins)
        strip = 0.5 if len(found.clusters) <= ROOMY_CLUSTERS else 0.3
        height = 1.3 + strip * max(2, len(found.clusters))
        ax = axes_for("MarginsDisplay", ax, figsize=(6.4, height))
        self.strips_, self.below_, self.counts_ = [], [], []
        for place, (cluster, heights) in enumerate(zip(found.clusters, found.heights, strict=True)):
            base = place + 0.5
            tops = base - heights  # the axis points downwards
            look = {"color": style_of(int(cluster))["color"], **stairs_kwargs}
            self.strips_.append(
                ax.stairs(tops, found.edges, baseline=base, fill=True, alpha=0.55, **look)
            )
            under = np.where(found.edges[:-1] < 0, tops, base)
            self.below_.append(ax.stairs(under, found.edges, baseline=base, fill=True, **look))
            ax.axhline(base, color="#CCCCCC", linewidth=0.6, zorder=0)
            beside = {"transform": ax.get_yaxis_transform(), "va": "center", "fontsize": "small"}
            text = f"{found.n_negative[place]:,} below 0"
            self.counts_.append(ax.text(1.01, base - 0.35, text, **beside))
        self.zero_ = ax.axvline(0, color="black", linewidth=1, linestyle="dashed")
        names = [
            name_with_size(int(cluster), int(size))
            for cluster, size in zip(found.clusters, found.sizes, strict=True)
        ]
        ax.set_yticks(np.arange(len(names)) + 0.15, names, fontsize="small")
        ends = (found.edges[0], found.edges[-1])
        ax.set(xlabel="margin", ylim=(len(names) - 0.4, -0.5), xlim=ends)
        ax.tick_params(axis="y", length=0)
        return self._drawn_on(ax, hide=("top", "right", "left"))
