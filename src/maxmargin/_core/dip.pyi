from numpy import float64
from numpy.typing import NDArray

def dip_of_steps(x: NDArray[float64], above: NDArray[float64]) -> float: ...
