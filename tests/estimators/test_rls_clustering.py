"""What a user sees of RLSClustering: quality, sizes, pins, restarts, models."""

import numpy as np
import pytest
from oracles import leave_one_out as loo_oracle
from oracles import moves
from oracles import rls as oracle
from scipy import sparse
from sklearn.base import clone
from sklearn.cluster import KMeans
from sklearn.datasets import load_digits, load_iris, make_blobs, make_circles, make_moons
from sklearn.metrics import adjusted_rand_score
from sklearn.metrics.pairwise import pairwise_kernels

from maxmargin import MaxMarginWarning, RLSClustering
from maxmargin.search import Evolutionary, Shaking, Steepest, Stochastic
from maxmargin.search.starts import nearest_seed
from maxmargin.spaces.kernel import PARAMETERS, Kernel

SEARCHES = ("shaking", "steepest", "stochastic", "evolutionary")
SPACES = {
    "exact": {},
    "nystroem": {"approximation": "nystroem", "n_components": 30},
    "linear": {"kernel": "linear", "center": False},
}


@pytest.fixture
def blobs(global_random_seed):
    return make_blobs(
        [60, 50, 40], centers=[[0, 0], [8, 0], [0, 8]], random_state=global_random_seed
    )


def test_moons_and_circles_are_found():
    X, y = make_moons(300, noise=0.05, random_state=0)
    assert adjusted_rand_score(y, RLSClustering(2, random_state=0).fit_predict(X)) == 1
    X, y = make_circles(300, noise=0.03, factor=0.3, random_state=0)
    assert adjusted_rand_score(y, RLSClustering(2, random_state=0).fit_predict(X)) == 1


def test_defaults_beat_k_means_on_digits_and_iris():
    for load, k in ((load_iris, 3), (load_digits, 10)):
        X, y = load(return_X_y=True)
        ours = adjusted_rand_score(y, RLSClustering(k, random_state=0).fit_predict(X))
        k_means = adjusted_rand_score(y, KMeans(k, n_init=10, random_state=0).fit_predict(X))
        assert ours > k_means + 0.05


def test_unequal_blobs_are_not_forced_to_be_equal():
    """The published method, and its authors' library, split these 250/250 (ARI 0.16)."""
    X, y = make_blobs([400, 100], centers=[[0, 0], [6, 0]], random_state=0)
    forced = RLSClustering(2, polish=False, n_init=1, random_state=0).fit(X)
    assert np.bincount(forced.labels_).tolist() == [250, 250]
    free = RLSClustering(2, proportions=None, random_state=0).fit(X)
    assert adjusted_rand_score(y, free.labels_) > 0.9
    known = RLSClustering(2, proportions=[0.8, 0.2], random_state=0).fit(X)
    assert adjusted_rand_score(y, known.labels_) > 0.9


@pytest.mark.parametrize("search", SEARCHES)
@pytest.mark.parametrize("space", SPACES)
def test_the_model_is_the_one_fitted_to_the_labels(search, space, blobs):
    X, _ = blobs
    model = RLSClustering(3, search=search, alpha=0.01, random_state=0, **SPACES[space]).fit(X)
    n, lam = len(X), 0.01 * len(X)
    if space == "exact":
        K = pairwise_kernels(X, metric="rbf", gamma=model.gamma_)
        np.testing.assert_allclose(
            model.dual_coef_, oracle.fit(K, lam, model.labels_, 3), atol=1e-9
        )
    else:
        features = X if space == "linear" else model._space.represent(X)
        K = features @ features.T
        assert model.coef_.shape == (3, features.shape[1])
    assert model.objective_ == pytest.approx(oracle.value(K, lam, model.labels_, 3))
    errors = loo_oracle.errors(K, lam, model.labels_, 3)
    expected = 1 - np.sum(np.square(errors)) / loo_oracle.spread(model.labels_, 3)
    assert model.loo_score_ == pytest.approx(expected, abs=1e-8)
    decision = K @ oracle.fit(K, lam, model.labels_, 3)
    np.testing.assert_allclose(model.decision_function(X), decision, atol=1e-6)
    assert np.all(model.predict(X) == decision.argmax(axis=1))
    assert model.n_disagreements_ == np.sum(model.predict(X) != model.labels_)
    # a local optimum within the default bounds
    gains = moves.move_gains(oracle.hat(K, lam), model.labels_, 3)
    counts = np.bincount(model.labels_, minlength=3)
    free = counts[model.labels_] > np.ceil(0.1 * n / 3)
    assert gains[free].max() < 1e-6


@pytest.mark.parametrize("search", SEARCHES)
@pytest.mark.parametrize("k", [2, 3])
def test_brute_force_is_reached(search, k, rng):
    """Over all labellings of 9 rows with at least 2 rows in each cluster."""
    for trial in range(5):
        X = rng.normal(size=(9, 2)) + 3 * rng.integers(k, size=9)[:, None]
        model = RLSClustering(
            k, search=search, gamma=0.3, alpha=0.05, min_size=2, n_init=10, random_state=trial
        ).fit(X)
        K = pairwise_kernels(X, metric="rbf", gamma=0.3)
        best = oracle.best_labelling(K, 0.45, k, lower=2, upper=9)
        np.testing.assert_allclose(model.objective_, best, rtol=1e-9)


def test_with_exact_proportions_no_swap_gains(blobs):
    X, _ = blobs
    X = X[::3]
    model = RLSClustering(
        3, proportions=[0.5, 0.3, 0.2], gamma=0.2, alpha=0.01, random_state=0
    ).fit(X)
    K = pairwise_kernels(X, metric="rbf", gamma=0.2)
    R = oracle.hat(K, 0.01 * len(X))
    assert moves.swap_gains(R, model.labels_, 3).max() < 1e-8


@pytest.mark.parametrize("search", SEARCHES)
def test_bounds_hold_without_a_polish(search, blobs):
    X, _ = blobs
    model = RLSClustering(
        3, search=search, min_size=45, max_size=[52, 60, 60], polish=False, random_state=0
    ).fit(X)
    counts = np.bincount(model.labels_, minlength=3)
    assert np.all(counts >= 45)
    assert np.all(counts <= [52, 60, 60])


def test_pins_name_clusters_wherever_they_are_gathered(global_random_seed):
    """Rows gathered around a pin under another name are renamed, also within exact sizes."""
    X, y = make_blobs(
        [50, 50, 50], centers=[[0, 0], [9, 0], [0, 9]], random_state=global_random_seed
    )
    for proportions in ("balanced", [1 / 3, 1 / 3, 1 / 3]):
        for names in ([0, 1, 2], [2, 0, 1], [1, 2, 0]):
            pins = np.full(len(X), -1)
            for c in range(3):
                pins[np.flatnonzero(y == c)[0]] = names[c]
            model = RLSClustering(3, proportions=proportions, random_state=0).fit(X, pins)
            assert np.array_equal(model.labels_, np.array(names)[y])


def test_full_rank_nystroem_is_the_exact_method(blobs):
    X, _ = blobs
    common = {"gamma": 0.5, "alpha": 1e-3, "random_state": 0}
    exact = RLSClustering(3, **common).fit(X)
    full = RLSClustering(3, approximation="nystroem", n_components=150, **common).fit(X)
    np.testing.assert_array_equal(exact.labels_, full.labels_)
    assert full.objective_ == pytest.approx(exact.objective_, abs=1e-6)
    np.testing.assert_allclose(full.decision_function(X), exact.decision_function(X), atol=1e-6)


def test_linear_kernel_is_the_same_in_the_primal_and_the_dual(blobs):
    X, _ = blobs
    how = {"kernel": "linear", "center": False, "random_state": 0}
    primal = RLSClustering(3, **how).fit(X)
    dual = RLSClustering(3, kernel="precomputed", random_state=0).fit(X @ X.T)
    in_csr = RLSClustering(3, **how).fit(sparse.csr_matrix(X))
    assert hasattr(primal, "coef_")
    assert hasattr(dual, "dual_coef_")
    for other in (dual, in_csr):
        np.testing.assert_array_equal(primal.labels_, other.labels_)
        assert primal.objective_ == pytest.approx(other.objective_)
    np.testing.assert_allclose(
        primal.decision_function(X), dual.decision_function(X @ X.T), atol=1e-8
    )
    np.testing.assert_allclose(primal.coef_, in_csr.coef_, atol=1e-10)


def test_restarts_differ_and_the_best_is_kept():
    """For two clusters round 0 erases the start: restarts must still differ."""
    X, _ = make_moons(200, noise=0.25, random_state=0)
    single = [
        RLSClustering(2, n_init=1, polish=False, random_state=s, search=Shaking(first_round=r))
        .fit(X)
        .objective_
        for r in (0, 1)
        for s in range(6)
    ]
    assert len(set(np.round(single[:6], 9))) == 1
    assert len(set(np.round(single[6:], 9))) > 1
    few = RLSClustering(2, n_init=1, random_state=0).fit(X).objective_
    many = RLSClustering(2, n_init=20, random_state=0).fit(X).objective_
    assert many >= few


def test_a_start_from_the_user_is_honoured(global_random_seed):
    X, y = make_blobs([200, 40], centers=[[0, 0], [5, 0]], random_state=global_random_seed)
    plain = RLSClustering(2, init=y, search="steepest").fit(X)
    for start in (y, 1 - y):
        model = RLSClustering(2, init=start, random_state=0).fit(X)
        assert adjusted_rand_score(y, model.labels_) > 0.8
        assert model.objective_ >= plain.objective_ - 1e-9
    # a poor but meaningful start is improved and not replaced
    X, y = make_moons(200, noise=0.05, random_state=0)
    wrong = y.copy()
    wrong[:20] = 1 - wrong[:20]
    assert adjusted_rand_score(y, RLSClustering(2, init=wrong).fit_predict(X)) == 1


def test_k_means_seeds_work_with_every_kernel_form(blobs):
    X, y = blobs
    K = pairwise_kernels(X, metric="rbf", gamma=0.02)
    for kernel, data in (("rbf", X), ("precomputed", K), ("precomputed", sparse.csr_matrix(K))):
        model = RLSClustering(3, kernel=kernel, init="k-means++", random_state=0).fit(data)
        assert adjusted_rand_score(y, model.labels_) > 0.9


def test_k_means_seeds_are_spread_and_rows_take_the_nearest(blobs):
    X, y = blobs
    kernel = Kernel("linear").fit(X, np.random.default_rng(0))
    labels = nearest_seed(kernel, X, 3, np.random.default_rng(0))
    assert adjusted_rand_score(y, labels) > 0.9


def test_objective_path_ends_at_the_objective(blobs):
    X, _ = blobs
    for search in SEARCHES:
        model = RLSClustering(3, search=search, random_state=0).fit(X)
        assert model.objective_path_[-1] == model.objective_
        assert np.all(np.isfinite(model.objective_path_))
        assert len(model.objective_path_) >= 2


def test_searches_are_objects_with_parameters(blobs):
    X, _ = blobs
    for search in (Shaking(rounds=5), Steepest(), Stochastic(shuffle=True), Evolutionary(2, 2)):
        model = clone(RLSClustering(3, search=search, random_state=0)).fit(X)
        assert model.labels_.shape == (150,)
    model = RLSClustering(3, search=Shaking()).set_params(search__rounds=2).fit(X)
    assert model.n_iter_ == 2
    assert len(model.objective_path_) == 3


@pytest.mark.parametrize("kernel", [*PARAMETERS, "callable"])
def test_every_kernel_of_scikit_learn_fits_and_predicts(kernel, blobs):
    X, _ = blobs
    X = np.abs(X[:60])
    if kernel == "callable":
        model = RLSClustering(2, kernel=_half_product, kernel_params={"factor": 0.5})
    else:
        model = RLSClustering(2, kernel=kernel, gamma=0.01, alpha=0.01)
    if kernel in ("sigmoid", "additive_chi2"):
        with pytest.warns(MaxMarginWarning, match="not positive semidefinite"):
            model.fit(X)
    else:
        model.fit(X)
    # also where negative eigenvalues were clipped: predict is the model that was fitted
    assert model.n_disagreements_ == np.sum(model.predict(X) != model.labels_)
    assert model.n_disagreements_ <= 3
    assert model.predict(X[:5]).shape == (5,)


def _half_product(a, b, factor):
    return factor * (a @ b)


@pytest.mark.parametrize("kernel", ["rbf", "laplacian", "poly", "sigmoid", "chi2"])
@pytest.mark.parametrize("rule", ["median", "neighbors", "scale"])
def test_width_rules_do_not_depend_on_the_unit(kernel, rule, rng):
    """gamma scales as the kernel needs it, so that K is the same in metres and millimetres."""
    X = rng.random((50, 3)) + 0.1
    gammas = [
        Kernel(kernel, gamma=rule).fit(X * scale, np.random.default_rng(0)).gamma_
        for scale in (1, 1000)
    ]
    power = 1 if kernel in ("laplacian", "chi2") and rule != "scale" else 2
    assert gammas[0] / gammas[1] == pytest.approx(1000.0**power, rel=1e-6)


def test_sparse_rows_give_what_dense_rows_give(rng):
    X = sparse.random(120, 300, density=0.05, random_state=0, format="csr")
    for kernel in ("linear", "cosine", "rbf"):
        dense = RLSClustering(2, kernel=kernel, gamma=1.0, random_state=0).fit(X.toarray())
        ours = RLSClustering(2, kernel=kernel, gamma=1.0, random_state=0).fit(X)
        assert ours.objective_ == pytest.approx(dense.objective_, rel=1e-6)
        np.testing.assert_allclose(
            ours.decision_function(X), dense.decision_function(X.toarray()), atol=1e-6
        )


@pytest.mark.parametrize("kernel", ["rbf", "linear", "cosine"])
def test_entries_of_new_rows_that_come_twice_are_added_up(kernel, blobs):
    X = sparse.csr_matrix(blobs[0])
    model = RLSClustering(3, kernel=kernel, random_state=0).fit(X)
    halves = sparse.csr_matrix(
        (np.repeat(X.data / 2, 2), np.repeat(X.indices, 2), 2 * X.indptr), shape=X.shape
    )
    np.testing.assert_allclose(model.decision_function(halves), model.decision_function(X))
