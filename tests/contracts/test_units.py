"""Units do not matter, and rows that are far are far: with kernels that only know distances."""

import contextlib
from functools import partial

import numpy as np
import pytest
from contracts.estimators import having
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from scipy.sparse import csr_array
from sklearn.metrics import adjusted_rand_score
from sklearn.preprocessing import normalize

from maxmargin import (
    CuttingPlaneClustering,
    IterativeSVRClustering,
    MaxMarginClustering,
    MaxMarginWarning,
    MultipleKernelClustering,
    RLSClustering,
    SDPClustering,
    SupportVectorClustering,
    UnsupervisedSearch,
)
from maxmargin.spaces.kernel import Kernel
from maxmargin.spaces.metric import Metric

rls = partial(RLSClustering, 2, random_state=0)
door = partial(MaxMarginClustering, 2, effort="fast", random_state=0)
domain = partial(SupportVectorClustering, random_state=0)
MODELS = {
    "rls": rls,
    "rls, neighbors": partial(rls, gamma="neighbors", init="k-means++"),
    "rls, nystroem": partial(rls, approximation="nystroem", n_components=20),
    "rls, laplacian": partial(rls, kernel="laplacian"),
    "cutting plane": partial(CuttingPlaneClustering, 2, kernel="rbf", n_init=2, random_state=0),
    "kernels": partial(MultipleKernelClustering, 2, kernels=["rbf"], n_init=1, random_state=0),
    "front door": partial(door, min_size=0.1),
    "front door, as it comes": door,
    "front door, raw": partial(door, min_size=0.1, standardize=False),
    "svr": partial(IterativeSVRClustering, 2, n_init=2, random_state=0),
    "sdp": partial(SDPClustering, 2, init_size=10, random_state=0),
    "domain": domain,
    "domain, plateau": partial(domain, "plateau"),
    "domain, equilibria": partial(domain, assignment="equilibria"),
    "search": partial(UnsupervisedSearch, rls(n_init=2), {"alpha": [1e-4, 1e-2]}),
}
#: A row that is far may be one that these need to keep their balance, or that is drawn: the
#: others are the same wherever it is, but not as without it.
OTHER_OPTIMA = {"rls, laplacian", "rls, neighbors", "svr", "sdp", "front door, as it comes"}
each_model = pytest.mark.parametrize("model", MODELS)
quick = settings(
    max_examples=6,
    deadline=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
pytestmark = pytest.mark.filterwarnings("ignore:.*plateau of the number")


@pytest.fixture
def rows(rng):
    """Two clear blobs."""
    y = np.repeat([0, 1], [40, 30])
    X = rng.normal(size=(70, 2))
    X[:, 0] += 14 * y
    return X, y


@each_model
@pytest.mark.parametrize("power", [-1000, -560, -330, -40, 1, 40, 330, 480, 990])
def test_a_power_of_two_changes_nothing(model, power, rows):
    X, _ = rows
    expected, fitted = (MODELS[model]().fit(np.ldexp(X, p)) for p in (0, power))
    np.testing.assert_array_equal(fitted.labels_, expected.labels_)
    np.testing.assert_array_equal(
        fitted.predict(np.ldexp(X[::-1], power)), expected.predict(X[::-1])
    )
    assert getattr(fitted, "objective_", 0) == getattr(expected, "objective_", 0)


@each_model
@quick
@given(st.integers(-1000, 1000), st.integers(0, 2**32 - 1))
def test_any_power_of_two_changes_nothing(model, power, seed):
    X = np.random.default_rng(seed).normal(5.0, 1.0, (25, 3))
    labels = []
    for p in (0, power):
        with np.errstate(over="ignore"):
            labels.append(_quiet(MODELS[model](), np.ldexp(X, p)).labels_)
    np.testing.assert_array_equal(*labels)


def _quiet(model, X):
    """Fit, whatever our warnings are."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("maxmargin._runtime.warnings.warnings.warn", lambda *args, **kwargs: None)
        return model.fit(X)


@each_model
def test_a_far_row_is_far_however_far_it_is(model, rows):
    X, y = rows
    labels = []
    for far in (3e4, 1e9, 1e15, 1e30, 1e200, 1e307):
        fitted = MODELS[model]().fit(np.vstack([X, [[far, far]]]))
        labels.append(fitted.labels_[:70])
        assert np.all(np.isfinite(fitted.decision_function([[-far, far], [0.0, 0.0]])))
    assert all(np.array_equal(labels[0], other) for other in labels)
    if model not in OTHER_OPTIMA:
        assert adjusted_rand_score(y, labels[0]) == 1


@each_model
@quick
@given(
    st.lists(st.floats(5, 307), min_size=2, max_size=2),
    st.sampled_from([(1, 1), (-1, 1), (1, 0), (0, -1)]),
    st.integers(0, 70),
)
def test_moving_a_far_row_farther_changes_nothing(model, powers, direction, place):
    rng = np.random.default_rng(place)
    # of 30 and 40 rows: one that is as far from both may join either, and must not rename them
    X = rng.normal(size=(70, 2)) + 14 * (np.arange(70)[:, None] % 7 < 3)
    near, far = (
        _quiet(MODELS[model](), np.insert(X, place, 10.0**power * np.array(direction), axis=0))
        for power in powers
    )
    np.testing.assert_array_equal(np.delete(near.labels_, place), np.delete(far.labels_, place))


@pytest.mark.parametrize(
    "model",
    [
        rls(kernel="linear"),
        rls(kernel="poly"),
        CuttingPlaneClustering(2, random_state=0),
        MultipleKernelClustering(2, n_init=1, random_state=0),
        IterativeSVRClustering(2, kernel="linear", n_init=1, random_state=0),
        SDPClustering(2, kernel="linear", init_size=10, random_state=0),
    ],
    ids=lambda model: type(model).__name__,
)
def test_kernels_that_give_a_far_row_its_way_say_so(model, rows):
    X, _ = rows
    with pytest.warns(MaxMarginWarning) as said:
        model.fit(np.insert(X, 12, [1e9, 1e9], axis=0))
    told = [str(one.message) for one in said if "as far from the middle" in str(one.message)]
    assert len(told) == 1
    assert "1 of the 71 rows of X (12, counted from 0)" in told[0]
    assert "Leave them out, scale the columns" in told[0]
    model.fit(X)  # and nothing where none is far


@pytest.mark.parametrize("unit", [1e-165, 1e-200, 1e-300, 1e200])
def test_three_blobs_in_odd_units(unit, rng):
    y = np.repeat([0, 1, 2], 40)
    X = rng.normal(size=(120, 2)) + np.array([[0, 0], [14, 0], [0, 14]])[y]
    fitted = RLSClustering(3, random_state=0).fit(unit * X)
    assert adjusted_rand_score(y, fitted.labels_) == 1


@pytest.mark.filterwarnings("ignore:.*not positive semidefinite")
@pytest.mark.parametrize("kernel", ["linear", "cosine", "poly", "sigmoid"])
@pytest.mark.parametrize("form", ["dense", "sparse", "float32"])
def test_products_answer_in_any_unit_or_say_that_squares_are_none(kernel, form, rng):
    y = np.repeat([0, 1, 2], 30)
    X = rng.normal(size=(90, 2)) + np.array([[12, 0], [-6, 10], [-6, -10]])[y]
    make = {"dense": np.asarray, "sparse": csr_array, "float32": np.float32}[form]
    models = [
        RLSClustering(3, kernel=kernel, random_state=0),
        RLSClustering(3, kernel=kernel, approximation="nystroem", random_state=0, n_components=40),
        CuttingPlaneClustering(3, kernel=kernel, n_init=2, random_state=0),
    ]
    answers = 0
    for model in models:
        usual = model.fit(make(X)).labels_
        assert adjusted_rand_score(y, usual) > 0.8
        for power in (-1000, -400, -110, -50, -20, 20, 50, 110, 400, 990):
            with np.errstate(over="ignore"):
                rows = make(np.ldexp(X, power))
            if not 0 < abs(rows).max() < np.inf:
                continue
            try:
                labels = model.fit(rows).labels_
            except ValueError as error:
                said = str(error)
            else:
                answers, said = answers + 1, ""
                assert adjusted_rand_score(usual, labels) > 0.9, power
            assert not said or ("squares" in said and abs(power) > 50)
    assert answers >= 12


@having("sparse rows")
@pytest.mark.parametrize("unit", [2.0**-120, 2.0**100, 2.0**122])
@pytest.mark.filterwarnings("ignore::maxmargin.MaxMarginWarning")
def test_sparse_rows_of_single_precision_in_odd_units(case, unit, rng):
    """An answer, or an error that says what to do: no warning of NumPy."""
    X = np.abs(rng.normal(size=(45, 4))) + 9 * np.eye(4)[np.arange(45) % 3]
    with contextlib.suppress(ValueError):
        model = case().fit(csr_array((X * unit).astype(np.float32)))
        assert np.isfinite(model.decision_function(csr_array(X.astype(np.float32)))).all()


def test_where_most_rows_are_far_none_is(rng):
    wrapped = rng.normal(size=(30, 120)).astype(np.int64).astype(np.uint64)  # −1 is 1.8e19
    fitted = _quiet(MaxMarginClustering(effort="fast", random_state=0), wrapped)
    assert fitted.labels_.shape == (30,)
    assert np.isfinite(fitted.decision_function(wrapped)).all()


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_angles_are_those_of_short_rows_too(dtype, rng):
    X = csr_array(rng.random((12, 5)).astype(dtype))
    for power in (-22, -48, -90):
        short = csr_array(X)
        short.data = np.ldexp(X.data, power)
        for space in (Metric("cosine"), Kernel("cosine")):
            if isinstance(space, Metric):
                space.fit(short)
            np.testing.assert_array_equal(space.prepare(short).data, normalize(X).data)


@pytest.mark.parametrize("power", [-900, 800])
def test_columns_of_few_values_may_be_in_any_unit(power, rng):
    X = np.column_stack([rng.normal(size=(60, 2)), rng.integers(0, 3, 60)])
    X[::2, 0] += 9
    labels = [
        _quiet(MaxMarginClustering(effort="fast", random_state=0), np.ldexp(X, p)).labels_
        for p in (0, power)
    ]
    np.testing.assert_array_equal(*labels)
