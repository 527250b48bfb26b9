"""The number of clusters over the width."""

import numpy as np
import pytest
from sklearn.datasets import make_blobs

from maxmargin import SupportVectorClustering
from maxmargin.plots import PlateauDisplay


def test_the_curve_and_its_plateau():
    X, _ = make_blobs(150, centers=[[0, 0], [9, 0], [0, 9]], random_state=0)
    model = SupportVectorClustering(gamma="plateau").fit(X)
    display = PlateauDisplay.from_estimator(model, color="black")
    found = model.plateau_
    np.testing.assert_array_equal(display.line_.get_xdata(), found.gammas)
    np.testing.assert_array_equal(display.line_.get_ydata(), found.n_clusters)
    assert display.line_.get_color() == "black"
    assert set(display.plateau_.get_ydata()) == {model.n_clusters_}
    assert found.gamma in display.plateau_.get_xdata()
    assert display.ax_.get_xscale() == "log"
    display.figure_.canvas.draw()


def test_without_a_plateau():
    display = PlateauDisplay(np.array([0.1, 1.0, 10.0]), np.array([1, 1, 1])).plot()
    assert display.plateau_ is None
    assert display.ax_.get_legend() is None


def test_other_models_are_refused():
    X, _ = make_blobs(60, random_state=0)
    with pytest.raises(ValueError, match="gamma='plateau'"):
        PlateauDisplay.from_estimator(SupportVectorClustering(0.5).fit(X))
