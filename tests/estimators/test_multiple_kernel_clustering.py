"""What a user sees of MultipleKernelClustering: weights, views, kernels, predictions."""

import numpy as np
import pytest
from oracles import hinge as oracle
from scipy import sparse
from sklearn.datasets import load_digits, make_blobs, make_moons
from sklearn.decomposition import PCA
from sklearn.kernel_approximation import RBFSampler
from sklearn.metrics import adjusted_rand_score
from sklearn.metrics.pairwise import pairwise_kernels

from maxmargin import CuttingPlaneClustering, MaxMarginWarning, MultipleKernelClustering

CENTERS = [[0, 0], [8, 0], [0, 8]]


@pytest.fixture
def blobs(global_random_seed):
    return make_blobs([60, 50, 40], centers=CENTERS, random_state=global_random_seed)


@pytest.fixture
def views(global_random_seed):
    """Four clusters in three noisy sources, and a source that knows nothing."""
    rng = np.random.default_rng(global_random_seed)
    y = rng.integers(4, size=180)
    sources = [2.4 * np.eye(4)[rng.permutation(4)][y] + rng.normal(size=(180, 4)) for _ in range(3)]
    X = np.hstack([*sources, rng.normal(size=(180, 4))])
    kernels = [
        {"kernel": "rbf", "columns": slice(4 * i, 4 * i + 4), "name": name}
        for i, name in enumerate(["one", "two", "three", "noise"])
    ]
    return X, y, kernels


def score(model, X, y):
    return adjusted_rand_score(y, model.fit(X).labels_)


# -- it pays ------------------------------------------------------------------------------


def test_sources_together_know_more_than_each_of_them(views):
    X, y, kernels = views
    model = MultipleKernelClustering(4, kernels=kernels, random_state=0)
    together = score(model, X, y)
    for kernel in kernels:
        alone = MultipleKernelClustering(4, kernels=[kernel], random_state=0)
        assert together > score(alone, X, y) + 0.1
    weights = model.kernel_weights_
    total = sum(weights.values())
    assert list(weights) == ["one", "two", "three", "noise"]
    assert weights["noise"] < 0.05 * total
    assert min(weights[name] for name in ("one", "two", "three")) > 0.1 * total


def test_sources_that_know_nothing_get_no_weight_even_if_they_are_many(global_random_seed):
    rng = np.random.default_rng(global_random_seed)
    y = rng.integers(3, size=200)
    good = [2.5 * np.eye(3)[y] + rng.normal(size=(200, 3)) for _ in range(2)]
    X = np.hstack([*good, rng.normal(size=(200, 30))])
    kernels = [{"kernel": "rbf", "columns": slice(3 * i, 3 * i + 3)} for i in range(12)]
    model = MultipleKernelClustering(3, kernels=kernels, n_init=2, random_state=0)
    assert score(model, X, y) > 0.85
    weights = np.array(list(model.kernel_weights_.values()))
    assert weights[:2].min() > 0.1 * weights.sum()
    assert weights[2:].max() < 0.05 * weights.sum()


@pytest.mark.parametrize("classes", [(1, 7), (0, 6, 8, 9)])
def test_default_kernels_are_no_worse_than_one(classes):
    X, y = load_digits(return_X_y=True)
    rows = np.isin(y, classes)
    k = len(classes)
    alone = CuttingPlaneClustering(k, random_state=0)
    several = MultipleKernelClustering(k, random_state=0)
    assert score(several, X[rows], y[rows]) > score(alone, X[rows], y[rows]) - 0.02


# -- identities ---------------------------------------------------------------------------


@pytest.mark.parametrize("k", [3, 5])
@pytest.mark.parametrize("kernel", ["linear", "rbf", ("poly", {"degree": 2})])
@pytest.mark.parametrize("init_size", [100, 1000])
def test_one_kernel_is_cutting_plane_clustering(kernel, k, init_size, blobs):
    X, _ = blobs
    name, params = kernel if isinstance(kernel, tuple) else (kernel, {})
    common = {"init_size": init_size, "n_components": 50, "random_state": 3}
    plain = CuttingPlaneClustering(k, kernel=name, **params, **common).fit(X)
    model = MultipleKernelClustering(k, kernels=[kernel], **common).fit(X)
    np.testing.assert_array_equal(model.labels_, plain.labels_)
    np.testing.assert_allclose(model.coef_, plain.coef_, rtol=1e-9, atol=1e-12)
    assert model.objective_ == pytest.approx(plain.objective_, rel=1e-9)
    assert list(model.kernel_weights_.values()) == [1.0]


@pytest.mark.parametrize("norm", [1, 1.25, 2])
def test_kernel_matrices_are_the_kernels(norm, blobs):
    X, _ = blobs
    stack = [pairwise_kernels(X, metric="linear"), pairwise_kernels(X, metric="rbf", gamma=0.1)]
    common = {"norm": norm, "random_state": 0}
    direct = MultipleKernelClustering(
        3, kernels=["linear", ("rbf", {"gamma": 0.1})], n_components=150, **common
    ).fit(X)
    given = MultipleKernelClustering(3, kernels="precomputed", **common).fit(stack)
    np.testing.assert_array_equal(given.labels_, direct.labels_)
    np.testing.assert_allclose(
        list(given.kernel_weights_.values()), list(direct.kernel_weights_.values()), atol=5e-3
    )
    as_array = MultipleKernelClustering(3, kernels="precomputed", **common).fit(np.array(stack))
    np.testing.assert_array_equal(as_array.labels_, given.labels_)
    new = [K[:7] for K in stack]
    np.testing.assert_allclose(
        given.decision_function(new), given.decision_function(stack)[:7], atol=1e-12
    )
    np.testing.assert_array_equal(given.predict(new), given.labels_[:7])


def test_the_objective_is_what_it_says(blobs):
    X, _ = blobs
    stack = [pairwise_kernels(X, metric="linear"), pairwise_kernels(X, metric="rbf", gamma=0.1)]
    model = MultipleKernelClustering(3, kernels="precomputed", norm=2, random_state=0).fit(stack)
    losses = oracle.losses(model.decision_function(stack))
    loss = losses[np.arange(len(X)), model.labels_].mean()
    penalty = 0.0
    beta = list(model.kernel_weights_.values())
    assert np.linalg.norm(beta) == pytest.approx(1)
    for K, weight in zip(stack, beta, strict=True):
        centred = K - K.mean(axis=0) - K.mean(axis=1)[:, None] + K.mean()
        unit = np.trace(centred) / len(K)
        part = model.coef_[:, : np.linalg.matrix_rank(K, hermitian=True)]
        model.coef_ = model.coef_[:, part.shape[1] :]
        penalty += unit * np.sum(part**2) / weight / 2
    assert model.objective_ == pytest.approx(model.alpha_ * penalty + loss, rel=1e-3)


@pytest.mark.parametrize("norm", [1, 1.25, 2, np.inf])
def test_weights_have_their_norm(norm, views):
    X, _, kernels = views
    model = MultipleKernelClustering(4, kernels=kernels, norm=norm, n_init=1, random_state=0).fit(X)
    weights = np.array(list(model.kernel_weights_.values()))
    assert np.linalg.norm(weights, ord=norm) == pytest.approx(1, abs=5e-3)


def test_weights_from_outside(views):
    X, _, kernels = views
    model = MultipleKernelClustering(4, kernels=kernels, kernel_weights=[2, 0, 2, 0])
    model.set_params(random_state=0).fit(X)
    assert list(model.kernel_weights_.values()) == [0.5, 0, 0.5, 0]
    only = MultipleKernelClustering(4, kernels=[kernels[0], kernels[2]], kernel_weights="uniform")
    only.set_params(random_state=0).fit(X)
    assert only.objective_ == pytest.approx(model.objective_, rel=0.1)
    assert only.coef_.shape == model.coef_.shape


def test_a_step_never_raises_the_objective(views):
    X, _, kernels = views
    for norm in (1, 1.25, 2):
        model = MultipleKernelClustering(
            3, kernels=kernels, norm=norm, optimizer="cccp", init="mixed", random_state=0
        ).fit(X)
        for steps in model.objective_path_[:-1]:
            assert np.all(np.diff(steps) <= 2e-7)


# -- kernels of all kinds ---------------------------------------------------------------


def test_every_form_of_a_kernel(blobs):
    X, y = blobs

    def closeness(a, b, width=1.0):
        return np.exp(-np.sum((a - b) ** 2) / width)

    kernels = [
        "rbf",
        ("poly", {"degree": 2}),
        {"kernel": "rbf", "gamma": 0.1, "columns": [1]},
        closeness,
        (closeness, {"width": 9.0}),
        RBFSampler(n_components=20),
        {"kernel": PCA(1), "columns": [0, 1], "name": "axis"},
        "rbf",
    ]
    model = MultipleKernelClustering(3, kernels=kernels, n_init=1, random_state=0).fit(X)
    assert adjusted_rand_score(y, model.labels_) > 0.95
    assert list(model.kernel_weights_) == [
        "rbf #1", "poly(degree=2)", "rbf(gamma=0.1)[1]", "closeness", "closeness(width=9)",
        "RBFSampler", "axis", "rbf #2",
    ]  # fmt: skip
    np.testing.assert_array_equal(model.predict(X), model.labels_)
    assert not hasattr(kernels[5], "random_weights_")


def test_columns_by_name(views):
    pd, pl = pytest.importorskip("pandas"), pytest.importorskip("polars")
    X, _, kernels = views
    names = [f"c{i}" for i in range(X.shape[1])]
    by_name = [{**kernel, "columns": names[kernel["columns"]]} for kernel in kernels]
    expected = MultipleKernelClustering(4, kernels=kernels, n_init=1, random_state=0).fit(X)
    for table in (pd.DataFrame(X, columns=names), pl.DataFrame(X, schema=names)):
        model = MultipleKernelClustering(4, kernels=by_name, n_init=1, random_state=0).fit(table)
        np.testing.assert_array_equal(model.labels_, expected.labels_)
        np.testing.assert_array_equal(model.predict(table), expected.predict(X))


def test_sparse_rows(rng):
    words = np.kron(np.eye(3), np.ones((40, 20))) * rng.poisson(0.6, size=(120, 60))
    words[:, 0] += 1
    X = sparse.csr_array(words)
    y = np.repeat([0, 1, 2], 40)
    views = [
        {"kernel": "cosine", "columns": slice(0, 30)},
        {"kernel": "rbf", "columns": slice(30, 60)},
    ]
    for kernels in (None, ["linear", "cosine"], views):
        model = MultipleKernelClustering(3, kernels=kernels, random_state=0).fit(X)
        assert adjusted_rand_score(y, model.labels_) > 0.9
        np.testing.assert_array_equal(model.predict(X), model.labels_)
        dense = MultipleKernelClustering(3, kernels=kernels or ["linear", "cosine"], random_state=0)
        assert adjusted_rand_score(dense.fit(words).labels_, model.labels_) > 0.9


# -- what is kept -------------------------------------------------------------------------


def test_kernels_without_weight_are_not_kept(global_random_seed):
    """A kernel so narrow that all rows are alike to it."""
    X, _ = make_moons(200, noise=0.05, random_state=global_random_seed)
    kernels = [("rbf", {"gamma": 10.0}), ("rbf", {"gamma": 1e4})]
    model = MultipleKernelClustering(2, kernels=kernels, norm=1, random_state=0).fit(X)
    weights = model.kernel_weights_
    assert weights["rbf(gamma=10)"] == pytest.approx(1, abs=1e-3)
    assert weights["rbf(gamma=1e+04)"] == 0
    alone = MultipleKernelClustering(2, kernels=kernels[:1], random_state=0).fit(X)
    assert model.coef_.shape == alone.coef_.shape
    np.testing.assert_array_equal(model.predict(X), model.labels_)


@pytest.mark.parametrize("init_size", [60, 1000])
def test_a_constant_kernel_has_no_weight_and_a_warning(init_size, blobs):
    X, y = blobs
    X = np.c_[X, np.full(len(X), 7.0)]
    kernels = [{"kernel": "rbf", "columns": [0, 1]}, {"kernel": "linear", "columns": [2]}]
    model = MultipleKernelClustering(3, kernels=kernels, init_size=init_size, random_state=0)
    with pytest.warns(MaxMarginWarning, match=r"linear\[2\].* is constant"):
        model.fit(X)
    assert model.kernel_weights_["linear[2]"] == 0
    assert adjusted_rand_score(y, model.labels_) > 0.95


def test_more_rows_than_runs_start_with(views):
    X, y, kernels = views
    model = MultipleKernelClustering(4, kernels=kernels, init_size=90, random_state=0)
    assert score(model, X, y) > 0.7


def test_predictions_for_new_rows(views):
    X, y, kernels = views
    model = MultipleKernelClustering(4, kernels=kernels, random_state=0).fit(X[:120])
    assert adjusted_rand_score(y[120:], model.predict(X[120:])) > 0.6


@pytest.mark.filterwarnings("ignore::maxmargin.MaxMarginWarning")
@pytest.mark.parametrize("optimizer", ["auto", "cccp", "alternation", "mkc"])
@pytest.mark.parametrize("init", ["auto", "mixed", "k-means++", "random"])
def test_optimizers_and_starts(optimizer, init, blobs):
    X, y = blobs
    model = MultipleKernelClustering(3, optimizer=optimizer, init=init, random_state=0, norm=2)
    assert score(model, X, y) > (0.3 if optimizer == "mkc" else 0.95)


def test_labels_to_start_with(views):
    X, y, kernels = views
    model = MultipleKernelClustering(4, kernels=kernels, init=y, random_state=0)
    assert score(model, X, y) > 0.85


def test_kernels_of_one_source_compete_and_sources_share(views):
    X, _, kernels = views

    def norm(kernels, **more):
        return MultipleKernelClustering(2, kernels=kernels, n_init=1, **more).fit(X).norm_

    twice = [{"kernel": name, "columns": [0, 1]} for name in ("rbf", "linear")]
    assert norm(None) == norm(twice) == 1
    assert norm(["rbf", PCA(2)]) == norm(kernels) == 1.25
    assert norm(twice, norm=3) == 3


def test_one_kernel_matrix_is_cutting_plane_clustering(blobs):
    X, _ = blobs
    K = pairwise_kernels(X, metric="rbf", gamma=0.1)
    for k in (3, 5):
        plain = CuttingPlaneClustering(k, kernel="precomputed", random_state=1).fit(K)
        model = MultipleKernelClustering(k, kernels="precomputed", random_state=1).fit([K])
        np.testing.assert_array_equal(model.labels_, plain.labels_)
        assert model.objective_ == pytest.approx(plain.objective_, rel=1e-9)


@pytest.mark.filterwarnings("ignore::maxmargin.MaxMarginWarning")
def test_rows_that_are_all_equal_end():
    kernels = [{"kernel": "rbf", "columns": [0, 1]}, {"kernel": "rbf", "columns": [2]}]
    model = MultipleKernelClustering(3, kernels=kernels, n_init=1, init_size=40, random_state=0)
    assert len(model.fit(np.ones((90, 3))).labels_) == 90


@pytest.mark.parametrize("kernels", [
    ["rbf", {"kernel": "linear", "columns": slice(None)}],
    [{"kernel": "rbf", "columns": [1, 0]}, {"kernel": "linear", "columns": [0, 1]}],
])  # fmt: skip
def test_the_same_columns_are_one_source(kernels, rng):
    X = np.vstack([rng.normal(size=(15, 2)), 9 + rng.normal(size=(15, 2))])
    model = MultipleKernelClustering(2, kernels=kernels, n_init=1, random_state=0)
    assert model.fit(X).norm_ == 1
