"""The parameter kernels, however it is written, is a list of named spaces or a message."""

import functools

import numpy as np
import pandas as pd
import pytest
from scipy import sparse
from sklearn.decomposition import PCA
from sklearn.gaussian_process.kernels import RBF
from sklearn.manifold import TSNE
from sklearn.metrics.pairwise import pairwise_kernels
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from maxmargin import MaxMarginWarning
from maxmargin.spaces.kernel_list import read_kernels
from maxmargin.spaces.nystroem import Nystroem
from maxmargin.spaces.several import Several, default_kernels
from maxmargin.spaces.transformer import Transformer

COLUMNS = ["a", "b", "c", "d"]


def read(kernels, names=COLUMNS):
    return read_kernels(kernels, n_components=50, n_features=4, feature_names=names)


def names_of(kernels):
    return [one.name for one in read(kernels)]


def grams(spaces, X):
    """The products of the features of each space."""
    several = Several(spaces)
    features = several.fit_represent(X, np.random.default_rng(0))
    features = features.toarray() if sparse.issparse(features) else features
    return [features[:, part] @ features[:, part].T for part in several.slices]


def product(a, b, power=1, shift=0.0):
    return (float(np.dot(a, b)) + shift) ** power


class ScalerWithCall(StandardScaler):
    def __call__(self, a, b):
        raise AssertionError("a transformer is no function of two rows")


class FunctionWithFit:
    def fit(self, X):
        raise AssertionError("without transform it is a function of two rows")

    def __call__(self, a, b):
        return product(a, b)


PARAMETERS = {
    "linear": {},
    "cosine": {},
    "rbf": {"gamma": 0.3},
    "laplacian": {"gamma": 0.3},
    "chi2": {"gamma": 0.3},
    "poly": {"gamma": 0.5, "degree": 2, "coef0": 1.0},
    "polynomial": {"gamma": 0.5, "degree": 3, "coef0": 0.5},
}


@pytest.mark.parametrize("form", ["dense", "csr_matrix", "csr_array"])
@pytest.mark.parametrize(
    ("columns", "seen"),
    [(None, [0, 1, 2, 3]), (["d", "b"], [3, 1]), (slice(1, 3), [1, 2]), (2, [2])],
    ids=["all", "names", "slice", "number"],
)
def test_products_of_features_are_the_kernels_of_the_seen_columns(columns, seen, form, rng):
    X = rng.random((30, 4)) * (rng.random((30, 4)) < 0.8)
    wrap = np.asarray if form == "dense" else getattr(sparse, form)
    names = [name for name in PARAMETERS if form == "dense" or name != "chi2"]
    spaces = read([{"kernel": name, "columns": columns, **PARAMETERS[name]} for name in names])
    for name, products in zip(names, grams(spaces, wrap(X)), strict=True):
        expected = pairwise_kernels(X[:, seen], metric=name, **PARAMETERS[name])
        np.testing.assert_allclose(products, expected, atol=1e-6, err_msg=name)


@pytest.mark.parametrize("item", ["additive_chi2", ("sigmoid", {"gamma": 1.0, "coef0": -1.0})])
def test_products_are_the_definite_part_of_kernels_that_have_another(item, rng):
    X = rng.random((30, 4))
    with pytest.warns(MaxMarginWarning, match="not positive semidefinite"):
        (products,) = grams(read([item]), X)
    name, parameters = (item, {}) if isinstance(item, str) else item
    values, vectors = np.linalg.eigh(pairwise_kernels(X, metric=name, **parameters))
    np.testing.assert_allclose(products, vectors * np.clip(values, 0, None) @ vectors.T, atol=1e-6)


@pytest.mark.parametrize(
    "item",
    [
        ("poly", {"degree": 2, "gamma": 1.0, "coef0": 0.5}),
        ["poly", {"degree": 2, "gamma": 1.0, "coef0": 0.5}],
        (np.str_("poly"), {"degree": np.int64(2), "gamma": np.float32(1), "coef0": 0.5}),
        {"kernel": "poly", "degree": 2, "gamma": 1, "coef0": 0.5},
        {"kernel": "poly", "degree": 2, "gamma": 1, "coef0": 0.5, "columns": None, "name": None},
        lambda a, b: product(a, b, 2, 0.5),
        functools.partial(product, power=2, shift=0.5),
        (product, {"power": 2, "shift": 0.5}),
        (functools.partial(product, power=2), {"shift": 0.5}),
        {"kernel": product, "params": {"power": 2, "shift": 0.5}},
    ],
)
def test_all_ways_to_write_a_kernel_mean_the_same(item, rng):
    X = rng.normal(size=(25, 4))
    for kernels in ([item], (item,)):
        (products,) = grams(read(kernels), X)
        np.testing.assert_allclose(products, (X @ X.T + 0.5) ** 2, atol=1e-7)


def test_a_kernel_of_a_gaussian_process_is_a_function_of_two_rows(rng):
    X = rng.normal(size=(25, 4))
    (products,) = grams(read([RBF(2.0)]), X)
    np.testing.assert_allclose(products, pairwise_kernels(X, metric="rbf", gamma=1 / 8), atol=1e-6)


def test_a_transformer_sees_its_columns_only(rng):
    X = rng.normal(size=(25, 4))
    (one,) = read([{"kernel": StandardScaler(), "columns": ["d", "b"]}])
    features = one.space.fit(one.part(X), rng).represent(one.part(X))
    np.testing.assert_allclose(features, StandardScaler().fit_transform(X[:, [3, 1]]))


def test_what_has_fit_and_transform_is_a_transformer_and_what_can_be_called_else_a_function(rng):
    X = rng.normal(size=(25, 4))
    spaces = read([ScalerWithCall(), FunctionWithFit(), make_pipeline("passthrough", PCA(4))])
    assert [type(one.space) for one in spaces] == [Transformer, Nystroem, Transformer]
    scaled, plain, rotated = grams(spaces, X)
    scale, centre = StandardScaler().fit_transform(X), X - X.mean(axis=0)
    np.testing.assert_allclose(scaled, scale @ scale.T)
    np.testing.assert_allclose(plain, X @ X.T, atol=1e-8)
    np.testing.assert_allclose(rotated, centre @ centre.T)


def test_what_the_user_wrote_is_not_changed():
    parameters = {"degree": 2, "name": "mine", "columns": ["a"]}
    item = {"kernel": "poly", **parameters}
    kernels = [item, ("poly", parameters)]
    read(kernels)
    assert kernels == [item, ("poly", parameters)]
    assert item == {"kernel": "poly", "degree": 2, "name": "mine", "columns": ["a"]}
    assert parameters == {"degree": 2, "name": "mine", "columns": ["a"]}


@pytest.mark.parametrize(
    ("item", "name"),
    [
        ("rbf", "rbf"),
        (np.str_("rbf"), "rbf"),
        (("rbf", {}), "rbf"),
        (("rbf", {"gamma": 0.123456}), "rbf(gamma=0.123)"),
        (("rbf", {"gamma": "scale"}), "rbf(gamma=scale)"),
        (("poly", {"degree": 2, "coef0": 0.5}), "poly(degree=2, coef0=0.5)"),
        ({"kernel": "rbf", "columns": "a"}, "rbf[a]"),
        ({"kernel": "rbf", "columns": 3}, "rbf[d]"),
        ({"kernel": "rbf", "columns": ["a", "b"], "gamma": 0.1}, "rbf(gamma=0.1)[a, b]"),
        ({"kernel": "rbf", "columns": COLUMNS}, "rbf[4 columns]"),
        ({"kernel": "rbf", "columns": COLUMNS, "name": "mine"}, "mine"),
        (product, "product"),
        ((product, {"power": 2}), "product(power=2)"),
        (functools.partial(product, power=2), "partial"),
        (FunctionWithFit(), "FunctionWithFit"),
        (PCA(2), "PCA"),
        ({"kernel": PCA(1), "columns": ["a", "b"]}, "PCA[a, b]"),
    ],
)
def test_names_say_what_a_kernel_is(item, name):
    assert names_of([item]) == [name]


def named(*names):
    return [{"kernel": "rbf", "name": name} for name in names]


@pytest.mark.parametrize(
    ("kernels", "names"),
    [
        (["rbf", "linear"], ["rbf", "linear"]),
        (["rbf", "linear", "rbf"], ["rbf #1", "linear", "rbf #2"]),
        (["rbf", PCA(1), PCA(2)], ["rbf", "PCA #1", "PCA #2"]),
        (named("rbf", "rbf", "rbf #1"), ["rbf #2", "rbf #3", "rbf #1"]),
        (named("rbf #2", "rbf", "rbf"), ["rbf #2", "rbf #1", "rbf #3"]),
        (["rbf", *named("rbf")], ["rbf #1", "rbf #2"]),
    ],
)
def test_equal_names_are_numbered(kernels, names):
    assert names_of(kernels) == names


@pytest.mark.parametrize(
    "names",
    [
        ["x", "x", "x #1", "x #1", "x #1 #1"],
        ["x #1", "x", "x #1", "x", "x #2", "x #1 #2"],
        ["x"] * 12 + ["x #7"] * 3,
    ],
)
def test_names_are_unique_whatever_the_user_calls_kernels(names):
    found = names_of(named(*names))
    assert len(set(found)) == len(names)
    assert all(after.startswith(before) for before, after in zip(names, found, strict=True))
    alone = [name for name in names if names.count(name) == 1]
    assert set(alone) <= set(found)


def test_the_default_is_linear_polynomial_and_gaussian_at_three_widths(rng):
    X = rng.normal(size=(40, 4))
    spaces = default_kernels(X, 50, np.random.default_rng(0), 3)
    assert [one.space.kernel.name for one in spaces] == ["linear", "poly"] + 3 * ["rbf"]
    assert len({one.name for one in spaces}) == 5
    kernels = [one.space.kernel for one in spaces]
    assert kernels[1].degree == 2
    widths = [kernel.gamma for kernel in kernels[2:]]
    np.testing.assert_allclose(widths, widths[0] * np.array([1, 4, 16]))
    for gamma, one, products in zip(widths, spaces[2:], grams(spaces, X)[2:], strict=True):
        assert one.name == f"rbf(gamma={gamma:.3g})"
        expected = pairwise_kernels(X, metric="rbf", gamma=gamma)
        np.testing.assert_allclose(products, expected, atol=1e-6)


@pytest.mark.parametrize("wrap", [sparse.csr_matrix, sparse.csr_array])
def test_the_default_for_sparse_rows_keeps_them_sparse(wrap, rng):
    X = wrap(rng.random((20, 4)) * (rng.random((20, 4)) < 0.5))
    spaces = default_kernels(X, 50, rng, 3)
    assert [one.name for one in spaces] == ["linear", "cosine"]
    assert Several(spaces).fit_represent(X, rng).format == "csr"


def test_equal_rows_have_default_kernels_too(rng):
    X = np.ones((20, 4))
    assert all(np.isfinite(products).all() for products in grams(default_kernels(X, 50, rng, 3), X))


@pytest.mark.parametrize(
    "kernels",
    [
        "rbf",
        b"rbf",
        None,
        3,
        {"kernel": "rbf"},
        {"rbf"},
        product,
        PCA(),
        range(3),
        np.array(["rbf", "linear"]),
        np.array("rbf"),
        pd.Index(["rbf"]),
        pd.DataFrame({"a": [1.0]}),
        (kernel for kernel in ["rbf"]),
    ],
    ids=lambda value: type(value).__name__,
)
def test_kernels_must_be_a_list(kernels):
    with pytest.raises(
        ValueError,
        match=r"kernels must be None, 'precomputed' or a list of kernels, each .* a kernel name, "
        r"a pair .* a dict .* function of two rows, or a scikit-learn transformer; got ",
    ):
        read(kernels)


@pytest.mark.parametrize("kernels", [[], ()])
def test_there_must_be_a_kernel(kernels):
    with pytest.raises(ValueError, match="kernels must have at least one kernel"):
        read(kernels)


NAMES = r"must be a kernel name.* where names are 'additive_chi2', .*'sigmoid'; got "
PAIR = r"must be a kernel name, a pair of a name and a dict of parameters, .*; got "
DICT = r"must be a dict with the key 'kernel' and any of 'columns', .*'params'; got the keys "


@pytest.mark.parametrize(
    ("item", "message"),
    [
        ("rbd", NAMES + "'rbd'"),
        ("RBF", NAMES),
        ("", NAMES),
        ("rbf #1", NAMES),
        ("precomputed", NAMES + r"'precomputed'\. Give the matrices to fit with kernels='prec"),
        (b"rbf", NAMES),
        (None, NAMES + "None"),
        (3, NAMES + "3"),
        (TSNE(), NAMES + r"TSNE\(\)"),
        ({"kernel": None}, NAMES + "None"),
        ({"kernel": ["rbf"]}, NAMES),
        ({"kernel": {"kernel": "rbf"}}, NAMES),
        ({}, DICT + r"\[\]"),
        ({"gamma": 1.0}, DICT + r"\['gamma'\]"),
        ({"kernel": "rbf", "gama": 1.0}, DICT + r"\['kernel', 'gama'\]"),
        ({"kernel": "rbf", 1: 2}, DICT),
        (("rbf", {"gama": 1.0}), DICT),
        ((), PAIR),
        (("rbf",), PAIR),
        (("rbf", 0.1), PAIR + r"\('rbf', 0\.1\)"),
        (("rbf", "linear"), PAIR),
        (["rbf", None], PAIR),
        (("rbf", {}, {}), PAIR),
        (StandardScaler, "must be an instance, not the class StandardScaler"),
        ({"kernel": PCA}, "must be an instance, not the class PCA"),
        ((PCA, {}), "must be an instance, not the class PCA"),
        ({"kernel": PCA(), "gamma": 1.0}, "is a transformer, which has its own parameters.*gamma"),
        ((PCA(), {"whiten": True}), "is a transformer, which has its own parameters.*whiten"),
        (("rbf", {"degree": 2}), "parameters of the kernel 'rbf' are gamma; got degree"),
        (("linear", {"gamma": 2}), "parameters of the kernel 'linear' are none; got gamma"),
        ({"kernel": "rbf", "params": {}}, "parameters of the kernel 'rbf' are gamma; got params"),
        ({"kernel": product, "params": [1]}, r"a dict of its arguments; got \[1\]"),
        ({"kernel": "rbf", "name": 3}, "must be a string; got 3"),
        ({"kernel": "rbf", "columns": "z"}, "there is no column 'z'"),
        ({"kernel": PCA(), "columns": 4}, "there is no column 4"),
        ({"kernel": "rbf", "columns": []}, "at least one column"),
        (("poly", {"degree": -1}), "degree must be a number >= 0; got -1"),
        (("poly", {"degree": "2"}), "degree must be a finite number; got '2'"),
        (("poly", {"coef0": np.inf}), "coef0 must be a finite number; got inf"),
    ],
)
def test_an_item_that_is_no_kernel_is_named(item, message):
    with pytest.raises(ValueError, match=rf"kernels\[1\].*{message}"):
        read(["linear", item])


@pytest.mark.parametrize(
    "gamma", [0, -1.0, np.nan, np.inf, None, True, 1j, [1.0], np.array([1.0, 2.0]), "wide"], ids=str
)
def test_a_gamma_that_is_no_width_is_refused(gamma):
    for item in (("rbf", {"gamma": gamma}), {"kernel": "poly", "gamma": gamma}):
        with pytest.raises(ValueError, match=r"kernels\[0\]: gamma must be a .*number > 0.*; got "):
            read([item])


def test_names_of_columns_need_a_data_frame():
    with pytest.raises(ValueError, match=r"kernels\[0\] has the name 'a', and X has no column nam"):
        read([{"kernel": "rbf", "columns": ["a"]}], names=None)
