"""What only ``make fuzz`` does: memory, threads, processes, SIGKILL and Ctrl-C."""

import gc
import multiprocessing
import os
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
import warnings
from pathlib import Path

import numpy as np
from fuzz.model_files import MODELS
from fuzz.one_by_one import try_all
from fuzz.rows import Rows
from sklearn.base import clone

from maxmargin import load

ROOT = Path(__file__).parents[2]
#: Megabytes that so many fits may leave behind: what allocators keep for themselves.
GROWTH = 30


def memory_does_not_grow(fits: int = 1000) -> str:
    """Fit and predict again and again in this process."""
    X = Rows(n=40).make()
    sizes = []
    for i in range(fits):
        model = clone(list(MODELS.values())[i % len(MODELS)])
        model.fit(X).predict(X)
        if i in (fits // 2, fits - 1):
            gc.collect()
            sizes.append(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024)
    grown = sizes[1] - sizes[0]
    assert grown < GROWTH, f"{grown:.0f} MB in {fits // 2} fits"
    return f"{fits} fits and predictions: {grown:.1f} MB more in the second half"


def threads_do_not_meet(times: int = 20) -> str:
    """Two fits in threads say what each says alone."""
    X = Rows(n=60).make()
    alone = {name: clone(model).fit(X).labels_ for name, model in MODELS.items()}
    wrong: list[str] = []

    def fit(name: str) -> None:
        if not np.array_equal(clone(MODELS[name]).fit(X).labels_, alone[name]):
            wrong.append(name)

    names = list(MODELS)
    for i in range(times):
        pair = names[i % len(names)], names[(i * 2 + 1) % len(names)]
        threads = [threading.Thread(target=fit, args=(name,)) for name in pair]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(timeout=300)
            assert not thread.is_alive(), pair
    assert not wrong
    return f"{times} pairs of fits in threads: the same labels"


def _labels(name: str) -> list[int]:
    return clone(MODELS[name]).fit(Rows(n=40).make()).labels_.tolist()


def processes_say_the_same() -> str:
    """Fits in processes that were forked and spawned, after one in this process."""
    here = {name: _labels(name) for name in MODELS}
    for how in ("fork", "spawn"):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", DeprecationWarning)  # of forks beside threads
            with multiprocessing.get_context(how).Pool(1) as pool:
                there = pool.map_async(_labels, MODELS).get(timeout=300)
        assert there == list(here.values()), how
    return f"{len(MODELS)} models in forked and spawned processes: the same labels"


def killed_at_any_moment(times: int = 100) -> str:
    """SIGKILL of the command: every output is the old one or a new one, whole."""
    rng = np.random.default_rng(0)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        rows = Rows(n=60).numbers()
        np.savetxt(folder / "data.csv", rows, delimiter=",", header="a,b", comments="")
        command = [
            *(sys.executable, "-m", "maxmargin", "cluster", "data.csv", "-k", "3", "-q"),
            *("-o", "labels.csv", "--save", "model.skops", "--method", "rls"),
        ]
        began = time.monotonic()
        subprocess.run(command, cwd=folder, check=True, env=_environment())
        usual = time.monotonic() - began
        old = {file: (folder / file).read_bytes() for file in ("labels.csv", "model.skops")}
        finished = 0
        for _ in range(times):
            # late moments are those at which files are written
            after = usual * (rng.uniform(0.5, 1.2) if rng.random() < 0.7 else rng.random())
            finished += _kill_after(command, folder, after)
            assert (folder / "labels.csv").read_bytes() == old["labels.csv"]  # the same rows
            load(folder / "model.skops")
        subprocess.run(command, cwd=folder, check=True, env=_environment())
        drafts = {path.name for path in folder.iterdir()} - {"data.csv", *old}
        assert not drafts, "the next run removes what killed ones left"
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir()
    return f"{times} kills, {finished} after the end: all outputs whole, no draft stays"


def _kill_after(command: list[str], folder: Path, seconds: float) -> bool:
    """Whether the command had ended before."""
    process = subprocess.Popen(command, cwd=folder, env=_environment())
    try:
        assert process.wait(timeout=seconds) == 0
        return True
    except subprocess.TimeoutExpired:
        process.send_signal(signal.SIGKILL)
        process.wait()
        return False


def interrupts_are_not_lost(times: int = 1000) -> str:
    """Ctrl-C at random moments of fits."""
    module = "benchmarks.studies.robustness.interrupts"
    command = f"from {module} import press_all; print(press_all({times}))"
    done = subprocess.run(
        [sys.executable, "-c", command],
        capture_output=True,
        text=True,
        env=_environment(),
        cwd=ROOT,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    lost = int(done.stdout.splitlines()[-1])
    assert not lost, done.stdout
    return f"{times} presses of Ctrl-C: {lost} lost"


def _environment() -> dict[str, str]:
    return {**os.environ, "OMP_NUM_THREADS": "1"}


def odd_values_are_refused() -> str:
    """Each parameter of each estimator, and each argument of fit, with each odd value."""
    tally = try_all()
    assert not tally.failures, "\n".join(tally.lines())
    return f"{tally.outcomes.total()} odd values of parameters: answers or refusals"


STRESS = (
    odd_values_are_refused,
    memory_does_not_grow,
    threads_do_not_meet,
    processes_say_the_same,
    killed_at_any_moment,
    interrupts_are_not_lost,
)
