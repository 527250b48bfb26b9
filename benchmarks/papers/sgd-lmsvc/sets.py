"""The data sets of the paper's Table 1."""

from collections.abc import Callable
from functools import partial

import numpy as np
from numpy.typing import NDArray
from shared.data import load
from sklearn.datasets import load_iris

Data = tuple[NDArray[np.floating], NDArray[np.int64]]

#: The sets by their names in the paper; the columns as they come.
SETS: dict[str, Callable[[], Data]] = {
    "Aggregation": partial(load, "aggregation"),
    "Breast Cancer": partial(load, "breast_cancer_original"),
    "Compound": partial(load, "compound"),
    "D31": partial(load, "d31"),
    "Flame": partial(load, "flame"),
    "Glass": partial(load, "glass"),
    "Iris": partial(load_iris, return_X_y=True),
    "Jain": partial(load, "jain"),
    "Pathbased": partial(load, "pathbased"),
    "R15": partial(load, "r15"),
    "Spiral": partial(load, "spiral"),
}
