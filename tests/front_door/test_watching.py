"""All estimators are watched in the same way: Ctrl-C, progress and callbacks of scikit-learn."""

import signal
import warnings

import numpy as np
import pytest
from sklearn.cluster import KMeans
from sklearn.datasets import make_blobs
from sklearn.metrics import adjusted_rand_score

from maxmargin import (
    CuttingPlaneClustering,
    MaxMarginClustering,
    MaxMarginWarning,
    MultipleKernelClustering,
    RLSClustering,
    SupportVectorClustering,
    UnsupervisedSearch,
)
from maxmargin._runtime.progress import listening
from maxmargin.solvers.cutting_plane import CuttingPlane

MODELS = {
    "front door": lambda **how: MaxMarginClustering(3, random_state=0, **how),
    "front door, any number": lambda **how: MaxMarginClustering(
        effort="fast", random_state=0, **how
    ),
    "rls": lambda **how: RLSClustering(3, random_state=0, **how),
    "cutting plane": lambda **how: CuttingPlaneClustering(3, random_state=0, **how),
    "cutting plane, some rows first": lambda **how: CuttingPlaneClustering(
        3, init_size=60, random_state=0, **how
    ),
    "kernels": lambda **how: MultipleKernelClustering(
        3, kernels=["linear", "rbf"], random_state=0, **how
    ),
    "domain": lambda **how: SupportVectorClustering(random_state=0, **how),
    "plateau": lambda **how: SupportVectorClustering(gamma="plateau", random_state=0, **how),
    "search": lambda **how: UnsupervisedSearch(
        KMeans(random_state=0), {"n_clusters": [2, 3, 4]}, criterion="split_gap", **how
    ),
}


pytestmark = pytest.mark.usefixtures("ctrl_c")


@pytest.fixture
def rows(global_random_seed):
    centers = [[0, 0], [10, 0], [0, 10]]
    return make_blobs(120, centers=centers, random_state=global_random_seed)[0]


@pytest.fixture(params=MODELS)
def model(request):
    return MODELS[request.param]


def interrupt_after(count):
    """A listener that presses Ctrl-C when so many parts are done."""
    seen = []

    def listener(step):
        seen.append(step)
        if sum(step.done > 0 for step in seen) == count and step.done:
            signal.raise_signal(signal.SIGINT)

    return listener


def fit_interrupted(model, X, after):
    with listening(interrupt_after(after)), warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        model.fit(X)
    assert "the fit was interrupted" in str(caught[-1].message)
    assert all(issubclass(warning.category, MaxMarginWarning) for warning in caught)


def steps_of(model, X):
    steps = []
    with listening(steps.append):
        model.fit(X)
    return [step for step in steps if step.done]


def test_the_best_so_far_is_kept(model, rows):
    total = len(steps_of(model(), rows))
    assert total > 1
    fitted = model(on_interrupt="keep")
    fit_interrupted(fitted, rows, after=1)
    assert not fitted.complete_
    assert fitted.labels_.shape == (len(rows),)
    assert fitted.n_clusters_ >= 1
    if hasattr(fitted, "predict"):
        assert fitted.predict(rows).shape == (len(rows),)
    assert model(on_interrupt="keep").fit(rows).complete_


def test_otherwise_it_is_raised_and_nothing_changes(model, rows):
    fitted = model().fit(rows)
    before = fitted.labels_.copy()
    with listening(interrupt_after(1)), pytest.raises(KeyboardInterrupt):
        fitted.fit(rows[::-1])
    np.testing.assert_array_equal(fitted.labels_, before)
    fresh = model()
    with listening(interrupt_after(1)), pytest.raises(KeyboardInterrupt):
        fresh.fit(rows)
    assert not hasattr(fresh, "labels_")


def test_a_late_interrupt_is_kept_as_well(model, rows):
    fitted = model(on_interrupt="keep")
    total = len(steps_of(model(), rows))
    fit_interrupted(fitted, rows, after=total)
    np.testing.assert_array_equal(fitted.labels_, model().fit(rows).labels_)


@pytest.mark.parametrize("name", ["rls", "cutting plane", "front door"])
def test_parallel_runs_end_too(name, rows):
    fitted = MODELS[name](on_interrupt="keep", n_jobs=2)
    fit_interrupted(fitted, rows, after=1)
    assert fitted.labels_.shape == (len(rows),)


def test_the_choices_of_on_interrupt(model, rows):
    with pytest.raises(ValueError, match="on_interrupt must be one of 'raise', 'keep'; got 'no'"):
        model(on_interrupt="no").fit(rows)


class Recorder:
    """A callback that writes down what it is told, and may want no more after some runs."""

    def __init__(self, enough=None):
        self.told, self.enough, self.fitted, self.n_parts = [], enough, None, 0

    def setup(self, estimator, context):
        self.told.append("setup")

    def teardown(self, estimator, context):
        self.told.append("teardown")

    def on_fit_task_begin(self, estimator, context):
        self.told.append(("begin", context.task_name))
        self.n_parts += context.max_subtasks == 0

    def on_fit_task_end(self, estimator, context, *, fitted_estimator=None):
        self.told.append(("end", context.task_name))
        if context.parent is None:
            self.fitted = fitted_estimator
        ended = sum(told == ("end", context.task_name) for told in self.told)
        return context.max_subtasks == 0 and ended == self.enough


class TestCallbacks:
    @pytest.fixture(autouse=True)
    def _needs_callbacks(self):
        pytest.importorskip("sklearn.callback", reason="scikit-learn >= 1.9 has callbacks")

    def test_every_part_is_told(self, model, rows):
        recorder = Recorder()
        fitted = model().set_callbacks(recorder).fit(rows)
        assert recorder.told[:2] == ["setup", ("begin", "fit")]
        assert recorder.told[-2:] == [("end", "fit"), "teardown"]
        assert recorder.n_parts == len(steps_of(model(), rows))
        assert sum(told[0] == "begin" for told in recorder.told) == sum(
            told[0] == "end" for told in recorder.told
        )
        np.testing.assert_array_equal(recorder.fitted.labels_, fitted.labels_)

    def test_a_callback_can_end_the_runs(self, rows):
        fitted = RLSClustering(3, random_state=0).set_callbacks(Recorder(enough=2))
        assert len(steps_of(fitted, rows)) == 2
        assert not fitted.complete_
        assert fitted.labels_.shape == (len(rows),)

    def test_callbacks_are_taken_down_after_an_error(self, model, rows):
        recorder = Recorder()
        fitted = model(on_interrupt="raise").set_callbacks(recorder)
        with listening(interrupt_after(1)), pytest.raises(KeyboardInterrupt):
            fitted.fit(rows)
        assert recorder.told[-1] == "teardown"
        assert not any("callback_fit" in name for name in vars(fitted))

    def test_the_progress_bar_of_scikit_learn(self, model, rows, capsys):
        pytest.importorskip("rich")
        from sklearn.callback import ProgressBar

        model().set_callbacks(ProgressBar()).fit(rows)
        assert "100%" in capsys.readouterr().out


@pytest.mark.parametrize("n_jobs", [1, 2])
def test_filters_of_warnings_stay_as_they_are(rows, n_jobs):
    before = warnings.filters[:]
    MaxMarginClustering(3, n_jobs=n_jobs, random_state=0).fit(rows)
    assert warnings.filters == before


@pytest.mark.parametrize("name", ["cutting plane, some rows first", "kernels"])
def test_ctrl_c_in_the_middle_of_a_run(name, rows, monkeypatch):
    calls, press = [], [None]
    solve = CuttingPlane.solve

    def interrupted(problem):
        calls.append(1)
        if len(calls) == press[0]:
            raise KeyboardInterrupt
        return solve(problem)

    monkeypatch.setattr(CuttingPlane, "solve", interrupted)
    MODELS[name](n_init=2).fit(rows)
    kept = 0
    for press[0] in np.linspace(1, len(calls), 15).astype(int):
        calls.clear()
        fitted = MODELS[name](n_init=2, on_interrupt="keep")
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", MaxMarginWarning)
                fitted.fit(rows)
        except KeyboardInterrupt:
            assert not hasattr(fitted, "labels_")
            continue
        kept += 1
        assert not fitted.complete_
        assert adjusted_rand_score(fitted.predict(rows), fitted.labels_) > 0.9
    assert kept > 5


class HandedOn(Recorder):
    """A callback for candidates, too."""

    max_propagation_depth = None


class TestCallbacksOfCandidates:
    @pytest.fixture(autouse=True)
    def _needs_callbacks(self):
        pytest.importorskip("sklearn.callback", reason="scikit-learn >= 1.9 has callbacks")

    @pytest.fixture
    def search(self):
        return UnsupervisedSearch(
            RLSClustering(3, n_init=4, random_state=0), {"alpha": [1e-4, 1e-3, 1e-2]}
        )

    def test_they_are_handed_what_is_handed_on(self, search, rows):
        recorder = HandedOn()
        model = search.set_callbacks(recorder).fit(rows)
        begun = [name for what, name in filter(lambda t: t[0] == "begin", recorder.told)]
        ended = [name for what, name in filter(lambda t: t[0] == "end", recorder.told)]
        assert sorted(begun) == sorted(ended)
        assert begun.count("run") == 12  # of the candidates
        assert begun.count("fit") == 4  # that of the search and of each candidate
        assert recorder.told.count("setup") == recorder.told.count("teardown") == 1
        assert not hasattr(model.best_estimator_, "_parent_callback_ctx")
        assert not getattr(model.best_estimator_, "_skl_callbacks", [])

    def test_others_are_told_of_the_search_alone(self, search, rows):
        recorder = Recorder()
        search.set_callbacks(recorder).fit(rows)
        begun = [name for what, name in filter(lambda t: t[0] == "begin", recorder.told)]
        assert begun == ["fit", "each candidate", *3 * ["candidate"]]

    def test_callbacks_of_the_candidates_own(self, search, rows):
        own = Recorder()
        search.estimator.set_callbacks(own)
        search.fit(rows)
        assert own.told.count(("end", "run")) == 12

    def test_a_candidate_that_takes_none(self, rows):
        recorder = HandedOn()
        MODELS["search"]().set_callbacks(recorder).fit(rows)
        assert recorder.told.count(("end", "candidate")) == 3

    def test_in_processes(self, search, rows):
        from sklearn.callback import ProgressBar

        expected = search.fit(rows).labels_
        bar = ProgressBar()
        found = search.set_params(n_jobs=2).set_callbacks(bar).fit(rows)
        np.testing.assert_array_equal(found.labels_, expected)
