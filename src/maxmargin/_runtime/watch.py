"""What watches over a fit: those who follow it, Ctrl-C, and a deadline."""

import time
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from contextlib import closing, contextmanager
from typing import Any, TypeVar

import numpy as np

from maxmargin._runtime.callbacks import Tasks, telling_callbacks
from maxmargin._runtime.interrupts import StopFlag, stop_flag, stopping_all_threads
from maxmargin._runtime.progress import Step, tell
from maxmargin._runtime.restarts import Runs
from maxmargin._runtime.validation import check_choice
from maxmargin._runtime.warnings import InterruptedWarning, warn_user

Job = TypeVar("Job")
Result = TypeVar("Result")

ON_INTERRUPT = ("raise", "keep")


class Watch:
    """Follows the parts of a fit, and ends it early with what there is.

    Parameters
    ----------
    who : str
        The class that is fitted.
    tasks : Tasks
        The callbacks that are told.
    stop : ndarray
        The flag that ends long loops.
    keep : bool
        Whether the first Ctrl-C ends a fit well, if there is a result to keep. A second one
        is raised.
    verbose : bool
        Whether to print a line for each part.
    deadline : float
        The ``time.perf_counter()`` after which :attr:`late` is true.

    Attributes
    ----------
    complete : bool
        False once something was left out.
    interrupted : bool
        Whether it was Ctrl-C that ended the fit early.
    """

    def __init__(
        self,
        who: str = "",
        tasks: Tasks | None = None,
        *,
        stop: StopFlag | None = None,
        keep: bool = False,
        verbose: bool = False,
        deadline: float = np.inf,
    ) -> None:
        self.who, self.tasks = who, tasks or Tasks(None, None, "fit")
        self.stop = stop_flag() if stop is None else stop
        self.keep, self.verbose, self.deadline = keep, verbose, deadline
        self.complete = True
        self.interrupted = False

    @property
    def late(self) -> bool:
        """Whether nothing new should be begun."""
        return self.interrupted or time.perf_counter() > self.deadline

    def run_all(
        self,
        function: Callable[[Job], Result],
        jobs: Iterable[Job],
        *,
        n_jobs: int | None,
        task: str,
        describe: Callable[[Result], str] | None = None,
        otherwise: Sequence[Result] = (),
    ) -> list[Result]:
        """Return ``[function(job) for job in jobs]``, or fewer if the fit is ended early."""
        return list(self.each(function, jobs, n_jobs=n_jobs, task=task, describe=describe,
                              otherwise=otherwise))  # fmt: skip

    def each(
        self,
        function: Callable[[Job], Result],
        jobs: Iterable[Job],
        *,
        n_jobs: int | None,
        task: str,
        describe: Callable[[Result], str] | None = None,
        otherwise: Sequence[Result] = (),
    ) -> Iterator[Result]:
        """Yield ``function(job)`` for every job, in their order: see :meth:`follow`."""
        jobs = list(jobs)
        runs = Runs(function, jobs, n_jobs=n_jobs, stop=self.stop)
        yield from self.follow(
            iter(runs), len(jobs), task=task, describe=describe, otherwise=otherwise, end=runs.end
        )

    def follow(
        self,
        results: Generator[Result, None, None],
        total: int,
        *,
        task: str,
        describe: Callable[[Result], str] | None = None,
        otherwise: Sequence[Result] = (),
        end: Callable[[], None] = lambda: None,
    ) -> Iterator[Result]:
        """Yield the results, and tell everybody; fewer of them if the fit is ended early.

        Parameters
        ----------
        results : generator
            Computes as it goes; is closed in the end.
        total : int
            How many there will be.
        task : str
            What they are called: ``"run"``.
        describe : callable
            What to say of a result.
        otherwise : sequence
            What takes the place of results that are missing: without it, Ctrl-C is raised
            where no result is there yet.
        end : callable
            Ends what still runs.
        """
        done, enough, began = 0, False, time.perf_counter()
        tell(Step(self.who, task, 0, total))
        # closed in any case: whoever keeps an exception must not keep BLAS at one thread
        with closing(results), self.tasks.stage(task, total) as stage:
            while done < total and not enough:
                new: list[Result] = []
                try:
                    stage.begin()
                    new.append(next(results))
                    note = describe(new[0]) if describe else ""
                    step = Step(self.who, task, done + 1, total, note)
                    self._say(step, time.perf_counter() - began)
                    enough = stage.end()
                    self.complete &= not enough or step.done == total
                except KeyboardInterrupt:
                    if not (done or new or otherwise) or not self._pardon():
                        raise
                    enough = True
                done += len(new)
                if enough:
                    end()
                yield from new
        yield from otherwise[done:]

    def one_by_one(self, functions: Iterable[Callable[[], Result]]) -> Iterator[Result]:
        """Yield what functions return, as far as there is time; the first is always called.

        What they do is followed by themselves. One that is interrupted is left out if there
        is a result before it.
        """
        any_done = False
        for function in functions:
            if any_done and self.late:
                return
            try:
                result = function()
            except KeyboardInterrupt:
                if not (any_done and self._pardon()):
                    raise
                return
            any_done = True
            yield result

    def insist(
        self, function: Callable[[], Result], short: Callable[[], Result] | None = None
    ) -> Result:
        """Call what an answer needs; after the first Ctrl-C again, or something shorter."""
        try:
            return function()
        except KeyboardInterrupt:
            if not self._pardon():
                raise
            return function() if short is None else short()

    def _pardon(self) -> bool:
        """Whether Ctrl-C ends the fit well: once, where the user asked for it."""
        pardoned = self.keep and not self.interrupted
        if pardoned:
            self.interrupted, self.complete = True, False
        return pardoned

    def _say(self, step: Step, spent: float) -> None:
        tell(step)
        if self.verbose:
            left = spent / step.done * (step.total - step.done)
            more = f", about {left:.1f} s left" if left else ""
            count = f" {step.done} of {step.total}" if step.total > 1 else ""
            note = f": {step.note}" if step.note else ""
            print(f"[{self.who}] {step.task}{count}{note} ({spent:.1f} s{more})", flush=True)


@contextmanager
def watching(
    estimator: Any, X: Any = None, y: Any = None, *, deadline: float = np.inf
) -> Iterator[Watch]:
    """Watch over a fit of an estimator with ``verbose`` and ``on_interrupt``.

    Sets ``complete_`` in the end, and warns if it was Ctrl-C that made it False.
    """
    check_choice("on_interrupt", estimator.on_interrupt, ON_INTERRUPT)
    with stopping_all_threads() as stop, telling_callbacks(estimator, X, y) as tasks:
        watch = Watch(
            type(estimator).__name__,
            tasks,
            stop=stop,
            keep=estimator.on_interrupt == "keep",
            verbose=bool(estimator.verbose),
            deadline=deadline,
        )
        yield watch
        estimator.complete_ = watch.complete
    if watch.interrupted:
        warn_user(
            "the fit was interrupted: the answer is the best of what was done by then.",
            InterruptedWarning,
        )
