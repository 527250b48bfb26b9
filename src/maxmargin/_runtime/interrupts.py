"""Ctrl-C, answered in every thread."""

from collections.abc import Iterator
from contextlib import contextmanager

import numpy as np
from numpy.typing import NDArray

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
