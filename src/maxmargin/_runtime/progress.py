"""How far a fit is, for those who asked to be told: listeners, and callbacks of scikit-learn."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Any, TypeVar

from maxmargin._runtime.handing_on import Part

Fit = TypeVar("Fit", bound=Callable[..., Any])

try:
    from sklearn.callback import CallbackSupportMixin, with_callbacks
except ImportError:  # scikit-learn < 1.9

    class CallbackSupportMixin:  # type: ignore[no-redef]
        """An estimator without callbacks."""

    def with_callbacks(method: Fit) -> Fit:
        """Return the method as it is."""
        return method


@dataclass(frozen=True)
class Step:
    """A part of a fit that is done.

    Attributes
    ----------
    who : str
        The class that is fitted.
    task : str
        What the parts of this stage are: ``"run"``, ``"space"``, ``"width"``, …
    done, total : int
        How many of how many are done; 0 where a stage begins.
    note : str
        What came out of it.
    """

    who: str
    task: str
    done: int
    total: int
    note: str = ""


Listener = Callable[[Step], None]

_LISTENERS: ContextVar[tuple[Listener, ...]] = ContextVar("listeners", default=())


@contextmanager
def listening(listener: Listener) -> Iterator[None]:
    """Tell the listener of every step of every fit inside the block.

    Examples
    --------
    >>> from maxmargin import RLSClustering
    >>> from maxmargin._runtime.progress import listening
    >>> steps = []
    >>> with listening(steps.append):
    ...     _ = RLSClustering(2, n_init=3, polish=False).fit([[0.0], [1.0], [5.0], [6.0]])
    >>> [(step.task, step.done, step.total) for step in steps]
    [('run', 0, 3), ('run', 1, 3), ('run', 2, 3), ('run', 3, 3)]
    """
    token = _LISTENERS.set((*_LISTENERS.get(), listener))
    try:
        yield
    finally:
        _LISTENERS.reset(token)


def tell(step: Step) -> None:
    """Tell all who listen."""
    for listener in _LISTENERS.get():
        listener(step)


class Tasks:
    """One stage of a fit as a task with subtasks, for the callbacks of an estimator.

    Parameters
    ----------
    estimator : object
    context : CallbackContext or None
        Of the stage; None if nobody listens.
    task : str
        What the subtasks are called.
    """

    def __init__(self, estimator: Any, context: Any, task: str) -> None:
        self.estimator, self.context, self.task = estimator, context, task
        self.current: Any = None

    def begin(self) -> None:
        """A subtask begins."""
        if self.context is not None:
            self.current = self.context.subcontext(task_name=self.task)
            self.current.call_on_fit_task_begin(estimator=self.estimator)

    def end(self) -> bool:
        """A subtask is done; whether a callback wants no more of them."""
        if self.context is None:
            return False
        return bool(self.current.call_on_fit_task_end(estimator=self.estimator))

    def part(self) -> Part:
        """A subtask that another estimator does, perhaps in another process."""
        if self.context is None:
            return Part()
        return Part(self.estimator, self.context.subcontext(task_name=self.task))

    @contextmanager
    def stage(self, task: str, total: int) -> Iterator["Tasks"]:
        """A stage below this one, of ``total`` subtasks with this name."""
        if self.context is None:
            yield Tasks(self.estimator, None, task)
            return
        context = self.context.subcontext(task_name=f"each {task}", max_subtasks=total)
        context.call_on_fit_task_begin(estimator=self.estimator)
        yield Tasks(self.estimator, context, task)
        context.call_on_fit_task_end(estimator=self.estimator)


@contextmanager
def telling_callbacks(estimator: Any, X: Any, y: Any) -> Iterator[Tasks]:
    """Tell the callbacks of an estimator that a fit begins and, if all went well, ends.

    ``fit`` itself must be decorated by ``with_callbacks``, which takes them down in any case.
    """
    if not getattr(estimator, "_skl_callbacks", None):
        yield Tasks(estimator, None, "fit")
        return
    root = estimator._init_callback_context(max_subtasks=None)
    root.call_on_fit_task_begin(estimator=estimator, X=X, y=y)
    yield Tasks(estimator, root, "fit")
    # the estimator is fitted now: a copy of it is all that callbacks need
    root.call_on_fit_task_end(estimator=estimator, X=X, y=y, reconstruction_attributes={})
