"""The estimators that keep the contracts: a line for each way to use one."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from inspect import signature
from typing import Any

import pytest
from sklearn.metrics.pairwise import euclidean_distances, linear_kernel, rbf_kernel
from sklearn.preprocessing import StandardScaler

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


def as_rows(rows, fitted=None):
    return rows


def gaussian(rows, fitted=None):
    return rbf_kernel(rows, fitted, gamma=0.003)


def two_kernels(rows, fitted=None):
    return [linear_kernel(rows, fitted), gaussian(rows, fitted)]


@dataclass(frozen=True)
class Case:
    """An estimator in one configuration; called, it is a model that is not fitted yet."""

    kind: type
    name: str
    can: frozenset[str]
    parameters: dict[str, Any]
    given: Callable[..., Any]

    def __call__(self, **more):
        return self.kind(**{**self.parameters, **more})


def case(kind, family, variant, can, *, given=as_rows, **parameters):
    """A line of the table.

    ``can`` says what is promised besides what all promise: ``k`` (``n_clusters`` is given),
    ``pins`` (partial labels), ``sizes`` (proportions, min_size, max_size), ``sparse`` (CSR),
    ``values`` (a decision value for each cluster, of which ``predict`` takes the largest),
    ``proba``, ``finds`` (clear clusters are found whatever the seed), ``weights``
    (``sample_weight``). ``given`` makes what ``fit`` takes of rows: kernels or distances.
    """
    can = frozenset(can.split()) | ({"rows"} if given is as_rows else set())
    if "k" in can:
        parameters.setdefault("n_clusters", 3)
    if "random_state" in signature(kind).parameters:
        parameters.setdefault("random_state", 0)
    name = f"{family}, {variant}" if variant else family
    return Case(kind, name, can, parameters, given)


MATRIX = "k pins sizes values finds"
ALL = f"{MATRIX} sparse"
WEIGHTED = f"{ALL} weights"
HALVES = "k values finds"  # by splits in two, whose balance is all that sizes keep to
LETTER = "k pins values sparse"  # the paper to the letter, which loses clusters at times

NYSTROEM = {"approximation": "nystroem", "n_components": 30}
UNIFORM = {"kernels": ["rbf", StandardScaler()], "kernel_weights": "uniform", "init": "mixed"}
VIEWS = [
    {"kernel": "rbf", "columns": slice(0, None, 2)},
    {"kernel": "linear", "columns": slice(0, 20)},
]
SEARCH = {
    "estimator": RLSClustering(3, n_init=2, random_state=0),
    "param_grid": {"alpha": [1e-4, 1e-2]},
    "error_score": "raise",
}

door = partial(case, MaxMarginClustering, "front door", effort="fast")
rls = partial(case, RLSClustering, "rls", init="k-means++")
planes = partial(case, CuttingPlaneClustering, "cutting plane", n_init=2)
kernels = partial(case, MultipleKernelClustering, "kernels", n_init=1, tol=0.1)
svr = partial(case, IterativeSVRClustering, "svr", n_init=2, balance=0.3)
sdp = partial(case, SDPClustering, "sdp", init_size=12, balance=0.4)
domain = partial(case, SupportVectorClustering, "domain")

CASES = [
    door("", f"{WEIGHTED} proba"),
    door("number unknown", "pins sparse values finds proba weights", kernels=["gaussian"]),
    door("distances", f"{MATRIX} proba weights", given=euclidean_distances, metric="precomputed"),
    rls("", WEIGHTED, init="random", n_init=2),
    rls("steepest", WEIGHTED, search="steepest", kernel="linear"),
    rls("stochastic", WEIGHTED, search="stochastic", **NYSTROEM),
    rls("evolutionary", WEIGHTED, search="evolutionary"),
    rls("evolutionary nystroem", WEIGHTED, search="evolutionary", **NYSTROEM),
    rls("any sizes", WEIGHTED, proportions=None, n_init=6),
    rls("kernel matrix", f"{MATRIX} weights", given=gaussian, kernel="precomputed"),
    planes("", WEIGHTED),
    planes("cccp", WEIGHTED, optimizer="cccp", kernel="cosine"),
    planes("alternation", WEIGHTED, optimizer="alternation", kernel="rbf", n_components=30),
    planes("cpm3c", f"{LETTER} weights", optimizer="cpm3c"),
    planes("cpmmc", "values sparse", optimizer="cpmmc", n_clusters=2),
    planes("some rows first", WEIGHTED, init_size=35),
    planes("kernel matrix", f"{MATRIX} weights", given=gaussian, kernel="precomputed"),
    kernels("", ALL, kernels=["linear", "rbf"]),
    kernels("views", ALL, kernels=VIEWS, init="consensus", init_size=35),
    kernels("uniform", MATRIX, optimizer="cccp", **UNIFORM),
    kernels("mkc", LETTER, kernels=["linear", "rbf"], optimizer="mkc", norm=2, n_init=2),
    kernels("two classes", "values", kernels=["linear", "rbf"], optimizer="cpmmc", n_clusters=2),
    kernels("matrices", MATRIX, given=two_kernels, kernels="precomputed", init="mixed"),
    svr("", f"{HALVES} sparse"),
    svr("squared", HALVES, loss="squared_error", kernel="laplacian"),
    svr("kernel matrix", HALVES, given=gaussian, kernel="precomputed"),
    sdp("", f"{HALVES} sparse"),
    sdp("mmc", "k values sparse", relaxation="mmc", polish=False),
    sdp("multiclass", "k values", relaxation="multiclass", init_size=8),
    sdp("kernel matrix", HALVES, given=gaussian, kernel="precomputed"),
    domain("", "finds weights sparse"),
    domain("plateau", "finds sparse", gamma="plateau", solver="sgd"),
    domain("width given", "finds", gamma=0.15, solver="libsvm", outlier_fraction=0.1),
    domain("online", "finds", gamma=0.02, nu=0.1, solver="online"),
    domain("bounded", "finds weights", gamma=0.01, C=0.5),
    domain("equilibria", "finds weights", gamma=0.06, assignment="equilibria", n_landmarks=60),
    case(UnsupervisedSearch, "search", "", "pins values finds sparse weights", **SEARCH),
]

#: One case of each class: for what does not depend on the configuration.
FIRST = list({case.kind: case for case in reversed(CASES)}.values())[::-1]

#: Warnings that a fit to clear clusters may give: they are not what the contracts are about.
MAY_SAY = (
    "ignore:.*(ended without rows|ended at a cap|plateau of the number|the evidence for n_clusters"
    "|no margin was found)"
)


def _parametrize(cases, words):
    marks = pytest.mark.filterwarnings(MAY_SAY)
    params = [pytest.param(c, id=c.name, marks=marks) for c in cases if c.can >= {*words.split()}]
    return pytest.mark.parametrize("case", params)


def having(words=""):
    """Run a test for the cases that promise all of these."""
    return _parametrize(CASES, words)


def each_class(words=""):
    """Run a test for the first case of each class, if it promises all of these."""
    return _parametrize(FIRST, words)
