"""The tables of what is fitted to what: every estimator in its main configurations."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.cluster import DBSCAN, KMeans
from sklearn.kernel_approximation import Nystroem
from sklearn.metrics import silhouette_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from benchmarks.studies.record.sets import Set
from maxmargin import RLSClustering, SupportVectorClustering
from maxmargin.solvers import SGD


@dataclass(frozen=True)
class Variant:
    """A configuration, and the sets that it is fitted to.

    Attributes
    ----------
    params : mapping
        The parameters besides ``n_clusters`` (the true number) and ``random_state`` (0). A
        function of ``OF_THE_SET`` is called with the set.
    clear : str
        Sets whose clusters nobody doubts: labels are the same on every machine.
    other : str
        Sets on which labels may hang on the last digit of a number.
    form : str
        The form of the rows, of ``sets.FORMS``.
    pinned : int
        Every so many rows, one has a known label; 0 is none.
    via : {"fit", "partial_fit", "alternative"}
        How the model is made.
    """

    params: Mapping[str, Any] = field(default_factory=dict)
    clear: str = ""
    other: str = ""
    form: str = "dense"
    pinned: int = 0
    via: str = "fit"


def shares(data: Set) -> NDArray[np.float64]:
    """Return the true shares of the clusters."""
    return np.bincount(data.truth) / len(data.truth)


def rough_labels(data: Set) -> NDArray[np.int64]:
    """Return labels to start with: the true ones, of which every fourth is wrong."""
    wrong = np.arange(len(data.truth)) % 4 == 0
    return (data.truth + wrong) % (data.truth.max() + 1)


OF_THE_SET = (shares, rough_labels)


def laplacian(a: NDArray, b: NDArray) -> float:
    """Return a kernel that is a function of two rows."""
    return float(np.exp(-np.abs(a - b).sum() / 8))


SEPARATED = "two three four topics sources"
SHAPES = "moons circles slanted"
REAL = "iris wine cancer digits"
VAGUE = "overlapping noisy_moons generated curve diabetes"
EVERYTHING_ELSE = f"zeros_and_ones scattered {VAGUE} {REAL}"
VIEWS = [
    {"kernel": "rbf", "columns": [0, 1], "name": "first"},
    {"kernel": "rbf", "columns": slice(2, None), "name": "rest"},
]
NO_NUMBER = {"n_clusters": None}
FAST = {"effort": "fast"}
NYSTROEM = {"approximation": "nystroem", "n_components": 40}

FRONT_DOOR = {
    "defaults": Variant(NO_NUMBER, "three unequal", f"moons many {EVERYTHING_ELSE}"),
    "k": Variant({}, f"{SEPARATED} {SHAPES} unequal", f"all_digits {EVERYTHING_ELSE}"),
    "fast": Variant(FAST, f"{SEPARATED} {SHAPES} unequal many", f"many_overlapping {REAL}"),
    "fast, any k": Variant({**FAST, **NO_NUMBER}, "two circles", f"all_digits {VAGUE}"),
    "thorough": Variant({"effort": "thorough"}, "three", "iris overlapping"),
    "one": Variant({"n_clusters": 1}, "three"),
    "gaussian": Variant({"kernels": ["gaussian"]}, "three", "wine"),
    "graph": Variant({"kernels": ["graph"]}, "moons", "wine"),
    "as they are": Variant({"standardize": False}, "three", "digits"),
    "cosine": Variant({"metric": "cosine"}, "four", "digits"),
    "distances": Variant({"metric": "precomputed"}, "three moons", "iris", "distances"),
    "balanced": Variant({"proportions": "balanced"}, "three", "overlapping"),
    "shares": Variant({"proportions": shares}, "unequal", "overlapping"),
    "bounds": Variant({"min_size": 20, "max_size": 1.5}, "three", "wine overlapping"),
    "pins": Variant({}, "unequal moons", "iris digits", pinned=10),
    "pins, any k": Variant({**FAST, **NO_NUMBER}, "three", "digits", pinned=10),
    "pins, many": Variant(FAST, "", "many all_digits", pinned=10),
    "csr": Variant({}, "topics", "digits", "csr"),
    "csr, any k": Variant({**FAST, **NO_NUMBER}, "topics", "digits", "csr"),
    "float32": Variant({}, "three moons", "wine digits", "float32"),
    "float32, many": Variant(FAST, "", "many_overlapping", "float32"),
    "alternative": Variant(FAST, "", "iris overlapping all_digits", via="alternative"),
}

RLS = {
    "defaults": Variant({}, f"{SEPARATED} {SHAPES}", f"unequal many {EVERYTHING_ELSE}"),
    "steepest": Variant(
        {"search": "steepest", "n_init": 12}, "two three", "iris digits overlapping"
    ),
    "stochastic": Variant(
        {"search": "stochastic", "n_init": 12}, "two three", "iris digits overlapping"
    ),
    "evolutionary": Variant(
        {"search": "evolutionary", "n_init": 12}, "two", "moons noisy_moons cancer"
    ),
    "nystroem": Variant({"approximation": "nystroem"}, "three moons", "digits many_overlapping"),
    "nystroem, steepest": Variant(
        {**NYSTROEM, "search": "steepest", "n_init": 12}, "three", "wine"
    ),
    "nystroem, stochastic": Variant(
        {**NYSTROEM, "search": "stochastic", "n_init": 12}, "three", "wine"
    ),
    "nystroem, evolutionary": Variant(
        {**NYSTROEM, "search": "evolutionary", "n_init": 12}, "two", "noisy_moons cancer"
    ),
    "linear": Variant({"kernel": "linear"}, "two three", "wine digits"),
    "linear, dual": Variant({"kernel": "linear"}, "", "topics zeros_and_ones"),
    "poly": Variant({"kernel": "poly", "degree": 2}, "two three", "iris"),
    "cosine": Variant({"kernel": "cosine"}, "four", "digits"),
    "laplacian": Variant({"kernel": "laplacian", "gamma": 0.1}, "", "three wine"),
    "sigmoid": Variant({"kernel": "sigmoid", "gamma": 0.01}, "", "iris"),
    "function": Variant({"kernel": laplacian}, "", "three iris"),
    "precomputed": Variant({"kernel": "precomputed"}, "three", "iris overlapping", "kernel"),
    "neighbors": Variant({"gamma": "neighbors"}, "", "three moons wine"),
    "scale": Variant({"gamma": "scale"}, "three", "wine"),
    "strong alpha": Variant({"alpha": 0.1}, "three", "wine digits"),
    "weak alpha": Variant({"alpha": 1e-8}, "three", "wine"),
    "no polish": Variant({"polish": False}, "", "three digits overlapping"),
    "free": Variant({"proportions": None}, "three", "unequal wine scattered"),
    "shares": Variant({"proportions": shares}, "unequal", "overlapping wine"),
    "bounds": Variant({"min_size": 0.9, "max_size": 1.2}, "three", "wine overlapping"),
    "k-means++": Variant({"init": "k-means++"}, "three", "digits overlapping"),
    "given": Variant({"init": rough_labels}, "three", "digits overlapping"),
    "pins": Variant({}, "three moons", "iris digits", pinned=10),
    "pins, steepest": Variant({"search": "steepest"}, "three", "digits", pinned=10),
    "pins, evolutionary": Variant({"search": "evolutionary"}, "two", "noisy_moons", pinned=10),
    "csr": Variant({}, "topics", "digits", "csr"),
    "csr, linear": Variant({"kernel": "linear"}, "", "topics digits", "csr"),
    "float32": Variant({}, "three moons", "wine digits", "float32"),
    "float32, nystroem": Variant({"approximation": "nystroem"}, "three", "digits", "float32"),
}

CUTTING_PLANE = {
    "defaults": Variant({}, SEPARATED, f"unequal {SHAPES} many all_digits {EVERYTHING_ELSE}"),
    "cccp": Variant({"optimizer": "cccp"}, "two three", "iris wine digits"),
    "alternation": Variant({"optimizer": "alternation"}, "two three", "iris wine digits"),
    "to the letter": Variant({"optimizer": "cpm3c"}, "", "two three cancer overlapping"),
    "mixed": Variant({"init": "mixed"}, "three", "wine"),
    "k-means++": Variant({"init": "k-means++"}, "three", "wine"),
    "random": Variant({"init": "random"}, "three", "wine"),
    "rls": Variant({"init": "rls"}, "three", "digits wine"),
    "given": Variant({"init": rough_labels}, "three", "wine"),
    "few rows first": Variant({"init_size": 100}, "three four", "digits many_overlapping"),
    "all rows": Variant({"init_size": None}, "", "many_overlapping"),
    "rbf": Variant({"kernel": "rbf"}, "three", "moons circles iris digits"),
    "poly": Variant({"kernel": "poly", "degree": 2}, "two", "iris"),
    "cosine": Variant({"kernel": "cosine"}, "four", "digits"),
    "auto": Variant({"kernel": "auto"}, "three", "moons wine"),
    "function": Variant({"kernel": laplacian, "n_components": 60}, "three", "iris"),
    "precomputed": Variant({"kernel": "precomputed"}, "three", "iris", "kernel"),
    "nystroem": Variant({"kernel": "rbf", "n_components": 40}, "three", "wine digits"),
    "strong alpha": Variant({"alpha": 0.3}, "three", "wine"),
    "weak alpha": Variant({"alpha": 0.001}, "two", "wine"),
    "shares": Variant({"proportions": shares}, "unequal", "overlapping wine"),
    "bounds": Variant({"min_size": 0.9, "max_size": 1.2}, "three", "wine digits"),
    "unequal": Variant({"min_size": 0.05, "balance": 0.3}, "", "unequal scattered wine"),
    "pins": Variant({}, "three", "iris digits", pinned=10),
    "pins, cccp": Variant({"optimizer": "cccp"}, "", "three wine", pinned=10),
    "csr": Variant({}, "topics", "digits", "csr"),
    "csr, auto": Variant({"kernel": "auto"}, "topics", "digits", "csr"),
    "float32": Variant({}, "three", "wine digits", "float32"),
}

MULTIPLE_KERNEL = {
    "defaults": Variant({}, "two topics", f"four {SHAPES} unequal many {EVERYTHING_ELSE}"),
    "sources": Variant({"kernels": VIEWS}, "sources", "iris wine"),
    "names": Variant({"kernels": ["linear", "cosine", ("poly", {"degree": 2})]}, "four", "wine"),
    "function": Variant({"kernels": ["rbf", laplacian], "n_components": 60}, "three", "iris"),
    "transformer": Variant(
        {"kernels": ["linear", Nystroem(n_components=20, random_state=0)]}, "", "iris"
    ),
    "precomputed": Variant({"kernels": "precomputed"}, "sources", "iris", "kernels"),
    "uniform": Variant({"kernel_weights": "uniform"}, "three", "wine"),
    "weights": Variant({"kernels": VIEWS, "kernel_weights": [3, 1]}, "sources", "wine"),
    "norm 1": Variant({"kernels": VIEWS, "norm": 1}, "sources", "wine"),
    "norm 2": Variant({"norm": 2}, "", "three wine"),
    "cccp": Variant({"optimizer": "cccp"}, "two", "wine"),
    "alternation": Variant({"optimizer": "alternation"}, "three", "wine digits"),
    "to the letter": Variant({"optimizer": "mkc", "norm": 2}, "", "two cancer"),
    "consensus": Variant({"init": "consensus"}, "", "three iris"),
    "kernels": Variant({"kernels": VIEWS, "init": "kernels"}, "sources", "iris"),
    "mixed": Variant({"init": "mixed", "n_init": 3}, "three", "wine"),
    "k-means++": Variant({"init": "k-means++", "n_init": 3}, "three", "wine"),
    "random": Variant({"init": "random", "n_init": 3}, "", "three wine"),
    "given": Variant({"init": rough_labels}, "three", "wine"),
    "few rows first": Variant({"init_size": 100}, "three", "digits many_overlapping"),
    "nystroem": Variant({"n_components": 40}, "three", "wine digits"),
    "shares": Variant({"proportions": shares}, "unequal", "wine"),
    "bounds": Variant({"min_size": 0.9, "max_size": 1.2}, "", "three wine"),
    "pins": Variant({}, "three", "iris digits", pinned=10),
    "csr": Variant({}, "topics", "digits", "csr"),
    "float32": Variant({}, "three", "wine", "float32"),
}

SUPPORT_VECTOR = {
    "defaults": Variant(
        {}, f"{SEPARATED} {SHAPES} unequal many", f"many_overlapping all_digits {EVERYTHING_ELSE}"
    ),
    "plateau": Variant({"gamma": "plateau"}, "two three", "moons iris overlapping"),
    "plateau, equilibria": Variant({"gamma": "plateau", "assignment": "equilibria"}, "two", "iris"),
    "number": Variant({"gamma": 0.1}, "two three", "iris wine"),
    "nu": Variant({"nu": 0.3}, "three", "iris overlapping"),
    "C": Variant({"gamma": 0.2, "C": 1.0}, "three", "iris"),
    "equilibria": Variant({"assignment": "equilibria"}, "two three", "moons iris overlapping"),
    "equilibria, number": Variant({"gamma": 0.1, "assignment": "equilibria"}, "three", "iris"),
    "sgd": Variant({"solver": "sgd", "C": 0.05}, "two three", "iris overlapping"),
    "sgd, number": Variant({"solver": "sgd", "C": 0.05, "gamma": 0.1}, "three", "iris"),
    "sgd, equilibria": Variant(
        {"solver": "sgd", "C": 0.05, "gamma": 0.1, "assignment": "equilibria"}, "three", "iris"
    ),
    "sgd, to the letter": Variant(
        {"solver": SGD(average=False, min_epochs=0), "C": 0.05, "gamma": 0.1}, "", "iris"
    ),
    "libsvm": Variant({"solver": "libsvm"}, "two three", "iris overlapping"),
    "libsvm, equilibria": Variant(
        {"solver": "libsvm", "gamma": 0.1, "assignment": "equilibria"}, "three", "iris"
    ),
    "smallest": Variant({"min_cluster_size": 0.1}, "three", "digits overlapping"),
    "outliers": Variant({"outlier_fraction": 0.05}, "", "three scattered wine"),
    "outliers, sgd": Variant(
        {"outlier_fraction": 0.05, "solver": "sgd", "C": 0.05}, "", "scattered wine"
    ),
    "landmarks": Variant({"n_landmarks": 100}, "three", "moons digits many_overlapping"),
    "landmarks, equilibria": Variant(
        {"n_landmarks": 100, "assignment": "equilibria"}, "three", "digits"
    ),
    "outliers, landmarks": Variant(
        {"n_landmarks": 100, "outlier_fraction": 0.05}, "", "scattered many"
    ),
    "stream": Variant({}, "three", "overlapping", via="partial_fit"),
    "stream, landmarks": Variant({"n_landmarks": 100}, "three", "digits", via="partial_fit"),
    "float32": Variant({}, "three moons", "wine digits", "float32"),
}

_rls, _svc = RLSClustering(3, random_state=0), SupportVectorClustering(random_state=0)
_means = KMeans(n_init=3, random_state=0)
_piped = make_pipeline(StandardScaler(), _rls)
SEARCH = {
    "loo": Variant(
        {"estimator": _rls, "param_grid": {"gamma": [0.01, 0.1, 1.0], "alpha": [1e-4, 1e-2]}},
        "three",
        "iris wine overlapping",
    ),
    "split gap": Variant(
        {"estimator": _means, "param_grid": {"n_clusters": [2, 3, 4, 5]}, "criterion": "split_gap"},
        "",
        "three four iris overlapping",
    ),
    "number": Variant(
        {"estimator": _rls, "param_grid": {"n_clusters": [2, 3, 4, 5]}, "criterion": "split_gap"},
        "three four",
        "wine",
    ),
    "silhouette": Variant(
        {"estimator": _svc, "param_grid": {"nu": [0.3, 0.9]}, "criterion": silhouette_score},
        "three",
        "iris",
    ),
    "noise": Variant(
        {"estimator": DBSCAN(), "param_grid": {"eps": [0.1, 0.2, 0.4]}, "criterion": "split_gap"},
        "moons",
        "noisy_moons",
    ),
    "pipeline": Variant(
        {"estimator": _piped, "param_grid": {"rlsclustering__kernel": ["rbf", "linear"]}},
        "three",
        "wine",
    ),
    "pins": Variant(
        {"estimator": _rls, "param_grid": {"gamma": [0.01, 0.1, 1.0]}}, "three", "iris", pinned=10
    ),
    "csr": Variant(
        {"estimator": _rls, "param_grid": {"kernel": ["linear", "cosine"]}}, "topics", "", "csr"
    ),
}

VARIANTS = {
    "MaxMarginClustering": FRONT_DOOR,
    "RLSClustering": RLS,
    "CuttingPlaneClustering": CUTTING_PLANE,
    "MultipleKernelClustering": MULTIPLE_KERNEL,
    "SupportVectorClustering": SUPPORT_VECTOR,
    "UnsupervisedSearch": SEARCH,
}
