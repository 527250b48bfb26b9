"""Parameters of every estimator: values that make sense, and values that nobody should give."""

from decimal import Decimal
from fractions import Fraction
from inspect import signature
from typing import Any

import numpy as np
import pandas as pd
from hypothesis import strategies as st

from maxmargin import (
    CuttingPlaneClustering,
    IterativeSVRClustering,
    MaxMarginClustering,
    MultipleKernelClustering,
    RLSClustering,
    SDPClustering,
    SupportVectorClustering,
    UnsupervisedSearch,
)

SIZES: dict[str, list[Any]] = {
    "proportions": [None, "balanced", [0.5, 0.3, 0.2], np.array([0.6, 0.4])],
    "min_size": [None, 0, 1, 3, 0.2, 0.9, [2, 1, 1]],
    "max_size": [None, 15, 1.5, 1.0],
}
KERNEL: dict[str, list[Any]] = {
    "kernel": ["linear", "rbf", "laplacian", "cosine", "poly", "sigmoid", "chi2"],
    "gamma": ["median", "neighbors", "scale", 0.1, 1e-3, np.float32(0.5)],
    "degree": [2, 3, 2.5],
    "coef0": [0.0, 1.0],
}
COMMON: dict[str, list[Any]] = {
    "random_state": [0, 1, np.int64(7), None],
    "n_jobs": [None, 1, 2],
    "on_interrupt": ["raise", "keep"],
}
HINGE = {
    **{name: SIZES[name] for name in ("proportions", "max_size")},
    "min_size": ["auto", *SIZES["min_size"]],
    "alpha": ["auto", 0.01, 1e-6, 10],
    "balance": [0.0, 0.5, 3],
    "init": ["auto", "k-means++", "random", "mixed"],
    "n_init": [1, 2],
    "init_size": [None, 12, 2048],
    "n_components": [5, 200],
    "tol": [0.01, 0.5],
    "max_iter": ["auto", 20],
}
KERNELS = [None, ["rbf"], ["linear", "rbf"], ["poly", "cosine"], [{"kernel": "rbf", "gamma": 0.1}]]

SENSIBLE: dict[type, dict[str, list[Any]]] = {
    MaxMarginClustering: {
        "n_clusters": [None, 1, 2, 3, 5],
        **SIZES,
        "min_size": ["auto", *SIZES["min_size"]],
        "metric": ["euclidean", "cosine"],
        "standardize": [True, False],
        "effort": ["fast", "fast", "fast", "normal"],
        "time_budget": [None, 5.0],
    },
    RLSClustering: {
        "n_clusters": [1, 2, 3, 5, np.int8(4)],
        **SIZES,
        **KERNEL,
        "alpha": [1e-4, 1.0, 1e-12, 1e6, np.float32(0.01)],
        "search": ["shaking", "steepest", "stochastic", "evolutionary"],
        "polish": [True, False],
        "center": [True, False],
        "approximation": [None, "nystroem"],
        "n_components": [5, 100],
        "init": ["random", "k-means++"],
        "n_init": [1, 3],
    },
    CuttingPlaneClustering: {
        "n_clusters": [1, 2, 3, 5],
        **KERNEL,
        "kernel": [*KERNEL["kernel"], "auto"],
        **HINGE,
        "optimizer": ["auto", "cccp", "alternation", "cpm3c"],
    },
    MultipleKernelClustering: {
        "n_clusters": [1, 2, 3],
        "kernels": KERNELS,
        "kernel_weights": ["learned", "uniform"],
        **HINGE,
        "optimizer": ["auto", "cccp", "alternation", "mkc"],
        "norm": ["auto", 1, 2, np.inf],
    },
    IterativeSVRClustering: {
        "n_clusters": [1, 2, 3],
        **KERNEL,
        "C": [1.0, 0.01, 100],
        "loss": ["absolute_error", "squared_error"],
        "balance": [0.0, 0.03, 0.5],
        "n_init": [1, 2],
        "max_iter": [5, 100],
    },
    SDPClustering: {
        "n_clusters": [1, 2, 3],
        "relaxation": ["gmmc", "mmc"],
        **KERNEL,
        "C": [1.0, 10.0],
        "balance": [0.1, 0.5],
        "polish": [True, False],
        "init_size": [8, 12],
    },
    SupportVectorClustering: {
        "gamma": ["auto", "plateau", 0.1, 3.0],
        "nu": [None, 0.1, 0.5],
        "C": [None, None, 0.1, 2.0],
        "solver": ["exact", "sgd", "online", "libsvm"],
        "assignment": ["graph", "equilibria"],
        "min_cluster_size": [None, 1, 5, 0.1],
        "outlier_fraction": [0.0, 0.1, 0.5],
        "n_landmarks": [None, 10, 2000],
    },
    UnsupervisedSearch: {"criterion": ["loo", "split_gap"], "error_score": ["raise", np.nan]},
}
#: What every fit is given, so that it is quick and says the same twice.
ALWAYS: dict[type, dict[str, Any]] = {
    MaxMarginClustering: {"effort": "fast", "random_state": 0},
    RLSClustering: {"n_clusters": 3, "n_init": 2, "random_state": 0},
    CuttingPlaneClustering: {"n_clusters": 3, "n_init": 2, "random_state": 0},
    MultipleKernelClustering: {"n_clusters": 3, "n_init": 1, "random_state": 0, "tol": 0.1},
    IterativeSVRClustering: {"n_clusters": 3, "n_init": 2, "random_state": 0},
    SDPClustering: {"n_clusters": 2, "init_size": 8, "random_state": 0},
    SupportVectorClustering: {"random_state": 0},
    UnsupervisedSearch: {
        "estimator": RLSClustering(3, n_init=1, random_state=0),
        "param_grid": {"alpha": [1e-4, 1e-2]},
    },
}
ESTIMATORS = {kind.__name__: kind for kind in SENSIBLE}
#: Values that are wrong for nearly every parameter, or hard to convert.
ODD = [
    *(None, True, -1, 0, 1, 2.5, -0.5, "", "auto", "x" * 300, b"rbf", [], [1], {}, (), 1j),
    *(np.nan, np.inf, -np.inf, 1e308, 5e-324, 10**400, -(10**400), 2**63, Fraction(1, 3)),
    *(np.int8(100), np.uint8(3), np.float32(0.5), np.float16(3), np.array(2), np.array([1, 2])),
    *(np.str_("rbf"), np.bool_(True), object(), Decimal("0.5"), pd.NA, np.longdouble("1e4000")),
    *("1", 1e-320, -0.0, np.datetime64("2020"), range(3), set(), int, np.ma.masked),
    *([None], ["a"], [np.nan] * 3, [1e308] * 3, [10**400] * 3, {"a": 1}),
]
#: Those of them that went wrong most often.
HARD = [np.nan, 10**400, [10**400] * 3, [1e308] * 3, np.array([1, 2]), {}, object()]


@st.composite
def parameters(draw: Any, kind: type) -> dict[str, Any]:
    """A few sensible parameters; now and then one that is odd."""
    names = draw(st.lists(st.sampled_from(sorted(SENSIBLE[kind])), max_size=4, unique=True))
    names += draw(st.lists(st.sampled_from(sorted(COMMON)), max_size=1))
    values = {**COMMON, **SENSIBLE[kind]}
    takes = set(signature(kind).parameters)
    found = dict(ALWAYS[kind])
    found |= {name: draw(st.sampled_from(values[name])) for name in names if name in takes}
    if draw(st.integers(0, 9)) == 9:
        name = draw(st.sampled_from(sorted({*SENSIBLE[kind], *COMMON} & takes)))
        found[name] = draw(st.sampled_from(ODD))
    return found
