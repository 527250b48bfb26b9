"""A transformer as a space: cloned, seeded, and asked for a row of numbers per row."""

import numpy as np
import pytest
from scipy import sparse
from sklearn.cluster import KMeans
from sklearn.decomposition import PCA, TruncatedSVD
from sklearn.kernel_approximation import Nystroem, RBFSampler
from sklearn.pipeline import make_pipeline, make_union
from sklearn.preprocessing import FunctionTransformer, OneHotEncoder, StandardScaler

from maxmargin.spaces.transformer import Transformer


def fitted(transformer, X, seed=0):
    return Transformer(transformer).fit(X, np.random.default_rng(seed))


@pytest.fixture
def X(rng):
    return rng.normal(size=(30, 4))


@pytest.mark.parametrize("out", ["default", "pandas", "polars"])
def test_features_are_those_of_the_transformer_for_old_and_new_rows(out, X, rng):
    new = rng.normal(size=(7, 4))
    found = fitted(StandardScaler().set_output(transform=out), X)
    expected = StandardScaler().fit(X)
    np.testing.assert_array_equal(found.represent(X), expected.transform(X))
    np.testing.assert_array_equal(found.represent(new), expected.transform(new))
    assert found.represent(new[:1]).shape == (1, 4)


def test_the_transformer_of_the_user_is_untouched(X):
    scaler, sampler = StandardScaler(), RBFSampler()
    whole = make_pipeline(scaler, sampler)
    before = repr(whole.get_params())
    first = fitted(whole, X)
    assert first.transformer is not whole
    assert repr(whole.get_params()) == before
    assert not hasattr(scaler, "mean_")
    assert not hasattr(sampler, "random_weights_")


def test_a_fitted_transformer_is_fitted_anew(X):
    scaler = StandardScaler().fit(X + 5)
    features = fitted(scaler, X).represent(X)
    np.testing.assert_allclose(features.mean(axis=0), 0, atol=1e-12)
    np.testing.assert_array_equal(scaler.mean_, (X + 5).mean(axis=0))


RANDOM = {
    "one": RBFSampler(n_components=5),
    "pipeline": make_pipeline(StandardScaler(), RBFSampler(n_components=5)),
    "passthrough": make_pipeline("passthrough", RBFSampler(n_components=5)),
    "union": make_union(Nystroem(n_components=5), RBFSampler(n_components=5)),
    "nested": make_pipeline(make_union(make_pipeline(KMeans(3, n_init=1)), PCA(2)), RBFSampler()),
}


@pytest.mark.parametrize("form", RANDOM)
def test_equal_generators_give_equal_features_and_others_do_not(form, X):
    transformer = RANDOM[form]
    first = fitted(transformer, X, seed=1).represent(X)
    np.testing.assert_array_equal(first, fitted(transformer, X, seed=1).represent(X))
    assert not np.array_equal(first, fitted(transformer, X, seed=2).represent(X))


@pytest.mark.parametrize("form", RANDOM)
def test_every_random_state_without_a_seed_gets_one_of_its_own(form, X):
    parameters = fitted(RANDOM[form], X).transformer.get_params()
    seeds = [value for name, value in parameters.items() if name.endswith("random_state")]
    assert seeds
    assert all(type(seed) is int for seed in seeds)
    assert len(set(seeds)) == len(seeds)


@pytest.mark.parametrize("seed", [7, np.random.RandomState(7)], ids=["int", "RandomState"])
def test_seeds_of_the_user_stay(seed, X):
    transformer = make_pipeline(StandardScaler(), RBFSampler(random_state=seed))
    first = fitted(transformer, X, seed=1).represent(X)
    np.testing.assert_array_equal(first, fitted(transformer, X, seed=2).represent(X))


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize(
    "function",
    [
        lambda X: X.astype(np.float64),
        lambda X: (9 * X).astype(np.int64),
        lambda X: X > 0,
        lambda X: X.tolist(),
        lambda X: sparse.csc_array(X.astype(np.float64)),
        lambda X: sparse.coo_matrix(X.astype(np.float64)),
    ],
    ids=["float64", "int", "bool", "list", "csc", "coo"],
)
def test_features_have_the_precision_of_the_rows(function, dtype, X):
    X = X.astype(dtype)
    features = fitted(FunctionTransformer(function), X).represent(X)
    expected = function(X)
    assert features.dtype == dtype
    if sparse.issparse(expected):
        assert features.format == "csr"
        features, expected = features.toarray(), expected.toarray()
    np.testing.assert_allclose(features, np.asarray(expected), rtol=1e-6)


@pytest.mark.parametrize("wrap", [sparse.csr_matrix, sparse.csr_array])
def test_sparse_rows_go_to_the_transformer_as_they_are(wrap, X):
    X = wrap(np.where(X > 1, X, 0).astype(np.float32))
    features = fitted(StandardScaler(with_mean=False), X).represent(X)
    assert features.format == "csr"
    assert features.dtype == np.float32
    dense = fitted(TruncatedSVD(2), X).represent(X)
    assert isinstance(dense, np.ndarray)
    assert dense.dtype == np.float32


def test_what_is_dense_may_become_sparse(X):
    features = fitted(OneHotEncoder(), np.round(X)).represent(np.round(X))
    assert features.format == "csr"
    np.testing.assert_array_equal(features.sum(axis=1), 4)


@pytest.mark.parametrize(
    ("function", "message"),
    [
        (lambda X: X[:3], "a row of features for each row; FunctionTransformer gave 3 for 30"),
        (lambda X: np.vstack([X, X]), "FunctionTransformer gave 60 for 30"),
        (lambda X: sparse.csr_array(X[:3]), "FunctionTransformer gave 3 for 30"),
        (lambda X: X * np.nan, "the output of FunctionTransformer contains NaN"),
        (lambda X: np.full(X.shape, np.inf), "the output of FunctionTransformer .*infinity"),
        (lambda X: sparse.csr_array(X * np.nan), "the output of FunctionTransformer contains NaN"),
        (lambda X: X[:, 0], "1D"),
        (lambda X: X[:, :, None], "dim 3"),
        (lambda X: X[:, :0], "0 feature"),
        (lambda X: np.full(X.shape, "x"), "string"),
        (lambda X: None, "2D"),
        (lambda X: X * 1j, "Complex"),
    ],
    ids=[
        "too few rows",
        "too many rows",
        "too few sparse rows",
        "nan",
        "infinity",
        "sparse nan",
        "1-d",
        "3-d",
        "no columns",
        "strings",
        "None",
        "complex",
    ],
)
def test_an_output_that_is_no_table_of_numbers_is_refused(function, message, X):
    with pytest.raises(ValueError, match=message):
        fitted(FunctionTransformer(function), X).represent(X)
