"""Several independent runs, in parallel, with the same results for any number of jobs."""

from collections.abc import Callable, Iterable, Iterator
from typing import TypeVar

from sklearn.utils.parallel import Parallel, delayed

from maxmargin._runtime.threads import one_thread

Job = TypeVar("Job")
Result = TypeVar("Result")


def run_all(
    function: Callable[[Job], Result],
    jobs: Iterable[Job],
    *,
    n_jobs: int | None,
    report: Callable[[int, Result], None] | None = None,
) -> list[Result]:
    """Return ``[function(job) for job in jobs]``."""
    results: list[Result] = []
    for result in each_of(function, jobs, n_jobs=n_jobs):
        results.append(result)
        if report is not None:
            report(len(results), result)
    return results


def each_of(
    function: Callable[[Job], Result], jobs: Iterable[Job], *, n_jobs: int | None
) -> Iterator[Result]:
    """Yield ``function(job)`` for every job, in their order.

    The runs share their arrays: they are threads, and their loops hold no lock. BLAS works
    with one thread inside a run, so that sums do not depend on how many runs there are.
    """
    with one_thread():
        yield from Parallel(n_jobs=n_jobs, require="sharedmem", return_as="generator")(
            delayed(function)(job) for job in jobs
        )
