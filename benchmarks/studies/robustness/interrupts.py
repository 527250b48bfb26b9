"""Press Ctrl-C at random moments of fits, and count the presses that nobody noticed.

Every fit is interrupted once, at a moment that is drawn from its usual duration, with one and two
jobs, ``on_interrupt`` "raise" and "keep", and the garbage collector at work. A press is noticed if
KeyboardInterrupt is raised and the earlier model stays, or if the fit ends early with a warning
and ``complete_`` is False. A press that Python hands to the program, because the fit has just given
the handler back, is "after the fit". What is known of a press that was lost is printed.
"""

import gc
import inspect
import os
import signal
import sys
import threading
import time
import warnings
from collections import Counter

import numpy as np
from sklearn.datasets import make_blobs

from maxmargin import (
    CuttingPlaneClustering,
    MaxMarginClustering,
    MultipleKernelClustering,
    RLSClustering,
    SupportVectorClustering,
)
from maxmargin._runtime.interrupts import noticing_ctrl_c
from maxmargin._runtime.warnings import InterruptedWarning

MODELS = {
    "front door": lambda **how: MaxMarginClustering(3, effort="fast", random_state=0, **how),
    "number": lambda **how: MaxMarginClustering(effort="fast", random_state=0, **how),
    "rls": lambda **how: RLSClustering(3, n_init=20, random_state=0, **how),
    "cutting plane": lambda **how: CuttingPlaneClustering(3, random_state=0, **how),
    "kernels": lambda **how: MultipleKernelClustering(
        3, kernels=["linear", "rbf"], random_state=0, **how
    ),
    "domain": lambda **how: SupportVectorClustering(random_state=0, **how),
}


class Program:
    """The handler of the program, which notes whether a fit has asked it."""

    def __init__(self) -> None:
        self.asked_by: list[str] = []

    def __call__(self, signum, frame) -> None:
        """Note who asks, and raise as Python's own handler does."""
        caller = sys._getframe(1)
        of_a_fit = caller.f_code.co_filename == inspect.unwrap(noticing_ctrl_c).__code__.co_filename
        self.asked_by.append("fit" if of_a_fit else "python")
        raise KeyboardInterrupt


def in_a_fit() -> bool:
    """Whether the handler of a fit is there: what comes before and after it is the program's."""
    return not isinstance(signal.getsignal(signal.SIGINT), Program)


def press_once(model, X, delay: float) -> str:
    """Fit with one press after a delay, and say what became of it."""
    before, done, pressed = dict(vars(model)), threading.Event(), threading.Event()
    program = Program()
    signal.signal(signal.SIGINT, program)

    def press() -> None:
        while not in_a_fit() and not done.wait(0.0005):
            pass
        if not done.wait(delay) and in_a_fit():
            os.kill(os.getpid(), signal.SIGINT)
            pressed.set()

    thread = threading.Thread(target=press)
    said: list[warnings.WarningMessage] = []
    fitted = False
    try:
        thread.start()
        with warnings.catch_warnings(record=True) as said:
            warnings.simplefilter("always")
            model.fit(X)
            fitted = True
        done.set()
        thread.join()
    except KeyboardInterrupt:
        done.set()
        thread.join()
        after = vars(model)
        if fitted:
            return "after the fit"
        same = after.keys() == before.keys() and all(after[name] is before[name] for name in after)
        return "raised" if same else "torn"
    if not pressed.is_set():
        return "too late"
    kept = any(issubclass(one.category, InterruptedWarning) for one in said)
    if kept and not model.complete_:
        return "kept"
    if program.asked_by == ["python"]:  # raised where Python drops it, outside of the fit
        return "after the fit"
    print(f"lost: {model}, asked by {program.asked_by}, warned {kept}, complete {model.complete_}")
    return "lost"


def press(estimator: str, presses: int) -> dict[str, int]:
    """How often a press was raised, kept, lost, or came after the fit."""
    gc.set_threshold(50, 5, 5)  # callbacks of the collector are where Python drops a Ctrl-C
    gc.callbacks.append(lambda phase, info: sum(range(200)))
    X, _ = make_blobs(150, centers=[[0, 0], [9, 0], [0, 9]], random_state=0)
    rng = np.random.default_rng(0)
    make = MODELS[estimator]
    make().fit(X)  # what is imported then is not part of the next
    began = time.perf_counter()
    make().fit(X)
    usual = time.perf_counter() - began
    counts: Counter[str] = Counter(dict.fromkeys(("raised", "kept", "lost", "torn"), 0))
    while counts.total() - counts["too late"] - counts["after the fit"] < presses:
        how = {
            "on_interrupt": str(rng.choice(["raise", "keep"])),
            "n_jobs": int(rng.choice([1, 2])),
        }
        model = make(**how)
        if rng.random() < 0.2:
            model.fit(X)  # there is an earlier model to lose
        counts[press_once(model, X, rng.uniform(0, usual))] += 1
    return dict(counts)


def press_all(presses: int) -> int:
    """How many presses are lost, or leave a torn model, over all estimators."""
    each = -(-presses // len(MODELS))
    counts = [press(name, each) for name in MODELS]
    return sum(found["lost"] + found["torn"] for found in counts)
