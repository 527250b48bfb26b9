import numpy as np
from numpy.typing import NDArray

def settle_ratios(
    matrix: NDArray[np.floating],
    factored: bool,
    labels: NDArray[np.int32],
    scores: NDArray[np.float64],
    counts: NDArray[np.intp],
    mass: NDArray[np.intp],
    lower: NDArray[np.intp],
    upper: NDArray[np.intp],
    order: NDArray[np.intp],
    tol: float,
    error: float,
    spread: float,
    most_moves: int,
) -> tuple[int, int, float, float]: ...
def value_inside(
    matrix: NDArray[np.floating], members: NDArray[np.intp], stops: NDArray[np.intp]
) -> float: ...
