"""The model that a labelling leaves behind."""

from types import SimpleNamespace

import numpy as np
import pytest
from oracles import leave_one_out as oracle
from scipy import sparse
from scipy.spatial.distance import cdist, pdist, squareform
from scipy.special import log_softmax, softmax
from sklearn.metrics.pairwise import rbf_kernel

from maxmargin._runtime import memory
from maxmargin.front_door.partition import (
    OUTSIDE,
    SHARPNESS,
    KernelClassifier,
    calibrate,
    fit_partition,
    margins,
)
from maxmargin.objectives.leave_one_out import LeaveOneOut
from maxmargin.spaces.metric import Metric
from maxmargin.spaces.pairwise import GaussianSettings, PairwiseDistances
from maxmargin.spaces.quadratic_form import QuadraticForm

GAMMA, LAM = 0.4, 0.5


def fitted(X, labels, k, metric="euclidean"):
    metric = Metric(metric, standardize=False).fit(X)
    rows, n = metric.prepare(X), X.shape[0]
    seen = np.arange(n)
    subsample = SimpleNamespace(
        metric=metric, rows=rows, seen=seen, columns=seen if metric.precomputed else None,
        sizes=SimpleNamespace(n_clusters=k),
    )  # fmt: skip
    distances = PairwiseDistances(rows, metric, subsample.columns)
    form = QuadraticForm.from_gram(np.exp(-GAMMA * distances.squared), LAM)
    settings = GaussianSettings(1 / np.sqrt(2 * GAMMA) / distances.scale, LAM / n)
    found = fit_partition(subsample, distances, settings, LeaveOneOut.of_form(form), labels)
    return found.classifier, found.left_out


@pytest.fixture
def data(rng):
    y = rng.permutation(np.repeat([0, 1, 2], 15)).astype(np.int32)
    return rng.normal(size=(45, 2)) + 2.0 * np.column_stack([y == 1, y == 2]), y


@pytest.mark.parametrize("k", [1, 2, 3])
def test_the_model_is_kernel_ridge_with_a_bias(k, data):
    X, y = data
    labels = np.minimum(y, k - 1).astype(np.int32)
    model, left_out = fitted(X, labels, k)
    K = rbf_kernel(X, gamma=GAMMA)
    a, b = oracle.bordered(K, LAM, np.eye(k)[labels])
    np.testing.assert_allclose(model.coef, a, atol=1e-5)
    np.testing.assert_allclose(model.intercept, b, atol=1e-5)
    rows = model.space.metric.prepare(X)
    np.testing.assert_allclose(model.values(rows), K @ a + b, atol=1e-5)
    missed = oracle.errors(K, LAM, labels, k)
    np.testing.assert_allclose(left_out, np.eye(k)[labels] - missed, atol=1e-5)
    np.testing.assert_allclose(model.values(rows).sum(axis=1), 1, atol=1e-5)


def test_new_rows_inside(data, rng):
    X, y = data
    model, _ = fitted(X, y, 3)
    new = X[:20] + 0.2 * rng.normal(size=(20, 2))
    assert np.all(GAMMA * cdist(new, X, "sqeuclidean").min(axis=1) < OUTSIDE)
    a, b = oracle.bordered(rbf_kernel(X, gamma=GAMMA), LAM, np.eye(3)[y])
    expected = rbf_kernel(new, X, gamma=GAMMA) @ a + b
    np.testing.assert_allclose(model.values(model.space.metric.prepare(new)), expected, atol=1e-5)


def test_rows_outside_have_the_values_of_their_nearest_row(data):
    X, y = data
    model, _ = fitted(X, y, 3)
    new = np.array([[30.0, 0], [0, -500], [1e5, 1e5]])
    nearest = np.argmin(cdist(new, X), axis=1)
    found = model.values(model.space.metric.prepare(new))
    np.testing.assert_array_equal(found, model.anchors[nearest])
    at_rows = model.values(model.space.metric.prepare(X))
    np.testing.assert_allclose(model.anchors, at_rows, atol=1e-5)


def test_values_of_an_outlier_are_those_at_the_edge(data):
    """Going straight on, beyond the last row, changes nothing but which rows are near."""
    X = np.array([[0.0], [1], [2], [10], [11], [12]])
    labels = np.repeat([0, 1], 3).astype(np.int32)
    model, _ = fitted(X, labels, 2)
    far = model.values(model.space.metric.prepare(np.array([[-50.0], [-1e4], [70.0], [1e4]])))
    assert np.argmax(far, axis=1).tolist() == [0, 0, 1, 1]


@pytest.mark.parametrize("rest", [3, 20, 60])
def test_an_outlier_beside_a_small_cluster_belongs_to_it(rest, rng):
    """However many rows the other cluster has."""
    X = np.concatenate([rng.normal(size=(60, 2)) * 0.3, rng.normal(size=(rest, 2)) * 0.3 + 8])
    labels = np.repeat([0, 1], [60, rest]).astype(np.int32)
    model, _ = fitted(X, labels, 2)
    new = np.array([[12.0, 12], [50, 50], [1e4, 1e4], [8, 1e3], [-4, -4], [-1e4, -1e4]])
    found = np.argmax(model.values(model.space.metric.prepare(new)), axis=1)
    assert found.tolist() == [1, 1, 1, 1, 0, 0]


def test_precomputed_and_sparse_rows(data, rng):
    X, y = data
    new = X[:10] + 0.1
    plain, _ = fitted(X, y, 3)
    expected = plain.values(plain.space.metric.prepare(new))
    model, _ = fitted(squareform(pdist(X)), y, 3, metric="precomputed")
    np.testing.assert_allclose(model.values(cdist(new, X)), expected, atol=1e-5)
    unit, _ = fitted(X, y, 3, metric="cosine")
    in_csr, _ = fitted(sparse.csr_matrix(X), y, 3)
    np.testing.assert_allclose(
        in_csr.values(in_csr.space.metric.prepare(sparse.csr_matrix(new))),
        unit.values(unit.space.metric.prepare(new)),
        atol=1e-5,
    )


@pytest.mark.parametrize("size", [1, 5, 1000])
def test_blocks_do_not_matter(size, data, monkeypatch):
    X, y = data
    model, _ = fitted(X, y, 3)
    rows = model.space.metric.prepare(np.vstack([X, X + 9]))
    expected = model.values(rows)
    monkeypatch.setattr(memory, "BLOCK_BYTES", 8 * 45 * size)
    np.testing.assert_allclose(model.values(rows), expected, atol=1e-12)


def test_memberships_are_a_softmax(rng):
    values = rng.normal(size=(30, 4))
    model = KernelClassifier(None, np.zeros((1, 4)), np.zeros(4), None, 3.0)
    P = model.memberships(values)
    expected = np.exp(3 * values)
    np.testing.assert_allclose(P, expected / expected.sum(axis=1, keepdims=True))


def surprise(sharpness, left_out, labels):
    log_p = log_softmax(sharpness * left_out, axis=1)
    own = log_p[np.arange(len(labels)), labels]
    return -own.sum() - log_p.mean()  # and one row that could be anywhere


@pytest.mark.parametrize("noise", [0.2, 0.5, 1.0])
@pytest.mark.parametrize("k", [2, 4])
def test_the_sharpness_has_the_largest_likelihood(noise, k, rng):
    labels = rng.integers(k, size=80)
    left_out = np.eye(k)[labels] + noise * rng.normal(size=(80, k))
    found = calibrate(left_out, labels)
    grid = np.exp(np.linspace(*np.log(SHARPNESS), 2000))
    least = min(surprise(s, left_out, labels) for s in grid)
    assert surprise(found, left_out, labels) <= least + 1e-4


def test_the_true_sharpness_is_found(rng):
    """Labels drawn from the softmax of values times 3."""
    values = rng.normal(size=(20000, 3))
    P = softmax(3 * values, axis=1)
    labels = (P.cumsum(axis=1) < rng.random((20000, 1))).sum(axis=1)
    assert calibrate(values, labels) == pytest.approx(3, rel=0.06)
    at_found = softmax(calibrate(values, labels) * values, axis=1)
    right = np.mean(np.argmax(values, axis=1) == labels)
    assert at_found.max(axis=1).mean() == pytest.approx(right, abs=0.02)


def test_clusters_without_error_keep_a_doubt():
    labels = np.arange(40) % 2
    sharpness = calibrate(np.eye(2)[labels], labels)
    assert SHARPNESS[0] < sharpness < 0.1 * SHARPNESS[1]
    assert softmax(sharpness * np.array([1.0, 0.0]))[0] < 0.9999


def test_values_that_say_nothing_have_no_sharpness(rng):
    labels = rng.integers(2, size=400)
    assert calibrate(rng.normal(size=(400, 2)), labels) < 0.3
    assert calibrate(np.ones((5, 1)), np.zeros(5, int)) == 1


def test_margins_by_hand():
    values = np.array([[0.9, 0.2, -0.1], [0.3, 0.4, 0.5]])
    np.testing.assert_allclose(margins(values, np.array([0, 1])), [0.7, -0.1])
    np.testing.assert_allclose(margins(values, np.array([2, 2])), [-1.0, 0.1])
    np.testing.assert_allclose(margins(values[:, :1], np.array([0, 0])), [0.9, 0.3])
    assert values.tolist() == [[0.9, 0.2, -0.1], [0.3, 0.4, 0.5]]


def test_equal_rows_have_a_model():
    X, labels = np.ones((10, 2)), (np.arange(10) % 2).astype(np.int32)
    model, left_out = fitted(X, labels, 2)
    assert np.all(np.isfinite(left_out))
    np.testing.assert_allclose(model.values(model.space.metric.prepare(X)), 0.5, atol=1e-5)
