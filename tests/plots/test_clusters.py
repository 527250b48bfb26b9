"""Clusters in the plane."""

import sys

import numpy as np
import pytest
from scipy.sparse import csr_array
from sklearn.cluster import DBSCAN, KMeans
from sklearn.datasets import make_blobs, make_moons
from sklearn.exceptions import NotFittedError
from sklearn.metrics import pairwise_distances
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from maxmargin import (
    MaxMarginClustering,
    RLSClustering,
    SupportVectorClustering,
    UnsupervisedSearch,
)
from maxmargin.explain.colors import MARKERS, PALETTE
from maxmargin.plots import ClustersDisplay

X = make_moons(200, noise=0.15, random_state=0)[0]
MODEL = MaxMarginClustering(2, effort="fast", random_state=0).fit(X)
WIDE = make_blobs(120, n_features=6, centers=4, random_state=2)[0]


def offsets(points):
    return np.asarray(points.get_offsets())


def legend(display):
    return [text.get_text() for text in display.legend_.get_texts()]


def draw(display):
    display.figure_.canvas.draw()
    return display


def test_points_of_each_cluster_in_its_colour():
    from matplotlib.colors import to_hex

    display = draw(ClustersDisplay.from_estimator(MODEL, X))
    assert len(display.points_) == 2
    for cluster, points in enumerate(display.points_):
        np.testing.assert_array_equal(offsets(points), X[MODEL.labels_ == cluster])
        assert to_hex(points.get_facecolor()[0]).upper() == PALETTE[cluster]
    sizes = np.bincount(MODEL.labels_)
    assert legend(display)[:2] == [f"cluster {c} ({sizes[c]} rows)" for c in range(2)]
    np.testing.assert_array_equal(display.rows_, np.arange(200))
    assert display.note_ == display.ax_.get_title() == ""


def test_regions_are_what_predict_says():
    display = ClustersDisplay.from_estimator(MODEL, X, grid_resolution=9, eps=0.0)
    grid = np.column_stack([display.x0.ravel(), display.x1.ravel()])
    np.testing.assert_array_equal(display.regions.ravel(), MODEL.predict(grid))
    np.testing.assert_allclose(grid.min(axis=0), X.min(axis=0))
    np.testing.assert_allclose(grid.max(axis=0), X.max(axis=0))
    assert len(display.regions_) == len(display.boundaries_) == 2
    assert ClustersDisplay.from_estimator(MODEL, X, regions=False).regions is None


def test_boundaries_have_both_clusters_at_their_sides():
    display = ClustersDisplay.from_estimator(MODEL, X, grid_resolution=300)
    line = np.concatenate([path.vertices for path in display.boundaries_[0].get_paths()])
    assert len(line) > 100
    step = np.array([np.diff(display.x0[0])[0], np.diff(display.x1[:, 0])[0]])
    around = [[1, 0], [-1, 0], [0, 1], [0, -1]]
    labels = np.stack([MODEL.predict(line + 1.5 * step * side) for side in around])
    assert np.mean(labels.min(axis=0) < labels.max(axis=0)) > 0.98  # all but at sharp bends


def test_rings_around_rows_that_would_go_elsewhere():
    noisy = make_moons(200, noise=0.3, random_state=0)[0]
    model = MaxMarginClustering(2, effort="fast", random_state=0).fit(noisy)
    display = ClustersDisplay.from_estimator(model, noisy)
    assert model.uncertain_.any()
    np.testing.assert_array_equal(offsets(display.uncertain_), noisy[model.uncertain_])
    assert legend(display)[-1] == f"margin below 0 ({model.uncertain_.sum()} rows)"
    assert display.uncertain_.get_facecolor().size == 0
    sure = ClustersDisplay(noisy, model.labels_, margin=np.ones(200)).plot()
    assert sure.uncertain_ is None


def test_outliers_are_black_crosses_and_have_no_rings():
    model = DBSCAN(eps=0.13, min_samples=5).fit(X)
    display = draw(ClustersDisplay.from_estimator(model, X))
    np.testing.assert_array_equal(offsets(display.points_[-1]), X[model.labels_ == -1])
    np.testing.assert_array_equal(display.points_[-1].get_edgecolor()[0], [0, 0, 0, 0.9])
    assert legend(display)[-1] == f"outliers ({np.sum(model.labels_ == -1)} rows)"
    assert display.regions is None  # DBSCAN cannot predict
    noise = ClustersDisplay(X, np.full(200, -1), margin=-np.ones(200)).plot()
    assert noise.uncertain_ is None


def test_outliers_have_no_region():
    model = SupportVectorClustering(outlier_fraction=0.05).fit(X)
    display = draw(ClustersDisplay.from_estimator(model, X))
    assert (display.regions == -1).any()
    assert len(display.regions_) == model.n_clusters_


def test_exemplars_are_stars():
    display = draw(ClustersDisplay.from_estimator(MODEL, X, exemplars=True))
    chosen = np.concatenate(MODEL.exemplars_)
    np.testing.assert_array_equal(offsets(display.exemplars_), X[chosen])
    assert legend(display)[-1] == "exemplars"
    with pytest.raises(ValueError, match=r"exemplars=True needs .*exemplars_.* got KMeans"):
        ClustersDisplay.from_estimator(KMeans(2, n_init=1).fit(X), X, exemplars=True)
    with pytest.raises(ValueError, match="200 rows of fit"):
        ClustersDisplay.from_estimator(MODEL, X[:9], exemplars=True)


def test_markers_change_with_the_ninth_cluster():
    labels = np.arange(10).repeat(2)
    display = ClustersDisplay(np.arange(40.0).reshape(20, 2), labels).plot()
    shapes = [p.get_paths()[0].vertices.shape for p in display.points_]
    colors = [tuple(p.get_facecolor()[0]) for p in display.points_]
    assert len(set(shapes[:8])) == 1
    assert shapes[8] != shapes[0]
    assert colors[8] == colors[0]
    assert len(set(colors)) == len(PALETTE) < len(MARKERS) * len(PALETTE)


def test_the_legend_names_twenty_clusters():
    points = np.random.default_rng(0).normal(size=(64, 2))
    display = draw(ClustersDisplay(points, np.arange(64) % 32).plot())
    assert len(display.points_) == 32
    assert legend(display)[19:] == ["cluster 19 (2 rows)", "and 12 more"]
    display = ClustersDisplay(points, np.arange(64) % 32 - 1).plot()
    assert legend(display)[-2:] == ["and 11 more", "outliers (2 rows)"]


def test_of_many_rows_a_stated_sample_with_every_cluster(rng):
    labels = np.repeat([0, 1, -1], [99_000, 990, 10])
    points = rng.normal(size=(100_000, 2))
    display = ClustersDisplay(points, labels, margin=np.where(labels == 1, -1, 1)).plot()
    drawn = [len(offsets(p)) for p in display.points_]
    assert sum(drawn) == len(display.rows_) == 5000
    assert drawn[1] >= 833
    assert drawn[2] == 10
    np.testing.assert_array_equal(
        offsets(display.points_[0]), points[display.rows_[labels[display.rows_] == 0]]
    )
    assert display.ax_.get_title() == display.note_
    assert "5,000 of 100,000 rows drawn at random, at least 833 of each cluster" in display.note_
    assert legend(display)[0] == "cluster 0 (99,000 rows)"  # all of them
    assert len(offsets(display.uncertain_)) == drawn[1]
    again = ClustersDisplay(points, labels).plot()
    np.testing.assert_array_equal(again.rows_, display.rows_)
    assert len(ClustersDisplay(points, labels).plot(max_points=70).rows_) == 70


def test_points_shrink_where_there_are_many(rng):
    few = ClustersDisplay(rng.normal(size=(50, 2)), np.zeros(50, int)).plot()
    many = ClustersDisplay(rng.normal(size=(4000, 2)), np.zeros(4000, int)).plot()
    assert many.points_[0].get_sizes() < few.points_[0].get_sizes()
    assert many.points_[0].get_alpha() < few.points_[0].get_alpha()
    own = ClustersDisplay(rng.normal(size=(50, 2)), np.zeros(50, int)).plot(s=99, alpha=0.5)
    assert own.points_[0].get_sizes() == [99]
    assert own.points_[0].get_alpha() == 0.5


def test_views():
    model = RLSClustering(4, random_state=0).fit(WIDE)
    display = ClustersDisplay.from_estimator(model, WIDE)
    assert "circle" in display.ax_.get_xlabel()
    assert display.regions is None  # they would be those of a cut
    cut = draw(ClustersDisplay.from_estimator(model, WIDE, regions=True))
    assert "cut" in cut.ax_.get_title()
    principal = ClustersDisplay.from_estimator(model, WIDE, view="principal")
    assert "principal component" in principal.ax_.get_xlabel()
    three = RLSClustering(3, random_state=0).fit(WIDE)
    exact = ClustersDisplay.from_estimator(three, WIDE, view="discriminant")
    assert exact.regions is not None
    assert exact.note_ == ""
    flat = ClustersDisplay.from_estimator(MODEL, X, view="discriminant")
    np.testing.assert_allclose(flat.points[:, 0], MODEL.left_out_[:, 1] - MODEL.left_out_[:, 0])


def test_views_that_are_impossible():
    kmeans = KMeans(3, n_init=1, random_state=0).fit(WIDE)
    with pytest.raises(ValueError, match=r'view="features" needs .*two columns; got 6 columns'):
        ClustersDisplay.from_estimator(kmeans, WIDE, view="features")
    with pytest.raises(ValueError, match=r'KMeans with 3 clusters .*view="principal"'):
        ClustersDisplay.from_estimator(kmeans, WIDE, view="discriminant")
    one = MaxMarginClustering(1, effort="fast").fit(WIDE)
    with pytest.raises(ValueError, match="with 1 clusters"):
        ClustersDisplay.from_estimator(one, WIDE, view="discriminant")
    with pytest.raises(ValueError, match=r"regions=True needs .* KMeans does not"):
        ClustersDisplay.from_estimator(kmeans, WIDE, regions=True)
    with pytest.raises(ValueError, match=r"view must be one of .*'tsne'"):
        ClustersDisplay.from_estimator(kmeans, WIDE, view="tsne")
    with pytest.raises(ValueError, match="max_points"):
        ClustersDisplay.from_estimator(kmeans, WIDE, max_points=0)
    with pytest.raises(NotFittedError):
        ClustersDisplay.from_estimator(KMeans(), WIDE)


@pytest.mark.parametrize("library", ["pandas", "polars"])
def test_names_of_columns_are_shown_as_they_are(library):
    names = ["$a_b$ <script>", "x" * 500]
    table = pytest.importorskip(library).DataFrame(dict(zip(names, X.T, strict=True)))
    display = draw(ClustersDisplay.from_estimator(KMeans(2, n_init=1).fit(table), table))
    assert display.ax_.get_xlabel() == names[0]
    assert not display.ax_.xaxis.label.get_parse_math()
    assert len(display.ax_.get_ylabel()) == 32
    assert "…" in display.ax_.get_ylabel()


@pytest.mark.parametrize(
    "model",
    [
        make_pipeline(StandardScaler(), MaxMarginClustering(2, effort="fast", random_state=0)),
        UnsupervisedSearch(
            KMeans(n_init=1, random_state=0), {"n_clusters": [2, 3]}, criterion="split_gap"
        ),
        MaxMarginClustering(1, effort="fast"),
        KMeans(30, n_init=1, random_state=0),
    ],
    ids=["pipeline", "search", "one cluster", "30 clusters"],
)
def test_whatever_clusters(model):
    display = draw(ClustersDisplay.from_estimator(model.fit(X), X, grid_resolution=20))
    grid = np.column_stack([display.x0.ravel(), display.x1.ravel()])
    np.testing.assert_array_equal(display.regions.ravel(), model.predict(grid))


@pytest.mark.parametrize(
    ("model", "rows"),
    [
        (RLSClustering(3, random_state=0), csr_array(np.abs(WIDE))),
        (KMeans(3, n_init=1, random_state=0), csr_array(X)),
        (MaxMarginClustering(2, effort="fast", random_state=0), csr_array(np.abs(X))),
        (MaxMarginClustering(2, metric="precomputed", effort="fast"), pairwise_distances(X)),
        (DBSCAN(metric="precomputed"), pairwise_distances(X)),
        (RLSClustering(4, kernel="precomputed", random_state=0), WIDE @ WIDE.T),
        (KMeans(2, n_init=1), np.random.default_rng(0).normal(size=(40, 1000))),
        (KMeans(2, n_init=1), X[:, :1]),
        (KMeans(1, n_init=1), np.ones((5, 2))),
    ],
    ids=["sparse", "sparse 2", "cosine", "distances", "DBSCAN", "kernel", "wide", "one", "same"],
)
def test_whatever_rows(model, rows):
    display = draw(ClustersDisplay.from_estimator(model.fit(rows), rows, grid_resolution=20))
    assert sum(len(offsets(p)) for p in display.points_) == rows.shape[0]


def test_axes_that_are_given_are_used_and_no_figure_is_made():
    from matplotlib import pyplot as plt

    figure, (left, right) = plt.subplots(1, 2)
    plt.sca(left)
    display = ClustersDisplay.from_estimator(MODEL, X, ax=right, grid_resolution=9)
    assert display.ax_ is right
    assert display.legend_ is right.get_legend()
    assert plt.gca() is left
    assert plt.get_fignums() == [figure.number]
    many = ClustersDisplay(X, np.arange(200) % 32).plot(ax=left)
    assert legend(many)[-1] == "and 24 more"


def test_nothing_is_cut_off_at_600_pixels():
    from matplotlib import pyplot as plt

    figure, display = None, None
    with plt.rc_context({"figure.figsize": (6, 4.5), "figure.dpi": 100}):
        display = draw(ClustersDisplay(X, np.arange(200) % 32, axes=("x" * 500, "y" * 500)).plot())
    figure = display.figure_
    assert figure.bbox.width == 600
    for part in (display.legend_, display.ax_.xaxis.label, display.ax_.yaxis.label):
        box = part.get_window_extent()
        assert box.x0 >= 0
        assert box.y0 >= 0
        assert box.x1 <= figure.bbox.x1
        assert box.y1 <= figure.bbox.y1
    assert not display.legend_.get_window_extent().overlaps(display.ax_.get_window_extent())


def test_without_matplotlib_there_is_a_way_out(monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(ImportError, match=r"ClustersDisplay .*maxmargin\[plots\]"):
        ClustersDisplay.from_estimator(MODEL, X)
