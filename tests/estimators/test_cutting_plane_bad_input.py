"""Bad input: an answer or an error that names the parameter, never a NumPy warning or a hang."""

import warnings

import numpy as np
import pytest
from scipy import sparse

from maxmargin import CuttingPlaneClustering, MaxMarginWarning

X = np.random.default_rng(0).normal(size=(20, 3))
K = X @ X.T


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"n_clusters": None}, "n_clusters must be an int .*; got None"),
        ({"n_clusters": 40000}, "n_clusters must be an int from 1 to 32767; got 40000"),
        ({"optimizer": "cpm3c", "max_size": 15}, "max_size"),
        ({"optimizer": "cpm3c", "proportions": [0.5, 0.5]}, "proportions"),
        ({"optimizer": "cpm3c", "min_size": "half"}, "min_size must be .*; got 'half'"),
        ({"kernel": "auto", "gamma": -1}, "gamma must be .*; got -1"),
        ({"kernel": "auto", "degree": "a"}, "degree must be a finite number; got 'a'"),
        ({"kernel": "auto", "kernel_params": {"gamma": 5}}, "kernel_params must be None or"),
    ],
)
def test_a_wrong_parameter_is_named(parameters, message):
    with pytest.raises(ValueError, match=message):
        CuttingPlaneClustering(**{"n_clusters": 2, **parameters}).fit(X)


def test_a_gamma_that_is_not_used_yet_is_checked_for_sparse_rows_too():
    with pytest.raises(ValueError, match=r"gamma must be .*; got -1"):
        CuttingPlaneClustering(2, kernel="auto", gamma=-1).fit(sparse.csr_matrix(X))


def test_a_floor_that_the_paper_does_not_know_is_refused_or_said():
    """An explicit min_size with the paper to the letter must not be dropped in silence."""
    model = CuttingPlaneClustering(2, optimizer="cpm3c", min_size=8, random_state=0)
    with pytest.raises((ValueError, MaxMarginWarning), match="min_size"):
        model.fit(X)


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
    with pytest.raises(MemoryError, match=r"20 rows to 20 features needs .* n_components"):
        CuttingPlaneClustering(2, kernel="rbf").fit(X)
    with pytest.raises(MemoryError, match="init"):  # least squares has a matrix of n × n
        CuttingPlaneClustering(2, init="rls").fit(X)
    assert CuttingPlaneClustering(2).fit(X).labels_.shape == (20,)


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
