"""Landmarks: several draws, means of neighbours, and the draw that the others agree with."""

import numpy as np
import pytest
from scipy.sparse import csr_array
from sklearn.datasets import load_digits, make_moons
from sklearn.metrics import adjusted_rand_score

from maxmargin import SupportVectorClustering
from maxmargin.domain.base import DomainClusters
from maxmargin.domain.finder import N_DRAWS, draw_landmarks, landmarks, most_agreed


@pytest.fixture(scope="module")
def noisy_digits():
    """Digits, each several times with noise of its own."""
    X, y = load_digits(return_X_y=True)
    rows = np.random.default_rng(0).integers(len(X), size=6000)
    return X[rows] + np.random.default_rng(1).normal(scale=3, size=(6000, 64)), y[rows]


def test_draws_are_of_distinct_rows_in_order(rng):
    X = rng.integers(40, size=(900, 1)).astype(float)
    draws = draw_landmarks(X, 300, rng, distinct=True)
    assert len(draws) == N_DRAWS
    for some in draws:
        assert (np.diff(some) > 0).all()
        assert len(np.unique(X[some])) == len(some)
    (one,) = draw_landmarks(X, 300, rng, distinct=False)
    assert len(one) == 300
    (every,) = draw_landmarks(X, None, rng, distinct=False)
    np.testing.assert_array_equal(every, np.arange(900))


def test_landmarks_are_means_where_that_takes_noise_away(noisy_digits, rng):
    X, _ = noisy_digits
    draws = draw_landmarks(X, 1000, rng, distinct=True)
    marks, means = landmarks(X, draws, None)
    assert means
    distances = np.square(X[draws[0][:5], None] - X).sum(axis=-1)
    near = np.argsort(distances, axis=1)[:, :6]  # a thousand stand for six thousand
    np.testing.assert_allclose(marks[0][:5], X[near].mean(axis=1))
    heavy = np.where(np.isin(np.arange(6000), near[0, 0]), 1e9, 1.0)
    marks, _ = landmarks(X, draws, heavy)
    np.testing.assert_allclose(marks[0][0], X[near[0, 0]], atol=1e-6)


def test_rows_stay_as_they_are_without_noise_and_where_they_are_sparse(noisy_digits, rng):
    X, _ = make_moons(3000, noise=0.05, random_state=0)
    draws = draw_landmarks(X, 500, rng, distinct=True)
    marks, means = landmarks(X, draws, None)
    assert not means
    np.testing.assert_array_equal(marks[0], X[draws[0]])
    sparse = csr_array(np.round(np.abs(noisy_digits[0])))
    assert not landmarks(sparse, [np.arange(1000), np.arange(1000, 2000)], None)[1]


def test_the_draw_that_the_others_agree_with_is_taken(rng):
    X = np.arange(60.0)[:, None]

    def clusters(labels):
        labels = np.asarray(labels)
        return DomainClusters(None, labels, np.ones(labels.max() + 1), 1)

    halves, thirds = np.repeat([0, 1], 30), np.repeat([0, 1, 2], 20)
    found = [clusters(thirds), clusters(halves), clusters(1 - halves)]
    assert most_agreed(X, [X] * 3, found, rng) == 1
    assert most_agreed(X, [X], found[:1], rng) == 0


def test_more_rows_give_more_where_rows_are_noisy(noisy_digits):
    """By rows as they are it was .1 and .2 with 700 landmarks, and one cluster held most rows."""
    X, y = noisy_digits
    model = SupportVectorClustering(n_landmarks=700, random_state=0).fit(X)
    assert adjusted_rand_score(y, model.labels_) > 0.6
    np.testing.assert_array_equal(model.predict(X), model.labels_)
    assert not np.array_equal(model.support_vectors_, X[model.support_])  # but what stands for them
    f = model.decision_function(X)
    assert f.shape == (6000,)
    assert np.isfinite(f).all()


def test_neighbours_are_found_far_from_the_origin(noisy_digits, rng):
    X, _ = noisy_digits
    draws = draw_landmarks(X, 1000, rng, distinct=True)
    near, means = landmarks(X, draws, None)
    far, too = landmarks(X + 2.0**33, draws, None)
    assert means
    assert too
    np.testing.assert_allclose(far[0] - 2.0**33, near[0], atol=1e-4)
