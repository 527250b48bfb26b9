from numpy import float32, float64, int32, intp
from numpy.typing import NDArray

def settle_rows(
    matrix: NDArray[float32] | NDArray[float64],
    factored: bool,
    diagonal: NDArray[float64],
    labels: NDArray[int32],
    state: NDArray[float64],
    counts: NDArray[intp],
    mass: NDArray[intp],
    lower: NDArray[intp],
    upper: NDArray[intp],
    order: NDArray[intp],
    tol: float,
) -> tuple[int, float]: ...
