"""Memory that a fit may take, and the answer to Ctrl-C."""

import gc
import os
import signal
import subprocess
import sys
import textwrap
import threading
import time

import numpy as np
import pytest
from peaks import peak_of
from scipy import sparse

from maxmargin import RLSClustering, SupportVectorClustering

pytestmark = pytest.mark.usefixtures("ctrl_c")


@pytest.mark.parametrize("search", ["shaking", "stochastic", "evolutionary"])
def test_no_square_array_without_the_exact_kernel(search, rng):
    n = 3000
    X = rng.normal(size=(n, 5))
    common = {"search": search, "n_init": 1, "random_state": 0}
    models = [
        (RLSClustering(2, approximation="nystroem", n_components=20, **common), X),
        (RLSClustering(2, kernel="linear", **common), X),
        (RLSClustering(2, kernel="linear", **common), sparse.csr_matrix(X)),
        (RLSClustering(2, kernel="cosine", init="k-means++", **common), sparse.csr_matrix(X)),
    ]
    for model, data in models:
        assert peak_of(lambda model=model, data=data: model.fit(data)) < 8 * n * n / 3


@pytest.mark.parametrize(("dtype", "limit"), [(np.float64, 1.4), (np.float32, 1.4)])
def test_the_exact_kernel_is_built_and_inverted_in_place(dtype, limit, rng):
    n = 3000
    X = rng.normal(size=(n, 5)).astype(dtype)
    model = RLSClustering(5, n_init=2, random_state=0)
    assert peak_of(lambda: model.fit(X)) < limit * 8 * n * n


def test_landmarks_and_rows_without_all_distances_need_memory_for_rows_only(rng):
    X = rng.normal(size=(200_000, 2)) + rng.integers(2, size=(200_000, 1)) * 12
    few = SupportVectorClustering(n_landmarks=500, random_state=0)
    assert peak_of(lambda: few.fit(X)) < 30 * X.nbytes
    n = 6000
    all_rows = SupportVectorClustering(2.0, nu=0.05, n_landmarks=None)
    assert peak_of(lambda: all_rows.fit(X[:n])) < 8 * n * n


INTERRUPTED = """
    import sys, time
    import numpy as np
    from maxmargin import (
        CuttingPlaneClustering, MultipleKernelClustering, RLSClustering, SupportVectorClustering
    )
    from maxmargin.search import Evolutionary
    from maxmargin.solvers import SGD, SMO
    from sklearn.decomposition import PCA

    X = np.random.default_rng(0).normal(size=({n}, 5))
    print("ready", flush=True)
    try:
        {model}.fit(X)
    except KeyboardInterrupt:
        print("interrupted", flush=True)
        sys.exit(3)
"""


@pytest.mark.skipif(os.name == "nt", reason="signals are sent differently on Windows")
@pytest.mark.parametrize(
    ("n", "model"),
    [
        (6000, "RLSClustering(4, n_init=1)"),  # the inverse
        (1500, "RLSClustering(4, n_init=2000)"),  # one restart after another
        (1500, "RLSClustering(4, n_init=2000, n_jobs=2)"),  # restarts in threads
        (500, "RLSClustering(4, search=Evolutionary(patience=1e9), n_init=2, n_jobs=2)"),
        (4000, "RLSClustering(4, approximation='nystroem', n_components=300, n_init=100)"),
        (3000, "RLSClustering(4, approximation='nystroem', n_components=3000, n_init=1)"),
        (2000, "CuttingPlaneClustering(3, n_init=10**4)"),
        (200000, "CuttingPlaneClustering(4, n_init=100, init_size=None, n_jobs=2)"),
        (200000, "CuttingPlaneClustering(40, init_size=100, min_size=1.0)"),  # moved to keep sizes
        (2000, "MultipleKernelClustering(2, n_init=10**3)"),  # one kernel after another
        (4000, "MultipleKernelClustering(5, kernels=['rbf', PCA(2)], init_size=None)"),
        (
            20000,
            "SupportVectorClustering(1.0, C=0.3, n_landmarks=None, solver=SMO(1e-12))",
        ),  # pairs
        (20000, "SupportVectorClustering(n_landmarks=None, n_jobs=2)"),  # widths in threads
        (3000, "SupportVectorClustering(8.0, n_landmarks=None, assignment='equilibria')"),
        (3000, "SupportVectorClustering(8.0, C=0.5, solver=SGD(min_epochs=1e5))"),
    ],
    ids=[
        "inverse",
        "restarts",
        "threads",
        "evolution",
        "factor",
        "eigenvalues",
        "cuts",
        "cuts in threads",
        "transport",
        "kernels",
        "consensus",
        "pairs",
        "widths",
        "trajectories",
        "gradient steps",
    ],
)
def test_ctrl_c_is_answered(n, model):
    code = textwrap.dedent(INTERRUPTED).format(n=n, model=model)
    process = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True)
    try:
        assert process.stdout.readline().strip() == "ready"
        time.sleep(1)
        process.send_signal(signal.SIGINT)
        # The answer comes within a second; the limit here only catches a hang.
        output, _ = process.communicate(timeout=60)
    finally:
        process.kill()
    assert output.strip() == "interrupted"
    assert process.returncode == 3


@pytest.mark.skipif(os.name == "nt", reason="signals are sent differently on Windows")
def test_threads_end_with_the_fit_that_was_interrupted(rng):
    X = rng.normal(size=(800, 5))
    before = threading.active_count()
    done = threading.Event()

    def interrupt():
        while not done.wait(0.8):
            os.kill(os.getpid(), signal.SIGINT)

    gc.collect()
    gc.disable()  # in a callback of the collector the interrupt would be lost
    # A shell that runs the tests in the background has them ignore the signal.
    usual = signal.signal(signal.SIGINT, signal.default_int_handler)
    sender = threading.Thread(target=interrupt)
    sender.start()
    with pytest.raises(KeyboardInterrupt):
        try:
            RLSClustering(4, n_init=10**4, n_jobs=2).fit(X)
        finally:
            done.set()
    sender.join()
    signal.signal(signal.SIGINT, usual)
    gc.enable()
    for _ in range(200):
        if threading.active_count() <= before:
            break
        time.sleep(0.05)
    busy = [t.name for t in threading.enumerate() if t is not threading.current_thread()]
    cpu = time.process_time()
    time.sleep(0.5)
    # nobody computes on: the process uses almost no CPU while this thread sleeps
    assert time.process_time() - cpu < 0.25, busy
