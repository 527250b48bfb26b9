import subprocess
import sys
import threading

import pytest

import maxmargin
from maxmargin._runtime import memory
from maxmargin._runtime.interrupts import stopping_all_threads
from maxmargin._runtime.progress import listening
from maxmargin._runtime.watch import Watch


def test_memory_is_known_on_this_machine_or_not_asked_for():
    free = memory.available_memory()
    assert free is None or 2**20 < free < 2**50


def test_the_memory_error_has_the_figures_and_the_way_out(monkeypatch):
    monkeypatch.setattr(memory, "available_memory", lambda: 3 * 2**30)
    memory.require_memory(2**30, "this", "that")
    with pytest.raises(MemoryError, match=r"this needs 8.0 GiB, and 3.0 GiB is free. Do that."):
        memory.require_memory(8 * 2**30, "this", "Do that.")
    monkeypatch.setattr(memory, "available_memory", lambda: None)
    memory.require_memory(2**60, "nobody knows", "so try")


def test_any_exception_sets_the_flag():
    with pytest.raises(KeyboardInterrupt), stopping_all_threads() as stop:
        raise KeyboardInterrupt
    assert stop[0] == 1


@pytest.mark.parametrize("n_jobs", [1, 3])
def test_runs_come_back_in_order_and_are_reported(n_jobs):
    steps = []
    threads = set()

    def square(x):
        threads.add(threading.get_ident())
        return x * x

    with listening(steps.append):
        results = Watch().run_all(square, range(20), n_jobs=n_jobs, task="square", describe=str)
    assert results == [x * x for x in range(20)]
    assert [step.done for step in steps] == [*range(21)]
    assert [step.note for step in steps[1:]] == [str(i * i) for i in range(20)]


def test_importing_the_package_loads_nothing_heavy():
    code = (
        "import sys, maxmargin; assert not {'numpy', 'sklearn', 'scipy'} & set(sys.modules); "
        "print(maxmargin.__version__)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == maxmargin.__version__


def test_public_names_are_there():
    for name in maxmargin.__all__:
        assert getattr(maxmargin, name) is not None
    assert set(maxmargin.__all__) <= set(dir(maxmargin))
    with pytest.raises(AttributeError, match="no attribute 'KMeans'"):
        maxmargin.KMeans  # noqa: B018


def test_show_versions_names_what_a_bug_report_needs(capsys):
    maxmargin.show_versions()
    printed = capsys.readouterr().out
    for name in ("python: 3", f"maxmargin: {maxmargin.__version__}", "numpy: ", "blas: "):
        assert name in printed
