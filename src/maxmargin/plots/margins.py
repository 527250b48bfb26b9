"""How sure the labels are, cluster by cluster."""

from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from maxmargin._runtime.validation import check_int
from maxmargin.explain.clustering import Clustering
from maxmargin.explain.colors import style_of
from maxmargin.explain.formatting import count, name_of
from maxmargin.plots.axes import axes_for

#: The highest bar of a cluster, as a share of its strip.
TALLEST = 0.85
#: Clusters whose strips are half an inch high.
FEW = 12


class MarginsDisplay:
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
    ax_ : matplotlib Axes
        The axes that were drawn on.
    figure_ : matplotlib Figure
        Their figure.
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

    def __init__(self, margin: NDArray[np.floating], labels: NDArray[np.integer]) -> None:
        self.margin = margin
        self.labels = labels

    @classmethod
    def from_estimator(
        cls,
        estimator: Any,
        X: ArrayLike,
        *,
        bins: int = 40,
        ax: Any = None,
        **stairs_kwargs: Any,
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

        Returns
        -------
        MarginsDisplay
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
        """Draw the histograms.

        Parameters
        ----------
        ax : matplotlib Axes, default=None
            Where to draw; None makes a new figure, higher for more clusters.
        bins : int, default=40
            About so many bars over the whole range.
        **stairs_kwargs : dict
            Passed to :meth:`matplotlib.axes.Axes.stairs`.

        Returns
        -------
        MarginsDisplay
        """
        check_int("bins", bins, low=1)
        present, sizes = np.unique(self.labels, return_counts=True)
        order = np.argsort(present < 0, kind="stable")
        present, sizes = present[order], sizes[order]
        strip = 0.5 if len(present) <= FEW else 0.3
        ax = axes_for("MarginsDisplay", ax, figsize=(6.4, 1.3 + strip * max(2, len(present))))
        margin = np.asarray(self.margin, dtype=np.float64)
        edges = _edges(margin, bins)
        self.strips_, self.below_, self.counts_ = [], [], []
        for place, cluster in enumerate(present):
            own = margin[self.labels == cluster]
            heights = np.histogram(own, edges)[0].astype(np.float64)
            base = place + 0.5
            tops = base - TALLEST * heights / max(heights.max(), 1)  # the axis points downwards
            look = {"color": style_of(int(cluster))["color"], **stairs_kwargs}
            self.strips_.append(
                ax.stairs(tops, edges, baseline=base, fill=True, alpha=0.55, **look)
            )
            until = int(np.searchsorted(edges, 0))
            under = np.where(np.arange(len(heights)) < until, tops, base)
            self.below_.append(ax.stairs(under, edges, baseline=base, fill=True, **look))
            ax.axhline(base, color="#CCCCCC", linewidth=0.6, zorder=0)
            self.counts_.append(
                ax.text(
                    1.01,
                    base - 0.35,
                    f"{np.sum(own < 0):,} below 0",
                    transform=ax.get_yaxis_transform(),
                    verticalalignment="center",
                    fontsize="small",
                )
            )
        self.zero_ = ax.axvline(0, color="black", linewidth=1, linestyle="dashed")
        ax.set_yticks(
            np.arange(len(present)) + 0.15,
            [
                f"{name_of(int(c))} ({count(int(size), 'row')})"
                for c, size in zip(present, sizes, strict=True)
            ],
            fontsize="small",
        )
        ax.set(xlabel="margin", ylim=(len(present) - 0.4, -0.5), xlim=(edges[0], edges[-1]))
        ax.tick_params(axis="y", length=0)
        ax.spines[["top", "right", "left"]].set_visible(False)
        self.ax_, self.figure_ = ax, ax.figure
        return self


def _edges(margin: NDArray[np.float64], bins: int) -> NDArray[np.float64]:
    """Bars of one width, with an edge at 0: none is on both sides of it."""
    low = min(0.0, float(margin.min(initial=0.0)))
    high = max(0.0, float(margin.max(initial=0.0)))
    width = (high - low) / bins or 1.0
    first, last = int(np.floor(low / width)), int(np.ceil(high / width))
    # a bar beyond either end: the last one takes what equals its upper edge, and 0 is seen
    return np.asarray(width * np.arange(first - 1, last + 2), dtype=np.float64)
