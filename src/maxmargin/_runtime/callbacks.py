"""The callbacks of scikit-learn ≥ 1.9, and nothing where it has none."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
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


__all__ = ["CallbackSupportMixin", "Tasks", "telling_callbacks", "with_callbacks"]


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

    def part(self) -> "Part":
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
