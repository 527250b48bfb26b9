"""The same random_state gives the same model, whatever else happens."""

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from contracts.estimators import each_class, having
from joblib import parallel_config
from threadpoolctl import threadpool_info, threadpool_limits

pytestmark = pytest.mark.filterwarnings("ignore::maxmargin.MaxMarginWarning")


@pytest.fixture
def cloud(rng):
    """Rows without clusters: many groupings are nearly as good."""
    return rng.normal(size=(30, 2))


def assert_same(model, expected, X):
    np.testing.assert_array_equal(model.labels_, expected.labels_)
    np.testing.assert_array_equal(model.decision_function(X), expected.decision_function(X))
    for name in ("objective_", "loo_score_", "gamma_", "kernel_weights_", "best_score_"):
        assert getattr(model, name, None) == getattr(expected, name, None)


@having()
def test_n_jobs_changes_no_bit(case, cloud):
    X = case.given(cloud)
    expected = case().fit(X)
    with parallel_config("threading"):
        assert_same(case(n_jobs=2).fit(X), expected, X)


@having()
def test_the_same_seed_gives_the_same_model(case, cloud):
    X = case.given(cloud)
    expected = case().fit(X)
    before = np.random.get_state()[1].copy()  # noqa: NPY002
    if "random_state" in case.parameters:
        assert_same(case(random_state=np.random.RandomState(0)).fit(X), expected, X)
    assert_same(case().fit(X), expected.fit(X), X)  # nor does a refit remember the first one
    np.testing.assert_array_equal(np.random.get_state()[1], before)  # noqa: NPY002


@each_class()
def test_fits_in_several_threads_are_those_in_one(case, cloud):
    """And afterwards BLAS has the threads that it had before."""
    X = case.given(cloud[:25])
    expected = case().fit(X)
    with threadpool_limits(2, user_api="blas"):
        with ThreadPoolExecutor(3) as pool:
            models = list(pool.map(lambda _: case().fit(X), range(4)))
        threads = {p["num_threads"] for p in threadpool_info() if p["user_api"] == "blas"}
    assert threads == {2}
    for model in models:
        np.testing.assert_array_equal(model.labels_, expected.labels_)
        np.testing.assert_allclose(
            model.decision_function(X), expected.decision_function(X), atol=1e-8
        )
