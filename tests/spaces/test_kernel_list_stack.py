"""Kernel matrices as they are given: a space for each, or a message about what does not fit."""

import numpy as np
import pandas as pd
import polars as pl
import pytest
from scipy import sparse
from sklearn.metrics.pairwise import pairwise_kernels

from maxmargin import MaxMarginWarning
from maxmargin.spaces.kernel_list import read_stack, spaces_of_stack
from maxmargin.spaces.several import Several


@pytest.fixture
def grams(rng):
    X = rng.normal(size=(20, 3))
    return [pairwise_kernels(X, metric="rbf", gamma=0.3), X @ X.T]


def side_by_side(stack):
    """The features of the matrices, and their space."""
    space = Several(spaces_of_stack(stack))
    return space.fit_represent(stack, np.random.default_rng(0)), space


@pytest.mark.parametrize(
    "wrap",
    [
        list,
        tuple,
        np.stack,
        lambda grams: [K.tolist() for K in grams],
        lambda grams: [pd.DataFrame(K) for K in grams],
        lambda grams: [pl.DataFrame(K) for K in grams],
        lambda grams: [sparse.csr_matrix(K) for K in grams],
        lambda grams: [sparse.csr_array(grams[0]), grams[1]],
        lambda grams: [sparse.coo_array(grams[0]), sparse.csc_matrix(grams[1])],
        lambda grams: np.stack(grams).astype(object),
    ],
    ids=["list", "tuple", "3-d", "lists", "pandas", "polars", "csr", "mixed", "coo", "object"],
)
def test_matrices_in_any_form_are_dense_ones(wrap, grams):
    stack = read_stack(wrap(grams))
    assert all(type(K) is np.ndarray and K.dtype == np.float64 for K in stack)
    for K, expected in zip(stack, grams, strict=True):
        np.testing.assert_array_equal(K, expected)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_products_of_features_are_the_matrices(dtype, grams):
    stack = read_stack([K.astype(dtype) for K in (grams[0], grams[0] ** 4)])
    features, space = side_by_side(stack)
    assert features.dtype == dtype
    assert space.names == ["kernel 0", "kernel 1"]
    for K, part in zip(stack, space.slices, strict=True):
        np.testing.assert_allclose(features[:, part] @ features[:, part].T, K, atol=1e-5)


def test_new_rows_have_products_with_the_old_ones(grams):
    _, space = side_by_side(grams)
    new = read_stack([K[:7] for K in grams], shape=(2, 20))
    for one, K in zip(space.spaces, grams, strict=True):
        old, unseen = one.space.represent(K), one.space.represent(one.part(new))
        np.testing.assert_allclose(unseen @ old.T, K[:7], atol=1e-6)


def test_a_matrix_of_zeros_has_a_feature_of_zeros(grams):
    features, space = side_by_side([grams[0], np.zeros((20, 20))])
    assert space.slices[1].stop - space.slices[1].start == 1
    np.testing.assert_array_equal(features[:, space.slices[1]], 0)


@pytest.mark.parametrize(
    ("X", "message"),
    [
        (np.eye(3), r"list or stack of kernel matrices.* got one ndarray of shape \(3, 3\)"),
        (pd.DataFrame(np.eye(3)), r"got one DataFrame of shape \(3, 3\)"),
        (sparse.csr_matrix(np.eye(3)), r"got one csr_matrix of shape \(3, 3\)"),
        (np.ones(3), r"got one ndarray of shape \(3,\)"),
        (np.array(1.0), r"got one ndarray of shape \(\)"),
        (np.zeros((2, 2, 2, 2)), r"got one ndarray of shape \(2, 2, 2, 2\)"),
        (None, r"got one NoneType"),
        (3, r"got one int"),
        ((K for K in [np.eye(3)]), r"got one generator"),
        ([], r"list or stack of kernel matrices.* got an empty one"),
        (np.empty((0, 3, 3)), r"got an empty one"),
        ([np.eye(3), np.eye(4)], r"of the same shape; got \(3, 3\), \(4, 4\)"),
        ([np.eye(3), np.ones((3, 4))], r"of the same shape; got \(3, 3\), \(3, 4\)"),
        ([np.eye(3), np.full((3, 3), np.nan)], r"X\[1\] contains NaN"),
        ([sparse.csr_array(np.diag([1, np.inf]))], r"X\[0\] contains infinity"),
        ([np.empty((0, 0))], r"0 sample"),
        ([np.ones(3)], r"1D"),
        ([np.eye(3), None], r"2D"),
        ([np.zeros((2, 2, 2))], r"dim 3"),
        ([np.full((3, 3), "x")], r"string"),
        ([np.eye(3) * 1j], r"Complex"),
    ],
)
def test_what_is_no_stack_of_matrices_is_said(X, message):
    with pytest.raises(ValueError, match=message):
        read_stack(X)


@pytest.mark.parametrize(
    ("X", "message"),
    [
        ([np.ones((2, 5))], r"must have 3 matrices .* 5 rows of fit; got 1 of shape \(2, 5\)"),
        ([np.ones((2, 4))] * 3, r"must have 3 matrices .* 5 rows of fit; got 3 of shape \(2, 4\)"),
        (np.ones((2, 5)), r"got one ndarray of shape \(2, 5\)"),
    ],
)
def test_new_matrices_must_be_as_many_and_as_wide_as_the_old_ones(X, message):
    with pytest.raises(ValueError, match=message):
        read_stack(X, shape=(3, 5))
    assert len(read_stack(np.ones((3, 2, 5)), shape=(3, 5))) == 3


def test_matrices_that_are_no_kernels_are_refused(grams):
    with pytest.raises(ValueError, match=r"square kernel matrix; got shape \(5, 20\)"):
        side_by_side(read_stack([K[:5] for K in grams]))
    tilted = grams[1].copy()
    tilted[0, 1] += 1
    with pytest.raises(ValueError, match=r"must be symmetric; .* differ by up to 1"):
        side_by_side(read_stack([grams[0], tilted]))
    with pytest.raises(ValueError, match="squares overflow"):
        side_by_side(read_stack([grams[0], 1e200 * grams[1]]))
    with pytest.warns(MaxMarginWarning, match="not positive semidefinite"):
        side_by_side(read_stack([grams[0], grams[1] - 3 * np.eye(20)]))
