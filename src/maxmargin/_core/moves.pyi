from numpy import float32, float64, int32, intp, uint8
from numpy.typing import NDArray

def claim(
    matrix: NDArray[float32] | NDArray[float64],
    factored: bool,
    labels: NDArray[int32],
    scores: NDArray[float64],
    own: NDArray[float64],
    counts: NDArray[intp],
    mass: NDArray[intp],
    barrier: NDArray[float64],
    d: int,
    quota: int,
) -> tuple[int, float]: ...
def descend(
    matrix: NDArray[float32] | NDArray[float64],
    factored: bool,
    labels: NDArray[int32],
    scores: NDArray[float64],
    own: NDArray[float64],
    counts: NDArray[intp],
    mass: NDArray[intp],
    barrier: NDArray[float64],
    movable: NDArray[uint8],
    lower: NDArray[intp],
    upper: NDArray[intp],
    tol: float,
    max_moves: int,
) -> tuple[int, float]: ...
def swap_sweep(
    matrix: NDArray[float32] | NDArray[float64],
    factored: bool,
    labels: NDArray[int32],
    scores: NDArray[float64],
    own: NDArray[float64],
    counts: NDArray[intp],
    mass: NDArray[intp],
    barrier: NDArray[float64],
    movable: NDArray[uint8],
    lower: NDArray[intp],
    upper: NDArray[intp],
    diagonal: NDArray[float64],
    tol: float,
) -> tuple[int, float]: ...
def fill_scores(
    matrix: NDArray[float32] | NDArray[float64], labels: NDArray[int32], scores: NDArray[float64]
) -> None: ...
