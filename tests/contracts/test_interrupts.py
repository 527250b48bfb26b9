"""Ctrl-C at any moment: the earlier model, or an answer that is whole and says what it is."""

import gc
import os
import signal
import threading
import time
import warnings

import numpy as np
import pytest
from contracts.callbacks import Recorder
from contracts.estimators import having
from contracts.faults import assert_untouched, fitted_state
from joblib import parallel_config

from maxmargin import MaxMarginWarning

pytestmark = pytest.mark.skipif(os.name == "nt", reason="signals are sent differently on Windows")


@pytest.fixture(autouse=True)
def ctrl_c():
    """Handle SIGINT as in a terminal, also where it is ignored: under nohup, in some CI."""
    usual = signal.signal(signal.SIGINT, signal.default_int_handler)
    gc.disable()  # what is raised in a callback of the collector is lost
    with parallel_config("threading"):  # a search would start processes
        yield
    gc.enable()
    signal.signal(signal.SIGINT, usual)


def fit_interrupted(model, X, delay):
    """Fit with Ctrl-C after so many seconds; return whether it came to an end."""
    ended = False
    press = threading.Timer(delay, signal.pthread_kill, (threading.get_ident(), signal.SIGINT))
    try:
        press.start()
        model.fit(X)
        ended = True
        press.join()
    except KeyboardInterrupt:
        press.join()
    return ended


@having()
@pytest.mark.parametrize("on_interrupt", ["raise", "keep"])
@pytest.mark.filterwarnings("ignore::maxmargin.MaxMarginWarning")
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")  # in a finalizer
def test_ctrl_c_at_any_moment(case, on_interrupt, blobs, rng):
    X, other = case.given(blobs[0]), case.given(blobs[0][::-1].copy())
    model = case().fit(X)
    before, values = fitted_state(model), model.decision_function(X)
    began = time.perf_counter()
    expected = case().fit(other)
    usual = time.perf_counter() - began
    for share, n_jobs in zip(rng.random(3), (None, 2, None), strict=True):
        fitted = case(on_interrupt=on_interrupt, n_jobs=n_jobs)
        vars(fitted).update(before)
        if not fit_interrupted(fitted, other, share * usual):
            assert_untouched(fitted, before)
            np.testing.assert_array_equal(fitted.decision_function(X), values)
        elif fitted.complete_:  # it came too late to matter
            np.testing.assert_array_equal(fitted.labels_, expected.labels_)
        else:
            assert on_interrupt == "keep"
            assert set(vars(fitted)) == set(vars(expected))
            assert fitted.labels_.shape == (60,)
            wrong = np.sum(fitted.predict(other) != fitted.labels_)
            assert wrong == getattr(fitted, "n_disagreements_", wrong)


@having()
@pytest.mark.parametrize("on_interrupt", ["raise", "keep"])
def test_ctrl_c_between_two_parts(case, on_interrupt, blobs):
    pytest.importorskip("sklearn.callback", reason="scikit-learn >= 1.9 has callbacks")
    press = Recorder(at=1, do=lambda: signal.raise_signal(signal.SIGINT))
    model = case(on_interrupt=on_interrupt).set_callbacks(press)
    before = fitted_state(model)
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        try:
            model.fit(case.given(blobs[0]))
        except KeyboardInterrupt:
            assert on_interrupt == "raise"
            assert_untouched(model, before)
        else:
            assert on_interrupt == "keep" or press.n_parts == 0
            assert model.complete_ == (press.n_parts == 0)
            assert model.labels_.shape == (60,)
    interrupted = [w for w in said if "the fit was interrupted" in str(w.message)]
    assert len(interrupted) == (on_interrupt == "keep" and press.n_parts > 0)
    assert all(issubclass(w.category, MaxMarginWarning) for w in interrupted)
    assert press.told[-1] == "teardown"
