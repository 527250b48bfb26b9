"""Rows in two: the bias, the regressions and where they come to rest."""

import numpy as np
import pytest
from scipy.optimize import minimize
from sklearn.cluster import KMeans
from sklearn.datasets import make_blobs, make_moons
from sklearn.metrics.pairwise import linear_kernel, rbf_kernel

from maxmargin import IterativeSVRClustering, MaxMarginWarning
from maxmargin.solvers.bisection import FITS, POWERS, Balance, IterativeRegression, two_means

LOSSES = sorted(FITS)


@pytest.fixture
def moons(global_random_seed):
    X, y = make_moons(60, noise=0.1, random_state=global_random_seed)
    return rbf_kernel(X, gamma=2.0), y == 1


def objective(K, coef, bias, targets, C, power):
    values = K @ coef + bias
    return 0.5 * coef @ K @ coef + C * np.sum(np.abs(targets - values) ** power)


@pytest.mark.parametrize("loss", LOSSES)
def test_a_regression_is_the_best_one(loss, moons, rng):
    K, right = moons
    targets, C, power = np.where(right, 1.0, -1.0), 0.7, POWERS[loss]
    coef = FITS[loss](K, C)(targets)

    def with_best_bias(coef):
        residuals = targets - K @ coef
        bias = np.median(residuals) if power == 1 else np.mean(residuals)
        return objective(K, coef, bias, targets, C, power)

    found = with_best_bias(coef)
    for _ in range(20):
        assert with_best_bias(coef + 0.01 * rng.normal(size=len(K))) >= found - 1e-3
    better = minimize(with_best_bias, coef, method="Powell", options={"maxiter": 2}).fun
    assert found == pytest.approx(better, rel=2e-3)


@pytest.mark.parametrize("loss", LOSSES)
def test_the_bias_is_the_best_of_all_cuts_within_the_balance(loss, moons, rng):
    K, _ = moons
    coef, regression = rng.normal(size=60), IterativeRegression(loss)
    found = regression._cut(K, coef, Balance.between(2, 0.2))
    values, power = K @ coef, POWERS[loss]
    assert abs(2 * np.sum(found.right) - 60) <= 12
    np.testing.assert_array_equal(values + found.intercept > 0, found.right)
    ranked = np.sort(values)
    losses = []
    for n_left in range(24, 37):
        apart = np.abs(values - (ranked[n_left - 1] + ranked[n_left]) / 2)
        losses.append(np.mean(np.abs(apart - 1) ** power))
    norm = coef @ K @ coef
    assert found.objective == pytest.approx(norm / (2 * 60) + min(losses))


def test_sides_at_rest_are_the_signs_of_their_own_regression(moons):
    K, _ = moons
    for loss in LOSSES:
        regression, sizes = IterativeRegression(loss), Balance.between(2, 0.2)
        found = regression.run(K, two_means(K, np.random.default_rng(0)), sizes)
        assert found.converged
        again = regression.run(K, found.right, sizes)
        if again.n_iter == 1:  # not a circle
            np.testing.assert_array_equal(again.right, found.right)
            assert again.objective == pytest.approx(found.objective, abs=1e-3)


def test_a_cap_is_told(moons):
    K, _ = moons
    start = np.arange(60) % 2 == 0
    found = IterativeRegression(max_iter=1).run(K, start, Balance.between(2, 0.0))
    assert found.n_iter == 1
    assert not found.converged


def test_nothing_found_has_the_objective_one():
    K = np.ones((10, 10))
    found = IterativeRegression().run(K, np.arange(10) < 5, Balance.between(2, 0.0))
    assert not found.clear
    assert found.objective == pytest.approx(1, abs=1e-6)
    assert np.sum(found.right) == 5


def test_sides_that_are_given_are_kept(moons):
    K, right = moons
    found = IterativeRegression().describe(K, right)
    np.testing.assert_array_equal(found.right, right)
    assert np.mean((K @ found.coef + found.intercept > 0) == right) > 0.9


@pytest.mark.parametrize("n", [2, 3, 7, 20])
@pytest.mark.parametrize("k", [2, 3, 5])
def test_there_is_always_a_place_to_cut(n, k):
    for values in (np.arange(n, dtype=float), np.zeros(n)):
        places, clear = Balance.between(k, 0.0).places_to_cut(values)
        assert np.all((places >= 1) & (places < n))
        assert clear == bool(values.any())


def test_two_means_are_those_of_the_rows(global_random_seed):
    X, _ = make_blobs(80, centers=[[0, 0], [6, 0]], random_state=global_random_seed)
    for seed in range(5):
        nearer = two_means(linear_kernel(X), np.random.default_rng(seed))
        labels = KMeans(2, n_init=1, random_state=seed).fit(X).labels_ == 1
        assert np.mean(nearer == labels) in (0, 1)
    equal = two_means(np.ones((7, 7)), np.random.default_rng(0))
    assert 0 < np.sum(equal) < 7


def test_regressions_end_when_all_steps_are_taken(rng):
    """With a C that is large for the kernel, LIBSVM would go on for minutes."""
    X = rng.normal(size=(60, 2)) + 8 * (np.arange(60)[:, None] % 2)
    model = IterativeSVRClustering(kernel="linear", random_state=0, n_init=2)
    with pytest.warns(MaxMarginWarning, match="C = 1 is large for X, whose kernel has values up"):
        model.fit(1000 * X)
    assert model.n_iter_ <= 5
    assert model.set_params(kernel="rbf").fit(1000 * X).n_clusters_ == 2  # and nothing here


@pytest.mark.parametrize("k", [2, 3, 4, 5, 7])
def test_splits_leave_room_for_clusters_that_are_as_even_as_can_be(k):
    """By brute force: all ways in which some of the clusters have the rows that are left over."""
    for n in range(k, 5 * k):
        each, more = divmod(n, k)
        reached = set()
        for left in {k // 2, k - k // 2}:
            for larger in range(more + 1):
                if larger <= left and more - larger <= k - left:
                    reached.add(left * each + larger)
        places, clear = Balance.between(k, 0.0).places_to_cut(np.arange(float(n)))
        shares = (k // 2 / k * n, (k - k // 2) / k * n)
        nearest = {m for m in range(1, n) if min(abs(m - share) for share in shares) <= 0.5}
        assert clear
        assert set(places) == (reached | nearest) & set(range(1, n))
