"""How the number of clusters was chosen."""

from dataclasses import dataclass
from typing import Any, Self

from numpy.typing import NDArray

from maxmargin.explain.colors import CHOSEN, MAIN
from maxmargin.explain.formatting import count
from maxmargin.explain.number import evidence_curves
from maxmargin.plots.axes import panels_for
from maxmargin.plots.checks import model_with


@dataclass(repr=False, eq=False)
class NumberDisplay:
    """The evidence for each number of clusters, and its two parts.

    From top to bottom: the evidence, whose largest value counts; the separation of the
    clusters, summed over the borders of a tree that joins them; the predictability of the
    labels, whose fall to the next number is the other part. A dot shows what each alone says.

    Parameters
    ----------
    curve : dict of arrays
        ``"k"``, ``"evidence"``, ``"separation"`` and ``"predictability"``.
    k : int
        The number that was chosen.
    confidence : float
        The probability that it is exact.

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
        What the evidence and each of its parts says.

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
    confidence: float

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
        shown = cls(model.k_curve_, int(model.n_clusters_), float(model.k_confidence_))
        return shown.plot(ax=ax, **line_kwargs)

    def plot(self, *, ax: Any = None, **line_kwargs: Any) -> Self:
        """Draw the panels; the parameters are those of :meth:`from_estimator`."""
        tried, parts = self.curve["k"], evidence_curves(self.curve)
        self.said_ = {part.name: part.says for part in parts}
        self.axes_ = panels_for("NumberDisplay", len(parts), 1, ax, figsize=(6.4, 5.2))
        self.lines_, self.chosen_ = [], []
        look = {"color": MAIN, "marker": "o", "markersize": 4, **line_kwargs}
        for panel, part in zip(self.axes_, parts, strict=True):
            (line,) = panel.plot(tried, part.values, **look)
            self.lines_.append(line)
            color = {"color": CHOSEN, "linewidth": 2, "alpha": 0.5, "zorder": 0}
            self.chosen_.append(panel.axvline(self.k, **color))
            at = part.values[tried == part.says]
            panel.plot([part.says] * len(at), at, "o", color=CHOSEN, markersize=8)
            panel.set_ylabel(part.title)
            panel.set_title(f"says {part.says}", loc="right", fontsize="small", pad=2)
            panel.spines[["top", "right"]].set_visible(False)
            panel.margins(y=0.15)
            panel.tick_params(labelbottom=panel is self.axes_[-1])
        self.axes_[-1].set_xlabel("number of clusters")
        self.axes_[-1].xaxis.get_major_locator().set_params(integer=True)
        title = f"{count(self.k, 'cluster')} chosen: exact with probability {self.confidence:.2f}"
        self.axes_[0].set_title(title, loc="left", fontsize="medium")
        self.figure_ = self.axes_[0].figure
        self.figure_.align_ylabels(self.axes_)
        return self
