"""Rows in the plane."""

import numpy as np
import pytest
from scipy.sparse import csr_array
from sklearn.cluster import DBSCAN, KMeans
from sklearn.datasets import load_wine, make_blobs
from sklearn.decomposition import PCA
from sklearn.metrics import pairwise_distances
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from maxmargin import MaxMarginClustering, RLSClustering
from maxmargin.explain.clustering import Clustering
from maxmargin.explain.plane import (
    discriminant_plane,
    feature_plane,
    plane_of,
    principal_plane,
    rows_plane,
)

X = make_blobs(90, n_features=5, centers=3, random_state=1)[0]


def clustering(k, rows=X, **parameters):
    return Clustering.of(RLSClustering(k, random_state=0, **parameters).fit(rows), rows)


def test_two_features_are_themselves():
    scaled = make_pipeline(StandardScaler(), KMeans(3, n_init=1, random_state=0)).fit(X[:, :2])
    plane = plane_of(Clustering.of(scaled, X[:, :2]))
    assert (plane.kind, plane.axes, plane.exact) == ("features", ("column 1", "column 2"), True)
    np.testing.assert_array_equal(plane.points, X[:, :2])
    np.testing.assert_array_equal(plane.labels_at(X[:, :2]), scaled.predict(X[:, :2]))
    assert feature_plane(clustering(3)) is None
    assert plane_of(Clustering.of(DBSCAN().fit(X[:, :2]), X[:, :2])).labels_at is None


@pytest.mark.parametrize("library", ["pandas", "polars"])
def test_features_of_tables_are_predicted_without_warnings(library):
    table = pytest.importorskip(library).DataFrame({"a": X[:, 0], "b": X[:, 1]})
    model = KMeans(3, n_init=1, random_state=0).fit(table)
    plane = plane_of(Clustering.of(model, table))
    assert plane.axes == ("a", "b")
    np.testing.assert_array_equal(plane.labels_at(plane.points), model.labels_)


@pytest.mark.parametrize("k", [2, 3])
def test_up_to_three_models_fit_the_plane(k):
    found = clustering(k)
    plane = plane_of(found)
    assert plane.kind == "discriminant"
    assert plane.exact
    np.testing.assert_array_equal(plane.labels_at(plane.points), found.model.predict(X))


def test_of_more_models_the_plane_is_a_cut():
    plane = plane_of(clustering(4))
    assert plane.kind == "discriminant"
    assert not plane.exact
    assert set(plane.labels_at(plane.points)) <= {0, 1, 2, 3}


def test_many_clusters_stand_apart_around_a_circle():
    rows = make_blobs(240, n_features=12, centers=12, cluster_std=0.3, random_state=0)[0]
    found = Clustering.of(MaxMarginClustering(12, effort="fast", random_state=0).fit(rows), rows)
    plane = plane_of(found)
    middles = np.array([plane.points[found.labels == c].mean(axis=0) for c in range(12)])
    between = pairwise_distances(middles)[~np.eye(12, dtype=bool)].min()
    within = max(
        np.linalg.norm(plane.points[found.labels == c] - middles[c], axis=1).mean()
        for c in range(12)
    )
    assert between > 3 * within
    # the values of the models times places on the circle
    values = found.values - found.values.mean(axis=1, keepdims=True)
    places = np.linalg.lstsq(values, plane.points, rcond=None)[0]
    np.testing.assert_allclose(values @ places, plane.points, atol=1e-8)


def test_two_clusters_and_what_their_models_do_not_see():
    found = clustering(2)
    plane = discriminant_plane(found)
    np.testing.assert_allclose(plane.points[:, 0], found.model.decision_function(X))
    assert abs(np.corrcoef(plane.points.T)[0, 1]) < 1e-8


def test_principal_components_of_standardised_rows():
    wine = load_wine().data
    model = MaxMarginClustering(1, effort="fast").fit(wine)
    plane = plane_of(Clustering.of(model, wine))  # one cluster has no other to differ from
    wanted = PCA(2).fit(StandardScaler().fit_transform(wine))
    assert plane.kind == "principal"
    assert plane.labels_at is None
    assert f"{wanted.explained_variance_ratio_[0]:.0%}" in plane.axes[0]
    other = wanted.transform(StandardScaler().fit_transform(wine))
    np.testing.assert_allclose(np.abs(plane.points), np.abs(other), atol=1e-8)


def test_principal_components_of_sparse_rows_are_not_centred():
    found = Clustering.of(KMeans(2, n_init=1, random_state=0).fit(csr_array(X)), csr_array(X))
    plane = principal_plane(found)
    lengths = np.linalg.svd(X, compute_uv=False)
    np.testing.assert_allclose(np.linalg.norm(plane.points, axis=0), lengths[:2], rtol=1e-6)


@pytest.mark.parametrize("pairs", ["distances", "kernel"])
def test_pairs_give_the_same_components_as_rows(pairs):
    if pairs == "kernel":
        matrix = X @ X.T
        model = RLSClustering(3, kernel="precomputed", random_state=0).fit(matrix)
    else:
        matrix = pairwise_distances(X)
        model = DBSCAN(metric="precomputed").fit(matrix)
    plane = principal_plane(Clustering.of(model, matrix))
    wanted = PCA(2).fit(X)
    np.testing.assert_allclose(np.abs(plane.points), np.abs(wanted.transform(X)), atol=1e-6)
    assert f"{wanted.explained_variance_ratio_[0]:.0%}" in plane.axes[0]


def test_new_rows_of_pairs_are_rows():
    matrix = pairwise_distances(X)
    model = MaxMarginClustering(1, metric="precomputed", effort="fast").fit(matrix)
    assert principal_plane(Clustering.of(model, matrix[:9])).points.shape == (9, 2)


@pytest.mark.parametrize("rows", [X[:, :1], np.ones((20, 3)), X[:1]])
def test_rows_that_fill_no_plane(rows):
    model = KMeans(1, n_init=1).fit(rows)
    plane = principal_plane(Clustering.of(model, rows))
    assert np.all(np.isfinite(plane.points))
    if len(rows) > 1:
        np.testing.assert_allclose(plane.points[:, 1], 0, atol=1e-12)


def test_a_single_new_row():
    model = RLSClustering(3, random_state=0).fit(X)
    assert plane_of(Clustering.of(model, X[:1])).points.shape == (1, 2)


@pytest.mark.parametrize("unit", [np.float64(1e300), np.float64(1e-300), np.float32(4e37)])
def test_units_change_no_principal_component(unit, rng):
    rows = (rng.normal(size=(20, 3)) * [3, 2, 1]).astype(np.asarray(unit).dtype)
    plain, found = (rows_plane(rows * scale, "abc") for scale in (unit / unit, unit))
    assert plain.axes == found.axes
    np.testing.assert_allclose(found.points / float(unit), plain.points, rtol=1e-3, atol=1e-4)
