"""How sure the labels are."""

from itertools import pairwise

import numpy as np
import pytest
from sklearn.cluster import KMeans
from sklearn.datasets import make_blobs, make_moons
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from maxmargin import MaxMarginClustering, RLSClustering, SupportVectorClustering
from maxmargin.explain.colors import PALETTE
from maxmargin.plots import MarginsDisplay

X = make_moons(200, noise=0.3, random_state=0)[0]
MODEL = MaxMarginClustering(2, effort="fast", random_state=0).fit(X)


def heights(strip):
    """Of the bars, as counts relative to the highest."""
    values, _, base = strip.get_data()
    return (base - values) / np.max(base - values)


def test_a_histogram_for_each_cluster():
    display = MarginsDisplay.from_estimator(MODEL, X, bins=20)
    display.figure_.canvas.draw()
    assert len(display.strips_) == 2
    for cluster, strip in enumerate(display.strips_):
        own = MODEL.margin_[MODEL.labels_ == cluster]
        counts, _ = np.histogram(own, strip.get_data().edges)
        assert counts.sum() == len(own)  # none lies beyond the edges
        np.testing.assert_allclose(heights(strip), counts / counts.max())
    names = [label.get_text() for label in display.ax_.get_yticklabels()]
    sizes = np.bincount(MODEL.labels_)
    assert names == [f"cluster {c} ({sizes[c]} rows)" for c in range(2)]
    assert display.ax_.get_xlabel() == "margin"


def test_what_is_below_0_is_counted_and_dark():
    from matplotlib.colors import to_hex

    display = MarginsDisplay.from_estimator(MODEL, X)
    below = [int(np.sum(MODEL.margin_[MODEL.labels_ == c] < 0)) for c in range(2)]
    assert sum(below) > 0
    assert [text.get_text() for text in display.counts_] == [f"{n} below 0" for n in below]
    assert set(display.zero_.get_xdata()) == {0}
    for c, (strip, dark) in enumerate(zip(display.strips_, display.below_, strict=True)):
        values, edges, base = dark.get_data()
        assert 0.0 in edges  # no bar is on both sides
        np.testing.assert_array_equal(values[edges[:-1] >= 0], base)
        np.testing.assert_array_equal(
            values[edges[:-1] < 0], strip.get_data().values[edges[:-1] < 0]
        )
        assert to_hex(dark.get_facecolor()).upper() == PALETTE[c]
        assert strip.get_alpha() < 1


@pytest.mark.parametrize("margin", [0.0, 1.0, -3.0])
def test_margins_that_are_all_the_same(margin):
    display = MarginsDisplay(np.full(5, margin), np.zeros(5, int)).plot()
    display.figure_.canvas.draw()
    np.testing.assert_allclose(heights(display.strips_[0]).sum(), 1)


@pytest.mark.parametrize(
    "model",
    [
        SupportVectorClustering(outlier_fraction=0.05),
        make_pipeline(StandardScaler(), RLSClustering(3, random_state=0)),
        MaxMarginClustering(1, effort="fast"),
    ],
    ids=["domain", "pipeline", "one cluster"],
)
def test_whatever_has_margins(model):
    display = MarginsDisplay.from_estimator(model.fit(X), X)
    display.figure_.canvas.draw()
    assert len(display.strips_) == len(np.unique(display.labels))


def test_many_clusters_get_a_higher_figure():
    rows = make_blobs(300, centers=30, random_state=0)[0]
    labels = KMeans(30, n_init=1, random_state=0).fit_predict(rows)
    display = MarginsDisplay(np.linspace(-1, 1, 300), labels).plot()
    display.figure_.canvas.draw()
    assert (
        display.figure_.get_figheight()
        > MarginsDisplay(np.ones(2), np.arange(2)).plot().figure_.get_figheight()
    )
    boxes = [text.get_window_extent() for text in display.ax_.get_yticklabels()]
    assert not any(a.overlaps(b) for a, b in pairwise(boxes))


def test_models_without_margins_are_refused():
    with pytest.raises(ValueError, match=r"KMeans has no decision_function.*MaxMarginClustering"):
        MarginsDisplay.from_estimator(KMeans(2, n_init=1).fit(X), X)
    with pytest.raises(ValueError, match="bins"):
        MarginsDisplay.from_estimator(MODEL, X, bins=0)


def test_on_axes_that_are_given():
    from matplotlib import pyplot as plt

    _, (_, right) = plt.subplots(1, 2)
    display = MarginsDisplay.from_estimator(MODEL, X, ax=right, edgecolor="black")
    assert display.ax_ is right
    assert len(plt.get_fignums()) == 1
