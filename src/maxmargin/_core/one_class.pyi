from collections.abc import Callable

from numpy import float64
from numpy.typing import NDArray

class RowCache:
    misses: int
    def __init__(self, fetch: Callable[[int], NDArray[float64]], n: int, n_slots: int) -> None: ...

def solve_pairs(
    rows: RowCache,
    alpha: NDArray[float64],
    values: NDArray[float64],
    upper: float | NDArray[float64],
    tol: float,
    max_iter: int,
) -> tuple[int, float]: ...
def solve_box(
    rows: RowCache,
    alpha: NDArray[float64],
    values: NDArray[float64],
    upper: float | NDArray[float64],
    tol: float,
    max_iter: int,
) -> tuple[int, float]: ...
