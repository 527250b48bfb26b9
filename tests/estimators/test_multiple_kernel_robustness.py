"""What a MultipleKernelClustering goes through: storage, refits, copies, limits, interrupts."""

import copy

import numpy as np
import pytest
from oracles import hinge as oracle
from scipy import sparse
from sklearn.decomposition import PCA
from sklearn.metrics import adjusted_rand_score

from maxmargin import CuttingPlaneClustering, MultipleKernelClustering

VIEWS = [
    {"kernel": "rbf", "columns": [0, 1], "name": "one"},
    {"kernel": "linear", "columns": [2, 3], "name": "two"},
    {"kernel": "rbf", "columns": [4, 5], "name": "noise"},
]

pytestmark = pytest.mark.usefixtures("ctrl_c")


@pytest.fixture
def data(rng):
    """Three clusters in two sources, and a third one that knows nothing."""
    y = np.arange(60) % 3
    X = rng.normal(size=(60, 6))
    X[:, :2] += 5 * np.eye(3)[y][:, :2]
    X[:, 2:4] += 4 * np.eye(3)[y][:, 1:]
    return X, y


def model(n_clusters=3, **parameters):
    given = {"kernels": VIEWS, "init": "mixed", "n_init": 1, "tol": 0.03, "random_state": 0}
    given |= parameters
    return MultipleKernelClustering(n_clusters, **given)


# -- storage -----------------------------------------------------------------------------


def test_frames_of_mixed_types(data):
    pd, pl = pytest.importorskip("pandas"), pytest.importorskip("polars")
    X, _ = data
    names = ["größe", "$x$", "a b", "", "5", "e\n"]
    columns = {name: X[:, i] for i, name in enumerate(names)}
    columns["5"] = np.round(3 * X[:, 4]).astype(np.int32)
    columns["a b"] = X[:, 2].astype(np.float32)
    kernels = [
        {"kernel": "rbf", "columns": ["größe", "$x$"]},
        {"kernel": "linear", "columns": ["a b", ""]},
        {"kernel": "rbf", "columns": ["5", "e\n"]},
    ]
    expected = ["rbf[größe, $x$]", "linear[a b, ]", "rbf[5, e\n]"]
    for table in (pd.DataFrame(columns), pl.DataFrame(columns)):
        found = model(kernels=kernels).fit(table)
        assert list(found.kernel_weights_) == expected
        assert found.feature_names_in_.tolist() == names
        np.testing.assert_array_equal(found.predict(table), found.labels_)


@pytest.fixture
def text(rng):
    """Sparse rows of three kinds, with empty rows and empty columns."""
    kind = np.arange(90) % 3
    X = (rng.random((90, 40)) < 0.1) * rng.random((90, 40))
    for shift in range(4):
        X[np.arange(90), 10 * kind + shift] = 2
    X[7] = 0
    X[:, 30:35] = 0
    return sparse.csr_matrix(X), kind


@pytest.mark.parametrize("kernels", [None, ["linear", "rbf", "cosine"]])
@pytest.mark.parametrize("init_size", [50, 1000])
def test_hashed_text(kernels, init_size, text):
    """A quarter of a million columns, of which forty have entries."""
    X, kind = text
    n_columns = 2**18
    wide = sparse.csr_matrix((X.data, X.indices * 6007, X.indptr), shape=(90, n_columns))
    found = model(kernels=kernels, init_size=init_size).fit(wide)
    assert adjusted_rand_score(kind, found.labels_) > 0.9
    np.testing.assert_array_equal(found.predict(wide), found.labels_)
    new = sparse.csr_matrix(([1.0], ([0], [n_columns - 1])), shape=(2, n_columns))
    assert np.all(np.isfinite(found.decision_function(new)))


@pytest.mark.parametrize("unit", [1e-100, 1e30])
def test_units_do_not_matter(unit, data):
    X, _ = data
    expected = model().fit(X)
    units = np.repeat([unit, 1 / unit, 1.0], 2)
    found = model().fit(units * X)
    np.testing.assert_array_equal(found.labels_, expected.labels_)
    assert found.objective_ == pytest.approx(expected.objective_, rel=1e-6)
    for name, weight in expected.kernel_weights_.items():
        assert found.kernel_weights_[name] == pytest.approx(weight, abs=1e-4)


def test_the_unit_of_a_kernel_matrix_does_not_matter(data):
    X, _ = data
    stack = [X[:, :2] @ X[:, :2].T, X[:, 2:4] @ X[:, 2:4].T]
    expected = model(kernels="precomputed").fit(stack)
    found = model(kernels="precomputed").fit([1e30 * stack[0], 1e-30 * stack[1]])
    np.testing.assert_array_equal(found.labels_, expected.labels_)
    np.testing.assert_allclose(
        list(found.kernel_weights_.values()), list(expected.kernel_weights_.values()), atol=1e-4
    )


# -- the same again ----------------------------------------------------------------------


# -- refits ------------------------------------------------------------------------------


def test_the_kernels_of_the_user_are_left_alone(data):
    X, _ = data
    kernels = [("rbf", {"gamma": "median"}), {"kernel": PCA(2), "name": "axes"}, PCA(1)]
    before = copy.deepcopy(kernels)
    model(kernels=kernels).fit(X)
    assert repr(kernels) == repr(before)
    assert not hasattr(kernels[1]["kernel"], "components_")


# -- limits ------------------------------------------------------------------------------


@pytest.mark.parametrize("norm", [1, 1.25, 2])
@pytest.mark.parametrize("init_size", [40, 1000])
def test_the_objective_and_the_labels_are_those_of_the_hyperplanes(norm, init_size, data):
    """Linear kernels: their features are the columns, of which the scaling is known."""
    X, _ = data
    kernels = [{"kernel": "linear", "columns": [i, i + 1], "name": str(i)} for i in (0, 2, 4)]
    found = model(kernels=kernels, norm=norm, init_size=init_size).fit(X)
    np.testing.assert_array_equal(found.predict(X), found.labels_)
    assert found.n_disagreements_ == 0
    assert abs(found.dual_gap_) < 2e-7
    losses = oracle.losses(found.decision_function(X))
    loss = losses[np.arange(60), found.labels_].mean()
    beta = {int(name): weight for name, weight in found.kernel_weights_.items() if weight > 0}
    assert np.linalg.norm(list(beta.values()), ord=norm) == pytest.approx(1)
    assert found.coef_.shape == (3, 2 * len(beta))
    penalty = 0.0
    for place, (column, weight) in enumerate(beta.items()):
        unit = np.sum(X[:, column : column + 2].var(axis=0))
        penalty += unit * np.sum(found.coef_[:, 2 * place : 2 * place + 2] ** 2) / weight / 2
    assert found.objective_ == pytest.approx(found.alpha_ * penalty + loss, rel=1e-5)


def test_equal_kernels_share_and_change_nothing(data):
    X, _ = data
    twins = model(kernels=["rbf"] * 3).fit(X)
    weights = list(twins.kernel_weights_.values())
    assert list(twins.kernel_weights_) == ["rbf #1", "rbf #2", "rbf #3"]
    np.testing.assert_allclose(weights, weights[0], rtol=1e-6)
    alone = CuttingPlaneClustering(3, kernel="rbf", random_state=0).fit(X)
    assert adjusted_rand_score(alone.labels_, twins.labels_) > 0.9


# -- interrupts --------------------------------------------------------------------------
