"""Bad input: an answer or an error that names the parameter, never a NumPy warning or a hang."""

import warnings

import numpy as np
import pytest
from scipy import sparse

from maxmargin import CuttingPlaneClustering, MaxMarginWarning
from maxmargin.solvers import CCCP, CPM3C, Alternation

X = np.random.default_rng(0).normal(size=(20, 3))
K = X @ X.T


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"n_clusters": 0}, "n_clusters must be an int from 1 to 32767; got 0"),
        ({"n_clusters": 2.0}, "n_clusters must be an int .*; got 2.0"),
        ({"n_clusters": True}, "n_clusters must be an int .*; got True"),
        ({"n_clusters": None}, "n_clusters must be an int .*; got None"),
        ({"n_clusters": 40000}, "n_clusters must be an int from 1 to 32767; got 40000"),
        ({"n_clusters": 21}, "n_clusters must be at most n_samples = 20; got 21"),
        ({"n_clusters": 5000}, "n_clusters must be at most n_samples = 20; got 5000"),
        ({"alpha": 0}, "alpha must be .*a finite number > 0 .*; got 0"),
        ({"alpha": -1.0}, "alpha must be .*a finite number > 0 .*; got -1.0"),
        ({"alpha": np.nan}, "alpha must be .*a finite number > 0 .*; got nan"),
        ({"alpha": np.inf}, "alpha must be .*a finite number > 0 .*; got inf"),
        ({"alpha": "large"}, "alpha must be 'auto' or a finite number > 0 .*; got 'large'"),
        ({"alpha": None}, "alpha must be .*a finite number > 0 .*; got None"),
        ({"alpha": [1.0]}, "alpha must be .*a finite number > 0"),
        ({"balance": -0.1}, "balance must be a finite number >= 0 .*; got -0.1"),
        ({"balance": np.inf}, "balance must be a finite number >= 0 .*; got inf"),
        ({"balance": None}, "balance must be a finite number >= 0 .*; got None"),
        ({"tol": 0}, "tol must be a finite number > 0; got 0"),
        ({"tol": "a"}, "tol must be a finite number > 0; got 'a'"),
        ({"n_init": 0}, "n_init must be an int from 1 to 1000000; got 0"),
        ({"n_init": 1.5}, "n_init must be an int from 1 to 1000000; got 1.5"),
        ({"max_iter": 0}, "max_iter must be 'auto' or an int >= 1; got 0"),
        ({"max_iter": None}, "max_iter must be 'auto' or an int >= 1; got None"),
        ({"n_components": 0}, "n_components must be an int >= 1; got 0"),
        ({"init_size": 0}, "init_size must be .*an int >= 1; got 0"),
        ({"init_size": "all"}, "init_size must be .*an int >= 1; got 'all'"),
        ({"optimizer": "sgd"}, "optimizer must be one of 'auto', 'cccp', .*; got 'sgd'"),
        ({"optimizer": None}, "optimizer must be one of .*; got None"),
        ({"optimizer": CCCP}, "optimizer must be .* or an Optimizer of maxmargin.solvers; got <cl"),
        ({"optimizer": CCCP(max_steps=0)}, "max_steps must be an int >= 1; got 0"),
        ({"optimizer": Alternation(max_rounds="all")}, "max_rounds must be an int >= 1; got 'all'"),
        ({"optimizer": CPM3C(max_cuts=0)}, "max_cuts must be None or an int >= 1; got 0"),
        ({"optimizer": "cpmmc", "n_clusters": 3}, "n_clusters must be 2 with .*cpmmc.*; got 3"),
        ({"kernel": "gauss"}, "kernel must be None, one of .*'auto'.*; got 'gauss'"),
        ({"kernel": 3}, "kernel must be None, one of .*; got 3"),
        ({"kernel": ["rbf"]}, "kernel must be None, one of"),
        ({"kernel": np.array([1, 2])}, "kernel must be None, one of"),
        ({"kernel": "rbf", "gamma": 0.0}, "gamma must be a finite number > 0; got 0.0"),
        (
            {"kernel": "rbf", "gamma": "mean"},
            "gamma must be a number > 0 or one of 'auto', 'median'",
        ),
        ({"kernel": "auto", "gamma": -1}, "gamma must be .*; got -1"),
        ({"kernel": "poly", "degree": -1}, "degree must be a number >= 0; got -1"),
        ({"degree": "a"}, "degree must be a finite number; got 'a'"),
        ({"coef0": None}, "coef0 must be a finite number; got None"),
        ({"kernel": "auto", "degree": "a"}, "degree must be a finite number; got 'a'"),
        ({"kernel_params": {"gamma": 5}}, "kernel_params must be None or"),
        ({"kernel": "auto", "kernel_params": {"gamma": 5}}, "kernel_params must be None or"),
        ({"kernel": lambda a, b: a[0] - b[1]}, "kernel must be a symmetric function"),
        ({"kernel": lambda a, b: np.inf}, "kernel='callable' gives values on X that are not fin"),
        ({"kernel": "precomputed"}, r"square kernel matrix; got shape \(20, 3\)"),
        ({"kernel": "chi2"}, "kernel='chi2' needs X >= 0"),
        ({"init": "kmeans"}, r"init must be one of 'auto', 'k-means\+\+', .*'rls'.*; got 'kmeans'"),
        ({"init": [0, 1]}, "init must be .* 20 labels from 0 to 1; got an array of shape"),
        ({"init": np.full(20, 2)}, r"init must be .* values \[2"),
        ({"init": np.full(20, 0.5)}, r"init must be .* values \[0.5"),
        ({"init": np.full(20, -1)}, r"init must be .* values \[-1"),
        ({"init": [[0], [1, 2]]}, "init must be"),
        ({"init": None}, "init must be"),
        ({"min_size": 11}, "min_size asks for 22 rows in all, and X has 20"),
        ({"min_size": -1}, "min_size must be .*an int >= 0 .*; got -1"),
        ({"min_size": "half"}, "min_size must be .*; got 'half'"),
        ({"min_size": [1, 2, 3]}, "min_size must be one number or one for each of the 2"),
        ({"min_size": np.nan}, "min_size must be"),
        ({"max_size": 9}, "max_size leaves room for 18 rows"),
        ({"min_size": 8, "max_size": [7, 20]}, "min_size must not exceed max_size"),
        ({"proportions": [0.5, 0.6]}, r"proportions must be .* sum to 1 .*; got \[0.5, 0.6\]"),
        ({"proportions": "equal"}, "proportions must be .*; got 'equal'"),
        ({"proportions": [0.9, 0.1], "min_size": 5}, "proportions give cluster 1 2 of 20 rows"),
        ({"random_state": "a"}, "random_state must be None, .*; got 'a'"),
    ],
)
def test_a_wrong_parameter_is_named(parameters, message):
    with pytest.raises(ValueError, match=message):
        CuttingPlaneClustering(**{"n_clusters": 2, **parameters}).fit(X)


def test_a_gamma_that_is_not_used_yet_is_checked_for_sparse_rows_too():
    with pytest.raises(ValueError, match=r"gamma must be .*; got -1"):
        CuttingPlaneClustering(2, kernel="auto", gamma=-1).fit(sparse.csr_matrix(X))


@pytest.mark.parametrize("optimizer", ["cpm3c", CPM3C()], ids=str)
@pytest.mark.parametrize(
    "bound",
    [
        {"min_size": 0.5},
        {"min_size": 8},
        {"min_size": [0, 3]},
        {"min_size": "half"},
        {"max_size": 15},
        {"proportions": [0.5, 0.5]},
    ],
    ids=str,
)
def test_bounds_that_the_paper_does_not_know_are_refused(bound, optimizer):
    """An explicit bound with the paper to the letter must not be dropped in silence."""
    ((name, value),) = bound.items()
    message = f"optimizer={optimizer!r} does not take {name}; got {name}={value!r}. .*another opt"
    model = CuttingPlaneClustering(2, optimizer=optimizer, random_state=0, **bound)
    with pytest.raises(ValueError, match=message.translate({ord(c): "." for c in "[]()"})):
        model.fit("no data is looked at")


@pytest.mark.parametrize("free", [{}, {"min_size": 0}, {"min_size": None}, {"min_size": [0, 0]}])
def test_no_bounds_are_what_the_paper_has(free):
    model = CuttingPlaneClustering(2, optimizer="cpm3c", proportions="balanced", **free)
    assert model.fit(X).labels_.shape == (20,)


def test_more_clusters_than_the_default_sample_are_legal():
    """The default of init_size is no mistake of the user's."""
    rows = np.arange(2100.0)[:, None]
    model = CuttingPlaneClustering(
        2050,
        init=np.minimum(np.arange(2100), 2049),
        max_iter=1,
        optimizer="alternation",
        min_size=0,
    )
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", MaxMarginWarning)
        assert model.fit(rows).labels_.shape == (2100,)


def test_what_does_not_fit_in_memory_says_so(monkeypatch):
    monkeypatch.setattr("maxmargin._runtime.memory.available_memory", lambda: 1000)
    with pytest.raises(MemoryError, match=r"20 rows to features needs .* n_components"):
        CuttingPlaneClustering(2, kernel="rbf").fit(X)
    with pytest.raises(MemoryError, match="init"):  # least squares has a matrix of n × n
        CuttingPlaneClustering(2, init="rls").fit(X)
    assert CuttingPlaneClustering(2).fit(X).labels_.shape == (20,)


@pytest.mark.parametrize("alpha", [1e-300, 1e-30])
def test_a_strength_too_small_for_the_solver_is_said(alpha):
    """Not labels by chance, with an objective of 1 where 0 is near."""
    said = ""
    try:
        model = CuttingPlaneClustering(2, alpha=alpha, random_state=0).fit(X)
    except (ValueError, MaxMarginWarning) as error:
        said = str(error)
    assert "alpha" in said or (model.objective_ < 0.1 and abs(model.dual_gap_) < 1e-6)


def test_a_fit_without_any_margin_is_said():
    """Equal rows have no hyperplane: their labels are by chance, and that must be said."""
    with pytest.warns(MaxMarginWarning, match="margin|hyperplane|equal"):
        CuttingPlaneClustering(2, random_state=0).fit(np.ones((12, 2)))


@pytest.mark.parametrize(
    "rows",
    [
        np.ones((12, 2)),
        np.full((12, 2), 0.1),
        np.zeros((12, 1)),
        sparse.csr_matrix((12, 4)),
        sparse.csr_matrix(np.tile([[0.1, 0.3, 0.7]], (13, 1))),
        np.repeat(np.arange(4.0)[:, None], 3, axis=0),
        np.column_stack([np.arange(12.0), np.full(12, 7.0)]),
        np.arange(3.0)[:, None],
        np.full((12, 2), 1e140) * np.arange(12)[:, None],
        np.full((12, 2), 1e-140) * np.arange(12)[:, None],
    ],
    ids=["equal", "tenth", "zero", "empty", "equal csr", "duplicates", "constant", "n=k", "huge",
         "tiny"],
)  # fmt: skip
@pytest.mark.parametrize("kernel", ["linear", "rbf", "cosine"])
def test_degenerate_data_gets_an_answer_from_every_kernel(rows, kernel):
    model = CuttingPlaneClustering(3, kernel=kernel, n_components=3, n_init=2, random_state=0)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", MaxMarginWarning)
        model.fit(rows)
    n = rows.shape[0]
    counts = np.bincount(model.labels_, minlength=3)
    assert counts.sum() == n
    assert counts.min() >= max(1, n // 6)
    assert np.all(np.isfinite(model.decision_function(rows)))
    assert 0 <= model.objective_ <= 1 + 1e-9
    assert abs(model.dual_gap_) < 1e-8
