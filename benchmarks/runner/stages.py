"""Where the CPU time of a call goes: functions of the library by the stage that they are of."""

import importlib
import time
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cached_property, wraps
from typing import Any


@contextmanager
def timed_stages(stages: Mapping[str, Sequence[str]]) -> Iterator[dict[str, float]]:
    """Collect CPU seconds by stage while it is open, those of a stage inside another one once.

    Parameters
    ----------
    stages : mapping
        Functions, methods and cached properties of each stage: ``module:name``, where they are
        looked up.
    """
    spent: dict[str, float] = defaultdict(float)
    running: list[float] = []  # what the stages inside took, innermost last
    kept = [(*_owner(place), stage) for stage, places in stages.items() for place in places]
    for owner, name, value, stage in kept:
        setattr(owner, name, _watched(value, stage, spent, running))
        if isinstance(value, cached_property):
            getattr(owner, name).__set_name__(owner, name)
    try:
        yield spent
    finally:
        for owner, name, value, _ in kept:
            setattr(owner, name, value)


def _owner(place: str) -> tuple[Any, str, Any]:
    module, _, path = place.partition(":")
    *outer, name = path.split(".")
    owner: Any = importlib.import_module(module)
    for part in outer:
        owner = getattr(owner, part)
    return owner, name, vars(owner)[name]


def _watched(value: Any, stage: str, spent: dict[str, float], running: list[float]) -> Any:
    if isinstance(value, classmethod | cached_property):
        inner = value.func if isinstance(value, cached_property) else value.__func__
        return type(value)(_watched(inner, stage, spent, running))
    call: Callable[..., Any] = value

    @wraps(call)
    def watched(*args: Any, **given: Any) -> Any:
        running.append(0.0)
        began = time.process_time()
        try:
            return call(*args, **given)
        finally:
            taken, inside = time.process_time() - began, running.pop()
            spent[stage] += taken - inside
            if running:
                running[-1] += taken

    return watched
