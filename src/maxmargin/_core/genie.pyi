import numpy as np
from numpy.typing import NDArray

def merge(
    start: NDArray[np.intp], stop: NDArray[np.intp], k: int, threshold: float
) -> NDArray[np.intp]: ...
