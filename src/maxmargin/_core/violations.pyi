from numpy import float64, intp
from numpy.typing import NDArray

from maxmargin._core.one_class import RowCache

def descend(
    rows: RowCache,
    C: float,
    nu: float,
    most: float,
    draws: NDArray[intp],
    t: int,
    squared_norm: float,
    theta: float,
    first_end: int,
    sums: NDArray[float64],
    counts: NDArray[float64],
    moments: NDArray[float64],
) -> tuple[int, float, float, bool]: ...
