import numpy as np
from numpy.typing import NDArray

def kruskal(
    n: int, start: NDArray[np.intp], stop: NDArray[np.intp], order: NDArray[np.intp]
) -> NDArray[np.intp]: ...
def prominences(
    heights: NDArray[np.float64],
    start: NDArray[np.intp],
    stop: NDArray[np.intp],
    levels: NDArray[np.float64],
) -> tuple[NDArray[np.float64], NDArray[np.intp]]: ...
