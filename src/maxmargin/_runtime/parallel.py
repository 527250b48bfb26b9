"""Several independent runs at once, BLAS with one thread: the same results for any n_jobs."""

import sys
import time
import warnings
from collections import deque
from collections.abc import Callable, Generator, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, wait
from contextlib import contextmanager
from contextvars import copy_context
from functools import lru_cache
from threading import Lock
from typing import Any, Generic, TypeVar

import numpy as np
from joblib import effective_n_jobs
from numpy.typing import NDArray
from sklearn import config_context, get_config
from threadpoolctl import ThreadpoolController

from maxmargin._core.interrupts import STOP, check_interrupt

Job = TypeVar("Job")
Result = TypeVar("Result")

_lock = Lock()
_users = 0
_limits: Any = None


@lru_cache(maxsize=1)
def _thread_pools(n_modules: int) -> ThreadpoolController:
    """The BLAS and OpenMP that are there, sought again where modules have come that may bring one.

    It goes through all libraries of the process, which takes longer than a small fit.
    """
    return ThreadpoolController()


@contextmanager
def one_thread() -> Iterator[None]:
    """Limit BLAS and OpenMP (k-means) to one thread inside the block.

    The number of threads belongs to the whole process. Blocks that overlap in several
    threads count themselves: the first one sets the limit, the last one lifts it.
    """
    global _users, _limits
    with _lock:
        if _users == 0:
            _limits = _thread_pools(len(sys.modules)).limit(limits=1)
        _users += 1
    try:
        yield
    finally:
        with _lock:
            _users -= 1
            if _users == 0 and _limits is not None:
                _limits.restore_original_limits()
                _limits = None


def as_far_as_wanted(results: Generator[Result, None, None]) -> Generator[Result, None, None]:
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

    Not by joblib: on Ctrl-C it leaves threads behind, and it sets the filters of warnings, which
    belong to all threads, inside of each. scikit-learn does so too wherever it checks an array.
    So nothing is left behind here, and the filters are put back once all threads have ended.

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
        stop: NDArray[np.int32],
    ) -> None:
        self.function, self.jobs, self.n_jobs, self.stop = function, jobs, n_jobs, stop
        self._ahead: deque[Future[Result]] = deque()  # results that nobody has taken yet

    def __iter__(self) -> Generator[Result, None, None]:
        n_jobs = min(effective_n_jobs(self.n_jobs), len(self.jobs))
        with one_thread():
            if n_jobs <= 1:
                for job in self.jobs:
                    yield self.function(job)
                return
            pool = ThreadPoolExecutor(n_jobs)
            with warnings.catch_warnings():
                try:
                    self._ahead.extend(
                        pool.submit(copy_context().run, self._run, job, get_config())
                        for job in self.jobs
                    )
                    while self._ahead:
                        while not wait([self._ahead[0]], timeout=0.1).done:
                            check_interrupt()
                        yield self._ahead.popleft().result()
                finally:
                    self.end()
                    pool.shutdown(wait=False)

    def end(self) -> None:
        """End the runs that are under way in other threads, and begin no more of them.

        Afterwards the flag is as it was: what is done with the results may be long too.
        """
        before, self.stop[0] = self.stop[0], 1
        for run in self._ahead:
            run.cancel()
        while any(run.running() for run in self._ahead):
            self.stop[0] = 1  # a Ctrl-C that is forgiven meanwhile clears it
            time.sleep(0.01)
        self.stop[0] = before

    def _run(self, job: Job, config: dict[str, object]) -> Result:
        STOP.set(self.stop)
        with config_context(**config):  # a thread has its own
            return self.function(job)
