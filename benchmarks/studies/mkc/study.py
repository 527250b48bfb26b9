"""Tables 1 to 3 and Figures 1 to 3 of MKC."""

from collections.abc import Callable, Iterator
from functools import partial
from itertools import product
from typing import Any

import numpy as np
from sklearn.preprocessing import minmax_scale, normalize, scale

from benchmarks.datasets.papers import MKC, SUBSETS
from benchmarks.datasets.stored import load, some
from benchmarks.methods import iterated_causes
from benchmarks.methods.cutting_planes import TO_THE_LETTER as ONE_KERNEL
from benchmarks.methods.cutting_planes import tuned
from benchmarks.methods.kernels import (
    GRID,
    LEAST_GRID,
    LETTER,
    LOWEST,
    METHODS,
    OURS,
    SINGLE,
    SMALL_GRID,
    SPECTRAL,
    STARTS,
    SUBSET,
    THREE,
    TO_THE_LETTER,
    LowestObjective,
    OfSubset,
    mkc,
)
from benchmarks.runner.measure import Row, facts, fit, over, scores
from benchmarks.runner.study import Part, Results, Study
from benchmarks.studies.mkc import pictures, tables
from maxmargin import CuttingPlaneClustering, MultipleKernelClustering
from maxmargin.solvers import CPM3C
from maxmargin.spaces.kernel import Kernel

SEEDS = 5
#: Spectral clustering is run up to so many rows, and the letter on so many at most.
SPECTRAL_ROWS, LETTER_ROWS = 4000, 5000
#: Where one run to the letter takes seconds: fewer cells, and two starts.
FEWER_CELLS = {"svmguide1-a": LEAST_GRID, "letterABCD": SMALL_GRID, "mnist01234": LEAST_GRID}


def has(dataset: str, method: str) -> bool:
    """Whether a method is run on a data set."""
    if method == SUBSET:
        return dataset in SUBSETS
    return method != SPECTRAL or len(MKC[dataset]()[1]) <= SPECTRAL_ROWS


def compare(dataset: str, method: str) -> Row:
    """A method on a data set: means over seeds, or the best of the grid by the labels."""
    X, y = MKC[dataset]()
    k = len(np.unique(y))
    if method == LETTER:
        X, y = some((X, y), LETTER_ROWS)
        cells, starts = FEWER_CELLS.get(dataset, GRID), STARTS
        return facts(X, y) | tuned(
            mkc, X, y, cells, starts[:2] if dataset in FEWER_CELLS else starts
        )
    models = [METHODS[OURS if method == SUBSET else method](k, seed) for seed in range(SEEDS)]
    if method == SUBSET:
        models = [OfSubset(model, SUBSETS[dataset], seed) for seed, model in enumerate(models)]
    found = facts(X, y) | over([fit(model, X, y) for model in models])
    if method == OURS:
        weights = np.mean([list(model.kernel_weights_.values()) for model in models], axis=0)
        found["weights"] = " ".join(f"{weight:.3f}" for weight in weights)
    if method == LOWEST:
        found["chosen"] = ", ".join(dict.fromkeys(model.chosen_ for model in models))
    return found


# -- causes of what is missed: one change at a time ----------------------------------------

MISSED = (
    *("ionosphere", "svmguide1-a", "satellite", "digits1279", "letterABCD"),
    *("ringnorm", "digits0689"),
)
LETTER_MIXED: Row = {**TO_THE_LETTER, "init": "mixed", "n_init": 6}
#: Parameters other than the defaults.
PARAMETERS: dict[str, Row] = {
    "defaults": {},
    **{f"alpha = {alpha:g}": {"alpha": alpha} for alpha in (0.003, 0.1, 0.3)},
    "balance = 0.1": {"balance": 0.1},
    "min_size = 0.1, balance = 0.3": {"min_size": 0.1, "balance": 0.3},
    "norm = 1.25": {"norm": 1.25},
    "norm = 2": {"norm": 2},
    "the paper's three kernels": {"kernels": THREE},
    "init = mixed": {"init": "mixed"},
    "letter, default alpha and balance": LETTER_MIXED,
    "as written: no centring, no bias": {**LETTER_MIXED, "optimizer": CPM3C(centred=False)},
    "as written, from a constant w⁰": {
        **TO_THE_LETTER,
        "optimizer": CPM3C(centred=False, constant_start=0.01),
    },
}
SCALINGS: dict[str, Callable[[Any], Any]] = {
    "each feature standardised": scale,
    "each feature in [0, 1]": minmax_scale,
    "rows of unit length": normalize,
}
FACTORS = (0.25, 1, 4, 16, 64, 256)
NARROW, STANDARDISED = "Gaussians of six widths, linear", ", standardised"
BEST_SINGLE = "one Gaussian, tuned (48 cells)"
BEST_LETTER = "letter, tuned, narrower Gaussian (12 cells)"
#: These are tried on two classes of at most 1000 rows.
BY_LABELS = tuple(a + b for a in (BEST_SINGLE, BEST_LETTER) for b in ("", STANDARDISED))


def rbf(X: Any, factor: float) -> float:
    """A multiple of the median rule's gamma."""
    return factor * Kernel("rbf", gamma="median").fit(X, np.random.default_rng(0)).gamma_


def tuned_models(X: Any, k: int, cause: str) -> Iterator[Any]:
    """Gaussian kernels and parameters by themselves, or to the letter with other widths."""
    if cause.startswith(BEST_SINGLE):
        for factor, alpha, (min_size, balance) in product(
            FACTORS, (0.003, 0.03, 0.1, 0.3), ((0.5, 0.0), (0.1, 0.3))
        ):
            fixed = {"alpha": alpha, "min_size": min_size, "balance": balance, "random_state": 0}
            yield CuttingPlaneClustering(k, kernel="rbf", gamma=rbf(X, factor), **fixed)
        return
    for factor, alpha, balance in product((4, 16, 64), (0.1, 0.3), (0.0, 0.1)):
        kernels = [*THREE[:2], ("rbf", {"gamma": rbf(X, factor)})]
        fixed = {"alpha": alpha, "balance": balance, "init": "k-means++", "random_state": 0}
        yield mkc(k, kernels=kernels, **fixed)


def cause(dataset: str, cause: str) -> Row:
    """Majority accuracy and objective under one change."""
    X, y = MKC[dataset]()
    k = len(np.unique(y))
    if cause in BY_LABELS:
        X = scale(X) if cause.endswith(STANDARDISED) else X
        fitted = (model.fit(X).labels_ for model in tuned_models(X, k, cause))
        return {"majority": max(scores(y, labels)["majority"] for labels in fitted)}
    fixed = dict(PARAMETERS.get(cause, {}))
    if cause == NARROW:
        fixed["kernels"] = ["linear", *(("rbf", {"gamma": rbf(X, factor)}) for factor in FACTORS)]
    if cause == tables.TRUTH:
        fixed |= {"optimizer": "alternation", "init": y}
    X = SCALINGS.get(cause, np.asarray)(X)
    models = [
        LowestObjective(k, seed)
        if cause == LOWEST
        else MultipleKernelClustering(k, random_state=seed, **fixed)
        for seed in range(2)
    ]
    found = ((scores(y, model.fit(X).labels_), model.objective_) for model in models)
    return over({"majority": score["majority"], "objective": value} for score, value in found)


def is_tried(dataset: str, cause: str) -> bool:
    y = MKC[dataset]()[1]
    return cause not in BY_LABELS or (len(y) <= 1000 and len(np.unique(y)) == 2)


# -- figures -------------------------------------------------------------------------------

LETTER_START = {**TO_THE_LETTER, "init": "k-means++"}
FIGURE_1_ROWS = 3096  # of mnist01234
SIZE_SETS: dict[str, Callable[[], Any]] = {
    "ringnorm": lambda: load("ringnorm"),
    "letterABCD": MKC["letterABCD"],
    "mnist01234": MKC["mnist01234"],
}
FIGURE_2_LETTER_ROWS, SMALLEST = 10_000, 200
OTHER_SETS = ("ringnorm", "letterAvB", "digits0689")
NUMBERS, TOLERANCES = (1, 2, 3, 4, 6, 8, 10), (0.3, 0.1, 0.03, 0.01, 0.003)


def points() -> Iterator[Row]:
    """Every point of the figures."""
    for model in tables.TITLES:
        for dataset in MKC:
            for what in ("MKC", "singles"):
                yield {"model": model, "figure": "1", "dataset": dataset, "what": what, "x": ""}
        for dataset, source in SIZE_SETS.items():
            n = len(source()[1])
            while n >= SMALLEST:
                if model == "defaults" or n <= FIGURE_2_LETTER_ROWS:
                    yield {"model": model, "figure": "2", "dataset": dataset, "what": "n", "x": n}
                n //= 2
        for dataset in OTHER_SETS:
            for what, values in (("kernels", NUMBERS), ("tol", TOLERANCES)):
                for x in values:
                    yield {"model": model, "figure": "3", "dataset": dataset, "what": what, "x": x}


def widths(X: Any, number: int) -> list[Any]:
    """Gaussian kernels, from a quarter of the median rule's gamma to 16 times it."""
    factors = np.geomspace(0.25, 16, 10)[:number] if number > 1 else [1.0]
    return [("rbf", {"gamma": rbf(X, float(factor))}) for factor in factors]


def point(model: str, figure: str, dataset: str, what: str, x: Any) -> Row:
    """The time, accuracy and CCCP steps per cut of one fit, or the sum of the times of several."""
    X, y = (SIZE_SETS if figure == "2" else MKC)[dataset]()
    X, y = some((X, y), {"1": FIGURE_1_ROWS, "2": x}[figure]) if figure in "12" else (X, y)
    k, letter = len(np.unique(y)), model == "letter"
    if what == "singles":
        fixed = ONE_KERNEL | {"init": "k-means++", "n_init": 1} if letter else {}
        models = [
            CuttingPlaneClustering(k, random_state=0, **fixed, **one) for one in SINGLE.values()
        ]
        return {"n": len(y), "cpu_seconds": sum(fit(one, X, y)["cpu_seconds"] for one in models)}
    kernels = widths(X, x) if what == "kernels" else THREE if letter or what == "MKC" else None
    fixed = (LETTER_START if letter else {}) | {"kernels": kernels}
    fixed |= {"tol": x} if what == "tol" else {}
    one = MultipleKernelClustering(k, random_state=0, **fixed)
    row = {"n": len(y)} | fit(one, X, y)
    if letter:  # else alternation counts, too
        row["steps_per_cut"] = one.n_iter_ / one.n_cuts_
    return row


STUDY = Study(
    "Tables 1 to 3 and Figures 1 to 3 of MKC",
    parts=(
        Part(
            "results",
            {"dataset": tuple(MKC), "method": (*METHODS, SUBSET, LETTER)},
            compare,
            quick={"dataset": ("digits2v7",), "method": (*METHODS, SUBSET)},
            only=has,
        ),
        Part(
            "causes",
            {
                "dataset": MISSED,
                "cause": (*PARAMETERS, NARROW, LOWEST, tables.TRUTH, *SCALINGS, *BY_LABELS),
            },
            cause,
            quick={"dataset": ("ionosphere",), "cause": ("defaults", LOWEST, "norm = 2")},
            only=is_tried,
        ),
        Part(
            "rival_causes",
            {"dataset": ("svmguide1-a", "letterAvB"), "variant": tuple(iterated_causes.VARIANTS)},
            partial(iterated_causes.measure, MKC),
            quick={"dataset": ("letterAvB",), "variant": ("squared loss",)},
        ),
        tables.RIVALS.part(MKC, lambda: Results(STUDY.folder), "digits2v7"),
        Part("figures", points, point, quick={"dataset": ("digits0689",), "model": ("defaults",)}),
    ),
    tables=tables.TABLES,
    pictures=pictures.PICTURES,
    module=__name__,
)
