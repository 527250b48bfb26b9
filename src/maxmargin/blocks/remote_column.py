"""A column whose rows are somewhere else."""

from abc import abstractmethod
from collections.abc import Sequence
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray


class Piece:
    """The part of a column that stays with a block, somewhere else."""

    @classmethod
    @abstractmethod
    def fetched(cls, pieces: Sequence[Self]) -> list[NDArray[Any]]:
        """What they hold."""


class RemoteColumn:
    """A number for each row, in pieces that stay with the blocks; as an array, it is fetched.

    Parameters
    ----------
    n : int
        The number of rows.
    micro : int
        The rows of a block.
    """

    def __init__(self, n: int, micro: int) -> None:
        self.n, self.micro = n, micro
        self.pieces: list[Any] = [None] * -(-n // micro)
        self._fetched: NDArray[Any] | None = None

    def __len__(self) -> int:
        return self.n

    def __getitem__(self, place: slice) -> Any:
        return self.pieces[place.start // self.micro]

    def __setitem__(self, place: slice, piece: Piece) -> None:
        self.pieces[place.start // self.micro] = piece

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> NDArray[Any]:
        if self._fetched is None:
            self._fetched = np.concatenate(self.pieces[0].fetched(self.pieces))
        return self._fetched.copy() if dtype is None else self._fetched.astype(dtype)


def smallest(values: NDArray[Any]) -> NDArray[Any]:
    """Integers in the smallest type that holds them, to be sent; others as they are.

    Examples
    --------
    >>> import numpy as np
    >>> from maxmargin.blocks.remote_column import smallest
    >>> smallest(np.array([3, -1, 2])).dtype, smallest(np.array([300])).dtype
    (dtype('int8'), dtype('int16'))
    >>> smallest(np.array([0.5])).dtype
    dtype('float64')
    """
    if values.dtype.kind != "i" or not len(values):
        return values
    return values.astype(np.min_scalar_type(min(values.min(), -values.max() - 1)))
