"""The objective on its way."""

import numpy as np
import pytest
from sklearn.cluster import KMeans
from sklearn.datasets import make_blobs
from sklearn.exceptions import NotFittedError
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from maxmargin import (
    CuttingPlaneClustering,
    MaxMarginClustering,
    MultipleKernelClustering,
    RLSClustering,
    UnsupervisedSearch,
)
from maxmargin.plots import ObjectiveDisplay

X = make_blobs(80, centers=3, random_state=0)[0]


def test_one_stretch_of_least_squares():
    model = RLSClustering(3, random_state=0).fit(X)
    display = ObjectiveDisplay.from_estimator(model, color="black")
    display.figure_.canvas.draw()
    (line,) = display.lines_
    np.testing.assert_array_equal(line.get_ydata(), model.objective_path_)
    assert line.get_xdata().tolist() == list(range(1, len(model.objective_path_) + 1))
    assert line.get_color() == "black"
    assert set(display.end_.get_ydata()) == {model.objective_}
    assert display.ax_.get_ylabel() == "objective (larger is better)"
    assert display.ax_.get_xlabel() == "round"


@pytest.mark.parametrize(
    "model",
    [
        CuttingPlaneClustering(3, random_state=0, n_init=1),
        MultipleKernelClustering(3, kernels=["linear", "rbf"], random_state=0, n_init=1),
    ],
    ids=lambda model: type(model).__name__,
)
def test_stretches_are_not_joined(model):
    model.fit(X)
    display = ObjectiveDisplay.from_estimator(model)
    display.figure_.canvas.draw()
    assert len(display.lines_) == len(model.objective_path_) > 1
    for line, steps in zip(display.lines_, model.objective_path_, strict=True):
        np.testing.assert_array_equal(line.get_ydata(), steps)
    places = np.concatenate([line.get_xdata() for line in display.lines_])
    np.testing.assert_array_equal(places, np.arange(1, len(places) + 1))
    starts = [steps[0] for steps in model.objective_path_ if len(steps)]
    np.testing.assert_array_equal(display.starts_.get_ydata(), starts)
    assert display.ax_.get_ylabel() == "objective (smaller is better)"


def test_empty_stretches_and_flat_ones():
    display = ObjectiveDisplay([np.array([]), np.array([2.0, 2.0 + 1e-12])], 2.0).plot()
    display.figure_.canvas.draw()
    assert np.ptp(display.ax_.get_ylim()) >= 1e-3
    assert display.starts_.get_xdata() == [1]


def test_pipelines_and_searches():
    search = UnsupervisedSearch(
        RLSClustering(random_state=0), {"n_clusters": [2, 3]}, criterion="split_gap"
    )
    model = make_pipeline(StandardScaler(), search).fit(X)
    display = ObjectiveDisplay.from_estimator(model)
    best = model[-1].best_estimator_
    np.testing.assert_array_equal(display.lines_[0].get_ydata(), best.objective_path_)


def test_models_without_a_path_are_refused():
    front = MaxMarginClustering(2, effort="fast", random_state=0).fit(X)
    with pytest.raises(ValueError, match=r"got MaxMarginClustering.*SelectionDisplay"):
        ObjectiveDisplay.from_estimator(front)
    with pytest.raises(ValueError, match=r"objective_path_.* got KMeans"):
        ObjectiveDisplay.from_estimator(KMeans(2, n_init=1).fit(X))
    with pytest.raises(NotFittedError):
        ObjectiveDisplay.from_estimator(RLSClustering(2))


def test_on_axes_that_are_given():
    from matplotlib import pyplot as plt

    _, (_, right) = plt.subplots(1, 2)
    assert ObjectiveDisplay([np.array([2.0, 1.0])], 1.0).plot(ax=right).ax_ is right
    assert len(plt.get_fignums()) == 1
