from numpy import float64
from numpy.typing import NDArray

def solve_small_qp(
    Q: NDArray[float64],
    q: NDArray[float64],
    E: NDArray[float64],
    e: NDArray[float64],
    x: NDArray[float64],
    delta: float,
    tol: float,
    max_rounds: int,
) -> NDArray[float64]: ...
