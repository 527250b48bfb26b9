from numpy import float32, int32, intp, uint8
from numpy.typing import NDArray

def assign_rows(
    losses: NDArray[float32],
    movable: NDArray[uint8],
    labels: NDArray[int32],
    counts: NDArray[intp],
    lower: NDArray[intp],
    upper: NDArray[intp],
) -> bool: ...
