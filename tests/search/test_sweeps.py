"""Sweeps over blocks of rows: with all rows as landmarks they are exact least squares."""

import numpy as np
import pytest
from oracles import leave_one_out as oracle
from sklearn.metrics.pairwise import rbf_kernel

from maxmargin.search import sweeps
from maxmargin.search.sweeps import LandmarkSweeps, left_out_values, leverages
from maxmargin.sizes import read_sizes

ALPHA = 0.01


def limits(n, k, pins=None, **more):
    pins = np.full(n, -1, np.int32) if pins is None else pins
    named = {"proportions": None, "min_size": None, "max_size": None, **more}
    return read_sizes(n, k, **named, pins=pins)


def blocks(K, size):
    def features():
        for start in range(0, len(K), size):
            part = slice(start, min(start + size, len(K)))
            yield part, K[part]

    return features


def make(K, marks, sizes, *, size=16, alpha=ALPHA):
    """Sweeps with the given columns of K as landmarks and moments of all rows."""
    return LandmarkSweeps(
        blocks(K[:, marks], size), K[np.ix_(marks, marks)], K[:, marks], sizes, alpha
    )


def run(K, marks, sizes, labels, **more):
    """Sweeps from the least-squares model of labels on these landmarks."""
    found = make(K, marks, sizes, **more)
    return found.run(*found.project(K[:, marks], np.eye(sizes.n_clusters)[labels]))


def leverages_of(model, features):
    half, level = model.leverage_directions(len(features))
    return leverages(features @ half - level, len(features))


def left_out(K, marks, sizes, found, **more):
    """What models that never saw a row say of it, by the leverages of the rows."""
    leverage = leverages_of(make(K, marks, sizes, **more), K[:, marks])
    values = K[:, marks] @ found.coef + found.intercept
    return left_out_values(values, found.labels, leverage)


@pytest.fixture
def exact(monkeypatch):
    monkeypatch.setattr(sweeps, "JITTER", 0.0)


@pytest.fixture
def data(rng):
    y = rng.permutation(np.repeat([0, 1, 2], [25, 20, 15]))
    X = rng.normal(size=(60, 2)) + np.array([[0, 0], [3, 0], [0, 3]])[y]
    return rbf_kernel(X, gamma=0.5), y.astype(np.int32)


def test_all_rows_as_landmarks_give_the_exact_model(exact, data):
    K, y = data
    found = run(K, np.arange(60), limits(60, 3), y)
    a, b = oracle.bordered(K, ALPHA * 60, np.eye(3)[found.labels])
    np.testing.assert_allclose(K @ found.coef + found.intercept, K @ a + b, atol=1e-6)
    np.testing.assert_allclose(found.intercept, b, atol=1e-6)


def test_all_rows_as_landmarks_give_the_exact_left_out_values(exact, data):
    K, y = data
    found = run(K, np.arange(60), limits(60, 3), y)
    expected = np.eye(3)[found.labels] - oracle.errors(K, ALPHA * 60, found.labels, 3)
    values = left_out(K, np.arange(60), limits(60, 3), found)
    np.testing.assert_allclose(values, expected, atol=1e-5)


@pytest.mark.parametrize("n_marks", [1, 5, 20])
def test_with_few_landmarks_left_out_values_are_those_of_refits(n_marks, exact, data, rng):
    """Refits without each row: least squares on its features with λ αᵀK_rr α and a bias."""
    K, y = data
    n, marks = 60, np.sort(rng.choice(60, n_marks, replace=False))
    found = run(K, marks, limits(n, 3), y)
    H, F, P = np.eye(3)[found.labels], K[:, marks], K[np.ix_(marks, marks)]

    def fit(rows):
        G = np.column_stack([F[rows], np.ones(len(rows))])
        penalty = np.zeros((n_marks + 1, n_marks + 1))
        penalty[:-1, :-1] = ALPHA * n * P  # the strength of all n rows, as leave-one-out has it
        return np.linalg.solve(G.T @ G + penalty, G.T @ H[rows])

    whole = fit(np.arange(n))
    np.testing.assert_allclose(found.coef, whole[:-1], atol=1e-6)
    np.testing.assert_allclose(found.intercept, whole[-1], atol=1e-6)
    values = left_out(K, marks, limits(n, 3), found)
    for j in range(n):
        weights = fit(np.flatnonzero(np.arange(n) != j))
        expected = np.append(F[j], 1) @ weights
        np.testing.assert_allclose(values[j], expected, atol=1e-6)


def test_bounds_that_bind_leave_the_values_of_the_final_labels(exact, data):
    """The model is that of the labels that are returned, also where sizes moved rows."""
    K, y = data
    found = run(K, np.arange(60), limits(60, 3, proportions=[0.6, 0.2, 0.2]), y)
    assert np.bincount(found.labels).tolist() == [36, 12, 12]
    a, b = oracle.bordered(K, ALPHA * 60, np.eye(3)[found.labels])
    np.testing.assert_allclose(K @ found.coef + found.intercept, K @ a + b, atol=1e-6)
    expected = np.eye(3)[found.labels] - oracle.errors(K, ALPHA * 60, found.labels, 3)
    values = left_out(K, np.arange(60), limits(60, 3), found)
    np.testing.assert_allclose(values, expected, atol=1e-5)


def test_a_model_is_projected_on_the_landmarks(exact, data, rng):
    """Values that the landmarks can take come back; others as near as least squares gets."""
    K, _ = data
    marks = np.arange(0, 60, 6)
    model = make(K, marks, limits(60, 3), alpha=1e-10)
    coef, intercept = rng.normal(size=(10, 3)), rng.normal(size=3)
    values = K[:, marks] @ coef + intercept
    found = model.project(K[:, marks], values)
    np.testing.assert_allclose(K[:, marks] @ found[0] + found[1], values, atol=1e-4)
    values = rng.normal(size=(60, 3))
    found = model.project(K[:, marks], values)
    G = np.column_stack([K[:, marks], np.ones(60)])
    expected = G @ np.linalg.lstsq(G, values, rcond=None)[0]
    np.testing.assert_allclose(K[:, marks] @ found[0] + found[1], expected, atol=1e-4)


def test_the_jitter_changes_little(data, monkeypatch):
    K, y = data
    with_jitter = run(K, np.arange(60), limits(60, 3), y)
    monkeypatch.setattr(sweeps, "JITTER", 0.0)
    without = run(K, np.arange(60), limits(60, 3), y)
    np.testing.assert_array_equal(with_jitter.labels, without.labels)
    values = [K @ found.coef + found.intercept for found in (with_jitter, without)]
    np.testing.assert_allclose(*values, atol=0.05)


def test_the_true_labels_of_clear_clusters_stay(rng):
    y = rng.permutation(np.repeat([0, 1], 30)).astype(np.int32)
    K = rbf_kernel(rng.normal(size=(60, 2)) + 12.0 * y[:, None], gamma=0.1)
    found = run(K, np.arange(0, 60, 3), limits(60, 2), y)
    np.testing.assert_array_equal(found.labels, y)
    assert found.n_sweeps == 1


def test_a_few_wrong_labels_are_put_right(rng):
    y = rng.permutation(np.repeat([0, 1], 30)).astype(np.int32)
    K = rbf_kernel(rng.normal(size=(60, 2)) + 12.0 * y[:, None], gamma=0.1)
    start = y.copy()
    wrong = rng.choice(60, 6, replace=False)
    start[wrong] = 1 - start[wrong]
    found = run(K, np.arange(0, 60, 3), limits(60, 2), start)
    np.testing.assert_array_equal(found.labels, y)


def test_pins_stay(data, rng):
    K, y = data
    pins = np.where(rng.random(60) < 0.3, rng.integers(3, size=60), -1).astype(np.int32)
    start = np.where(pins >= 0, pins, y).astype(np.int32)
    found = run(K, np.arange(0, 60, 4), limits(60, 3, pins), start)
    np.testing.assert_array_equal(found.labels[pins >= 0], pins[pins >= 0])


@pytest.mark.parametrize("size", [1, 7, 60])
def test_the_model_hardly_depends_on_blocks(size, data):
    """Labels change from block to block; where they end the same, so does the model."""
    K, y = data
    marks = np.arange(0, 60, 3)
    expected = run(K, marks, limits(60, 3), y, size=16)
    found = run(K, marks, limits(60, 3), y, size=size)
    assert np.mean(found.labels == expected.labels) >= 0.9
    if np.array_equal(found.labels, expected.labels):
        np.testing.assert_allclose(found.coef, expected.coef, atol=1e-8)
        np.testing.assert_allclose(found.intercept, expected.intercept, atol=1e-8)


def test_no_cluster_dies_out(rng):
    """One cloud and a start with a small cluster: n_c/n keeps it alive."""
    K = rbf_kernel(rng.normal(size=(80, 2)), gamma=0.5)
    start = (np.arange(80) < 8).astype(np.int32)
    found = run(K, np.arange(0, 80, 2), limits(80, 2, min_size=1), start)
    assert np.bincount(found.labels, minlength=2).min() >= 1


def test_equal_rows_have_finite_values():
    K = np.ones((20, 20))
    found = run(K, np.arange(10), limits(20, 2), (np.arange(20) % 2).astype(np.int32))
    assert np.all(np.isfinite(left_out(K, np.arange(10), limits(20, 2), found)))
    assert np.all(np.isfinite(found.coef))


def test_estimated_leverages_are_near_the_exact_ones(data, monkeypatch):
    """Unbiased: their mean is (degrees of freedom + 1)/n."""
    K, _ = data
    marks = np.arange(0, 60, 2)
    exact_ones = leverages_of(make(K, marks, limits(60, 3)), K[:, marks])
    monkeypatch.setattr(sweeps, "EXACT_LEVERAGE_ROWS", 10)
    monkeypatch.setattr(sweeps, "N_DIRECTIONS", 2000)
    estimated = leverages_of(make(K, marks, limits(60, 3)), K[:, marks])
    np.testing.assert_allclose(estimated, exact_ones, rtol=0.2)
    np.testing.assert_allclose(estimated.mean(), exact_ones.mean(), rtol=0.05)


@pytest.mark.usefixtures("stopped")
def test_the_flag_ends_the_sweeps(data):
    K, y = data
    with pytest.raises(KeyboardInterrupt):
        run(K, np.arange(60), limits(60, 3), y)


def test_sweeps_end(data, rng):
    K, _ = data
    start = rng.integers(3, size=60).astype(np.int32)
    assert run(K, np.arange(0, 60, 2), limits(60, 3), start).n_sweeps <= sweeps.MAX_SWEEPS
