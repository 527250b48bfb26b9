"""Kernels as explicit features: exact with every row a landmark, and the same for new rows."""

import numpy as np
import pytest
from scipy import sparse
from sklearn.datasets import make_moons
from sklearn.metrics.pairwise import cosine_similarity, pairwise_kernels

from maxmargin import MaxMarginWarning
from maxmargin.spaces.features import (
    explicit_space,
    filled_columns,
    in_all_columns,
    require_features,
)
from maxmargin.spaces.kernel import Kernel


def mapped(kernel, X, n_components=200, new=None, **parameters):
    space = explicit_space(Kernel(kernel, **parameters), n_components)
    require_features(space, X)
    features = space.fit(X, np.random.default_rng(0)).represent(X)
    return features if new is None else (features, space.represent(new))


def test_linear_rows_are_their_own_features(rng):
    X = rng.normal(size=(30, 4))
    assert mapped("linear", X) is X
    rows = sparse.csr_matrix(X)
    assert mapped("linear", rows) is rows


def test_cosine_rows_have_unit_length_and_stay_sparse(rng):
    X = rng.normal(size=(30, 4))
    X[3] = 0
    for rows in (X, sparse.csr_matrix(X), sparse.csr_array(X)):
        features = mapped("cosine", rows)
        assert sparse.issparse(features) == sparse.issparse(rows)
        products = features @ features.T
        products = products.toarray() if sparse.issparse(products) else products
        np.testing.assert_allclose(products, cosine_similarity(X), atol=1e-12)


@pytest.mark.parametrize("form", ["dense", "csr"])
@pytest.mark.parametrize(
    ("kernel", "parameters"),
    [
        ("rbf", {"gamma": 0.3}),
        ("laplacian", {"gamma": 0.3}),
        ("poly", {"gamma": 0.5, "degree": 2, "coef0": 1.0}),
        ("chi2", {"gamma": 0.5}),
    ],
)
def test_products_are_the_kernel_where_every_row_is_a_landmark(kernel, parameters, form, rng):
    X = rng.random((40, 3))
    new = rng.random((15, 3))
    if form == "csr" and kernel == "chi2":
        pytest.skip("dense data only")
    wrap = np.asarray if form == "dense" else sparse.csr_matrix
    K = pairwise_kernels(X, metric=kernel, **parameters)
    for n_components in (40, 200):
        old, unseen = mapped(kernel, wrap(X), n_components, wrap(new), **parameters)
        np.testing.assert_allclose(old @ old.T, K, atol=1e-7)
        between = pairwise_kernels(new, X, metric=kernel, **parameters)
        np.testing.assert_allclose(unseen @ old.T, between, atol=1e-6)


def test_a_function_is_exact_too(rng):
    X = rng.normal(size=(25, 3))
    features = mapped(lambda a, b: float(a @ b) ** 2, X)
    np.testing.assert_allclose(features @ features.T, (X @ X.T) ** 2, atol=1e-8)


def test_a_precomputed_kernel_takes_all_rows_whatever_the_number_of_components(rng):
    X = rng.normal(size=(30, 3))
    K = np.exp(-0.2 * ((X[:, None] - X) ** 2).sum(axis=2))
    between = K[:7] * 1
    features, unseen = mapped("precomputed", K, 5, between)
    np.testing.assert_allclose(features @ features.T, K, atol=1e-8)
    np.testing.assert_allclose(unseen, features[:7], atol=1e-7)


def test_fewer_landmarks_are_nystroem(rng):
    """ΦΦᵀ = K_nm K_mm⁺ K_mn for the landmarks that were drawn, which are rows."""
    X = rng.normal(size=(120, 3))
    space = explicit_space(Kernel("rbf", gamma=0.1), 20).fit(X, np.random.default_rng(3))
    landmarks = space.landmarks
    assert landmarks.shape == (20, 3)
    assert all((row == X).all(axis=1).any() for row in landmarks)
    assert len(np.unique(landmarks, axis=0)) == 20
    between = pairwise_kernels(X, landmarks, metric="rbf", gamma=0.1)
    middle = pairwise_kernels(landmarks, metric="rbf", gamma=0.1)
    features = space.represent(X)
    expected = between @ np.linalg.pinv(middle, rcond=1e-13, hermitian=True) @ between.T
    np.testing.assert_allclose(features @ features.T, expected, atol=1e-5)


def test_features_keep_the_precision_of_the_rows():
    X, _ = make_moons(60, random_state=0)
    for dtype in (np.float32, np.float64):
        features = mapped("rbf", X.astype(dtype))
        assert features.dtype == dtype
        assert (features**2).sum(axis=1) == pytest.approx(np.ones(60), abs=1e-5)


def test_duplicates_do_not_blow_up(rng):
    X = np.repeat(rng.normal(size=(4, 2)), 10, axis=0)
    features = mapped("rbf", X, gamma=1.0)
    assert features.shape[1] <= 4 + 36
    np.testing.assert_allclose(
        features @ features.T, pairwise_kernels(X, metric="rbf", gamma=1.0), atol=1e-6
    )


def test_what_is_wrong_is_said(monkeypatch, rng):
    X = rng.normal(size=(30, 3))
    with pytest.raises(ValueError, match=r"square kernel matrix; got shape \(30, 3\)"):
        mapped("precomputed", X)
    with pytest.warns(MaxMarginWarning, match="not positive semidefinite"):
        mapped("sigmoid", X, gamma=1.0, coef0=-1)
    monkeypatch.setattr("maxmargin._runtime.memory.available_memory", lambda: 1000)
    with pytest.raises(MemoryError, match=r"30 rows to features needs .* Use fewer n_comp"):
        mapped("rbf", X)


# -- columns without entries -------------------------------------------------------------


def sparse_rows(rng, n=30, d=40, filled=6):
    """Rows with entries in every column of a few, in no order of size."""
    X = np.zeros((n, d))
    columns = np.sort(rng.permutation(d)[:filled])
    X[:, columns] = rng.normal(size=(n, filled)) + 3
    return sparse.csr_matrix(X), columns


def test_columns_without_entries_are_left_out_and_come_back_as_zeros(rng):
    X, columns = sparse_rows(rng)
    np.testing.assert_array_equal(filled_columns(X), columns)
    weights = rng.normal(size=(3, 6))
    wide = in_all_columns(weights, columns, 40)
    assert wide.shape == (3, 40)
    np.testing.assert_array_equal(wide[:, columns], weights)
    assert np.count_nonzero(wide) == np.count_nonzero(weights)
    np.testing.assert_allclose(X @ wide.T, X[:, columns] @ weights.T)


@pytest.mark.parametrize(
    ("d", "filled"), [(40, 20), (40, 30), (40, 0), (1, 1)], ids=["half", "most", "none", "one"]
)
def test_where_half_the_columns_have_entries_all_stay(d, filled, rng):
    X, _ = sparse_rows(rng, d=d, filled=filled)
    np.testing.assert_array_equal(filled_columns(X), np.arange(d))


def test_dense_features_keep_all_columns():
    np.testing.assert_array_equal(filled_columns(np.zeros((5, 9))), np.arange(9))


def test_each_part_is_looked_at_by_itself(rng):
    """Few columns of the first part have entries, most of the second, none of the third."""
    few, columns = sparse_rows(rng)
    most, _ = sparse_rows(rng, d=4, filled=3)
    X = sparse.hstack([few, most, sparse.csr_matrix((30, 5))], format="csr")
    parts = (slice(0, 40), slice(40, 44), slice(44, 49))
    np.testing.assert_array_equal(filled_columns(X, parts), [*columns, *range(40, 49)])
