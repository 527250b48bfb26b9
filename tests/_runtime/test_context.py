"""The context of a fit: listeners, Ctrl-C and deadlines."""

import gc
import signal
import threading
import time
import warnings
from contextlib import nullcontext
from functools import partial
from types import SimpleNamespace

import numpy as np
import pytest
from sklearn import config_context, get_config

from maxmargin import MultipleKernelClustering, RLSClustering
from maxmargin._runtime import parallel
from maxmargin._runtime.context import FitContext, fitting
from maxmargin._runtime.progress import Step, listening
from maxmargin._runtime.warnings import InterruptedWarning


def Model(n_jobs=None, on_interrupt="raise"):
    """What a context needs of an estimator."""
    return SimpleNamespace(n_jobs=n_jobs, on_interrupt=on_interrupt, verbose=0)


def interrupted_at(number):
    """A function of a job that is interrupted at one of them."""

    def run(job):
        if job == number:
            raise KeyboardInterrupt
        return job

    return run


def test_the_first_interrupt_keeps_what_is_done():
    context = FitContext(keep=True)
    assert context.map(interrupted_at(2), range(5), task="run") == [0, 1]
    assert context.interrupted
    assert not context.complete
    assert context.late
    assert context.stop[0] == 0


def test_the_second_interrupt_is_raised():
    context = FitContext(keep=True)
    context.map(interrupted_at(1), range(3), task="run")
    with pytest.raises(KeyboardInterrupt):
        context.map(interrupted_at(0), range(3), task="run")


@pytest.mark.parametrize(("keep", "number"), [(False, 2), (True, 0)])
def test_it_is_raised_where_nobody_asked_or_nothing_is_there(keep, number):
    context = FitContext(keep=keep)
    with pytest.raises(KeyboardInterrupt):
        context.map(interrupted_at(number), range(5), task="run")
    assert context.complete


def test_jobs_stand_in_for_results_that_are_missing():
    context = FitContext(keep=True)
    results = context.map(interrupted_at(0), range(3), task="polish", otherwise=["a", "b", "c"])
    assert results == ["a", "b", "c"]


def test_other_threads_end_and_the_flag_is_as_before(ctrl_c):
    model = Model(n_jobs=3, on_interrupt="keep")
    ended = []

    def run(job):
        if job == 0:
            return job
        while not context.stop[0]:
            time.sleep(0.001)
        ended.append(job)
        raise KeyboardInterrupt

    results = []
    with pytest.warns(InterruptedWarning), fitting(model) as context:
        for result in context.imap(run, range(6), task="run"):
            results.append(result)
            threading.Timer(0.1, ctrl_c).start()  # while it waits for the next one
        assert context.stop[0] == 0
    assert results == [0]
    assert ended


def test_the_end_leaves_the_filters_of_warnings_and_no_threads():
    context, at_work = FitContext(keep=True, n_jobs=2), threading.Event()

    def run(job):
        at_work.set()
        while job and not context.stop[0]:
            time.sleep(0.001)
        return job

    def press(step):
        if step.done:
            at_work.wait()
            raise KeyboardInterrupt

    filters, before = list(warnings.filters), threading.active_count()
    with listening(press):
        assert context.map(run, range(6), task="run") == [0]
    assert warnings.filters == filters
    for thread in threading.enumerate():
        if thread is not threading.main_thread():
            thread.join(timeout=10)
    assert threading.active_count() <= before


@pytest.mark.parametrize("ends", ["well", "in an error"])
def test_threads_that_set_filters_of_warnings_leave_those_of_the_program(ends):
    """Whoever ends last puts back what it found: here the filters of the other thread."""
    first_in, second_in, first_out = (threading.Event() for _ in range(3))

    def run(job):
        if job == 0:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                first_in.set()
                second_in.wait(10)
            first_out.set()
            if ends == "in an error":
                raise ValueError("no result")
        else:
            first_in.wait(10)
            with warnings.catch_warnings():
                second_in.set()
                first_out.wait(10)
                time.sleep(0.05)  # the other one has told of its end

    before = warnings.filters, list(warnings.filters)
    with pytest.raises(ValueError, match="no") if ends == "in an error" else nullcontext():
        FitContext(n_jobs=2).map(run, range(2), task="run")
    assert (warnings.filters, list(warnings.filters)) == before


def test_a_warning_of_an_interrupted_fit_names_the_line_of_the_user(ctrl_c):
    def press(step):
        if step.done == 1:
            ctrl_c()

    model = RLSClustering(2, n_init=3, on_interrupt="keep", random_state=0)
    with listening(press), pytest.warns(InterruptedWarning) as said:
        model.fit(np.arange(40.0).reshape(20, 2))
    assert said[0].filename == __file__


@pytest.mark.parametrize("n_jobs", [None, 2])
def test_runs_know_the_configuration_of_scikit_learn(n_jobs):
    with config_context(working_memory=7):
        known = FitContext(n_jobs=n_jobs).map(
            lambda _: get_config()["working_memory"], range(3), task="run"
        )
    assert known == [7, 7, 7]


@pytest.mark.parametrize("n_jobs", [None, 2])
def test_an_error_that_is_kept_does_not_keep_blas_at_one_thread(n_jobs):
    def describe(result):
        raise ValueError("no words for it")

    before = parallel._users
    with pytest.raises(ValueError, match="no words") as kept:
        FitContext(n_jobs=n_jobs).map(lambda x: x, range(5), task="run", describe=describe)
    assert kept.traceback  # and with it the frames
    assert parallel._users == before


def test_an_interrupt_while_a_result_is_told_keeps_that_result():
    def press(step):
        if step.done == 1:
            raise KeyboardInterrupt

    with listening(press):
        results = FitContext(keep=True).map(str, range(3), task="polish", otherwise=["a", "b", "c"])
    assert results == ["0", "b", "c"]


def test_an_attempt_has_something_shorter_instead():
    def work():
        raise KeyboardInterrupt

    context = FitContext(keep=True)
    assert context.attempt(lambda: "whole", lambda: "short") == "whole"
    assert context.attempt(work, lambda: "short") == "short"
    assert context.attempt(lambda: "whole", lambda: "short") == "short"  # it is late now
    with pytest.raises(KeyboardInterrupt):
        FitContext().attempt(work, lambda: "short")


def test_a_deadline_makes_it_late():
    assert FitContext(deadline=time.perf_counter() - 1).late
    assert not FitContext(deadline=time.perf_counter() + 1000).late


def test_listeners_hear_the_begin_and_every_step():
    heard = []
    with listening(heard.append):
        FitContext("Model").map(lambda x: x, "ab", task="run", describe=str)
    FitContext("Model").map(lambda x: x, "ab", task="run")
    assert heard == [
        Step("Model", "run", 0, 2),
        Step("Model", "run", 1, 2, "a"),
        Step("Model", "run", 2, 2, "b"),
    ]


def test_verbose_prints_the_time_left(capsys):
    FitContext("Model", verbose=True).map(lambda x: x, "ab", task="run", describe=str)
    first, last = capsys.readouterr().out.splitlines()
    assert first.startswith("[Model] run 1 of 2: a (")
    assert "about" in first
    assert last.endswith(" s)")


class TestInTurn:
    def test_an_interrupted_one_is_left_out_if_there_is_one_before_it(self):
        context = FitContext(keep=True)
        jobs = [partial(interrupted_at(2), i) for i in range(5)]
        assert list(context.in_turn(jobs)) == [0, 1]
        assert context.interrupted

    def test_the_first_one_is_raised(self):
        with pytest.raises(KeyboardInterrupt):
            list(FitContext(keep=True).in_turn([partial(interrupted_at(0), 0)]))

    def test_the_first_one_is_called_however_late_it_is(self):
        late = FitContext(deadline=time.perf_counter() - 1)
        assert list(late.in_turn([lambda: 1, lambda: 2])) == [1]


class TestCtrlC:
    """What the handler does inside of a fit, and what is left of it afterwards."""

    def test_it_waits_for_a_safe_point(self, ctrl_c):
        passed = []
        with pytest.raises(KeyboardInterrupt), fitting(Model()) as context:
            ctrl_c()
            passed.append("on its way")
            context.map(str, range(3), task="run")
        assert passed
        assert signal.getsignal(signal.SIGINT) is signal.default_int_handler

    def test_one_after_the_last_safe_point_is_raised_at_the_end(self, ctrl_c):
        with pytest.raises(KeyboardInterrupt), fitting(Model()):
            ctrl_c()

    def test_a_second_one_is_raised_at_once(self, ctrl_c):
        with pytest.raises(KeyboardInterrupt), fitting(Model()):
            ctrl_c()
            ctrl_c()
            pytest.fail("it was waited for")

    def test_one_inside_a_callback_of_the_garbage_collector_is_not_lost(self, ctrl_c):
        def collected(phase, info):
            if phase == "start":
                ctrl_c()

        with pytest.raises(KeyboardInterrupt), fitting(Model()) as context:
            gc.callbacks.append(collected)
            try:
                gc.collect()
            finally:
                gc.callbacks.remove(collected)
            context.map(str, range(3), task="run")

    def test_with_a_result_at_hand_the_rest_of_a_fit_is_not_disturbed(self, ctrl_c):
        model = Model(on_interrupt="keep")
        with pytest.warns(InterruptedWarning), fitting(model) as context:
            assert context.map(str, range(2), task="run") == ["0", "1"]
            ctrl_c()
            assert context.stop[0] == 0
            assert context.map(str, range(3), task="run") == ["0"]  # what an answer needs
        assert not model.complete_

    def test_an_ignored_signal_stays_ignored(self, ctrl_c):
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        with fitting(Model()) as context:
            ctrl_c()
            assert signal.getsignal(signal.SIGINT) is signal.SIG_IGN
            assert context.map(str, range(3), task="run") == ["0", "1", "2"]

    def test_a_handler_of_the_program_is_asked_and_is_back(self, ctrl_c):
        pressed = []

        def own(signum, frame):
            pressed.append(signum)

        signal.signal(signal.SIGINT, own)
        with fitting(Model()) as context:
            ctrl_c()
            assert context.map(str, range(2), task="run") == ["0", "1"]
        assert pressed == [signal.SIGINT]
        assert signal.getsignal(signal.SIGINT) is own

    def test_a_handler_that_was_set_meanwhile_stays(self, ctrl_c):
        def other(signum, frame):
            pass

        with fitting(Model()):
            signal.signal(signal.SIGINT, other)
        assert signal.getsignal(signal.SIGINT) is other

    def test_other_threads_have_no_handler(self, ctrl_c):
        seen = []

        def fit():
            with fitting(Model()):
                seen.append(signal.getsignal(signal.SIGINT))

        thread = threading.Thread(target=fit)
        thread.start()
        thread.join()
        assert seen == [signal.default_int_handler]

    def test_fits_inside_of_fits_all_hear_it(self, ctrl_c):
        outer, inner = Model(), Model(on_interrupt="keep")
        with pytest.raises(KeyboardInterrupt), fitting(outer) as around:
            with pytest.warns(InterruptedWarning), fitting(inner) as context:
                context.map(str, range(2), task="run")
                ctrl_c()
            assert not inner.complete_
            around.map(str, range(3), task="run")
        assert signal.getsignal(signal.SIGINT) is signal.default_int_handler

    def test_foreign_code_is_left_at_once(self, ctrl_c):
        def results():
            yield 1
            ctrl_c()
            pytest.fail("it was waited for")

        model = Model(on_interrupt="keep")
        with pytest.warns(InterruptedWarning), fitting(model) as context:
            found = list(context.follow(results(), 3, task="candidate", foreign=True))
        assert found == [1]

    def test_what_the_program_deals_with_reaches_no_fit_inside_of_a_fit(self, ctrl_c):
        pressed = []
        signal.signal(signal.SIGINT, lambda signum, frame: pressed.append(signum))
        with fitting(Model()), fitting(Model()) as inner:
            ctrl_c()
            assert inner.map(str, range(2), task="run") == ["0", "1"]
        assert pressed == [signal.SIGINT]

    def test_the_first_one_is_forgiven_while_other_threads_are_ended(self, ctrl_c):
        model, busy = Model(n_jobs=2, on_interrupt="keep"), threading.Event()

        def run(job):
            while job and not (context.stop[0] and busy.is_set()):
                time.sleep(0.001)
            return job

        def press():
            ctrl_c()
            time.sleep(0.05)
            busy.set()

        with pytest.warns(InterruptedWarning), fitting(model, deadline=0.0) as context:
            threading.Timer(0.1, press).start()  # it is late: the others are being ended
            assert context.map(run, range(4), task="run") == [0]
        assert not model.complete_

    @pytest.mark.parametrize("kernels", [None, [len]])
    def test_code_of_the_user_is_left_soon(self, kernels, ctrl_c):
        calls = []

        def slow(a, b):
            calls.append(1)
            if len(calls) == 100:
                ctrl_c()
            return float(a @ b)

        X = np.random.default_rng(0).normal(size=(60, 2))
        model = RLSClustering(2, kernel=slow)
        if kernels:
            model = MultipleKernelClustering(2, kernels=[slow, "rbf"])
        with pytest.raises(KeyboardInterrupt):
            model.fit(X)
        assert len(calls) < 110
