"""What watches over a fit: listeners, Ctrl-C and deadlines."""

import _thread
import threading
import time
import warnings
from functools import partial

import pytest
from sklearn import config_context, get_config

from maxmargin._runtime import threads
from maxmargin._runtime.progress import Step, listening
from maxmargin._runtime.watch import Watch


def interrupted_at(number):
    """A function of a job that is interrupted at one of them."""

    def run(job):
        if job == number:
            raise KeyboardInterrupt
        return job

    return run


def test_the_first_interrupt_keeps_what_is_done():
    watch = Watch(keep=True)
    assert watch.run_all(interrupted_at(2), range(5), n_jobs=None, task="run") == [0, 1]
    assert watch.interrupted
    assert not watch.complete
    assert watch.late
    assert watch.stop[0] == 0


def test_the_second_interrupt_is_raised():
    watch = Watch(keep=True)
    watch.run_all(interrupted_at(1), range(3), n_jobs=None, task="run")
    with pytest.raises(KeyboardInterrupt):
        watch.run_all(interrupted_at(1), range(3), n_jobs=None, task="run")


@pytest.mark.parametrize(("keep", "number"), [(False, 2), (True, 0)])
def test_it_is_raised_where_nobody_asked_or_nothing_is_there(keep, number):
    watch = Watch(keep=keep)
    with pytest.raises(KeyboardInterrupt):
        watch.run_all(interrupted_at(number), range(5), n_jobs=None, task="run")
    assert watch.complete


def test_jobs_stand_in_for_results_that_are_missing():
    watch = Watch(keep=True)
    results = watch.run_all(
        interrupted_at(0), range(3), n_jobs=None, task="polish", otherwise=["a", "b", "c"]
    )
    assert results == ["a", "b", "c"]


def test_other_threads_end_and_the_flag_is_as_before():
    watch = Watch(keep=True)
    ended = []

    def run(job):
        if job == 0:
            return job
        while not watch.stop[0]:
            time.sleep(0.001)
        ended.append(job)
        raise KeyboardInterrupt

    results = []
    for result in watch.each(run, range(6), n_jobs=3, task="run"):
        results.append(result)
        threading.Timer(0.1, _thread.interrupt_main).start()  # while it waits for the next one
    assert results == [0]
    assert ended
    assert watch.stop[0] == 0


def test_the_end_leaves_the_filters_of_warnings_and_no_threads():
    watch, at_work = Watch(keep=True), threading.Event()

    def run(job):
        at_work.set()
        while job and not watch.stop[0]:
            time.sleep(0.001)
        return job

    def press(step):
        if step.done:
            at_work.wait()
            raise KeyboardInterrupt

    filters, before = list(warnings.filters), threading.active_count()
    with listening(press):
        assert watch.run_all(run, range(6), n_jobs=2, task="run") == [0]
    assert warnings.filters == filters
    for thread in threading.enumerate():
        if thread is not threading.main_thread():
            thread.join(timeout=10)
    assert threading.active_count() <= before


@pytest.mark.parametrize("n_jobs", [None, 2])
def test_runs_know_the_configuration_of_scikit_learn(n_jobs):
    with config_context(working_memory=7):
        known = Watch().run_all(
            lambda _: get_config()["working_memory"], range(3), n_jobs=n_jobs, task="run"
        )
    assert known == [7, 7, 7]


@pytest.mark.parametrize("n_jobs", [None, 2])
def test_an_error_that_is_kept_does_not_keep_blas_at_one_thread(n_jobs):
    def describe(result):
        raise ValueError("no words for it")

    before = threads._users
    with pytest.raises(ValueError, match="no words") as kept:
        Watch().run_all(lambda x: x, range(5), n_jobs=n_jobs, task="run", describe=describe)
    assert kept.traceback  # and with it the frames
    assert threads._users == before


def test_an_interrupt_while_a_result_is_told_keeps_that_result():
    def press(step):
        if step.done == 1:
            raise KeyboardInterrupt

    with listening(press):
        results = Watch(keep=True).run_all(
            str, range(3), n_jobs=None, task="polish", otherwise=["a", "b", "c"]
        )
    assert results == ["0", "b", "c"]


def test_insist_begins_again_once():
    calls = []

    def work():
        calls.append(1)
        if len(calls) == 1:
            raise KeyboardInterrupt
        return "done"

    assert Watch(keep=True).insist(work) == "done"
    calls.clear()
    assert Watch(keep=True).insist(work, short=lambda: "short") == "short"
    calls.clear()
    with pytest.raises(KeyboardInterrupt):
        Watch().insist(work)


def test_a_deadline_makes_it_late():
    assert Watch(deadline=time.perf_counter() - 1).late
    assert not Watch(deadline=time.perf_counter() + 1000).late


def test_listeners_hear_the_begin_and_every_step():
    heard = []
    with listening(heard.append):
        Watch("Model").run_all(lambda x: x, "ab", n_jobs=None, task="run", describe=str)
    Watch("Model").run_all(lambda x: x, "ab", n_jobs=None, task="run")
    assert heard == [
        Step("Model", "run", 0, 2),
        Step("Model", "run", 1, 2, "a"),
        Step("Model", "run", 2, 2, "b"),
    ]


def test_verbose_prints_the_time_left(capsys):
    Watch("Model", verbose=True).run_all(lambda x: x, "ab", n_jobs=None, task="run", describe=str)
    first, last = capsys.readouterr().out.splitlines()
    assert first.startswith("[Model] run 1 of 2: a (")
    assert "about" in first
    assert last.endswith(" s)")


class TestOneByOne:
    def test_an_interrupted_one_is_left_out_if_there_is_one_before_it(self):
        watch = Watch(keep=True)
        jobs = [partial(interrupted_at(2), i) for i in range(5)]
        assert list(watch.one_by_one(jobs)) == [0, 1]
        assert watch.interrupted

    def test_the_first_one_is_raised(self):
        with pytest.raises(KeyboardInterrupt):
            list(Watch(keep=True).one_by_one([partial(interrupted_at(0), 0)]))

    def test_the_first_one_is_called_however_late_it_is(self):
        late = Watch(deadline=time.perf_counter() - 1)
        assert list(late.one_by_one([lambda: 1, lambda: 2])) == [1]
