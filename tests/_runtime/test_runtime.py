import subprocess
import sys
import threading
from types import SimpleNamespace

import numpy as np
import pytest

import maxmargin
from maxmargin._core.interrupts import STOP
from maxmargin._runtime import memory
from maxmargin._runtime.context import FitContext, fitting
from maxmargin._runtime.parameters import as_floats, shown
from maxmargin._runtime.progress import listening


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
    model = SimpleNamespace(n_jobs=None, verbose=0, on_interrupt="raise")
    with pytest.raises(ZeroDivisionError), fitting(model) as context:
        assert STOP.get() is context.stop
        raise ZeroDivisionError
    assert context.stop[0] == 1
    assert STOP.get() is not context.stop


@pytest.mark.parametrize("n_jobs", [1, 3])
def test_runs_come_back_in_order_and_are_reported(n_jobs):
    steps = []
    threads = set()

    def square(x):
        threads.add(threading.get_ident())
        return x * x

    with listening(steps.append):
        results = FitContext(n_jobs=n_jobs).map(square, range(20), task="square", describe=str)
    assert results == [x * x for x in range(20)]
    assert [step.done for step in steps] == [*range(21)]
    assert [step.note for step in steps[1:]] == [str(i * i) for i in range(20)]


def test_no_number_is_too_long_for_a_message():
    assert shown(10**5000) == "int of too many digits"
    assert shown([10**5000]) == "list of too many digits"
    with pytest.raises(ValueError, match="n_clusters must be an int >= 1"):
        maxmargin.RLSClustering(10**5000).fit([[1.0], [2.0]])


@pytest.mark.parametrize(
    ("given", "found"),
    [
        ([1, 2.5], [1.0, 2.5]),
        ((1, 10**400), [1.0, np.inf]),
        ([np.longdouble("1e4000")], [np.inf]),
        ([None, "a"], [np.nan, np.nan]),
        (np.array([1j]), []),
        (["1"], []),
        ([[1], [1, 2]], []),
        (7, 7.0),
    ],
    ids=str,
)
def test_lists_become_floats_or_nothing(given, found):
    np.testing.assert_array_equal(as_floats(given), found)


def test_show_versions_names_what_a_bug_report_needs(capsys):
    maxmargin.show_versions()
    printed = capsys.readouterr().out
    for name in ("python: 3", f"maxmargin: {maxmargin.__version__}", "numpy: ", "blas: "):
        assert name in printed


LIMITED = """
import resource
import numpy as np
from maxmargin import RLSClustering
from maxmargin._runtime.memory import available_memory

X = np.random.default_rng(0).normal(size=(20_000, 2))
kind = resource.RLIMIT_{kind}
resource.setrlimit(kind, (2 * 10**9, resource.getrlimit(kind)[1]))
assert available_memory() < 2 * 10**9
try:
    RLSClustering(2).fit(X)
except MemoryError as error:
    print(error)
"""


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="limits of Linux")
@pytest.mark.parametrize("kind", ["AS", "DATA"])
def test_the_limits_of_the_process_count(kind):
    done = subprocess.run(
        [sys.executable, "-c", LIMITED.format(kind=kind)], capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    assert "20000 rows" in done.stdout
    assert 'approximation="nystroem"' in done.stdout
