import numpy as np
from numpy.typing import NDArray

def lloyd(
    X: NDArray[np.float64], centers: NDArray[np.float64], max_iter: int
) -> tuple[NDArray[np.int32], float]: ...
