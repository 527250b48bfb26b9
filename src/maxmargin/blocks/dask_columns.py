"""What stays with the workers of a cluster, and is made again where they are lost."""

from collections.abc import Callable, Sequence
from itertools import islice
from operator import itemgetter
from typing import Any
from weakref import WeakSet, ref

import dask
import numpy as np
from numpy.typing import NDArray

from maxmargin.blocks.lost_workers import computed, in_spite_of_losses
from maxmargin.blocks.remote_column import Piece, smallest

#: Where a part of a column is, that is not among those that stay: it is sent, or is one number.
SENT, ALIKE = -1, -2
Task = Any  # dask.delayed.Delayed


class Recipe:
    """How a block of a pass is done, as often as need be.

    Parameters
    ----------
    function : callable
        That of the pass.
    ask : callable
        Makes a task of it: is called with the function, where each part is, and the parts.
    parts : sequence of array or DaskPiece
        The block's parts of the columns.
    kept : int
        How many of the arrays that it returns stay.
    """

    def __init__(
        self, function: Callable[..., Any], ask: Callable[..., Task], parts: Any, kept: int
    ) -> None:
        self.function, self.ask, self.kept = function, ask, kept
        self.parts = [_sent(part) for part in parts]
        self.left: Callable[[], Left | None] = lambda: None

    def task(self, shared: dict[int, Task]) -> Task:
        """A new task, which rests on what is there, and makes again what is not."""
        key = id(self.function)  # once for all blocks
        if key not in shared:
            shared[key] = _task(self.function)
        given = [part.stays(shared) if isinstance(part, Recipe) else part for _, part in self.parts]
        return self.ask(shared[key], [how for how, _ in self.parts], *given)

    def stays(self, shared: dict[int, Task]) -> Task:
        """What stays of it."""
        left = self.left()
        if left is not None and left.task is not None:
            return left.task
        return _task(itemgetter(slice(self.kept)))(self.task(shared))


class Left:
    """What a task left with a worker, or in memory without a cluster: a tuple of arrays.

    It is there as long as somebody has this object; only its recipe is known to what was made of
    it.
    """

    def __init__(self, recipe: Recipe, task: Task, number: int) -> None:
        self.recipe, self.task, self.number = recipe, task, number
        recipe.left = ref(self)


class DaskPiece(Piece):
    """One of the arrays that were left behind."""

    def __init__(self, left: Left, number: int) -> None:
        self.left, self.number = left, number

    @classmethod
    def fetched(cls, pieces: Sequence["DaskPiece"]) -> list[NDArray[Any]]:
        """What the pieces hold; integers travel in the smallest type that they fit in."""
        sent = computed([_task(_packed)(one.left.task, one.number) for one in pieces])
        return [part.astype(kind, copy=False) for part, kind in sent]


class Workers:
    """Has blocks done by the workers, and knows what stays with them."""

    def __init__(self) -> None:
        self.left: WeakSet[Left] = WeakSet()
        self.n_left = 0

    def done(self, recipes: Sequence[Recipe]) -> list[Any]:
        """What the blocks return: pieces of what stays, and the rest."""
        return in_spite_of_losses(lambda: self._done(recipes), self._forget)

    def _done(self, recipes: Sequence[Recipe]) -> list[Any]:
        shared: dict[int, Task] = {}
        lost = sorted((one for one in self.left if one.task is None), key=lambda one: one.number)
        for one in lost:  # in the order in which they rest on each other
            one.task = one.recipe.stays(shared)
        tasks, kept = [recipe.task(shared) for recipe in recipes], recipes[0].kept
        stay = [_task(itemgetter(slice(kept)))(task) for task in tasks] if kept else []
        come = [_task(itemgetter(slice(kept, None)))(task) for task in tasks] if kept else tasks
        if stay or lost:  # asked for together, so that each task is done once
            asked = iter(dask.persist(*(one.task for one in lost), *stay, *come))
            for one in lost:
                one.task = next(asked)
            stay, come = list(islice(asked, len(stay))), list(asked)
        left = [self._leave(*made) for made in zip(recipes, stay, strict=False)]
        results = list(dask.compute(*come))
        if not kept:
            return results
        pieces = [[DaskPiece(one, number) for number in range(kept)] for one in left]
        return [(*here, *there) for there, here in zip(results, pieces, strict=True)]

    def _leave(self, recipe: Recipe, task: Task) -> Left:
        self.n_left += 1
        left = Left(recipe, task, self.n_left)
        self.left.add(left)
        return left

    def _forget(self) -> None:
        """Let go of everything: what was given up would stay so as long as anybody wants it."""
        for one in self.left:
            one.task = None


def received(how: int, given: Any, length: int) -> NDArray[Any]:
    """The part of a column, where the rows are."""
    if how == ALIKE:
        return np.repeat(given, length)
    return given if how == SENT else given[how]


def _sent(part: Any) -> tuple[int, Any]:
    """How a part of a column goes to its block: as it is, as one number, or not at all."""
    if isinstance(part, DaskPiece):
        return part.number, part.left.recipe
    return (ALIKE, part[:1].copy()) if part.strides[0] == 0 else (SENT, part)


def _packed(left: Sequence[NDArray[Any]], number: int) -> tuple[NDArray[Any], Any]:
    return smallest(left[number]), left[number].dtype


def _task(function: Any) -> Any:
    return dask.delayed(function, pure=False, traverse=False)
