"""Work for the workers of a cluster, some of whom may be lost."""

import time
from collections.abc import Callable, Sequence
from traceback import clear_frames
from typing import Any

import dask

#: How often blocks are asked for again whose workers were lost: Dask itself gives a task up after
#: three lost workers (``distributed.scheduler.allowed-failures``).
ATTEMPTS = 10
#: What Dask raises where its scheduler is gone.
LOST_SCHEDULER = (
    "CancelledError",
    "FutureCancelledError",
    "FuturesCancelledError",
    "CommClosedError",
    "ClosedClientError",
    "SchedulerStillStopping",
)


def computed(tasks: Sequence[Any]) -> list[Any]:
    """The results of tasks, in order; asked for again where workers were lost."""
    return in_spite_of_losses(lambda: list(dask.compute(*tasks)), lambda: None)


def in_spite_of_losses(ask: Callable[[], list[Any]], forget: Callable[[], None]) -> list[Any]:
    """Ask again as long as Dask gives up because workers were lost."""
    for attempt in range(ATTEMPTS):
        try:
            return ask()
        except Exception as error:
            lost = type(error).__name__
            if lost in LOST_SCHEDULER:
                raise ConnectionError(
                    f"the Dask scheduler was lost, or the client was closed, before all blocks "
                    f"were done ({lost}: {error}). Connect a new client, and fit again."
                ) from error
            if lost != "KilledWorker" or attempt == ATTEMPTS - 1:
                raise
            clear_frames(error.__traceback__)  # they hold on to what was asked for
        forget()
        time.sleep(min(5.0, 0.1 * 2**attempt))  # the scheduler forgets too, and a worker comes
    raise AssertionError("the last attempt returns or raises")
