"""The weights of several kernels as bars."""

from dataclasses import dataclass
from typing import Any, Self

import numpy as np

from maxmargin.explain.colors import MAIN
from maxmargin.plots.axes import AxesDisplay, axes_for
from maxmargin.plots.checks import model_with


@dataclass(repr=False, eq=False)
class KernelWeightsDisplay(AxesDisplay):
    """How much each kernel counts in a :class:`~maxmargin.MultipleKernelClustering`.

    Parameters
    ----------
    kernel_weights : dict of str to float
        The weight of each kernel by its name.

    Attributes
    ----------
    ax_, figure_ : matplotlib Axes and Figure
        Where it was drawn.
    bars_ : matplotlib BarContainer
        The bars, from top to bottom in the order of the kernels.

    Examples
    --------
    >>> from sklearn.datasets import load_digits
    >>> from maxmargin import MultipleKernelClustering
    >>> from maxmargin.plots import KernelWeightsDisplay
    >>> X = load_digits(n_class=2).data
    >>> model = MultipleKernelClustering(2, random_state=0).fit(X)
    >>> display = KernelWeightsDisplay.from_estimator(model)  # doctest: +SKIP
    """

    kernel_weights: dict[str, float]

    @classmethod
    def from_estimator(cls, estimator: Any, *, ax: Any = None, **bar_kwargs: Any) -> Self:
        """Draw the weights of a fitted clusterer.

        Parameters
        ----------
        estimator : MultipleKernelClustering, alone, in a pipeline or in a search
            Fitted.
        ax : matplotlib Axes, default=None
            Where to draw; None makes a new figure.
        **bar_kwargs : dict
            Passed to :meth:`matplotlib.axes.Axes.barh`.
        """
        model = model_with("kernel_weights_", "MultipleKernelClustering has", estimator)
        return cls(model.kernel_weights_).plot(ax=ax, **bar_kwargs)

    def plot(self, *, ax: Any = None, **bar_kwargs: Any) -> Self:
        """Draw the bars; the parameters are those of :meth:`from_estimator`."""
        ax = axes_for("KernelWeightsDisplay", ax)
        names, weights = list(self.kernel_weights), list(self.kernel_weights.values())
        places = np.arange(len(names))  # by place, not by name: matplotlib would merge equal ones
        self.bars_ = ax.barh(places, weights, **{"color": MAIN, **bar_kwargs})
        ax.bar_label(self.bars_, fmt="%.2f", padding=3)
        ax.set_yticks(places, names, parse_math=False)  # a name may have dollar signs
        ax.invert_yaxis()
        ax.set_xlim(0, 1.15 * max(weights, default=1) or 1)
        ax.set_xlabel("weight of the kernel")
        return self._drawn_on(ax)
