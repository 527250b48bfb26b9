"""Bars that say how much each kernel counts."""

import sys

import numpy as np
import pytest
from sklearn.cluster import KMeans
from sklearn.exceptions import NotFittedError

from maxmargin import MultipleKernelClustering, UnsupervisedSearch
from maxmargin.plots import KernelWeightsDisplay

WEIGHTS = {"rbf": 0.7, "linear": 0.3, "$a_b$ <x>": 0.0}


def test_a_bar_for_each_kernel_in_their_order():
    display = KernelWeightsDisplay(WEIGHTS).plot()
    assert [bar.get_width() for bar in display.bars_] == list(WEIGHTS.values())
    assert [label.get_text() for label in display.ax_.get_yticklabels()] == list(WEIGHTS)
    assert display.ax_.yaxis_inverted()
    assert [text.get_text() for text in display.ax_.texts] == ["0.70", "0.30", "0.00"]
    assert display.figure_ is display.ax_.figure
    display.figure_.canvas.draw()


def test_from_a_fitted_clusterer(rng):
    model = MultipleKernelClustering(2, kernels=["linear", "rbf"], n_init=1, random_state=0)
    with pytest.raises(NotFittedError):
        KernelWeightsDisplay.from_estimator(model)
    model.fit(np.vstack([rng.normal(size=(20, 2)), 9 + rng.normal(size=(20, 2))]))
    display = KernelWeightsDisplay.from_estimator(model, color="black")
    assert display.kernel_weights == model.kernel_weights_
    assert display.bars_[0].get_facecolor() == (0, 0, 0, 1)


def test_on_axes_that_are_given():
    from matplotlib import pyplot as plt

    _, (_, right) = plt.subplots(1, 2)
    assert KernelWeightsDisplay(WEIGHTS).plot(ax=right).ax_ is right


def test_other_estimators_are_refused(rng):
    model = KMeans(2, n_init=1).fit(rng.normal(size=(10, 2)))
    with pytest.raises(ValueError, match=r"kernel_weights_.* got KMeans"):
        KernelWeightsDisplay.from_estimator(model)


def test_without_matplotlib_there_is_a_way_out(monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(ImportError, match=r"maxmargin\[plots\]"):
        KernelWeightsDisplay(WEIGHTS).plot()


def test_a_search_around_it():
    X = np.repeat([[0.0, 0.0], [5.0, 5.0]], 6, axis=0) + np.arange(24.0).reshape(12, 2) / 50
    model = MultipleKernelClustering(2, kernels=["linear", "rbf"], n_init=1, random_state=0)
    search = UnsupervisedSearch(model, {"alpha": [0.1, 1.0]}).fit(X)
    display = KernelWeightsDisplay.from_estimator(search)
    assert display.kernel_weights == search.best_estimator_.kernel_weights_
