"""What ``optimizer=`` takes: a name or an object, with parameters that are set as usual."""

import subprocess
import sys
import textwrap
import warnings

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.datasets import make_blobs

from maxmargin import CuttingPlaneClustering, MaxMarginWarning, MultipleKernelClustering
from maxmargin.solvers import CCCP, CPM3C, OPTIMIZERS, Alternation, Optimizer

X, _ = make_blobs(90, centers=3, cluster_std=1.5, random_state=2)
WHO = [CuttingPlaneClustering, MultipleKernelClustering]
NAMES = {
    CuttingPlaneClustering: ("cccp", "alternation", "cpm3c"),
    MultipleKernelClustering: ("cccp", "alternation", "mkc"),
}
PAIRS = [(who, name) for who in WHO for name in NAMES[who]]


def fitted(who, **parameters):
    return who(3, **{"random_state": 0, "n_init": 2, **parameters}).fit(X)


@pytest.mark.filterwarnings("ignore:.*ended without rows")
@pytest.mark.parametrize(("who", "name"), PAIRS)
def test_a_name_is_the_object_with_its_defaults(who, name):
    by_name, by_object = fitted(who, optimizer=name), fitted(who, optimizer=OPTIMIZERS[name]())
    np.testing.assert_array_equal(by_name.labels_, by_object.labels_)
    np.testing.assert_array_equal(by_name.coef_, by_object.coef_)
    assert by_name.n_cuts_ == by_object.n_cuts_


@pytest.mark.parametrize("who", WHO)
def test_parameters_are_set_cloned_and_shown(who):
    model = who(optimizer=CCCP(patience=8))
    assert model.get_params()["optimizer__patience"] == 8
    copy = clone(model).set_params(optimizer__max_steps=5)
    assert copy.optimizer is not model.optimizer
    assert repr(copy.optimizer) == "CCCP(max_steps=5, patience=8)"
    assert model.optimizer.max_steps == 2
    assert copy.set_params(optimizer="cccp").optimizer == "cccp"


@pytest.mark.filterwarnings("ignore::maxmargin.MaxMarginWarning")  # of caps, of lost clusters
@pytest.mark.parametrize("who", WHO)
def test_parameters_are_kept_to(who):
    """Alternation has a short run from each start, and the best of them go on."""
    start = np.arange(90) % 3
    models = [fitted(who, optimizer=Alternation(rounds), init=start) for rounds in (1, 50)]
    few, many = ([len(steps) for steps in model.objective_path_] for model in models)
    assert few == [1, 1]
    assert sum(many) > 2
    capped = fitted(who, optimizer=CPM3C(max_cuts=3), alpha=1e-3, tol=1e-6)
    assert capped.n_cuts_ == 3


def test_an_optimizer_that_stays_near_its_start_gets_a_good_one():
    """By default: least squares for alternation, seeds for the others."""
    near, far = (CuttingPlaneClustering(2, optimizer=one) for one in (Alternation(), CCCP()))
    for model, init in ((near, "rls"), (far, "mixed")):
        model.set_params(random_state=0).fit(X)
        given = clone(model).set_params(init=init).fit(X)
        np.testing.assert_array_equal(given.coef_, model.coef_)


@pytest.mark.parametrize("who", WHO)
def test_an_optimizer_of_the_user_is_run(who):
    class Counting(Alternation):
        runs = 0

        def run(self, problem, limits):
            Counting.runs += 1
            return super().run(problem, limits)

        def short(self):
            return self

    assert fitted(who, optimizer=Counting()).n_clusters_ == 3
    assert Counting.runs > 1


def test_a_cap_is_the_one_that_is_named():
    hard = {"alpha": 1e-4, "tol": 1e-9, "n_init": 1}
    for optimizer, cap, name in (
        ("cpm3c", 7, "max_iter"),
        (CPM3C(max_cuts=5), 5, "max_cuts"),
        (CPM3C(max_cuts=50), 7, "max_iter"),
    ):
        with pytest.warns(MaxMarginWarning, match=f"after {cap} cuts.*raise {name}"):
            model = fitted(CuttingPlaneClustering, optimizer=optimizer, max_iter=7, **hard)
        assert model.n_cuts_ == cap


@pytest.mark.filterwarnings("ignore::maxmargin.MaxMarginWarning")
def test_as_many_cuts_are_made_as_are_asked_for():
    hard = {"alpha": 1e-5, "tol": 1e-12, "n_init": 1, "optimizer": "cpm3c"}
    few, many = (fitted(CuttingPlaneClustering, max_iter=m, **hard) for m in ("auto", 130))
    assert few.n_cuts_ <= 100
    assert many.n_cuts_ > few.n_cuts_ or few.n_cuts_ < 100


def test_the_paper_with_several_kernels_has_its_norm():
    kernels = {"kernels": ["linear", "rbf"]}
    assert fitted(MultipleKernelClustering, **kernels).norm_ == 1
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for optimizer in ("mkc", CPM3C()):
            model = fitted(MultipleKernelClustering, optimizer=optimizer, **kernels)
            assert model.norm_ == 2
            assert np.sum(np.square([*model.kernel_weights_.values()])) == pytest.approx(1)


@pytest.mark.filterwarnings("ignore:.*ended without rows")
@pytest.mark.parametrize("balance", [0.0, 0.05, 0.3])
def test_two_classes_are_one_plane_for_rows_as_they_are(balance):
    """|f| and |Σ f| ≤ l of the papers, for rows that are neither centred nor scaled."""
    Z = 3 * X[:, :2] + 7
    model = CuttingPlaneClustering(
        2, optimizer="cpmmc", balance=balance, alpha=0.2, tol=1e-4, random_state=0
    ).fit(Z)
    f = model.decision_function(Z)
    np.testing.assert_allclose(f, Z @ (model.coef_[1] - model.coef_[0]) + np.diff(model.intercept_))
    np.testing.assert_allclose(model.coef_[0], -model.coef_[1], atol=1e-9)
    assert abs(f.sum()) <= len(Z) * balance + 1e-6
    unit = np.mean(np.sum((Z - Z.mean(axis=0)) ** 2, axis=1))
    w = model.coef_[1] - model.coef_[0]
    expected = 0.2 / 4 * unit * w @ w + np.mean(np.maximum(0, 1 - np.abs(f)))
    assert model.objective_ == pytest.approx(expected)
    np.testing.assert_array_equal(model.labels_, f > 0)


@pytest.mark.filterwarnings("ignore::maxmargin.MaxMarginWarning")
def test_two_classes_keep_pins():
    pins = np.where(np.arange(90) % 9, -1, np.arange(90) % 2)
    model = CuttingPlaneClustering(2, optimizer="cpmmc", n_init=2, random_state=0).fit(X, pins)
    np.testing.assert_array_equal(model.labels_[pins >= 0], pins[pins >= 0])


def test_the_optimisers_say_what_they_take():
    assert {kind.takes for kind in (CCCP, Alternation)} == {("proportions", "min_size", "max_size")}
    assert CPM3C.takes == ()
    assert all(issubclass(kind, Optimizer) for kind in OPTIMIZERS.values())


DEGENERATE = """
    import warnings
    import numpy as np
    from maxmargin import CuttingPlaneClustering

    warnings.simplefilter("ignore")
    X = np.round(np.random.default_rng(10).normal(size=(290, 2)))
    for balance in (0.3, 1.0):
        CuttingPlaneClustering(
            16, balance=balance, alpha=0.3, optimizer="cccp", n_init=1, random_state=10
        ).fit(X)
    print("done")
"""


def test_biases_at_their_bounds_do_not_stall_the_solver():
    """Many biases at once at ± balance / 2: the small problem is degenerate, and rounds on."""
    code = textwrap.dedent(DEGENERATE)
    found = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, timeout=10, check=True
    )  # a second is enough; the limit here only catches a hang
    assert found.stdout.strip() == "done"
