"""Parts of a fit that other estimators do, and the callbacks that they are handed."""

import os
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from typing import Any


@dataclass
class Part:
    """A subtask that another estimator does: it is handed the callbacks that are handed on.

    Parameters
    ----------
    estimator : object
        Whose subtask it is.
    context : CallbackContext or None
        None if nobody listens.
    home : int
        The process that it was made in.
    """

    estimator: Any = None
    context: Any = None
    home: int = field(default_factory=os.getpid)

    @property
    def away(self) -> bool:
        """Whether this is a copy in another process."""
        return os.getpid() != self.home

    @contextmanager
    def done_by(self, other: Any, X: Any, y: Any) -> Iterator[None]:
        """Tell that it begins, and what the other does inside."""
        if self.context is None:
            yield
            return
        with ExitStack() as handing_on:
            if hasattr(other, "set_callbacks"):
                handing_on.enter_context(self.context.propagate_callback_context(other))
            self.context.call_on_fit_task_begin(estimator=self.estimator, X=X, y=y)
            yield

    def end(self) -> bool:
        """Tell that it is done; whether a callback wants no more of them."""
        if self.context is None:
            return False
        return bool(self.context.call_on_fit_task_end(estimator=self.estimator))
