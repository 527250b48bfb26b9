"""The domain of support vector clustering in the plane."""

import sys

import numpy as np
import pytest
from sklearn.cluster import KMeans
from sklearn.datasets import make_blobs, make_moons
from sklearn.exceptions import NotFittedError

from maxmargin import SupportVectorClustering
from maxmargin.explain.colors import MARKERS, PALETTE, style_of
from maxmargin.plots import DomainDisplay

X = make_moons(200, noise=0.05, random_state=0)[0]


def offsets(points):
    return np.asarray(points.get_offsets())


def test_the_contour_is_where_f_is_0():
    model = SupportVectorClustering(20.0, nu=0.1).fit(X)
    display = DomainDisplay.from_estimator(model, X, grid_resolution=300)
    line = np.concatenate([path.vertices for path in display.surface_.get_paths()])
    assert len(line) > 50
    np.testing.assert_allclose(model.decision_function(line), 0, atol=0.02)
    display.figure_.canvas.draw()


def test_the_grid_is_what_the_model_says():
    model = SupportVectorClustering().fit(X)
    display = DomainDisplay.from_estimator(model, X, grid_resolution=7, eps=0.0)
    grid = np.column_stack([display.x0.ravel(), display.x1.ravel()])
    np.testing.assert_array_equal(display.values.ravel(), model.decision_function(grid))
    np.testing.assert_array_equal(display.regions.ravel(), model.predict(grid))  # no outliers
    np.testing.assert_allclose([display.x0.min(), display.x1.min()], X.min(axis=0))
    np.testing.assert_allclose([display.x0.max(), display.x1.max()], X.max(axis=0))
    np.testing.assert_array_equal(display.levels, model.levels_)


def test_points_of_each_cluster_in_its_colour():
    from matplotlib.colors import to_hex

    model = SupportVectorClustering(outlier_fraction=0.1).fit(X)
    display = DomainDisplay.from_estimator(model, X)
    assert len(display.points_) == 3
    for cluster, points in zip((0, 1, -1), display.points_, strict=True):
        np.testing.assert_array_equal(offsets(points), X[model.labels_ == cluster])
    assert [to_hex(p.get_facecolor()[0]).upper() for p in display.points_[:2]] == [*PALETTE[:2]]
    names = [text.get_text() for text in display.ax_.get_legend().get_texts()]
    assert names == ["cluster 0", "cluster 1", "outliers"]


def test_rings_around_support_vectors_if_they_are_few():
    few = SupportVectorClustering(20.0, nu=0.05).fit(X)
    display = DomainDisplay.from_estimator(few, X)
    np.testing.assert_array_equal(offsets(display.support_), few.support_vectors_)
    assert DomainDisplay.from_estimator(few, X, support=False).support_ is None
    many = SupportVectorClustering(20.0, nu=0.9).fit(X)
    assert DomainDisplay.from_estimator(many, X).support_ is None
    assert DomainDisplay.from_estimator(many, X, support=True).support_ is not None


def test_equilibria():
    model = SupportVectorClustering(20.0, nu=0.1, assignment="equilibria").fit(X)
    display = DomainDisplay.from_estimator(model, X)
    np.testing.assert_array_equal(offsets(display.equilibria_), model.equilibria_)
    assert DomainDisplay.from_estimator(SupportVectorClustering().fit(X), X).equilibria_ is None


def test_from_scratch_on_axes_that_are_given():
    from matplotlib import pyplot as plt

    x0, x1 = np.meshgrid([0.0, 1.0, 2.0], [0.0, 1.0, 2.0])
    values = 1 - np.abs(x0 - 1) - np.abs(x1 - 1)
    _, (_, right) = plt.subplots(1, 2)
    display = DomainDisplay(
        *(x0, x1, values, np.zeros((3, 3), int), np.zeros(1), np.array([[1.0, 1.0]]), np.zeros(1)),
        xlabel="a",
        ylabel="b",
    ).plot(ax=right, s=99)
    assert display.ax_ is right
    assert (right.get_xlabel(), right.get_ylabel()) == ("a", "b")
    assert display.points_[0].get_sizes() == [99]


@pytest.mark.parametrize("library", ["pandas", "polars"])
def test_tables_give_the_names_of_the_axes(library):
    table = pytest.importorskip(library).DataFrame({"length": X[:, 0], "width": X[:, 1]})
    model = SupportVectorClustering().fit(table)
    if not hasattr(model, "feature_names_in_"):
        pytest.skip(f"this version of scikit-learn does not see names in {library}")
    display = DomainDisplay.from_estimator(model, table)
    assert (display.ax_.get_xlabel(), display.ax_.get_ylabel()) == ("length", "width")


def test_more_clusters_than_colours():
    centers = np.column_stack([10 * np.arange(10), np.zeros(10)])
    many = make_blobs(400, centers=centers, cluster_std=0.3, random_state=0)[0]
    model = SupportVectorClustering().fit(many)
    assert model.n_clusters_ == 10
    DomainDisplay.from_estimator(model, many).figure_.canvas.draw()
    styles = [tuple(style_of(c).values()) for c in range(len(PALETTE) * len(MARKERS))]
    assert len(set(styles)) == len(styles)


def test_one_cluster_and_points_in_a_line():
    with pytest.warns(UserWarning, match="one cluster"):
        model = SupportVectorClustering(0.01).fit(np.column_stack([X[:, 0], np.zeros(200)]))
    DomainDisplay.from_estimator(model, np.zeros((1, 2))).figure_.canvas.draw()


def test_what_cannot_be_drawn(rng):
    with pytest.raises(NotFittedError):
        DomainDisplay.from_estimator(SupportVectorClustering(), X)
    with pytest.raises(ValueError, match=r"support_vectors_.* got KMeans"):
        DomainDisplay.from_estimator(KMeans(2, n_init=1).fit(X), X)
    three = SupportVectorClustering(20.0).fit(np.hstack([X, X[:, :1]]))
    with pytest.raises(ValueError, match=r"2 features.*got 3"):
        DomainDisplay.from_estimator(three, X)
    model = SupportVectorClustering().fit(X)
    with pytest.raises(ValueError, match="grid_resolution"):
        DomainDisplay.from_estimator(model, X, grid_resolution=1)
    with pytest.raises(ValueError, match="support"):
        DomainDisplay.from_estimator(model, X, support="yes")


def test_without_matplotlib_there_is_a_way_out(monkeypatch):
    model = SupportVectorClustering().fit(X)
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(ImportError, match=r"maxmargin\[plots\]"):
        DomainDisplay.from_estimator(model, X)


@pytest.mark.parametrize(("unit", "aspect"), [(1.0, 1.0), (1e4, "auto")])
def test_columns_of_different_units_are_no_line(unit, aspect):
    x0, x1 = np.meshgrid(np.linspace(0, 1, 5), unit * np.linspace(0, 1, 5))
    points, none = np.array([[0.2, 0.2 * unit], [0.8, 0.8 * unit]]), np.zeros((5, 5))
    shown = DomainDisplay(x0, x1, x0 - 0.5, none.astype(int), np.zeros(1), points, np.zeros(2, int))
    assert shown.plot().ax_.get_aspect() == aspect
