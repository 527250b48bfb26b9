"""A hang is a failure: a limit on the seconds that one case may take."""

import faulthandler
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

#: Seconds of CPU that a case may take: its rows are few, so that most take some milliseconds.
CPU_SECONDS = 60
#: Seconds on the clock: what waits for something uses no CPU. A machine may be busy.
CLOCK_SECONDS = 600


class Hang(BaseException):
    """A case took too long; nobody catches it by mistake."""


@contextmanager
def no_hang() -> Iterator[None]:
    """Raise :class:`Hang` in Python code; where a compiled loop never ends, print the stacks."""

    def stop(number: int, frame: Any) -> None:
        raise Hang(f"over {CPU_SECONDS} s of CPU or {CLOCK_SECONDS} s on the clock")

    before = {number: signal.signal(number, stop) for number in (signal.SIGPROF, signal.SIGALRM)}
    signal.setitimer(signal.ITIMER_PROF, CPU_SECONDS)
    signal.setitimer(signal.ITIMER_REAL, CLOCK_SECONDS)
    faulthandler.dump_traceback_later(2 * CLOCK_SECONDS, exit=True, file=sys.__stderr__)
    try:
        yield
    finally:
        faulthandler.cancel_dump_traceback_later()
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.setitimer(signal.ITIMER_REAL, 0)
        for number, handler in before.items():
            signal.signal(number, handler)
