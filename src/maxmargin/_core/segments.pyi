from numpy import float64, intp
from numpy.typing import NDArray

def lowest_on_segments(
    squared: NDArray[float64],
    start: NDArray[intp],
    stop_at: NDArray[intp],
    lengths: NDArray[float64],
    weights: NDArray[float64],
    gamma: float,
    steps: int,
    near: NDArray[intp],
    base: NDArray[float64],
    work: NDArray[float64],
    lowest: NDArray[float64],
) -> None: ...
