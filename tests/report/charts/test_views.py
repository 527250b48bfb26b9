"""Rows in the plane, in the report."""

import numpy as np
import pandas as pd
import pytest
from sklearn.cluster import KMeans
from sklearn.datasets import make_blobs

from maxmargin import MaxMarginClustering
from maxmargin.explain.clustering import Clustering
from maxmargin.explain.plane import plane_of
from maxmargin.report.charts.views import GRID, view_figure
from maxmargin.report.partition_view import partition_views

X = make_blobs(90, centers=3, cluster_std=2.5, random_state=3)[0]
FRONT = {"effort": "fast", "random_state": 0}


def view(model, rows, partition=0):
    """The picture of the rows in the plane that shows most."""
    found = partition_views(Clustering.of(model.fit(rows), rows))[partition]
    plane = plane_of(found.clustering)
    columns = {"id": [], "x": [], "y": [], "c": []}
    return view_figure(plane, found, "view", columns, {"x": "x", "y": "y", "c": "c"}, ""), found


def owners(figure, points):
    """The cluster of the rectangle that each point is in."""
    regions = figure.charts[0].spec["datasets"]["regions"]
    found = []
    for x, y in points:
        (region,) = (r for r in regions if r["x0"] <= x < r["x1"] and r["y0"] <= y < r["y1"])
        found.append(region["c"])
    return found


def test_the_regions_are_what_predict_says():
    model = KMeans(3, n_init=1, random_state=0)
    figure, _ = view(model, X)
    low, high = X.min(axis=0), X.max(axis=0)
    rng = np.random.default_rng(0)
    points = rng.uniform(low, high, size=(200, 2))
    told = owners(figure, points) == model.predict(points)
    assert told.mean() > 0.95  # all but at the borders
    assert len(figure.charts[0].spec["datasets"]["regions"]) < GRID * GRID / 10


def test_the_regions_of_an_alternative_have_its_numbers():
    model = MaxMarginClustering(3, **FRONT)
    figure, found = view(model, X, partition=1)
    labels = found.clustering.labels
    middles = [X[labels == c].mean(axis=0) for c in range(3)]
    assert owners(figure, middles) == [0, 1, 2]


def test_two_named_columns_show_who_owns_the_plane():
    frame = pd.DataFrame(X, columns=["a", "b"])
    figure, _ = view(MaxMarginClustering(3, **FRONT), frame)
    assert {region["c"] for region in figure.charts[0].spec["datasets"]["regions"]} == {0, 1, 2}
    assert figure.table.header == ["row", "a", "b", "cluster"]


@pytest.mark.parametrize("form", [np.asarray, lambda rows: pd.DataFrame(rows, columns=["a", "b"])])
def test_a_model_of_a_table_is_asked_without_warnings(form):
    model = KMeans(3, n_init=1, random_state=0).fit(pd.DataFrame(X, columns=["a", "b"]))
    found = partition_views(Clustering.of(model, form(X), columns=["other", "names"]))[0]
    assert plane_of(found.clustering).regions(5)[2].shape == (5, 5)


def test_a_float32_model_is_asked_about_float32_points():
    figure, _ = view(KMeans(3, n_init=1, random_state=0), X.astype(np.float32))
    assert "The background shows" in figure.description


def test_regions_do_not_stretch_the_axes_to_zero():
    far = X + np.array([100, -300])
    figure, _ = view(KMeans(3, n_init=1, random_state=0), far)
    layers = figure.charts[0].spec["layer"]
    for channel, column in (("x", far[:, 0]), ("y", far[:, 1])):
        domains = [layer["encoding"][channel]["scale"]["domain"] for layer in layers]
        assert len(domains) == 2
        assert domains[0] == domains[1]
        assert np.ptp(domains[0]) < 1.2 * np.ptp(column)


def test_a_large_offset_hides_nothing():
    figure, _ = view(KMeans(3, n_init=1, random_state=0), X + 1e9)
    low, high = figure.charts[0].spec["layer"][0]["encoding"]["x"]["scale"]["domain"]
    assert high - low == pytest.approx(1.1 * np.ptp(X[:, 0]), rel=1e-3)
