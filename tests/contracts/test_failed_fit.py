"""A fit that fails leaves the earlier model as it was; one that works leaves nothing of it."""

import copy

import numpy as np
import pandas as pd
import pytest
from contracts.estimators import CASES, having
from contracts.faults import Fault, assert_untouched, failing_at, fitted_state

pytestmark = pytest.mark.filterwarnings("ignore::maxmargin.MaxMarginWarning")


@having()
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")  # in a finalizer
def test_a_fit_that_fails_anywhere_leaves_the_earlier_model(case, blobs, rng):
    X, other = case.given(blobs[0]), case.given(rng.normal(size=(30, 2)))
    with failing_at() as calls:
        case().fit(other)
    model = case().fit(X)
    before, values, n_failed = fitted_state(model), model.decision_function(X), 0
    for place in rng.choice([*calls.values()], size=5, replace=False):
        for fitted, state in ((copy.copy(model), before), (case(), {})):
            try:
                with failing_at(place):
                    fitted.fit(other)
            except Fault:
                assert_untouched(fitted, state)
                n_failed += 1
    assert n_failed >= 6  # of 10: a fit of another model may have fewer calls
    np.testing.assert_array_equal(model.decision_function(X), values)


@having()
def test_rows_and_parameters_that_are_refused_change_nothing(case, blobs):
    rows, _ = blobs
    X, wide = case.given(rows), np.c_[rows, rows]
    model = case().fit(X)
    before, values = fitted_state(model), model.decision_function(X)
    wrong = {"n_clusters": 61} if "k" in case.can else {"on_interrupt": "no"}
    with pytest.raises(ValueError, match=next(iter(wrong))):
        model.set_params(**wrong).fit(case.given(wide))
    assert_untouched(model, before)
    wide[3, 3] = np.nan
    with pytest.raises(ValueError):
        model.set_params(**case().get_params(deep=False)).fit(wide)
    assert_untouched(model, before)
    np.testing.assert_array_equal(model.decision_function(X), values)


@having()
def test_parameters_that_are_set_later_do_not_change_a_model(case, blobs):
    X = case.given(blobs[0])
    model = case().fit(X)
    values, labels = model.decision_function(X), model.predict(X)
    for other in CASES:
        if other.kind is case.kind:
            model.set_params(**other().get_params(deep=False))
            np.testing.assert_array_equal(model.decision_function(X), values)
            np.testing.assert_array_equal(model.predict(X), labels)


@having()
def test_a_refit_in_another_configuration_is_a_first_fit(case, blobs, rng):
    """After a table with names and more columns: nothing stays behind."""
    X = case.given(blobs[0])
    expected = case().fit(X)
    table = pd.DataFrame(rng.normal(size=(30, 3)), columns=list("abc"))
    others = [other for other in CASES if other.kind is case.kind]
    other = others[others.index(case) - 1]
    model = other().fit(table if "rows" in other.can else other.given(table.to_numpy()))
    model.set_params(**case().get_params(deep=False)).fit(X)
    assert set(vars(model)) == set(vars(expected))
    np.testing.assert_array_equal(model.labels_, expected.labels_)
    np.testing.assert_array_equal(model.decision_function(X), expected.decision_function(X))
