"""A fitted model is asked by many threads at once: what it says depends on the rows alone."""

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from contracts.estimators import having

from maxmargin import SupportVectorClustering

pytestmark = pytest.mark.filterwarnings("ignore::maxmargin.MaxMarginWarning")
THREADS, TURNS = 4, 3


def ask(model, parts):
    """What each part is told, all of them several times at once."""
    with ThreadPoolExecutor(THREADS) as threads:
        asked = [(model, part) for _ in range(TURNS) for part in parts]
        return list(threads.map(lambda one: answers(*one), asked))


def answers(model, part):
    told = [model.predict(part), model.decision_function(part)]
    return [*told, model.predict_proba(part)] if hasattr(model, "predict_proba") else told


@having("rows")
def test_threads_may_share_a_model(case, rng):
    X = rng.normal(size=(36, 22)) + 8 * np.repeat([0, 1, 2], 12)[:, None]
    model = case().fit(X)
    parts = [X[i::THREADS] + 0.1 for i in range(THREADS)]
    expected = [answers(model, part) for part in parts] * TURNS
    state = dict(vars(model))
    for told, alone in zip(ask(model, parts), expected, strict=True):
        for one, other in zip(told, alone, strict=True):
            np.testing.assert_array_equal(one, other)
    assert all(value is state.get(name) for name, value in vars(model).items())


def test_a_stream_is_fitted_before_it_is_shared(rng):
    X = rng.normal(size=(60, 2)) + 9 * np.repeat([0, 1, 2], 20)[:, None]
    model = SupportVectorClustering(random_state=0).partial_fit(X)
    expected = model.predict(X)
    for told, _ in ask(model, [X, X, X, X]):
        np.testing.assert_array_equal(told, expected)
