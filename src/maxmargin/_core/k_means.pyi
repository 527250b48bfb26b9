import numpy as np
from numpy.typing import NDArray

MAX_STEPS: int

def lloyd(
    X: NDArray[np.float64], centers: NDArray[np.float64], max_iter: int
) -> tuple[NDArray[np.int32], float]: ...
def k_means(X: NDArray[np.float64], k: int, seed: int, n_init: int = 1) -> NDArray[np.int32]: ...
