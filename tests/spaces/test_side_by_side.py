"""Features of several maps stand in one matrix, in order, without columns that nothing fills."""

import numpy as np
import pytest
from scipy import sparse
from sklearn.decomposition import TruncatedSVD
from sklearn.kernel_approximation import RBFSampler
from sklearn.preprocessing import FunctionTransformer, StandardScaler

from maxmargin.spaces.explicit import ExplicitMap
from maxmargin.spaces.kernel import Kernel
from maxmargin.spaces.side_by_side import SideBySide
from maxmargin.spaces.transformer import TransformerMap


def explicit(kernel, n_components=50, **parameters):
    return ExplicitMap(Kernel(kernel, **parameters), n_components)


def dense(features):
    return features.toarray() if sparse.issparse(features) else features


def sparse_rows(rng, n=30, d=40, filled=6):
    """Rows with entries in every column of a few, in no order of size."""
    X = np.zeros((n, d))
    columns = np.sort(rng.permutation(d)[:filled])
    X[:, columns] = rng.normal(size=(n, filled)) + 3
    return sparse.csr_matrix(X), columns


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_features_stand_in_the_order_of_the_maps(dtype, rng):
    X = rng.normal(size=(30, 4)).astype(dtype)
    tables = [X, X[:, :2], X, X[:, [3]]]
    maps = [
        explicit("rbf", gamma=0.5),
        explicit("linear"),
        TransformerMap(StandardScaler()),
        explicit("cosine"),
    ]
    side = SideBySide(maps)
    features = side.fit_transform(tables, np.random.default_rng(0))
    assert features.dtype == dtype
    assert features.flags.c_contiguous
    ends = [0]
    for one, table, view in zip(maps, tables, side.views, strict=True):
        np.testing.assert_array_equal(features[:, view], one.transform(table))
        assert view.start == ends[-1]
        ends.append(view.stop)
    assert features.shape == (30, ends[-1])
    assert ends[2:] == [ends[1] + 2, ends[1] + 6, ends[1] + 7]


def test_one_linear_map_takes_no_copy(rng):
    for X in (rng.normal(size=(30, 4)), sparse.csr_matrix(rng.normal(size=(30, 4)))):
        side = SideBySide([explicit("linear")])
        assert side.fit_transform([X], rng) is X
        assert side.views == (slice(0, 4),)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("wrap", [sparse.csr_matrix, sparse.csr_array])
def test_features_are_sparse_if_any_of_them_are(wrap, dtype, rng):
    X, columns = sparse_rows(rng)
    X = wrap(X.astype(dtype))
    maps = [
        explicit("rbf", gamma=0.1),
        explicit("linear"),
        TransformerMap(TruncatedSVD(2)),
        explicit("cosine"),
    ]
    side = SideBySide(maps)
    features = side.fit_transform([X] * 4, np.random.default_rng(0))
    assert features.format == "csr"
    assert features.dtype == dtype
    assert [view.stop - view.start for view in side.views[1:]] == [6, 2, 6]
    for one, view in zip(maps, side.views, strict=True):
        expected = dense(one.transform(X))
        expected = expected if one.columns is None else expected[:, columns]
        np.testing.assert_array_equal(dense(features)[:, view], expected)


def test_maps_of_sparse_rows_may_all_be_dense(rng):
    X, _ = sparse_rows(rng)
    features = SideBySide([explicit("rbf"), TransformerMap(TruncatedSVD(2))]).fit_transform(
        [X, X], rng
    )
    assert isinstance(features, np.ndarray)


def test_matrices_of_different_precision_become_float64(rng):
    X = rng.normal(size=(30, 4))
    features = SideBySide([explicit("linear")] * 2).fit_transform([X, X.astype(np.float32)], rng)
    assert features.dtype == np.float64


def test_equal_generators_give_equal_features(rng):
    X = rng.normal(size=(60, 4))

    def features(seed):
        maps = [
            explicit("rbf", 10),
            TransformerMap(RBFSampler(n_components=5)),
            explicit("poly", 8),
        ]
        return SideBySide(maps).fit_transform([X] * 3, np.random.default_rng(seed))

    np.testing.assert_array_equal(features(3), features(3))
    assert features(3).shape == (60, 23)
    assert not np.array_equal(features(3), features(4))


def test_columns_without_entries_are_left_out_and_come_back_as_zeros(rng):
    X, columns = sparse_rows(rng)
    linear = explicit("linear").fit(X, rng)
    features = linear.filled(linear.transform(X))
    np.testing.assert_array_equal(linear.columns, columns)
    np.testing.assert_array_equal(features.toarray(), X.toarray()[:, columns])
    weights = rng.normal(size=(3, 6))
    wide = linear.in_all_columns(weights)
    assert wide.shape == (3, 40)
    np.testing.assert_array_equal(wide[:, columns], weights)
    assert np.count_nonzero(wide) == np.count_nonzero(weights)
    np.testing.assert_allclose(X @ wide.T, features @ weights.T)


@pytest.mark.parametrize(
    ("d", "filled"), [(40, 20), (40, 30), (40, 0), (1, 1)], ids=["half", "most", "none", "one"]
)
def test_where_half_the_columns_have_entries_all_stay(d, filled, rng):
    X, _ = sparse_rows(rng, d=d, filled=filled)
    linear = explicit("linear").fit(X, rng)
    assert linear.filled(linear.transform(X)) is X
    weights = rng.normal(size=(3, d))
    assert linear.in_all_columns(weights) is weights


def test_what_was_left_out_is_forgotten_with_other_rows(rng):
    X, columns = sparse_rows(rng)
    linear = explicit("linear").fit(X, rng)
    linear.filled(X)
    assert linear.columns is not None
    rows = X.toarray()
    assert linear.filled(rows) is rows
    assert linear.columns is None
    linear.filled(X[:, ::-1])
    np.testing.assert_array_equal(linear.columns, np.sort(39 - columns))


def test_columns_of_a_transformer_are_left_out_too(rng):
    X = rng.normal(size=(30, 2))
    wide = FunctionTransformer(lambda X: sparse.csr_matrix(X @ np.eye(2, 100, k=7)))
    one = TransformerMap(wide)
    features = SideBySide([one]).fit_transform([X], rng)
    np.testing.assert_array_equal(one.columns, [7, 8])
    np.testing.assert_array_equal(features.toarray(), X)


def test_features_that_do_not_fit_into_memory_are_refused_beforehand(monkeypatch, rng):
    X = rng.normal(size=(30, 3))
    monkeypatch.setattr("maxmargin._runtime.memory.available_memory", lambda: 1000)
    with pytest.raises(MemoryError, match=r"features of 2 kernels for 30 rows .* fewer kernels"):
        SideBySide([explicit("linear")] * 2).fit_transform([X, X], rng)


def test_a_table_is_needed_for_each_map(rng):
    with pytest.raises(ValueError):
        SideBySide([explicit("linear")] * 2).fit_transform([rng.normal(size=(5, 2))], rng)
