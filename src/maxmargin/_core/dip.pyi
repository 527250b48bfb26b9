from numpy import floating, integer
from numpy.typing import NDArray

def dip(values: NDArray[floating] | NDArray[integer]) -> float: ...
