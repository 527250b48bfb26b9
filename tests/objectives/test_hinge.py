"""The scaling, the values and the losses of rows are those of their definitions."""

import numpy as np
import pytest
from oracles import hinge as oracle
from scipy import sparse

from maxmargin.blocks import MemoryRows, rows
from maxmargin.objectives.hinge import Hinge, Hyperplanes, KernelNorm, Scaling

FORMS = ("C", "F", "csr_array", "csr_matrix")


def shaped(X, form):
    return np.asarray(X, order=form) if form in ("C", "F") else getattr(sparse, form)(X)


@pytest.fixture
def X(rng):
    return np.where(rng.random((300, 6)) < 0.4, 0, rng.normal(size=(300, 6)) + 1)


@pytest.fixture
def planes(rng):
    return Hyperplanes(rng.normal(size=(4, 6)), rng.normal(size=4) / 5)


# -- the scaling ---------------------------------------------------------------------------


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("form", FORMS)
def test_the_scaling_has_mean_zero_and_mean_squared_length_one(form, dtype, X):
    data = X.astype(dtype)
    scaling = Scaling.of(MemoryRows(shaped(data, form)))
    mean, scale = oracle.scaling(data)
    np.testing.assert_allclose(scaling.mean, mean, rtol=1e-12)
    np.testing.assert_allclose(scaling.scale, scale, rtol=1e-12)
    assert scaling.mean.dtype == np.float64


@pytest.mark.parametrize("form", ["C", "csr_array"])
def test_many_rows_in_float32_are_summed_in_float64(form, rng):
    data = (rng.random((20_000, 3)) + 3).astype(np.float32)
    scaling = Scaling.of(MemoryRows(shaped(data, form)))
    mean, scale = oracle.scaling(data)
    np.testing.assert_allclose(scaling.mean, mean, rtol=1e-12)
    np.testing.assert_allclose(scaling.scale, scale, rtol=1e-9)


@pytest.mark.parametrize("far", [1e3, 1e6, 1e9])
def test_the_scaling_far_from_the_origin(far, X):
    scaling = Scaling.of(MemoryRows(X + far))
    mean, scale = oracle.scaling(X)
    np.testing.assert_allclose(scaling.mean - far, mean, atol=1e-15 * far * 10)
    np.testing.assert_allclose(scaling.scale, scale, rtol=1e-6)


def test_sparse_rows_far_from_the_origin(X):
    scaling = Scaling.of(MemoryRows(sparse.csr_array(X + 1e3)))
    np.testing.assert_allclose(scaling.scale, oracle.scaling(X)[1], rtol=1e-8)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("form", ["C", "csr_array"])
@pytest.mark.parametrize("n", [1, 10, 1000])
def test_rows_that_are_all_equal_have_no_length(n, form, dtype):
    """Their mean is a little off by rounding, and that must not become the unit."""
    for row in ([0.1, 0.3, 0.7], [1e8 / 3, 0, 1], [0, 0, 0]):
        data = np.tile(np.array(row, dtype), (n, 1))
        assert not Scaling.of(MemoryRows(shaped(data, form))).scale.any()


@pytest.mark.parametrize("form", FORMS)
def test_each_kernel_has_a_unit_of_its_own(form, X, rng):
    """The features of three kernels side by side; those of the last are constant."""
    data = np.hstack([X, 1000 * rng.normal(size=(len(X), 2)), np.full((len(X), 1), 0.1)])
    d = X.shape[1]
    slices = (slice(0, d), slice(d, d + 2), slice(d + 2, d + 3))
    scaling = Scaling.of(MemoryRows(shaped(data, form)), KernelNorm(slices))
    for part in slices[:2]:
        mean, scale = oracle.scaling(data[:, part])
        np.testing.assert_allclose(scaling.mean[part], mean, rtol=1e-12, atol=1e-15)
        np.testing.assert_allclose(scaling.scale[part], scale, rtol=1e-12)
    assert scaling.scale[-1] == 0
    part = scaling.of_columns(np.array([0, d]))
    np.testing.assert_array_equal(part.scale, scaling.scale[[0, d]])
    np.testing.assert_array_equal(part.mean, scaling.mean[[0, d]])


def test_entries_of_csr_that_are_stored_in_parts():
    """Two entries at one place are their sum."""
    parts = sparse.csr_array((np.ones(4), np.array([0, 0, 1, 1]), np.array([0, 2, 4])))
    assert not parts.has_canonical_format
    scaling, whole = Scaling.of(MemoryRows(parts)), Scaling.of(MemoryRows(2 * np.eye(2)))
    np.testing.assert_array_equal(scaling.mean, whole.mean)
    np.testing.assert_array_equal(scaling.scale, whole.scale)


def test_planes_without_scaling_give_the_same_values(X, planes):
    scaling = Scaling.of(MemoryRows(X))
    coefficients, intercepts = planes.unscaled(scaling)
    np.testing.assert_allclose(
        X @ coefficients.T + intercepts,
        oracle.values(X, scaling.mean, scaling.scale, planes.weights, planes.bias),
        atol=1e-12,
    )


# -- losses ------------------------------------------------------------------------------


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("form", FORMS)
def test_losses_and_ranks_are_the_definition(form, dtype, X, planes, rng):
    data = X.astype(dtype)
    scaling = Scaling(*oracle.scaling(data))
    hinge = Hinge(MemoryRows(shaped(data, form)), scaling)
    values = oracle.values(data, scaling.mean, scaling.scale, planes.weights, planes.bias)
    losses = hinge.losses(planes)
    np.testing.assert_allclose(losses, oracle.losses(values), atol=1e-5)

    held = np.where(rng.random(300) < 0.3, rng.integers(4, size=300), -1).astype(np.int16)
    ranking = hinge.rank(planes, held)
    labels, rivals, loss = oracle.rank(values, held)
    rel = 1e-12 if dtype == np.float64 else 1e-5
    assert ranking.loss == pytest.approx(loss / 300, rel=rel)
    assert ranking.loss == pytest.approx(losses[np.arange(300), ranking.labels].mean(), rel=1e-5)
    clear = np.abs(np.diff(np.sort(values, axis=1))).min(axis=1) > 1e-4  # of float32's rounding
    np.testing.assert_array_equal(ranking.labels[clear], labels[clear])
    if dtype == np.float64:
        np.testing.assert_array_equal(ranking.rivals, rivals)


@pytest.mark.parametrize("form", ["C", "csr_array"])
def test_two_clusters_are_the_binary_hinge(form, X, rng):
    """w = w₀ − w₁ and b = b₀ − b₁: the loss of the better label is max(0, 1 − |f|)."""
    planes = Hyperplanes(rng.normal(size=(2, 6)), rng.normal(size=2))
    scaling = Scaling.of(MemoryRows(X))
    f = oracle.values(X, scaling.mean, scaling.scale, planes.weights, planes.bias) @ [1, -1]
    hinge = Hinge(MemoryRows(shaped(X, form)), scaling)
    ranking = hinge.rank(planes, np.full(300, -1, np.int16))
    np.testing.assert_array_equal(ranking.labels, f < 0)
    np.testing.assert_array_equal(ranking.rivals, np.where(np.abs(f) < 1, f >= 0, -1))
    assert ranking.loss == pytest.approx(np.maximum(0, 1 - np.abs(f)).mean())
    losses = hinge.losses(planes)
    signs = np.array([1, -1])
    np.testing.assert_allclose(losses, np.maximum(0, 1 - f[:, None] * signs), atol=1e-6)


def test_a_case_computed_by_hand():
    """Rows −1 and 3 on a line: mean 1, scale 1/2, so −1 and 1 in the scaling."""
    data = MemoryRows(np.array([[-1.0], [3.0]]))
    scaling = Scaling.of(data)
    assert (scaling.mean.tolist(), scaling.scale.tolist()) == ([1.0], [0.5])
    hinge = Hinge(data, scaling)
    planes = Hyperplanes(np.array([[0.25], [-0.25], [0.0]]), np.zeros(3))
    # values −¼, ¼, 0 and ¼, −¼, 0
    np.testing.assert_allclose(hinge.losses(planes), [[1.5, 0.75, 1.25], [0.75, 1.5, 1.25]])
    ranking = hinge.rank(planes, np.array([-1, 1], np.int16))
    assert ranking.labels.tolist() == [1, 1]
    assert ranking.rivals.tolist() == [2, 0]
    assert ranking.loss == pytest.approx((0.75 + 1.5) / 2)


@pytest.mark.parametrize("form", FORMS)
def test_jobs_change_no_bit(form, planes, monkeypatch, rng):
    monkeypatch.setattr(rows, "MICRO_ROWS", 256)
    monkeypatch.setattr(rows, "TILE_ENTRIES", 1)
    data = shaped(rng.normal(size=(1000, 6)), form)
    held = np.full(1000, -1, np.int16)
    seen = []
    for n_jobs in (1, 2, 3):
        own = MemoryRows(data, n_jobs)
        scaling = Scaling.of(own)
        hinge = Hinge(own, scaling)
        ranking = hinge.rank(planes, held)
        seen.append((scaling.mean, scaling.scale, ranking.labels, ranking.rivals, ranking.loss))
        seen[-1] += (hinge.losses(planes),)
    for other in seen[1:]:
        for one, two in zip(seen[0], other, strict=True):
            np.testing.assert_array_equal(one, two)
