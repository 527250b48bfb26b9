"""What a user sees of CuttingPlaneClustering: margins, sizes, pins, starts."""

import warnings

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from oracles import cpmmc
from oracles import hinge as oracle
from sklearn.datasets import load_digits, make_blobs
from sklearn.metrics import adjusted_rand_score

from maxmargin import CuttingPlaneClustering, MaxMarginWarning

OPTIMIZERS = ("auto", "cccp", "alternation")
CENTERS = [[0, 0], [8, 0], [0, 8]]


@pytest.fixture
def blobs(global_random_seed):
    return make_blobs([60, 50, 40], centers=CENTERS, random_state=global_random_seed)


def rise(model):
    """The largest rise within the lists of CCCP; the last list is alternation's."""
    lists = model.objective_path_[:-1]
    return max((float(np.max(np.diff(steps))) for steps in lists if len(steps) > 1), default=0.0)


# -- quality -----------------------------------------------------------------------------


def test_digits_are_told_apart():
    X, y = load_digits(return_X_y=True)
    for pair in ((1, 7), (2, 7)):
        rows = np.isin(y, pair)
        model = CuttingPlaneClustering(2, random_state=0).fit(X[rows])
        assert adjusted_rand_score(y[rows], model.labels_) > 0.98
    rows = np.isin(y, (0, 6, 8, 9))
    model = CuttingPlaneClustering(4, random_state=0).fit(X[rows])
    assert adjusted_rand_score(y[rows], model.labels_) > 0.8


# -- the objective -----------------------------------------------------------------------


@pytest.mark.parametrize("optimizer", [*OPTIMIZERS, "cpm3c"])
@pytest.mark.parametrize("k", [2, 3, 5])
@pytest.mark.filterwarnings("ignore:.*ended (without rows|at a cap)")
def test_the_objective_is_what_it_says(optimizer, k, blobs):
    X, _ = blobs
    for balance in (0.0, 0.1):
        model = CuttingPlaneClustering(
            k, optimizer=optimizer, balance=balance, n_init=2, random_state=0
        ).fit(X)
        assert model.objective_ == pytest.approx(oracle.objective(model, X), rel=1e-8)
        assert abs(model.dual_gap_) < 1e-8
        # the scaling: hyperplanes sum to 0, and biases at the mean of the rows are near each other
        np.testing.assert_allclose(model.coef_.sum(axis=0), 0, atol=1e-9)
        bias = model.intercept_ + model.coef_ @ X.mean(axis=0)
        assert np.ptp(bias) <= balance + 1e-9
        assert model.n_disagreements_ == np.sum(model.predict(X) != model.labels_)


def test_two_clusters_are_the_binary_form(blobs):
    X, _ = blobs
    mean, scale = oracle.scaling(X)
    for balance in (0.0, 0.1):
        model = CuttingPlaneClustering(2, balance=balance, random_state=0).fit(X)
        assert model.n_disagreements_ == 0
        coef = (model.coef_[1] - model.coef_[0]) / scale
        bias = model.decision_function(mean[None])[0]
        binary = cpmmc.objective(scale * (X - mean), coef, bias, model.alpha_)
        assert model.objective_ == pytest.approx(binary, rel=1e-8)


def test_two_clusters_are_as_good_as_the_binary_method(global_random_seed):
    X, y = make_blobs([40, 40], centers=[[0, 0, 0], [3, 3, 0]], random_state=global_random_seed)
    mean, scale = oracle.scaling(X)
    w, b, _ = cpmmc.run(scale * (X - mean), y, 0.03, 0.0, 0.001)
    model = CuttingPlaneClustering(2, init=y, optimizer="cccp", tol=0.001).fit(X)
    expected = cpmmc.objective(scale * (X - mean), w, b, 0.03)
    assert model.objective_ == pytest.approx(expected, abs=0.003)
    decision = (scale * (X - mean)) @ w + b
    sign = np.sign(decision @ model.decision_function(X))
    assert np.corrcoef(decision, model.decision_function(X))[0, 1] * sign > 0.99


@settings(max_examples=30, deadline=None)
@given(
    seed=st.integers(0, 2**31 - 1),
    k=st.integers(2, 6),
    balance=st.sampled_from([0.0, 0.05]),
    min_size=st.sampled_from([None, 0.5, 1.0]),
    pinned=st.booleans(),
)
@pytest.mark.filterwarnings("ignore::maxmargin.MaxMarginWarning")
def test_cccp_never_rises(seed, k, balance, min_size, pinned):
    rng = np.random.default_rng(seed)
    n = int(rng.integers(4 * k, 80))
    X = rng.normal(size=(n, 3)) + 2 * rng.integers(k, size=(n, 1))
    pins = np.full(n, -1)
    if pinned:
        pins[:3] = rng.integers(k, size=3)
    model = CuttingPlaneClustering(
        k, optimizer="cccp", balance=balance, min_size=min_size, n_init=1, random_state=seed
    ).fit(X, pins)
    assert rise(model) <= 1e-8
    assert model.objective_ <= min(model.objective_path_[-1]) + 1e-12
    assert model.n_clusters_ == len(np.unique(model.labels_))


def test_the_paper_to_the_letter_rises():
    """What the trade of label and rival repairs: with it, the same start never rises."""
    rng = np.random.default_rng(3)
    X, start = rng.normal(size=(30, 2)), rng.integers(3, size=30)
    common = {"init": start, "alpha": 0.1}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", MaxMarginWarning)  # it may lose a cluster as well
        model = CuttingPlaneClustering(3, optimizer="cpm3c", **common).fit(X)
    rises = [np.max(np.diff(steps)) for steps in model.objective_path_ if len(steps) > 1]
    assert max(rises) > 0.04
    repaired = CuttingPlaneClustering(3, optimizer="cccp", **common).fit(X)
    assert rise(repaired) <= 1e-9


def test_auto_is_the_better_of_both(rng):
    X, start = rng.normal(size=(150, 4)), rng.integers(3, size=150)
    both, *single = (
        CuttingPlaneClustering(3, optimizer=optimizer, init=start).fit(X).objective_
        for optimizer in ("auto", "cccp", "alternation")
    )
    assert both == min(single)


def test_runs_that_are_all_polished_are_never_worse_for_more_starts(rng):
    """Up to five runs, two for each start; beyond that the five best so far are polished."""
    X = rng.normal(size=(150, 4))
    one, two = (
        CuttingPlaneClustering(3, n_init=n_init, random_state=0).fit(X) for n_init in (1, 2)
    )
    assert two.objective_ <= one.objective_


def test_the_strength_of_the_regularisation():
    X, _ = make_blobs(80, centers=4, random_state=0)
    for k in (1, 2, 4, 8):
        model = CuttingPlaneClustering(k, n_init=1, random_state=0).fit(X)
        assert model.alpha_ == pytest.approx(0.03 * (2 / k) ** 1.5)
    assert CuttingPlaneClustering(2, alpha=1).fit(X).alpha_ == 1


# -- sizes, pins, numbers ----------------------------------------------------------------


def test_pins_name_clusters(blobs):
    X, y = blobs
    pins = np.full(len(X), -1)
    for blob, name in ((0, 2), (1, 0), (2, 1)):
        pins[np.flatnonzero(y == blob)[:2]] = name
    for bounds in ({}, {"proportions": [50 / 150, 40 / 150, 60 / 150]}):
        model = CuttingPlaneClustering(3, random_state=0, **bounds).fit(X, pins)
        assert adjusted_rand_score(y, model.labels_) > 0.95
        assert np.mean(model.labels_ == np.array([2, 0, 1])[y]) > 0.95


def test_pins_of_one_cluster_alone_leave_the_others_to_be_found(global_random_seed):
    """More pinned rows than a sample takes: the sample knows one cluster only."""
    X, y = make_blobs([900] * 3, centers=CENTERS, random_state=global_random_seed)
    pins = np.full(len(X), -1)
    pins[np.flatnonzero(y == 0)[:600]] = 0
    model = CuttingPlaneClustering(3, init_size=300, random_state=0).fit(X, pins)
    assert adjusted_rand_score(y, model.labels_) > 0.9
    assert np.all(model.labels_[pins == 0] == 0)


@pytest.mark.parametrize("k", [2, 3, 5])
def test_rows_that_tie_are_counted_as_predict_sees_them(k):
    """As many rows as clusters on a line: those in the middle tie, and numbers trade places."""
    X = np.arange(float(k))[:, None]
    model = CuttingPlaneClustering(k, random_state=0).fit(X)
    np.testing.assert_array_equal(np.sort(model.labels_), np.arange(k))
    assert model.n_disagreements_ == np.sum(model.predict(X) != model.labels_)


# -- what is said ------------------------------------------------------------------------


def test_a_cluster_that_disappears_is_said():
    X, _ = make_blobs(90, centers=[[0, 0], [8, 0]], random_state=0)
    with pytest.warns(MaxMarginWarning, match="1 of 3 clusters ended without rows; set min_size"):
        model = CuttingPlaneClustering(
            3, min_size=0, init=np.arange(90) % 2, optimizer="cccp", alpha=1.0
        ).fit(X)
    assert model.n_clusters_ == 2
    assert len(np.unique(model.labels_)) == 2
    assert model.coef_.shape == (3, 2)
    alive = CuttingPlaneClustering(3, min_size=1, random_state=0).fit(X)
    assert alive.n_clusters_ == 3


def test_the_way_out_is_one_that_the_optimizer_knows():
    """The paper to the letter has no min_size: advice to set it helps nobody."""
    X, _ = make_blobs(90, centers=[[0, 0], [8, 0]], random_state=0)
    with pytest.warns(MaxMarginWarning, match="ended without rows") as caught:
        CuttingPlaneClustering(3, optimizer="cpm3c", init=np.zeros(90)).fit(X)
    assert "optimizer" in str(caught[0].message)


def test_a_balance_that_is_too_large_is_said(rng):
    X = rng.normal(size=(60, 3))
    with pytest.warns(MaxMarginWarning, match=r"balance = 0.9 .* one cluster for all .* 0.1"):
        model = CuttingPlaneClustering(2, balance=0.9, random_state=0).fit(X)
    assert model.objective_ >= 0.1
    trivial = CuttingPlaneClustering(2, balance=0.9, min_size=0, init=np.zeros(60), n_init=1)
    with pytest.warns(MaxMarginWarning, match="ended without rows"):
        trivial.fit(X)
    assert trivial.objective_ <= 0.1 + 1e-9


@pytest.mark.parametrize("optimizer", [*OPTIMIZERS, "cpm3c"])
def test_a_cap_is_said(optimizer, rng):
    X = rng.normal(size=(100, 5))
    model = CuttingPlaneClustering(
        3, optimizer=optimizer, init=rng.integers(3, size=100), max_iter=2, tol=1e-6, alpha=1e-3
    )
    with pytest.warns(MaxMarginWarning, match=r"ended at a cap .*raise max_iter"):
        model.fit(X)


# -- starts ------------------------------------------------------------------------------


@pytest.mark.parametrize("init", ["auto", "mixed", "k-means++", "random", "rls"])
@pytest.mark.parametrize("optimizer", OPTIMIZERS)
def test_every_start_finds_blobs(init, optimizer, blobs):
    X, y = blobs
    model = CuttingPlaneClustering(3, init=init, optimizer=optimizer, random_state=1).fit(X)
    assert adjusted_rand_score(y, model.labels_) > 0.9


def test_a_start_from_the_user_is_honoured(rng):
    """Two ways to cut a square of blobs in halves: each start keeps its own."""
    X, y = make_blobs(
        [50] * 4, centers=[[0, 0], [0, 9], [10, 0], [10, 9]], random_state=0, cluster_std=0.5
    )
    for start in (y // 2, y % 2):
        model = CuttingPlaneClustering(2, init=start, optimizer="alternation").fit(X)
        assert adjusted_rand_score(start, model.labels_) == 1
        np.testing.assert_array_equal(
            model.labels_,
            CuttingPlaneClustering(2, init=start.tolist(), optimizer="alternation", random_state=9)
            .fit(X)
            .labels_,
        )


def test_a_sample_of_the_rows_is_enough(global_random_seed):
    """Runs on some rows, then one with their cuts on all: near what all rows would give."""
    X, y = make_blobs([1500] * 3, centers=CENTERS, random_state=global_random_seed)
    whole = CuttingPlaneClustering(3, init_size=None, n_init=2, random_state=0).fit(X)
    sampled = CuttingPlaneClustering(3, init_size=300, n_init=2, random_state=0).fit(X)
    assert adjusted_rand_score(whole.labels_, sampled.labels_) > 0.98
    assert sampled.objective_ == pytest.approx(whole.objective_, abs=0.02)
    assert sampled.objective_ == pytest.approx(oracle.objective(sampled, X), rel=1e-8)
    assert adjusted_rand_score(y, sampled.labels_) > 0.98


def test_a_sample_as_large_as_the_data_is_no_sample(blobs):
    X, _ = blobs
    models = [
        CuttingPlaneClustering(3, init_size=size, random_state=0).fit(X)
        for size in (None, 150, 2048)
    ]
    for model in models[1:]:
        np.testing.assert_array_equal(model.coef_, models[0].coef_)


def test_verbose_prints_a_line_for_each_run(blobs, capsys):
    X, _ = blobs
    CuttingPlaneClustering(3, n_init=3, verbose=1, random_state=0).fit(X)
    lines = capsys.readouterr().out.splitlines()
    runs = [line for line in lines if "] run " in line]
    assert 2 <= len(runs) <= 6  # starts that are the same but for names are run once
    assert runs[0].startswith(f"[CuttingPlaneClustering] run 1 of {len(runs)}: objective ")
    CuttingPlaneClustering(3, n_init=1, init_size=50, verbose=1, random_state=0).fit(X)
    assert "all 150 rows: objective" in capsys.readouterr().out.splitlines()[-1]


def test_decision_values_are_those_of_the_hyperplanes(blobs):
    X, _ = blobs
    two = CuttingPlaneClustering(2, random_state=0).fit(X)
    np.testing.assert_allclose(
        two.decision_function(X), X @ (two.coef_[1] - two.coef_[0]) + np.diff(two.intercept_)
    )
    three = CuttingPlaneClustering(3, random_state=0).fit(X)
    np.testing.assert_allclose(three.decision_function(X), X @ three.coef_.T + three.intercept_)


@pytest.mark.parametrize("optimizer", [*OPTIMIZERS, "cpm3c"])
def test_one_cluster_loses_nothing(optimizer, blobs):
    for kernel in ("linear", "rbf"):
        model = CuttingPlaneClustering(1, optimizer=optimizer, kernel=kernel).fit(blobs[0])
        assert model.objective_ == 0
