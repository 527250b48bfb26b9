"""The context of a fit: those who follow it, Ctrl-C, a deadline, and all or nothing."""

import re
import time
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from contextlib import closing, contextmanager, nullcontext
from contextvars import ContextVar
from functools import wraps
from typing import Any, TypeVar

import numpy as np

from maxmargin._core.interrupts import STOP
from maxmargin._runtime.fit_parameters import without_others
from maxmargin._runtime.interrupts import noticing_ctrl_c
from maxmargin._runtime.memory import TooLittleMemory
from maxmargin._runtime.parallel import Runs
from maxmargin._runtime.parameters import check_parameters
from maxmargin._runtime.progress import Step, Tasks, tell, telling_callbacks, with_callbacks
from maxmargin._runtime.validation import require_values
from maxmargin._runtime.warnings import InterruptedWarning, warn_user

#: What scikit-learn says of gaps and text.
_NO_NUMBERS = re.compile("contains NaN|could not convert string to float")

Fit = TypeVar("Fit", bound=Callable[..., Any])
Job = TypeVar("Job")
Result = TypeVar("Result")


class FitContext:
    """Runs the parts of a fit, tells of them, and ends it early with what there is.

    Ctrl-C sets the flag ``stop``, which ends what is under way at its next safe point. With
    ``keep``, the first one is forgiven where a result is there to keep; between two stages it
    then ends nothing, as what comes next is needed for an answer. A second one is raised at once.

    Parameters
    ----------
    who : str
        The class that is fitted.
    tasks : Tasks
        The callbacks that are told.
    n_jobs : int or None
        Parts at the same time.
    keep : bool
        Whether the first Ctrl-C ends a fit well, if there is a result to keep.
    verbose : bool
        Whether to print a line for each part.
    deadline : float
        The ``time.perf_counter()`` after which :attr:`late` is true.

    Attributes
    ----------
    stop : ndarray
        The flag that ends long loops.
    complete : bool
        False once something was left out.
    interrupted : bool
        Whether it was Ctrl-C that ended the fit early.
    ended : bool
        Whether a callback wants no more of it: of no stage that is still to come, either.
    """

    def __init__(
        self,
        who: str = "",
        tasks: Tasks | None = None,
        *,
        n_jobs: int | None = None,
        keep: bool = False,
        verbose: bool = False,
        deadline: float = np.inf,
    ) -> None:
        self.who, self.tasks = who, tasks or Tasks(None, None, "fit")
        self.n_jobs, self.keep, self.verbose, self.deadline = n_jobs, keep, verbose, deadline
        self.stop = np.zeros(1, np.int32)
        self.estimator: Any = None
        self.complete = True
        self.interrupted = False
        self.ended = False
        self._presses = 0
        self._stages = 0  # under way: a stage may have stages of its own
        self._kept = False  # whether a result is there
        self._foreign = False  # whether code is at work that knows nothing of the flag

    @property
    def late(self) -> bool:
        """Whether nothing new should be begun."""
        return self.interrupted or self.ended or self.out_of_time

    @property
    def out_of_time(self) -> bool:
        """Whether the deadline is over."""
        return time.perf_counter() > self.deadline

    def pressed(self) -> None:
        """Note a Ctrl-C."""
        self._presses += 1
        if self.interrupted or self._presses > 1:
            self.stop[0] = 1
            raise KeyboardInterrupt
        if self.keep and self._kept and not self._stages:
            self._forgive()
        else:
            self.stop[0] = 1
            if self._foreign:
                raise KeyboardInterrupt

    def map(self, *args: Any, **kwargs: Any) -> list[Any]:
        """Return the results of :meth:`imap` as a list."""
        return list(self.imap(*args, **kwargs))

    def imap(
        self,
        function: Callable[[Job], Result],
        jobs: Iterable[Job],
        *,
        task: str,
        describe: Callable[[Result], str] | None = None,
        otherwise: Sequence[Result] = (),
    ) -> Iterator[Result]:
        """Yield ``function(job)`` for every job, in their order; fewer if the fit is ended early.

        See :meth:`follow` for the parameters.
        """
        jobs = list(jobs)
        runs = Runs(function, jobs, n_jobs=self.n_jobs, stop=self.stop)
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
        foreign: bool = False,
        enough_of: Callable[[Result], bool] | None = None,
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
        foreign : bool
            Whether the results come from code that has no safe points of ours: Ctrl-C is
            raised there at once.
        enough_of : callable or None
            Whether callbacks, which the results told themselves, want no more of them.
        """
        done, enough, began = 0, False, time.perf_counter()
        tell(Step(self.who, task, 0, total))
        # closed in any case: whoever keeps an exception must not keep BLAS at one thread
        tasks = self.tasks if enough_of is None else Tasks(None, None, task)
        with closing(results), tasks.stage(task, total) as stage:
            while done < total and not enough:
                new: list[Result] = []
                try:
                    with self._stage(foreign):
                        stage.begin()
                        new.append(next(results))
                    note = describe(new[0]) if describe else ""
                    step = Step(self.who, task, done + 1, total, note)
                    self._say(step, time.perf_counter() - began)
                    self.ended |= enough_of(new[0]) if enough_of else stage.end()
                    enough = self.late
                    self.complete &= not enough or step.done == total
                    self._check()
                except KeyboardInterrupt:
                    if not (done or new or otherwise) or not self._forgive():
                        raise
                    enough = True
                done += len(new)
                self._kept = True
                if enough:
                    end()
                yield from new
        yield from otherwise[done:]

    def in_turn(self, functions: Iterable[Callable[[], Result]]) -> Iterator[Result]:
        """Yield what functions return, as far as there is time; the first is always called.

        What they do is followed by themselves. One that is interrupted is left out if there
        is a result before it.
        """
        any_done = False
        for function in functions:
            if any_done and self.late:
                return
            try:
                with self._stage():
                    result = function()
            except KeyboardInterrupt:
                if not (any_done and self._forgive()):
                    raise
                return
            any_done = True
            yield result

    def attempt(self, function: Callable[[], Result], instead: Callable[[], Result]) -> Result:
        """Call a function, or something shorter where it is late or Ctrl-C ends it."""
        if self.late:
            return instead()
        try:
            with self._stage():
                return function()
        except KeyboardInterrupt:
            if not self._forgive():
                raise
            return instead()

    @contextmanager
    def _stage(self, foreign: bool = False) -> Iterator[None]:
        """A part of the fit that Ctrl-C ends."""
        self._stages += 1
        before, self._foreign = self._foreign, self._foreign or foreign
        try:
            self._check()
            yield
            self._check()
        finally:
            self._stages -= 1
            self._foreign = before

    def _check(self) -> None:
        if self.stop[0]:
            raise KeyboardInterrupt

    def _forgive(self) -> bool:
        """Whether Ctrl-C ends the fit well: once, where the user asked for it."""
        if not self.keep or self.interrupted:
            return False
        self.interrupted, self.complete = True, False
        self.stop[0] = 0
        return True

    def _say(self, step: Step, spent: float) -> None:
        tell(step)
        if self.verbose:
            left = spent / step.done * (step.total - step.done)
            more = f", about {left:.1f} s left" if left else ""
            count = f" {step.done} of {step.total}" if step.total > 1 else ""
            note = f": {step.note}" if step.note else ""
            print(f"[{self.who}] {step.task}{count}{note} ({spent:.1f} s{more})", flush=True)


#: The context of the fit that this thread is in.
_CURRENT: ContextVar[FitContext | None] = ContextVar("context", default=None)


@contextmanager
def _entered(estimator: Any) -> Iterator[FitContext]:
    """A context for a fit of an estimator; inside, it is the one that hears of Ctrl-C.

    Warns in the end if that ended the fit early.
    """
    outer = _CURRENT.get()  # Ctrl-C is meant for the fit that the user began
    context = FitContext(
        type(estimator).__name__,
        n_jobs=estimator.n_jobs,
        keep=estimator.on_interrupt == "keep" and (outer is None or outer.keep),
        verbose=bool(estimator.verbose),
    )
    context.estimator = estimator
    stop, current = STOP.set(context.stop), _CURRENT.set(context)
    try:
        with noticing_ctrl_c(context.pressed):
            yield context
        if context.stop[0]:  # what came after the last safe point is not lost
            raise KeyboardInterrupt
    except BaseException:
        context.stop[0] = 1  # threads that still run work for nobody
        raise
    finally:
        STOP.reset(stop)
        _CURRENT.reset(current)
    if context.interrupted:
        estimator.complete_ = False
        warn_user(
            "the fit was interrupted: the answer is the best of what was done by then.",
            InterruptedWarning,
        )


@contextmanager
def fitting(
    estimator: Any, X: Any = None, y: Any = None, *, deadline: float = np.inf
) -> Iterator[FitContext]:
    """Give the context of a fit of an estimator with ``n_jobs``, ``verbose`` and ``on_interrupt``.

    Tells the callbacks of scikit-learn that the fit begins and ends, and sets ``complete_``.
    """
    current = _CURRENT.get()
    known = current is not None and current.estimator is estimator
    with nullcontext(current) if known else _entered(estimator) as context:
        assert context is not None, "there is one now"
        context.deadline = deadline
        with telling_callbacks(estimator, X, y) as context.tasks:
            yield context
            estimator.complete_ = context.complete


@contextmanager
def foreign_code() -> Iterator[None]:
    """Let code of the user run inside a fit: it has no safe points, so Ctrl-C is raised at once."""
    context = _CURRENT.get() or FitContext()
    with context._stage(foreign=True):
        yield


def forget_fit(estimator: Any, keep: Iterable[str] = ()) -> None:
    """Drop the attributes that an earlier fit has left behind, but for those to keep."""
    for name in list(vars(estimator)):
        if name.endswith("_") and not name.endswith("__") and name not in keep:
            del vars(estimator)[name]


def all_or_nothing(fit: Fit) -> Fit:
    """Let a fit that fails, or is interrupted, leave the earlier model as it was.

    The parameters are checked, and their numbers are plain ones as long as it lasts. Ctrl-C is
    noted from its first line on, and the callbacks of scikit-learn are taken down whatever
    happens.
    """
    fit_with_callbacks = with_callbacks(fit)

    @wraps(fit)
    def safe(self: Any, *args: Any, **kwargs: Any) -> Any:
        before = dict(vars(self))
        try:
            kwargs = without_others(fit, type(self).__name__, kwargs)
            check_parameters(self)
            require_values(args[0] if args else kwargs.get("X"))
            with _entered(self):
                fitted = fit_with_callbacks(self, *args, **kwargs)
            given = before.keys() & self._parameters.keys()
            self.__dict__.update({name: before[name] for name in given})
            return fitted
        except BaseException as error:
            self.__dict__ = before  # at once: a second Ctrl-C finds no half of it
            if isinstance(error, MemoryError) and not isinstance(error, TooLittleMemory):
                raise TooLittleMemory(
                    f"{type(self).__name__} needs more memory than there is. {error or ''} Use "
                    f"fewer rows, or parameters that take less (see the Notes of the class)."
                ) from error
            if type(error) is ValueError and _NO_NUMBERS.search(str(error)):
                said = str(error).partition("\n")[0].rstrip(".")
                raise ValueError(
                    f"{said}. {type(self).__name__} takes rows of numbers without gaps: fill them "
                    f"yourself, or let maxmargin.TableEncoder() do it, before it in a pipeline."
                ) from error
            raise

    return safe  # type: ignore[return-value]
