"""What a fit says while it runs: lines, callbacks of scikit-learn, and warnings."""

import re
import warnings

import numpy as np
import pytest
from contracts.callbacks import Recorder
from contracts.estimators import having
from contracts.faults import fitted_state
from sklearn.pipeline import make_pipeline

from maxmargin import MaxMarginWarning


@having()
def test_verbose_prints_a_line_for_each_part(case, blobs, capsys):
    X, name = case.given(blobs[0]), case.kind.__name__
    quiet = case().fit(X)
    assert capsys.readouterr().out == ""
    loud = case(verbose=1).fit(X)
    np.testing.assert_array_equal(loud.labels_, quiet.labels_)
    lines = capsys.readouterr().out.splitlines()
    assert all(re.match(rf"\[{name}\] \w.* \([\d.]+ s.*\)$", line) for line in lines)
    for i, line in enumerate(lines):
        part = re.match(r"\[\w+\] (\w+) (\d+) of (\d+)", line)
        if part and int(part[2]) < int(part[3]):  # parts are counted, and their time is foretold
            assert " s left)" in line
            assert f"{part[1]} {int(part[2]) + 1} of {part[3]}" in lines[i + 1]


@having()
def test_warnings_are_ours_and_name_the_line_of_the_user(case):
    rows = np.append(np.ones((19, 2)), [[9.0, 9.0]], axis=0)
    X, y = case.given(rows), np.where(np.arange(20) < 10, -1, 1)
    how = {"n_clusters": 2, "min_size": 0} if "sizes" in case.can else {}
    filters = warnings.filters[:]
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        case(**how).fit(X, y)
        case(**how).fit_predict(X, y)
        make_pipeline("passthrough", case(**how)).fit(X, y)
    assert said or case.name == "search"
    assert {w.category for w in said} <= {MaxMarginWarning}
    assert {w.filename for w in said} <= {__file__}
    assert warnings.filters == filters


class TestCallbacks:
    @pytest.fixture(autouse=True)
    def _needs_callbacks(self):
        pytest.importorskip("sklearn.callback", reason="scikit-learn >= 1.9 has callbacks")

    @having()
    def test_every_part_is_told(self, case, blobs):
        recorder, X = Recorder(), case.given(blobs[0])
        model = case().set_callbacks(recorder).fit(X)
        told = recorder.told
        assert told[:2] == ["setup", ("begin", "fit")]
        assert told[-2:] == [("end", "fit"), "teardown"]
        tasks = [task for task in told if isinstance(task, tuple)]
        begun, ended = ([name for what, name in tasks if what == w] for w in ("begin", "end"))
        assert sorted(begun) == sorted(ended)
        np.testing.assert_array_equal(recorder.fitted.labels_, model.labels_)

    @having()
    @pytest.mark.filterwarnings("ignore::maxmargin.MaxMarginWarning")
    def test_a_callback_that_has_enough_ends_the_fit_well(self, case, blobs):
        X = case.given(blobs[0])
        recorder = Recorder(at=1, do=lambda: True)
        model = case().set_callbacks(recorder).fit(X)
        assert model.labels_.shape == (60,)
        begun = [name for what, name in filter(lambda t: t[0] == "begin", recorder.told)]
        stages = sum(name.startswith("each ") for name in begun)
        assert recorder.n_parts <= stages, "what comes later does what an answer needs, no more"
        if model.complete_:  # there was one part at most
            np.testing.assert_array_equal(model.labels_, case().fit(X).labels_)
        wrong = np.sum(model.predict(X) != model.labels_)
        assert wrong == getattr(model, "n_disagreements_", wrong)

    @having()
    def test_a_callback_that_fails_is_taken_down_and_nothing_is_fitted(self, case, blobs):
        recorder = Recorder(at=1, do=lambda: 1 // 0)
        model = case().set_callbacks(recorder)
        before = fitted_state(model)
        try:
            model.fit(case.given(blobs[0]))
        except ZeroDivisionError:
            assert recorder.told[-1] == "teardown"
            assert fitted_state(model) == before
        else:
            assert recorder.n_parts == 0  # it has no parts
