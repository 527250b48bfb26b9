"""Bad input to several kernels: an answer, or an error that names what is wrong, never a hang."""

import warnings

import numpy as np
import pytest
from scipy import sparse
from sklearn.feature_selection import SelectKBest
from sklearn.preprocessing import FunctionTransformer

from maxmargin import MaxMarginWarning, MultipleKernelClustering

X = np.random.default_rng(0).normal(size=(30, 4))
X[:15, :2] += 6
K = X @ X.T
VIEWS = [{"kernel": "rbf", "columns": [0, 1]}, {"kernel": "linear", "columns": [2, 3]}]


def model(n_clusters=2, **parameters):
    return MultipleKernelClustering(n_clusters, **{"n_init": 1, "random_state": 0, **parameters})


def with_entry(value, place=(0, 1)):
    changed = K.copy()
    changed[place] = value
    return changed


class OneRowLess(FunctionTransformer):
    def transform(self, X):
        return X[:-1]


# -- parameters ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("kernels", "message"),
    [
        ([], "kernels must have at least one kernel; got an empty list"),
        ((), "kernels must have at least one kernel"),
        ("rbf", "kernels must be None, 'precomputed' or a list of kernels.*; got 'rbf'"),
        ({"kernel": "rbf"}, "kernels must be None, 'precomputed' or a list"),
        (np.array(["rbf", "linear"]), "kernels must be None, 'precomputed' or a list"),
        ({"rbf"}, "kernels must be None, 'precomputed' or a list"),
        (3, "kernels must be None, 'precomputed' or a list"),
        (["gauss"], r"kernels\[0\] must be .*'rbf', 'sigmoid'; got 'gauss'"),
        (["rbf", None], r"kernels\[1\] must be .*; got None"),
        (["rbf", K], r"(?s)kernels\[1\] must be .*fit with kernels='precomputed'"),
        (["rbf", "precomputed"], r"kernels\[1\] must be .*fit with kernels='precomputed'"),
        ([("rbf",)], r"kernels\[0\] must be a kernel name, a pair .*; got \('rbf',\)"),
        ([("rbf", 3)], r"kernels\[0\] must be .*; got \('rbf', 3\)"),
        ([{"gamma": 1}], r"kernels\[0\] must be a dict with the key 'kernel' .*\['gamma'\]"),
        ([{"kernel": "rbf", "width": 1}], r"kernels\[0\] must be a dict .*'width'"),
        ([("linear", {"gamma": 1})], r"kernels\[0\]: the parameters .* are none; got gamma"),
        ([("rbf", {"gamma": -1})], r"kernels\[0\]: gamma must be .*; got -1"),
        ([("rbf", {"gamma": np.nan})], r"kernels\[0\]: gamma must be .*; got nan"),
        ([("poly", {"degree": -1})], r"kernels\[0\]: degree must be .*; got -1"),
        ([{"kernel": "rbf", "name": 3}], r"the name of kernels\[0\] must be a string; got 3"),
        ([{"kernel": "rbf", "columns": [4]}], r"kernels\[0\]: there is no column 4.*from 0 to 3"),
        ([{"kernel": "rbf", "columns": [-5]}], r"kernels\[0\]: there is no column -5"),
        ([{"kernel": "rbf", "columns": []}], r"kernels\[0\] must choose at least one column"),
        ([{"kernel": "rbf", "columns": [0, 0]}], r"kernels\[0\] name a column twice"),
        ([{"kernel": "rbf", "columns": [0.5]}], r"columns of kernels\[0\] must be .*0.5 among"),
        ([{"kernel": "rbf", "columns": {0, 1}}], r"columns of kernels\[0\] must be .*in order"),
        ([{"kernel": "rbf", "columns": "a"}], "has the name 'a', and X has no column names"),
        ([{"kernel": "rbf", "columns": [True]}], "a mask of 1 entries; X has 4 columns"),
        (["linear", "chi2"], r"kernels\[1\]: kernel='chi2' needs X >= 0"),
        ([FunctionTransformer], r"kernels\[0\] must be an instance, not the class"),
    ],
    ids=lambda value: str(value)[:40] if not isinstance(value, str) else None,
)
def test_a_wrong_kernel_is_named(kernels, message):
    with pytest.raises(ValueError, match=message):
        model(kernels=kernels).fit(X)


@pytest.mark.parametrize(
    ("function", "message"),
    [
        (lambda a, b: np.ones(2), r"kernels\[1\]: .*sequence"),
        (lambda a, b: "x", r"kernels\[1\]: .*'x'"),
        (lambda a, b: np.nan, r"kernels\[1\]: .*not finite"),
        (lambda a, b: a[0], r"kernels\[1\]: .*symmetric function"),
        (lambda a: 1.0, r"kernels\[1\]: .*positional argument"),
    ],
    ids=["two values", "text", "nan", "not symmetric", "one argument"],
)
def test_a_function_that_is_no_kernel_is_named(function, message):
    with pytest.raises((ValueError, TypeError), match=message):
        model(kernels=["rbf", function]).fit(X)


def test_what_a_function_raises_gets_through():
    def fails(a, b):
        raise ZeroDivisionError("by me")

    with pytest.raises(ZeroDivisionError, match="by me"):
        model(kernels=["rbf", fails]).fit(X)


@pytest.mark.parametrize(
    ("transformer", "message"),
    [
        (OneRowLess(), "a row of features for each row; OneRowLess gave 29 for 30"),
        (FunctionTransformer(lambda X: X[:, 0]), "no table of numbers"),
        (FunctionTransformer(lambda X: X * np.nan), "no table of numbers: .*NaN"),
        (FunctionTransformer(lambda X: X[:, :0]), "no table of numbers"),
        (FunctionTransformer(lambda X: np.full(X.shape, "a")), "no table of numbers"),
        (FunctionTransformer(lambda X: 1e200 * X), "squares overflow"),
        (SelectKBest(k=2), "y"),
    ],
    ids=["rows", "line", "nan", "empty", "text", "huge", "needs y"],
)
def test_a_transformer_without_features_is_named(transformer, message):
    with pytest.raises(ValueError, match=rf"kernels\[1\]: .*{message}"):
        model(kernels=["rbf", transformer]).fit(X)


# -- data -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("stack", "message"),
    [
        (K, r"must be a list or stack .*; got one ndarray of shape \(30, 30\)"),
        (sparse.csr_matrix(K), "must be a list or stack .*; got one csr_matrix"),
        ({"a": K}, "must be a list or stack .*; got one dict"),
        (None, "must be a list or stack .*; got one NoneType"),
        ("K", "must be a list or stack .*; got one str"),
        ([], "must be a list or stack .*; got an empty one"),
        ([K, K[:9, :9]], r"of the same shape; got \(30, 30\), \(9, 9\)"),
        ([K[:9], K[:9]], r"square kernel matrix; got shape \(9, 30\)"),
        ([K, with_entry(np.nan)], r"X\[1\].*NaN"),
        ([K, with_entry(np.inf)], r"X\[1\].*infinity"),
        ([K, with_entry(9.0)], r"\[1\]: .*must be symmetric; .*differ by up to"),
        ([K, "K"], r"X\[1\]"),
        ([K, [1, 2]], r"X\[1\]"),
        ([K + 0j], r"X\[0\].*[Cc]omplex"),
    ],
    ids=lambda value: "" if not isinstance(value, str) else value[:20],
)
def test_what_is_no_stack_of_kernel_matrices_is_named(stack, message):
    with pytest.raises(ValueError, match=message):
        model(kernels="precomputed").fit(stack)


@pytest.mark.parametrize(
    "new",
    [[K[:3]], [K[:3]] * 3, [K[:3, :9]] * 2, [K[:3], K[:4]], K[:3], [K[:3], with_entry(np.nan)]],
    ids=["one", "three", "columns", "rows", "flat", "nan"],
)
def test_new_kernel_matrices_of_another_shape_are_refused(new):
    fitted = model(kernels="precomputed").fit([K, K**2])
    with pytest.raises(ValueError, match="X"):
        fitted.predict(new)
    assert fitted.predict([K[:1], K[:1] ** 2]).shape == (1,)


def test_sparse_rows_and_a_dense_kernel():
    with pytest.raises(ValueError, match=r"kernels\[1\]: kernel='chi2' needs dense data"):
        model(kernels=["linear", "chi2"]).fit(sparse.csr_matrix(np.abs(X)))


def test_columns_that_a_frame_does_not_have():
    pd = pytest.importorskip("pandas")
    table = pd.DataFrame(X, columns=list("abcd"))
    with pytest.raises(ValueError, match=r"there is no column 'e'\. X has a, b, c, d"):
        model(kernels=[{"kernel": "rbf", "columns": ["a", "e"]}]).fit(table)
    fitted = model(kernels=[{"kernel": "rbf", "columns": ["a", "b"]}]).fit(table)
    with pytest.raises(ValueError, match="feature names"):
        fitted.predict(table[list("bacd")])


def test_what_does_not_fit_in_memory_says_so(monkeypatch):
    linear = [{"kernel": "linear", "columns": columns} for columns in ([0, 1], [2, 3])]
    fitted = model(kernels=linear, init="mixed").fit(X)
    monkeypatch.setattr("maxmargin._runtime.memory.available_memory", lambda: 3000)
    with pytest.raises(MemoryError, match=r"30 rows needs .* n_components"):
        model(kernels=VIEWS).fit(X)
    monkeypatch.setattr("maxmargin.blocks.rows.require_plan", lambda *_: None)  # who comes first
    with pytest.raises(MemoryError, match=r"with 2 kernels on 30 rows needs .*init"):
        model(kernels=linear).fit(X)
    assert model(kernels=linear, init="mixed").fit(X).objective_ == fitted.objective_
    monkeypatch.setattr("maxmargin._runtime.memory.available_memory", lambda: 100)
    with pytest.raises(MemoryError, match=r"the features of 2 kernels for 30 rows .*fewer kernels"):
        model(kernels=linear, init="mixed").fit(X)


# -- what says little -------------------------------------------------------------------------

ONE_ROW = np.zeros((24, 4))
ONE_ROW[3] = 1


def test_kernels_without_any_margin_are_said():
    with pytest.warns(MaxMarginWarning) as said:
        model(kernels=VIEWS).fit(np.ones((20, 4)))
    messages = [str(warning.message) for warning in said]
    assert sum("is constant on X" in message for message in messages) == 2
    assert sum("no margin was found" in message for message in messages) == 1
    assert {warning.filename for warning in said} == {__file__}


def test_a_run_that_ends_at_its_cap_names_the_line_of_the_user():
    with pytest.warns(MaxMarginWarning, match="raise max_iter") as said:
        model(kernels=VIEWS, max_iter=1).fit(X)
    assert said[0].filename == __file__


def test_one_cluster_needs_no_kernel():
    for kernels in (VIEWS, None, ["rbf"]):
        fitted = model(1, kernels=kernels).fit(X)
        assert fitted.labels_.tolist() == [0] * 30
        assert fitted.objective_ == 0
        assert fitted.decision_function(X).shape == (30, 1)


@pytest.mark.parametrize("sizes", [{"max_size": 20}, {"proportions": [0.5, 0.5]}])
def test_sizes_that_the_paper_does_not_know_are_refused(sizes):
    with pytest.raises(ValueError, match=f"optimizer='mkc' .*{next(iter(sizes))}"):
        model(kernels=VIEWS, optimizer="mkc", **sizes).fit(X)


@pytest.mark.parametrize(
    "rows",
    [
        np.ones((20, 4)),
        np.zeros((20, 4)),
        ONE_ROW,
        np.repeat(X[:4], 6, axis=0),
        np.repeat(X[:2], 12, axis=0),
        np.c_[X[:20, :2], np.full((20, 2), 7.0)],
        X[:3],
        1e-100 * X[:20],
        1e100 * X[:20],
        sparse.csr_matrix((20, 4)),
        sparse.csr_matrix(ONE_ROW),
    ],
    ids=["equal", "zero", "one row", "duplicates", "two rows", "constant", "n=k", "tiny", "huge",
         "empty csr", "one row csr"],
)  # fmt: skip
def test_degenerate_data_gets_an_answer_from_every_kernel(rows):
    for kernels in (VIEWS, ["linear", "rbf", "cosine"]):
        fitted = model(3, kernels=kernels)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", MaxMarginWarning)
            fitted.fit(rows)
        n = rows.shape[0]
        counts = np.bincount(fitted.labels_, minlength=3)
        assert counts.sum() == n
        assert counts.min() >= max(1, n // 6)
        assert np.all(np.isfinite(fitted.decision_function(rows)))
        assert 0 <= fitted.objective_ <= 1 + 1e-9
        assert abs(fitted.dual_gap_) < 2e-7
        assert all(np.isfinite(list(fitted.kernel_weights_.values())))
