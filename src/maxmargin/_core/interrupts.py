"""The flag that ends long loops: each fit has one, and all of its threads see it."""

from contextvars import ContextVar

import numpy as np
from numpy.typing import NDArray

#: Compiled loops look at it every few milliseconds.
_NEVER = np.zeros(1, np.int32)
STOP: ContextVar[NDArray[np.int32]] = ContextVar("stop", default=_NEVER)


def check_interrupt() -> None:
    """Raise KeyboardInterrupt if the fit that this thread works for is to end: a safe point."""
    if STOP.get()[0]:
        raise KeyboardInterrupt
