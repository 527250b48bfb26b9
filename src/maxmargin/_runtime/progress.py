"""How far a fit is, for those who asked to be told."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass


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
