"""Far rows, copies of rows, small batches, extreme parameters: nothing breaks in silence."""

import warnings

import numpy as np
import pytest
from oracles import domain as oracle
from sklearn.datasets import make_blobs, make_moons
from sklearn.exceptions import NotFittedError
from sklearn.metrics import adjusted_rand_score

from maxmargin import MaxMarginWarning, SupportVectorClustering
from maxmargin.domain.domain import Domain
from maxmargin.domain.domain_graph import NearestRow
from maxmargin.metrics import purity_score
from maxmargin.solvers import SGD, SMO, LibSVM, OneClassProblem
from maxmargin.spaces.pairwise import PairwiseDistances

CENTERS = [[0, 0], [9, 0], [0, 9]]


def quiet(model, X):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", MaxMarginWarning)
        return model.fit(X)


def test_a_long_edge_beside_a_short_one():
    """A row 400 widths away: its Gaussian is 0 here, and must not hide the valley."""
    rows, alpha = np.array([[0.0], [6.0], [400.0]]), np.ones(3)
    start, stop_at = np.array([0, 0]), np.array([1, 2])
    heights = oracle.heights(rows, rows, alpha, 1.0)
    domain = Domain(rows, alpha, 1.0)
    levels = domain.lowest(rows, heights, start, stop_at, steps=5)
    np.testing.assert_allclose(levels, [2 * np.exp(-9), 0], atol=1e-8)


def test_one_row_far_away_joins_nobody():
    X = np.r_[np.linspace(0, 1, 8), np.linspace(7, 8, 8)][:, np.newaxis]
    for far in ([], [[400.0]]):
        model = quiet(
            SupportVectorClustering(1.0, min_cluster_size=2), np.append(X, far).reshape(-1, 1)
        )
        assert model.n_clusters_ == 2


def test_batches_of_few_rows_are_a_fit(moons):
    X, _ = moons
    model = SupportVectorClustering()
    for start in range(0, 300, 7):
        model.partial_fit(X[start : start + 7])
        assert "labels_" not in vars(model)
    np.testing.assert_array_equal(model.reservoir_, X)
    expected = SupportVectorClustering().fit(X).labels_
    np.testing.assert_array_equal(model.predict(X), expected)
    np.testing.assert_array_equal(model.labels_, expected)


def test_one_row_so_far_is_an_error_only_when_asked(moons):
    X, _ = moons
    model = SupportVectorClustering().partial_fit(X[:1])
    for method in (model.predict, model.decision_function):
        with pytest.raises(ValueError, match="at least 2 rows; partial_fit has seen 1 so far"):
            method(X)
    assert not hasattr(model, "labels_")
    model.partial_fit(X[1:])
    model.predict(X)
    assert model.n_clusters_ == 2


def test_f_is_that_of_the_last_batch(moons):
    X, _ = moons
    fresh = SupportVectorClustering(20.0).partial_fit(X)
    expected = SupportVectorClustering(20.0).fit(X).decision_function(X)
    np.testing.assert_array_equal(fresh.decision_function(X), expected)
    stale = SupportVectorClustering(20.0).fit(X + 100).partial_fit(X)
    np.testing.assert_array_equal(stale.decision_function(X), expected)
    with pytest.raises(NotFittedError):
        SupportVectorClustering().decision_function(X)


def test_warnings_name_the_line_of_the_user(rng):
    X = rng.normal(size=(40, 2))

    def partial(ask):
        return lambda: ask(SupportVectorClustering(1e-3).partial_fit(X))

    for fit in (
        lambda: SupportVectorClustering(1e-3).fit(X),
        lambda: SupportVectorClustering(1e-3).fit_predict(X),
        partial(lambda model: model.predict(X)),
        partial(lambda model: model.decision_function(X)),
    ):
        with warnings.catch_warnings(record=True) as said:
            warnings.simplefilter("always")
            fit()
        assert [w.filename for w in said] == [__file__]


@pytest.mark.parametrize("shift", [1e8, 1e10, 1e12])
def test_many_columns_far_from_0(shift):
    X, y = make_blobs(200, centers=3, n_features=20, random_state=0)
    model = SupportVectorClustering().fit(X + shift)
    assert adjusted_rand_score(y, model.labels_) == 1
    np.testing.assert_array_equal(model.predict(X + shift), model.labels_)


@pytest.mark.parametrize("n_landmarks", [200, 400])
@pytest.mark.parametrize("seed", range(4))
def test_a_sample_of_moons(n_landmarks, seed):
    X, y = make_moons(2000, noise=0.05, random_state=seed)
    model = SupportVectorClustering(n_landmarks=n_landmarks, random_state=seed).fit(X)
    assert adjusted_rand_score(y, model.labels_) > 0.9


def test_one_column(global_random_seed):
    X, _ = make_blobs([200, 100], centers=[[0], [8]], random_state=global_random_seed)
    assert adjusted_rand_score(X[:, 0] > 4, SupportVectorClustering().fit(X).labels_) > 0.9


@pytest.mark.parametrize("C", [1e-300, 1e-9, 1e-5, 1e-4])
def test_a_small_C_is_no_solution_in_itself(C, rng):
    X = rng.normal(size=(50, 2))
    found = SMO().solve(OneClassProblem(PairwiseDistances.of_rows(X), 1.0, C=C))
    np.testing.assert_allclose(found.alpha, C)  # nobody is inside
    assert abs(found.gap) < 1e-9
    model = quiet(SupportVectorClustering(1.0, C=C), X)
    assert np.isfinite(model.decision_function(X)).all()


@pytest.mark.parametrize("nu", [5e-324, 1e-310, 1e-300, 1e-10, 1e-3])
def test_a_nu_next_to_0_is_the_hard_margin(nu, rng):
    X = rng.normal(size=(50, 2))
    distances = PairwiseDistances.of_rows(X)
    hard = SMO(tol=1e-9).solve(OneClassProblem(distances, 1.0, C=1.0))
    found = SMO(tol=1e-9).solve(OneClassProblem(distances, 1.0, nu=nu))
    wrapped = LibSVM(tol=1e-9).solve(OneClassProblem(distances, 1.0, nu=nu))
    for other in (found, wrapped):
        np.testing.assert_allclose(other.heights, hard.heights, atol=1e-5)
        assert -1e-12 <= other.gap < 1e-5
        assert np.isfinite(other.C)


def test_libsvm_says_that_it_stopped_once(moons):
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        SupportVectorClustering(20.0, solver=LibSVM(max_iter=1)).fit(moons[0])
    assert {w.category for w in said} == {MaxMarginWarning}


@pytest.mark.parametrize("gamma", ["auto", "plateau"])
@pytest.mark.parametrize("scale", [1e-145, 1e-300, 1e-307, 1e200, 1e307])
def test_units_in_which_squares_vanish_or_overflow(scale, gamma, moons):
    X, y = moons
    model = SupportVectorClustering(gamma).fit(scale * X)
    assert adjusted_rand_score(y, model.labels_) == 1
    np.testing.assert_array_equal(model.predict(scale * X), model.labels_)
    np.testing.assert_array_equal(model.support_vectors_, scale * X[model.support_])
    assert np.isfinite(model.gamma_)


@pytest.mark.parametrize("scale", [1e-200, 1e200])
def test_a_width_that_has_no_meaning_in_units(scale, moons):
    with pytest.raises(ValueError, match=r"gamma = 1.0 is no width for X.*; rescale X"):
        SupportVectorClustering(1.0).fit(scale * moons[0])


def test_most_rows_nearly_equal(moons):
    X = 1e-170 * moons[0]
    X[:5] = moons[0][:5]
    for gamma in ("auto", "plateau"):
        model = quiet(SupportVectorClustering(gamma), X)
        assert np.isfinite(model.decision_function(X)).all()


def test_a_width_whose_products_overflow(moons):
    model = quiet(SupportVectorClustering(1e308), moons[0])
    assert np.isfinite(model.decision_function(moons[0])).all()
    assert (model.labels_ == 0).all()


def test_new_rows_that_are_far_have_an_answer(moons):
    model = SupportVectorClustering().fit(moons[0])
    rows = [[1e200, 1e200], [-1.7e308, 1.7e308]]
    assert np.all(model.predict(rows) >= 0)
    np.testing.assert_allclose(model.decision_function(rows), -1)


def test_nearest_rows_far_from_0(rng):
    rows = rng.integers(-50, 50, size=(40, 20)).astype(float)
    nearest = NearestRow(rows + 2.0**40, np.arange(40))
    np.testing.assert_array_equal(nearest.labels_of(rows + 2.0**40), np.arange(40))


def test_purity_of_other_lengths():
    with pytest.raises(ValueError, match="inconsistent numbers of samples"):
        purity_score([0, 1], [0])


@pytest.mark.parametrize("copies", [3, 12])
def test_copies_of_rows_do_not_matter(copies, moons):
    X, y = moons
    model = SupportVectorClustering().fit(np.repeat(X, copies, axis=0))
    assert adjusted_rand_score(np.repeat(y, copies), model.labels_) == 1


def test_rounded_rows(global_random_seed):
    X, y = make_blobs(300, centers=CENTERS, random_state=global_random_seed)
    assert adjusted_rand_score(y, SupportVectorClustering().fit(X.round()).labels_) > 0.95


def test_the_gap_of_sgd_is_a_bound(rng):
    """Its weights may exceed C; the gap is never negative all the same."""
    for seed in range(10):
        X = rng.normal(size=(30, 2))
        solver = SGD(theta=1e-12, min_epochs=0.0, max_iter=30_000)
        found = solver.solve(OneClassProblem(PairwiseDistances.of_rows(X), 1.5, C=0.3, seed=seed))
        assert found.gap >= -1e-12
