from numpy import float64, int32, intp
from numpy.typing import NDArray

def descend(
    X: NDArray[float64],
    gamma: float,
    C: float,
    draws: NDArray[intp],
    t: int,
    squared_norm: float,
    theta: float,
    first_end: int,
    violators: NDArray[intp],
    n_violators: int,
    rows: NDArray[float64],
    counts: NDArray[float64],
    moments: NDArray[float64],
    stop: NDArray[int32],
) -> tuple[int, float, int, bool]: ...
