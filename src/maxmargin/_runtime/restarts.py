"""Several independent runs, in parallel, with the same results for any number of jobs."""

import threading
import time
import warnings
from collections.abc import Callable, Generator, Sequence
from typing import Generic, TypeVar

from sklearn.utils.parallel import Parallel, delayed

from maxmargin._runtime.interrupts import StopFlag
from maxmargin._runtime.threads import one_thread

Job = TypeVar("Job")
Result = TypeVar("Result")


def as_far_as_wanted(
    results: Generator[Result, None, None],
) -> Generator[Result, None, None]:
    """Yield from a generator of joblib, which may be left before its end without a warning."""
    try:
        for result in results:  # noqa: UP028  (`yield from` would close it too early)
            yield result
    finally:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # joblib counts what was computed in vain
            results.close()


class Runs(Generic[Job, Result]):
    """``function(job)`` for every job, in their order, computed as they are asked for.

    The runs share their arrays: they are threads, and their loops hold no lock. BLAS works
    with one thread inside a run, so that sums do not depend on how many runs there are.

    Parameters
    ----------
    function : callable
    jobs : sequence
    n_jobs : int or None
        Runs at the same time.
    stop : ndarray
        The flag that ends their loops.
    """

    def __init__(
        self,
        function: Callable[[Job], Result],
        jobs: Sequence[Job],
        *,
        n_jobs: int | None,
        stop: StopFlag,
    ) -> None:
        self.function, self.jobs, self.n_jobs, self.stop = function, jobs, n_jobs, stop
        self._running: set[int] = set()  # the threads at work
        self._ended = False

    def __iter__(self) -> Generator[Result, None, None]:
        parallel = Parallel(n_jobs=self.n_jobs, require="sharedmem", return_as="generator")
        with one_thread():
            yield from as_far_as_wanted(parallel(delayed(self._run)(job) for job in self.jobs))

    def end(self) -> None:
        """End the runs that are under way in other threads, and begin no more of them.

        Afterwards the flag is as it was: what is done with the results may be long too.
        """
        self._ended = True
        before, self.stop[0] = self.stop[0], 1
        # This thread is not at work, though Ctrl-C may have kept it from saying so.
        while self._running - {threading.get_ident()}:
            time.sleep(0.01)
        self.stop[0] = before

    def _run(self, job: Job) -> Result:
        # No lock, which Ctrl-C could leave locked: first a run says that it is at work, then it
        # looks whether the end has come, so that one of the two always sees the other.
        self._running.add(threading.get_ident())
        try:
            if self._ended:
                raise KeyboardInterrupt
            return self.function(job)
        finally:
            self._running.discard(threading.get_ident())
