"""What a user sees of SupportVectorClustering: clusters, f, outliers."""

import warnings

import numpy as np
import pandas as pd
import polars as pl
import pytest
from oracles import domain as oracle
from sklearn.cluster import HDBSCAN
from sklearn.datasets import load_digits, make_circles, make_moons
from sklearn.metrics import adjusted_rand_score, roc_auc_score
from sklearn.svm import OneClassSVM

from maxmargin import MaxMarginWarning, SupportVectorClustering
from maxmargin.domain import Graph
from maxmargin.domain.domain_graph import DomainGraph
from maxmargin.domain.width import NARROW_WIDTHS
from maxmargin.solvers import SMO, OneClassProblem

CENTERS = [[0, 0], [9, 0], [0, 9]]
SOLVERS = ("exact", "sgd", "online", "libsvm")


def one_cluster(rng):
    return rng.normal(size=(60, 2))


# -- quality -----------------------------------------------------------------------------


@pytest.mark.parametrize("solver", SOLVERS)
def test_moons_are_found_without_parameters(solver, moons):
    X, y = moons
    model = SupportVectorClustering(solver=solver, random_state=0).fit(X)
    assert adjusted_rand_score(y, model.labels_) == 1
    assert model.n_clusters_ == 2


def test_circles_and_blobs_too(blobs, global_random_seed):
    X, y = make_circles(400, noise=0.04, factor=0.4, random_state=global_random_seed)
    assert adjusted_rand_score(y, SupportVectorClustering().fit_predict(X)) == 1
    X, y = blobs
    assert adjusted_rand_score(y, SupportVectorClustering().fit_predict(X)) == 1


@pytest.mark.parametrize("solver", SOLVERS)
@pytest.mark.parametrize("gamma", [0.15, 0.3])
def test_a_width_that_is_given_is_used(solver, gamma, blobs):
    X, y = blobs
    model = SupportVectorClustering(gamma, solver=solver, random_state=0).fit(X)
    assert model.gamma_ == gamma
    assert adjusted_rand_score(y, model.labels_) == 1
    np.testing.assert_array_equal(model.levels_, 0)
    assert not hasattr(model, "candidates_")
    assert not hasattr(model, "plateau_")


@pytest.mark.parametrize("solver", SOLVERS)
def test_the_plateau_finds_blobs(solver, blobs):
    X, y = blobs
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", MaxMarginWarning)  # where the plateau ends is not the point
        model = SupportVectorClustering("plateau", solver=solver, random_state=0).fit(X)
    assert adjusted_rand_score(y, model.labels_) > 0.98
    assert model.gamma_ == model.plateau_.gamma
    assert model.plateau_.n_clusters[model.plateau_.first] == 3


@pytest.mark.parametrize("solver", SOLVERS)
def test_equilibria_find_blobs(solver, blobs):
    X, y = blobs
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "no row has abs", MaxMarginWarning)  # SGD's, at times
        model = SupportVectorClustering(
            0.15, assignment="equilibria", solver=solver, random_state=0
        ).fit(X)
    assert adjusted_rand_score(y, model.labels_) == 1
    assert model.n_clusters_ == 3
    assert model.equilibria_.shape[1] == 2
    assert len(model.equilibria_) >= 3
    np.testing.assert_array_equal(model.levels_, 0)


def test_a_hard_margin_holds_all_rows(moons):
    X, _ = moons
    model = SupportVectorClustering(20.0, C=1.0, solver=SMO(tol=1e-8)).fit(X)
    assert model.decision_function(X).min() > -1e-6
    assert model.C_ == 1


def test_digits_are_neither_one_cluster_nor_many():
    X, _ = load_digits(return_X_y=True)
    X = X[:900]
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        model = SupportVectorClustering(random_state=0).fit(X)
    assert 2 <= model.n_clusters_ <= 60 or any(w.category is MaxMarginWarning for w in said)


def test_it_is_as_good_as_a_peer_on_noisy_moons(global_random_seed):
    X, y = make_moons(600, noise=0.08, random_state=global_random_seed)
    ours = adjusted_rand_score(y, SupportVectorClustering().fit(X).labels_)
    peer = adjusted_rand_score(y, HDBSCAN(min_cluster_size=15, copy=True).fit_predict(X))
    assert ours > min(peer, 0.9) - 0.02


# -- what is fitted ----------------------------------------------------------------------


@pytest.mark.parametrize("gamma", ["auto", 0.3, 3.0])
@pytest.mark.parametrize("solver", SOLVERS)
@pytest.mark.filterwarnings("ignore:.*gamma=3 is too large")
def test_the_attributes_belong_together(gamma, solver, blobs):
    X, _ = blobs
    model = SupportVectorClustering(gamma, solver=solver, random_state=0).fit(X)
    alpha = model.dual_coef_[0]
    np.testing.assert_array_equal(model.support_vectors_, X[model.support_])
    np.testing.assert_array_equal(model.landmarks_, np.arange(len(X)))
    assert model.dual_coef_.shape == (1, len(model.support_))
    assert (np.diff(model.support_) > 0).all()
    assert (np.abs(alpha) > 0).all()
    assert alpha.min() > -1e-12
    f = oracle.heights(X, model.support_vectors_, alpha, model.gamma_) - 1
    np.testing.assert_allclose(model.decision_function(X), f, atol=1e-9)
    if solver not in ("sgd", "online"):  # whose steps may go beyond
        assert alpha.max() <= model.C_ * (1 + 1e-6)
        assert -1e-12 <= model.duality_gap_ < 1e-3
    assert alpha.sum() == pytest.approx(model.nu_ * len(X) * model.C_, rel=1e-6)
    assert model.n_iter_ >= 1
    assert model.outlier_threshold_ == -np.inf
    assert model.n_samples_seen_ == len(X)
    assert model.labels_.dtype == np.int32
    assert model.levels_.shape == (model.n_clusters_,)
    assert set(model.labels_) == set(range(model.n_clusters_))


@pytest.mark.parametrize("gamma", ["auto", 0.3, 2.0, 6.0])
@pytest.mark.filterwarnings("ignore:.*gamma=6 is too large")
def test_clusters_are_numbered_by_size(gamma, blobs, rng):
    X, _ = blobs
    X = X[rng.permutation(len(X))]
    labels = SupportVectorClustering(gamma).fit(X).labels_
    sizes = np.bincount(labels)
    first = [int(np.argmax(labels == c)) for c in range(len(sizes))]
    order = [*zip(-sizes, first, strict=True)]
    assert order == sorted(order)


@pytest.mark.parametrize("how", [{}, {"gamma": 0.3}, {"gamma": 0.15, "assignment": "equilibria"}])
@pytest.mark.parametrize("n_landmarks", [2000, 150])
@pytest.mark.parametrize("outlier_fraction", [0.0, 0.1])
def test_rows_are_predicted_as_they_were_fitted(how, n_landmarks, outlier_fraction, blobs):
    X, _ = blobs
    model = SupportVectorClustering(
        n_landmarks=n_landmarks, outlier_fraction=outlier_fraction, random_state=0, **how
    ).fit(X)
    np.testing.assert_array_equal(model.predict(X), model.labels_)
    assert model.predict(X).dtype == np.int32


def test_new_rows_get_the_cluster_of_the_nearest(blobs, rng):
    X, _ = blobs
    model = SupportVectorClustering().fit(X)
    new = X + 1e-3 * rng.normal(size=X.shape)
    np.testing.assert_array_equal(model.predict(new), model.labels_)
    assert len(set(model.predict([[-5, -5], [30, 0], [0, 30]]))) == 3


def test_nu_and_libsvm_agree(moons):
    """The same f as scikit-learn's one-class machine, up to its scale."""
    X, _ = moons
    model = SupportVectorClustering(20.0, nu=0.3, solver=SMO(tol=1e-9)).fit(X)
    peer = OneClassSVM(gamma=20.0, nu=0.3, tol=1e-10).fit(X)
    f = peer.decision_function(X) / -peer.intercept_[0]
    np.testing.assert_allclose(model.decision_function(X), f, atol=1e-5)
    assert model.nu_ == pytest.approx(0.3)
    np.testing.assert_allclose(model.C_, -1 / peer.intercept_[0], rtol=1e-5)
    same = SupportVectorClustering(20.0, C=model.C_, solver=SMO(tol=1e-9)).fit(X)
    np.testing.assert_allclose(same.decision_function(X), f, atol=1e-5)
    np.testing.assert_array_equal(same.labels_, model.labels_)


def test_the_default_nu_depends_on_the_rule(blobs):
    X, _ = blobs
    assert SupportVectorClustering().fit(X).nu_ == pytest.approx(0.9)
    assert SupportVectorClustering(0.3).fit(X).nu_ == pytest.approx(0.5)
    assert SupportVectorClustering(nu=0.6).fit(X).nu_ == pytest.approx(0.6)


def test_candidates_show_what_was_chosen(moons):
    model = SupportVectorClustering().fit(moons[0])
    table = model.candidates_
    at = np.flatnonzero(table["chosen"])
    assert len(at) == 1
    assert table["gamma"][at[0]] == model.gamma_
    assert table["n_clusters"][at[0]] == model.n_clusters_
    assert table["split_gap"][at[0]] == table["split_gap"].max()
    assert len(table["gamma"]) == 2 * len(NARROW_WIDTHS)
    asked = SupportVectorClustering(min_cluster_size=40).fit(moons[0])
    assert set(asked.candidates_["min_cluster_size"]) == {40}
    share = SupportVectorClustering(min_cluster_size=0.1).fit(moons[0])
    assert set(share.candidates_["min_cluster_size"]) == {30}


def test_levels_belong_to_the_renumbered_clusters(rng):
    """Blobs that touch come off each other at other levels than one far away."""
    sizes, centers = [60, 80, 100], [[0, 0], [3.2, 0], [0, 30]]
    X = rng.normal(scale=0.6, size=(240, 2)) + np.repeat(centers, sizes, axis=0)
    model = SupportVectorClustering(min_cluster_size=20).fit(X)
    assert model.n_clusters_ == 3
    graph = DomainGraph(X)
    solution = SMO().solve(OneClassProblem(graph.distances, model.gamma_, nu=0.9))
    (found,) = Graph().clusters_at_levels(graph, solution, (20,))
    assert len(set(found.levels)) > 1
    for c, level in enumerate(found.levels):
        (number,) = set(model.labels_[found.labels == c])
        assert model.levels_[number] == pytest.approx(level - 1)


def test_small_pieces_go_to_their_neighbours(blobs):
    X, y = blobs
    stray = np.append(X, [[5.0, 20.0]], axis=0)
    kept = SupportVectorClustering(0.3, C=1.0, min_cluster_size=1).fit(stray)
    assert kept.n_clusters_ == 4
    assert np.bincount(kept.labels_)[-1] == 1
    given = SupportVectorClustering(0.3, C=1.0, min_cluster_size=2).fit(stray)
    assert given.n_clusters_ == 3
    assert given.labels_[-1] == given.labels_[np.flatnonzero(y == 2)[0]]
    share = SupportVectorClustering(0.3, C=1.0, min_cluster_size=0.3).fit(stray)
    assert share.n_clusters_ == 2  # 120 and 90 of 271


# -- outliers ----------------------------------------------------------------------------


@pytest.mark.parametrize("share", [0.0, 0.003, 0.05, 0.29, 0.5])
@pytest.mark.parametrize("gamma", ["auto", 20.0])
def test_as_many_outliers_as_were_asked_for(share, gamma, moons):
    X, _ = moons
    model = SupportVectorClustering(gamma, outlier_fraction=share).fit(X)
    outliers = model.labels_ == -1
    assert outliers.sum() == round(share * len(X))
    f = model.decision_function(X)
    if outliers.any():  # those with the smallest f
        assert f[outliers].max() < model.outlier_threshold_ <= f[~outliers].min()
    plain = SupportVectorClustering(gamma).fit(X)
    assert adjusted_rand_score(plain.labels_[~outliers], model.labels_[~outliers]) == 1
    sizes = np.bincount(model.labels_[~outliers])
    assert (np.diff(sizes) <= 0).all()  # numbered by what is left


@pytest.mark.filterwarnings("ignore:the clusters are easier:maxmargin.MaxMarginWarning")
def test_noise_is_told_from_data(moons, rng):
    X, _ = moons
    noise = rng.uniform([-3, -3], [4, 4], size=(30, 2))
    model = SupportVectorClustering(outlier_fraction=30 / 330).fit(np.append(X, noise, axis=0))
    f = model.decision_function(np.append(X, noise, axis=0))
    assert roc_auc_score(np.repeat([0, 1], [300, 30]), -f) > 0.9
    assert np.mean(model.labels_[300:] == -1) > 0.6
    assert model.predict([[50.0, 50.0]]).tolist() == [-1]


def test_rows_that_are_tied_are_no_outliers():
    """Which of equal rows would it be? A warning says that it is none."""
    X = np.repeat([[0.0, 0.0], [5.0, 5.0]], 20, axis=0)
    with pytest.warns(MaxMarginWarning, match="asks for 8 rows to be marked, and 0 are"):
        model = SupportVectorClustering(1.0, outlier_fraction=0.2).fit(X)
    assert (model.labels_ >= 0).all()


# -- what does not matter ----------------------------------------------------------------


@pytest.mark.parametrize("how", [{}, {"gamma": 20.0}, {"gamma": "plateau"}])
@pytest.mark.filterwarnings("ignore:the .*plateau")
def test_the_order_of_rows_does_not_matter(how, moons, rng):
    X, _ = moons
    order = rng.permutation(len(X))
    straight = SupportVectorClustering(solver=SMO(tol=1e-7), **how).fit(X)
    mixed = SupportVectorClustering(solver=SMO(tol=1e-7), **how).fit(X[order])
    assert adjusted_rand_score(straight.labels_[order], mixed.labels_) == 1
    assert mixed.gamma_ == pytest.approx(straight.gamma_)
    np.testing.assert_allclose(mixed.decision_function(X), straight.decision_function(X), atol=1e-4)


@pytest.mark.parametrize(("scale", "shift"), [(1.0, 1e6), (1e-6, 0.0), (1e9, 0.0), (1e50, 1e52)])
def test_units_do_not_matter(scale, shift, moons):
    X, _ = moons
    plain = SupportVectorClustering().fit(X)
    other = SupportVectorClustering().fit(scale * X + shift)
    np.testing.assert_array_equal(other.labels_, plain.labels_)
    assert other.gamma_ * scale**2 == pytest.approx(plain.gamma_, rel=1e-6)
    np.testing.assert_array_equal(other.predict(scale * X + shift), plain.labels_)


@pytest.mark.parametrize("degrees", [30, 90])
def test_rotations_do_not_matter(degrees, blobs):
    X, _ = blobs
    c, s = np.cos(np.radians(degrees)), np.sin(np.radians(degrees))
    plain, turned = (
        SupportVectorClustering(0.3, solver=SMO(tol=1e-8)).fit(rows)
        for rows in (X, X @ [[c, -s], [s, c]])
    )
    np.testing.assert_array_equal(turned.labels_, plain.labels_)


# -- what rows can be --------------------------------------------------------------------


def test_single_precision(moons):
    X, y = moons
    model = SupportVectorClustering().fit(X.astype(np.float32))
    assert adjusted_rand_score(y, model.labels_) == 1
    assert model.support_vectors_.dtype == np.float32
    np.testing.assert_array_equal(model.predict(X.astype(np.float32)), model.labels_)


def test_a_model_does_not_live_in_X(blobs):
    X, _ = blobs
    before = X.copy()
    model = SupportVectorClustering(outlier_fraction=0.1).fit(X)
    labels = model.labels_.copy()
    X[:] = 0
    np.testing.assert_array_equal(model.predict(before), labels)


@pytest.mark.parametrize("frame", [pd.DataFrame, pl.DataFrame])
def test_data_frames_in_batches(frame, moons):
    X, _ = moons
    rows = frame({"a": X[:, 0], "b": X[:, 1]})
    streamed = SupportVectorClustering().partial_fit(rows)
    np.testing.assert_array_equal(streamed.predict(rows), SupportVectorClustering().fit(X).labels_)
    assert streamed.feature_names_in_.tolist() == ["a", "b"]
