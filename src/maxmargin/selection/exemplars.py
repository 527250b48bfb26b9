"""The rows that stand for a cluster."""

import numpy as np
from numpy.typing import NDArray


def exemplars(affinity: NDArray[np.float64], n_exemplars: int) -> NDArray[np.intp]:
    """Choose rows so that every row is near to one of them.

    Each one raises Σ_i max_e K_ie most (facility location): the first lies where most rows
    are, the next where the first ones are far.

    Examples
    --------
    >>> import numpy as np
    >>> from maxmargin.selection.exemplars import exemplars
    >>> X = np.array([[0.0], [1.0], [2.0], [8.0], [9.0]])
    >>> exemplars(np.exp(-((X - X.T) ** 2)), 2).tolist()
    [1, 3]
    """
    covered = np.zeros(len(affinity))
    chosen: list[int] = []
    for _ in range(min(n_exemplars, len(affinity))):
        gains = np.maximum(affinity - covered, 0).sum(axis=1)
        gains[chosen] = -1
        chosen.append(int(np.argmax(gains)))
        covered = np.maximum(covered, affinity[chosen[-1]])
    return np.array(chosen, dtype=np.intp)
