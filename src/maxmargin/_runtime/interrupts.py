"""Ctrl-C, answered in every thread."""

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor, TimeoutError
from contextlib import contextmanager
from typing import ParamSpec, TypeVar

import numpy as np
from numpy.typing import NDArray

Arguments = ParamSpec("Arguments")
Result = TypeVar("Result")

#: A flag that compiled loops look at every few milliseconds.
StopFlag = NDArray[np.int32]


def stop_flag() -> StopFlag:
    """Return a flag that is not set."""
    return np.zeros(1, np.int32)


@contextmanager
def stopping_all_threads() -> Iterator[StopFlag]:
    """Give a flag that is set when the block is left by any exception.

    Python delivers Ctrl-C to the main thread only. Threads that were started inside the
    block see the flag and end, instead of computing on for nobody.
    """
    stop = stop_flag()
    try:
        yield stop
    except BaseException:
        stop[0] = 1
        raise


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
            try:
                return future.result(timeout=0.1)
            except TimeoutError:
                if future.done():
                    raise
    finally:
        worker.shutdown(wait=False)
