from numpy import float64
from numpy.typing import NDArray

def climb(
    points: NDArray[float64],
    support: NDArray[float64],
    weights: NDArray[float64],
    gamma: float,
    tol: float,
    max_iter: int,
    squared: NDArray[float64],
    mean: NDArray[float64],
) -> tuple[int, int]: ...
