"""How rows are stored does not matter, and they are left as they are."""

import numpy as np
import pandas as pd
import polars as pl
import pytest
from contracts.estimators import each_class, having
from scipy import sparse
from sklearn.metrics import adjusted_rand_score

from maxmargin import MultipleKernelClustering, RLSClustering


def frozen(X):
    return np.frombuffer(X.tobytes()).reshape(X.shape)


DENSE = {
    "Fortran": np.asfortranarray,
    "strided": lambda X: np.repeat(X, 2, axis=1)[:, ::2],
    "big-endian": lambda X: X.astype(">f8"),
    "read-only": frozen,
    "list": lambda X: X.tolist(),
    "pandas": lambda X: pd.DataFrame(X, columns=["a", "b"]),
    "polars": lambda X: pl.DataFrame(X, schema=["a", "b"]),
}


@having("rows finds")
def test_the_storage_of_rows_does_not_matter(case, blobs):
    X, _ = blobs
    expected = case().fit(X)
    values, before = expected.decision_function(X), X.copy()
    for store in DENSE.values():
        other = store(X)
        model = case().fit(other)
        np.testing.assert_array_equal(model.labels_, expected.labels_)
        np.testing.assert_array_equal(model.predict(other), expected.predict(X))
        np.testing.assert_allclose(model.decision_function(other), values, atol=1e-6)
        np.testing.assert_array_equal(np.asarray(other, dtype=float), before)
    np.testing.assert_array_equal(X, before)


@each_class("rows")
@pytest.mark.parametrize("library", ["pandas", "polars"])
def test_the_names_of_columns_are_kept_and_looked_at(case, library, blobs):
    table = DENSE[library](blobs[0])
    model = case().fit(table)
    assert model.feature_names_in_.tolist() == ["a", "b"]
    assert model.n_features_in_ == 2
    with pytest.raises(ValueError, match="feature names"):
        model.predict(table[["b", "a"]])
    assert not hasattr(model.fit(blobs[0]), "feature_names_in_")


@having("rows finds")
def test_the_kind_of_numbers_does_not_matter(case, blobs):
    X = np.round(blobs[0])
    expected = case().fit(X)
    for kind in (np.float32, np.float16, np.int8):
        other = X.astype(kind)
        model = case().fit(other)
        np.testing.assert_array_equal(model.labels_, expected.labels_)
        np.testing.assert_array_equal(model.predict(other), expected.predict(X))
        np.testing.assert_allclose(
            model.decision_function(other), model.decision_function(X), atol=2e-3
        )
        if hasattr(model, "objective_"):
            assert model.objective_ == pytest.approx(expected.objective_, rel=0.05)


# -- sparse rows -----------------------------------------------------------------------------


@pytest.fixture
def text(rng):
    """Sparse rows of three kinds; one row and one column have no entries."""
    kind = np.repeat([0, 1, 2], [22, 20, 19])
    X = (rng.random((61, 30)) < 0.1) * rng.random((61, 30))
    for shift in range(6):
        X[np.arange(61), 10 * kind + shift] = 2
    X[60] = 0
    X[:, 29] = 0
    return sparse.csr_matrix(X), kind


def with_int64(X):
    X = X.copy()
    X.indices, X.indptr = X.indices.astype(np.int64), X.indptr.astype(np.int64)
    return X


def with_two_widths(X):
    X = X.copy()
    X.indptr = X.indptr.astype(np.int64)
    return X


def unsorted(X):
    X = X.copy()
    for i in range(X.shape[0]):
        row = slice(X.indptr[i], X.indptr[i + 1])
        X.data[row], X.indices[row] = X.data[row][::-1].copy(), X.indices[row][::-1].copy()
    X.has_sorted_indices = False
    return X


def with_explicit_zeros(X):
    n, d = X.shape
    every = np.tile(np.arange(d, dtype=np.int32), n)
    return sparse.csr_matrix((X.toarray().ravel(), every, np.arange(0, n * d + 1, d)), X.shape)


def read_only(X):
    X = X.copy()
    for part in (X.data, X.indices, X.indptr):
        part.flags.writeable = False
    return X


SPARSE = {
    "array": sparse.csr_array,
    "csc": sparse.csr_matrix.tocsc,
    "coo": sparse.csr_matrix.tocoo,
    "int64": with_int64,
    "two widths": with_two_widths,
    "unsorted": unsorted,
    "explicit zeros": with_explicit_zeros,
    "read-only": read_only,
}


@having("sparse finds")
def test_the_storage_of_sparse_rows_does_not_matter(case, text):
    X, _ = text
    expected = case().fit(X)
    values = expected.decision_function(X)
    for store in SPARSE.values():
        other = store(X)
        before = other.copy()
        model = case().fit(other)
        np.testing.assert_array_equal(model.labels_, expected.labels_)
        np.testing.assert_allclose(model.decision_function(other), values, atol=1e-6)
        assert abs(other - before).max() == 0
    single = case().fit(X.astype(np.float32))
    assert adjusted_rand_score(expected.labels_[:60], single.labels_[:60]) > 0.95


@having("sparse finds")
def test_sparse_rows_are_clustered_and_predicted_as_dense_ones(case, text):
    X, kind = text
    dense = X.toarray()
    models = case().fit(X), case().fit(dense)
    for model in models:
        assert adjusted_rand_score(kind[:60], model.labels_[:60]) == 1
        np.testing.assert_allclose(
            model.decision_function(dense), model.decision_function(X), atol=1e-6
        )


@pytest.mark.parametrize("kernel", ["laplacian", "poly", "rbf"])
@pytest.mark.parametrize("store", ["int64", "two widths"])
def test_every_kernel_takes_indices_of_any_width(kernel, store, text):
    X, _ = text
    for model in (
        RLSClustering(3, kernel=kernel, n_init=1, random_state=0),
        MultipleKernelClustering(3, kernels=[kernel, "linear"], n_init=1, random_state=0),
    ):
        expected = model.fit(X).decision_function(X)
        other = SPARSE[store](X)
        np.testing.assert_allclose(model.fit(other).decision_function(other), expected, atol=1e-9)
        assert other.indptr.dtype == np.int64  # what was given stays as it is
