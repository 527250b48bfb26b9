"""Ctrl-C: noted at once, answered at a safe point, in every thread of a fit."""

import signal
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor, TimeoutError
from contextlib import contextmanager
from typing import Any, ParamSpec, TypeVar

from maxmargin._core.interrupts import check_interrupt

Arguments = ParamSpec("Arguments")
Result = TypeVar("Result")


@contextmanager
def noticing_ctrl_c(pressed: Callable[[], None]) -> Iterator[None]:
    """Call ``pressed`` for each Ctrl-C inside the block, where Python would raise it.

    Python raises KeyboardInterrupt wherever the program is at that moment, and drops it inside
    callbacks of the garbage collector. A handler of the program itself is asked first: what it
    deals with without a KeyboardInterrupt is its own affair. Where SIGINT is ignored or the
    block is not in the main thread, nothing changes. Fits inside of other fits all hear it.
    """
    before = signal.getsignal(signal.SIGINT)
    if threading.current_thread() is not threading.main_thread() or not callable(before):
        yield
        return

    def handler(signum: int, frame: Any) -> bool:
        """Return whether it was Ctrl-C to a fit, and not to the program alone."""
        try:
            if before is not signal.default_int_handler:
                heard = before(signum, frame)
                if not (hasattr(before, "of_a_fit") and heard):
                    return False
        except KeyboardInterrupt:
            pass
        pressed()
        return True

    handler.of_a_fit = True  # type: ignore[attr-defined]
    signal.signal(signal.SIGINT, handler)
    try:
        yield
    finally:
        if signal.getsignal(signal.SIGINT) is handler:  # nobody has set another one meanwhile
            signal.signal(signal.SIGINT, before)


def while_answering(
    function: Callable[Arguments, Result], *args: Arguments.args, **kwargs: Arguments.kwargs
) -> Result:
    """Call a long function that releases the lock, and answer Ctrl-C meanwhile.

    The call goes on in a thread of its own and is left to itself on Ctrl-C: LAPACK cannot be
    stopped, but nobody has to wait for it.
    """
    worker = ThreadPoolExecutor(max_workers=1)
    try:
        future = worker.submit(function, *args, **kwargs)
        while True:
            check_interrupt()
            try:
                return future.result(timeout=0.1)
            except TimeoutError:
                if future.done():
                    raise
    finally:
        worker.shutdown(wait=False)
