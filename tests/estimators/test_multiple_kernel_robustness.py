"""What a MultipleKernelClustering goes through: storage, refits, copies, limits, interrupts."""

import copy
import os
import pickle
import signal
import subprocess
import sys
import textwrap
import time

import numpy as np
import pytest
from oracles import hinge as oracle
from scipy import sparse
from sklearn.base import clone
from sklearn.decomposition import PCA
from sklearn.exceptions import NotFittedError
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


def same(one, two, X):
    np.testing.assert_array_equal(one.labels_, two.labels_)
    np.testing.assert_array_equal(one.coef_, two.coef_)
    np.testing.assert_array_equal(one.decision_function(X), two.decision_function(X))
    assert one.kernel_weights_ == two.kernel_weights_
    assert one.objective_ == two.objective_


# -- storage -----------------------------------------------------------------------------


def frozen(X):
    X = X.copy()
    X.flags.writeable = False
    return X


STORAGE = {
    "Fortran": np.asfortranarray,
    "strided": lambda X: np.repeat(X, 2, axis=1)[:, ::2],
    "reversed": lambda X: X[::-1, ::-1].copy()[::-1, ::-1],
    "big-endian": lambda X: X.astype(">f8"),
    "read-only": frozen,
    "list": lambda X: X.tolist(),
}


@pytest.mark.parametrize("storage", STORAGE)
def test_labels_do_not_depend_on_storage(storage, data):
    X, _ = data
    expected = model().fit(X)
    other = STORAGE[storage](X)
    found = model().fit(other)
    np.testing.assert_array_equal(found.labels_, expected.labels_)
    np.testing.assert_array_equal(found.predict(other), expected.predict(X))
    assert found.objective_ == pytest.approx(expected.objective_, rel=1e-6)


@pytest.mark.parametrize("dtype", [np.float32, np.float16, int])
def test_numbers_of_any_kind(dtype, data):
    X, y = data
    found = model().fit((5 * X).astype(dtype))
    assert adjusted_rand_score(y, found.labels_) > 0.7


@pytest.mark.parametrize("kernels", [None, ["linear", "rbf"], ["rbf", PCA(2)], VIEWS])
def test_input_is_left_alone(kernels, data):
    X, _ = data
    before = X.copy()
    model(kernels=kernels).fit(X).predict(X)
    np.testing.assert_array_equal(X, before)


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


@pytest.mark.parametrize(
    "kernels",
    [
        None,
        ["linear", ("rbf", {"gamma": 0.1})],
        [
            {"kernel": "linear", "columns": slice(0, 20)},
            {"kernel": "rbf", "columns": slice(20, 40)},
        ],
    ],
    ids=["default", "mixed", "columns"],
)
def test_sparse_rows_of_any_form(kernels, text):
    X, kind = text
    expected = model(kernels=kernels).fit(X)
    assert adjusted_rand_score(kind, expected.labels_) > 0.9
    wide = X.copy()
    wide.indices, wide.indptr = wide.indices.astype(np.int64), wide.indptr.astype(np.int64)
    for other in (wide, sparse.csr_array(X), X.tocsc()):
        same(model(kernels=kernels).fit(other), expected, X)
    np.testing.assert_allclose(
        expected.decision_function(X.toarray()), expected.decision_function(X), atol=1e-9
    )


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


@pytest.mark.parametrize("kernels", [None, VIEWS, ["rbf", PCA(2)]])
def test_models_are_cloned_copied_and_pickled(kernels, data):
    X, _ = data
    fitted = model(kernels=kernels).fit(X)
    for other in (pickle.loads(pickle.dumps(fitted)), copy.deepcopy(fitted), copy.copy(fitted)):
        same(other, fitted, X)
    again = clone(fitted)
    assert not hasattr(again, "labels_")
    with pytest.raises(NotFittedError):
        again.predict(X)
    same(again.fit(X), fitted, X)
    same(MultipleKernelClustering(**fitted.get_params(deep=False)).fit(X), fitted, X)


@pytest.mark.parametrize("init_size", [40, 1000])
def test_jobs_change_no_bit(init_size, data):
    X, _ = data
    one, two, all_ = (
        model(init="consensus", init_size=init_size, n_jobs=jobs).fit(X) for jobs in (1, 2, -1)
    )
    same(one, two, X)
    same(one, all_, X)


def test_random_numbers_are_the_users(data):
    X, _ = data
    seeds = (np.random.RandomState(3), np.random.RandomState(3), 3)
    one, two, three = (model(init="consensus", random_state=seed).fit(X) for seed in seeds)
    same(one, two, X)
    same(one, three, X)
    before = np.random.get_state()[1].copy()  # noqa: NPY002
    model(random_state=3).fit(X)
    np.testing.assert_array_equal(np.random.get_state()[1], before)  # noqa: NPY002


def test_labels_without_unknown_ones_are_ignored(data):
    X, y = data
    expected = model().fit(X)
    for ignored in (y, y.astype(str), np.zeros(60)):
        same(model().fit(X, ignored), expected, X)
        assert expected.n_pinned_ == 0


# -- refits ------------------------------------------------------------------------------


def test_a_refit_leaves_nothing_behind(data):
    pd = pytest.importorskip("pandas")
    X, _ = data
    stack = [X[:, :2] @ X[:, :2].T, X[:, 2:4] @ X[:, 2:4].T]
    used = model(kernels=["rbf"]).fit(pd.DataFrame(X, columns=list("abcdef")))
    assert used.feature_names_in_.tolist() == list("abcdef")
    used.set_params(kernels="precomputed").fit(stack)
    assert not hasattr(used, "feature_names_in_")
    assert used.n_features_in_ == 60
    fresh = model(kernels="precomputed").fit(stack)
    assert set(vars(used)) == set(vars(fresh))
    same(used, fresh, stack)
    used.set_params(kernels=VIEWS).fit(X)
    assert used.n_features_in_ == 6
    same(used, model().fit(X), X)


@pytest.mark.parametrize(
    "change",
    [
        {"min_size": 60},
        {"kernels": []},
        {"kernels": [{"kernel": "rbf", "columns": [9]}]},
        {"kernels": ["linear", "chi2"]},
        {"kernel_weights": [1]},
        {"norm": 0},
    ],
    ids=str,
)
def test_a_fit_that_fails_leaves_the_earlier_model_as_it_was(change, data):
    X, _ = data
    fitted = model().fit(X)
    before = dict(vars(fitted))
    expected = fitted.decision_function(X)
    with pytest.raises(ValueError, match=r"min_size|kernel|norm"):
        fitted.set_params(**change).fit(X[:40, :4])
    assert set(vars(fitted)) == set(before)
    assert fitted.n_features_in_ == 6
    np.testing.assert_array_equal(fitted.decision_function(X), expected)
    fitted.set_params(n_clusters=7, norm=2, kernel_weights="uniform", n_components=3)
    np.testing.assert_array_equal(fitted.decision_function(X), expected)


def test_the_kernels_of_the_user_are_left_alone(data):
    X, _ = data
    kernels = [("rbf", {"gamma": "median"}), {"kernel": PCA(2), "name": "axes"}, PCA(1)]
    before = copy.deepcopy(kernels)
    model(kernels=kernels).fit(X)
    assert repr(kernels) == repr(before)
    assert not hasattr(kernels[1]["kernel"], "components_")


# -- limits ------------------------------------------------------------------------------


@pytest.mark.parametrize("parameters", [
    {"init": "consensus"},
    {"optimizer": "cccp"},
    {"init": "auto", "kernel_weights": "uniform"},
    {"init": "auto", "norm": np.inf},
], ids=str)  # fmt: skip
@pytest.mark.parametrize("init_size", [40, 1000])
def test_sizes_and_pins_hold_on_every_way(init_size, parameters, data):
    X, _ = data
    pins = np.full(60, -1)
    pins[[0, 1, 2, 40, 41]] = [2, 2, 1, 1, 0]
    for limits in ({"proportions": [0.5, 0.3, 0.2]}, {"min_size": [10, 8, 25], "max_size": 30}):
        found = model(init_size=init_size, **limits, **parameters).fit(X, pins)
        counts = np.bincount(found.labels_, minlength=3)
        if "proportions" in limits:
            assert counts.tolist() == [30, 18, 12]
        else:
            assert np.all(counts >= [10, 8, 25])
            assert counts.max() <= 30
        np.testing.assert_array_equal(found.labels_[pins >= 0], pins[pins >= 0])
        assert found.n_disagreements_ == np.sum(found.predict(X) != found.labels_)


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


def test_runs_are_told(data, capsys):
    X, _ = data
    model(verbose=1, init_size=40).fit(X)
    lines = capsys.readouterr().out.splitlines()
    assert lines
    assert all(line.startswith("[MultipleKernelClustering] ") for line in lines)
    assert "all 60 rows: objective" in lines[-1]


# -- interrupts --------------------------------------------------------------------------

INTERRUPTED = """
    import sys
    import numpy as np
    from maxmargin import MultipleKernelClustering

    X = np.random.default_rng(0).normal(size=({n}, 6))
    kernels = [{{"kernel": "rbf", "columns": [i, i + 1]}} for i in (0, 2, 4)]
    print("ready", flush=True)
    try:
        MultipleKernelClustering({k}, kernels=kernels, init={init!r}, init_size=None,
                                 n_init={n_init}, n_jobs=2).fit(X)
    except KeyboardInterrupt:
        print("interrupted", flush=True)
        sys.exit(3)
"""


@pytest.mark.skipif(os.name == "nt", reason="signals are sent differently on Windows")
@pytest.mark.parametrize(
    ("n", "k", "init", "n_init"),
    [(4000, 8, "consensus", 1), (60000, 4, "mixed", 50)],
    ids=["consensus", "runs"],
)
def test_ctrl_c_is_answered(n, k, init, n_init):
    code = textwrap.dedent(INTERRUPTED).format(n=n, k=k, init=init, n_init=n_init)
    process = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True)
    try:
        assert process.stdout.readline().strip() == "ready"
        time.sleep(1.0)
        process.send_signal(signal.SIGINT)
        output, _ = process.communicate(timeout=60)  # the limit only catches a hang
    finally:
        process.kill()
    assert output.strip() == "interrupted"
    assert process.returncode == 3
