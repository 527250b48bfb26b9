"""Tables 1 and 2 and Figures 3 to 5 of UMC-RLS."""

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
from sklearn.preprocessing import MinMaxScaler, StandardScaler, normalize

from benchmarks.datasets.papers import UMC_RLS, equal, kept, sample
from benchmarks.datasets.stored import Data, load
from benchmarks.methods.cutting_planes import kernel_cells
from benchmarks.methods.least_squares import (
    BASELINES,
    EVERY_OTHER,
    ONE_RUN,
    SEARCHES,
    baseline,
    cells,
    grid_best,
)
from benchmarks.runner.measure import Row, only_ari, timed
from benchmarks.runner.study import Part, Study
from benchmarks.studies.umc_rls import tables
from benchmarks.studies.umc_rls.tables import CPMMC
from maxmargin.search import Shaking

QUICK = ("Iris", "Moons")


def cell_name(params: dict[str, float]) -> str:
    return f"λ=2^{int(np.log2(params['lam']))} σ={params['width']:.1f}σ0"


def summary(dataset: str, method: str) -> Row:
    """What the paper's two tables and a user without labels see of a method."""
    X, y = UMC_RLS[dataset](0)
    if method in BASELINES:
        ari, taken = timed(baseline, method, X, y)
        figures = {"oracle_mean": ari.mean(), "oracle_std": ari.std(), "oracle_max": ari.max()}
        return figures | {"no_labels_mean": ari.mean()} | taken
    if method == CPMMC:  # no score compares its cells without labels
        grid, taken = timed(lambda: list(kernel_cells(X, y)))
        params, ari = max(grid, key=lambda cell: cell[1].mean())
        figures = {"oracle_mean": ari.mean(), "oracle_std": ari.std(), "oracle_max": ari.max()}
        return figures | {"oracle_cell": cell_name(params)} | taken
    grid, taken = timed(lambda: list(cells(X, y, SEARCHES[method])))
    params, ari, _ = max(grid, key=lambda cell: cell[1].mean())
    blind_params, blind_ari, _ = max(grid, key=lambda cell: cell[2].mean())
    _, single_ari, single_loo = max(grid, key=lambda cell: cell[2].max())
    return {
        "oracle_mean": ari.mean(),
        "oracle_std": ari.std(),
        "oracle_cell": cell_name(params),
        "no_labels_mean": blind_ari.mean(),
        "no_labels_cell": cell_name(blind_params),
        "oracle_max": ari.max(),
        "no_labels_max": single_ari[np.argmax(single_loo)],
    } | taken


# -- figures: claims and CPU seconds against the number of rows ----------------------------

SIZES = {
    "Coil": (180, 360, 540, 720, 900, 1080, 1260, 1440),
    "MNIST": (250, 500, 1000, 2000, 4000, 8000),
}
RUNS = {"Coil": 3, "MNIST": 2}
GMM_LIMIT = {"Coil": 720, "MNIST": 1000}  # to keep the whole short


def points() -> Iterator[Row]:
    for data, sizes in SIZES.items():
        for n in sizes:
            for seed in range(RUNS[data]):
                for method in ONE_RUN:
                    if method != "GMM" or (n <= GMM_LIMIT[data] and seed == 0):
                        yield {"data": data, "n": n, "method": method, "seed": seed}


def point(data: str, n: int, method: str, seed: int) -> Row:
    """CPU seconds, ARI and (UMC-RLS) claims for a random subset."""
    X, y = load({"Coil": "coil20", "MNIST": "mnist"}[data])
    X = X / 255.0 if data == "MNIST" else X
    rows = np.random.default_rng(seed).permutation(len(y))[:n]
    model = ONE_RUN[method](len(np.unique(y)), n, seed)
    found = timed(model.fit_predict, X[rows])
    return only_ari(y[rows], found[0]) | found[1] | {"claims": getattr(model, "n_moves_", "")}


# -- causes of what differs ----------------------------------------------------------------

Scaling = Callable[[Any], Any]
SCALINGS: dict[str, Scaling] = {
    "raw": lambda X: X,
    "standardised": lambda X: StandardScaler().fit_transform(X),
    "each feature to [0, 1]": lambda X: MinMaxScaler().fit_transform(X),
    "rows of unit length": normalize,
}
DRAWS = {"Letter": 5, "Moons": 5}  # several subsets or draws; the others are complete


def means(draws: list[Data], runs: int, **options: Any) -> Row:
    """Of the baselines and of UMC-RLS at its best cell, over draws."""
    found = {m: np.mean([baseline(m, X, y, runs).mean() for X, y in draws]) for m in BASELINES}
    best = np.array([grid_best(X, y, **options) for X, y in draws])
    spread = f"{best.min():.2f} … {best.max():.2f}" if len(best) > 1 else "–"
    return found | {"UMC-RLS": best.mean(), "UMC-RLS range": spread}


def scaling(set: str, scaling: str) -> Row:
    """Which scaling of the features the paper used: the tables do not say, the figures may."""
    pairs = [UMC_RLS[set](seed) for seed in range(DRAWS.get(set, 1))]
    found = means([(SCALINGS[scaling](X), y) for X, y in pairs], 3)
    return {name: value for name, value in found.items() if name != "UMC-RLS range"}


STARTS: dict[str, Row] = {
    "as in the table": {},
    "each label of the start drawn by itself": {"independent": True},
    "rows in random order": {},
    "standardised": {},
}


def starts(set: str, variant: str) -> Row:
    """Why Stoc-RLS and Steep-RLS differ from the paper: starts, order of rows, scaling."""
    X, y = UMC_RLS[set](0)
    if variant == "rows in random order":
        order = np.random.default_rng(0).permutation(len(y))
        X, y = X[order], y[order]
    X = SCALINGS[variant](X) if variant in SCALINGS else X
    row = {}
    for method in ("Stoc-RLS", "Steep-RLS"):
        grid = cells(X, y, SEARCHES[method], lambdas=EVERY_OTHER, **STARTS[variant])
        ari = max((cell[1] for cell in grid), key=np.mean)
        row[method] = f"{ari.mean():.2f} ± {ari.std():.2f}"
    return row


def subset(subset: str, seed: int) -> Row:
    """How much the choice of 500 rows of USPS 5-8 matters."""
    rows = kept("usps", range(4, 8))
    X, y = sample(rows, seed) if subset == "random rows" else equal(rows, seed)
    found = {method: baseline(method, X, y, 1).mean() for method in ("SC", "K-means")}
    return found | {"UMC-RLS": grid_best(X, y)}


TRAIN = 7291  # rows 0 … 7290 are USPS's training part
USPS_DRAWS = range(5)
ROTATED: dict[str, Scaling] = {
    "pixels standardised": SCALINGS["standardised"],
    "rows of unit length": normalize,
    "pixels in [−1, 1], rows of unit length": lambda A: normalize(2 * A - 1),
}
VARIANTS: dict[str, Row] = {
    "kernel exp(−d²/σ²)": {"factor": 1.0},
    "21 rounds": {"search": Shaking(rounds=21)},
    "polished": {"polish": True},
}


def usps_causes(name: str) -> dict[str, tuple[Callable[[], list[Data]], Row]]:
    """Why USPS differs from the paper: the data sets that show a cause, and parameters.

    The paper's SC, GMM and K-means on the same rows tell which rows it may have used.
    """
    first = int(name.split()[1][0])
    digits = range(first - 1, first + 3)  # the classes first … first + 3, counted from 1

    def part(wanted: range, rows: slice = slice(None)) -> Data:
        X, y = load("usps")
        X, y = X[rows], y[rows]
        return X[np.isin(y, list(wanted))], y[np.isin(y, list(wanted))]

    def drawn(wanted: range, rows: slice = slice(None), how: Any = sample) -> list[Data]:
        return [how(part(wanted, rows), seed) for seed in USPS_DRAWS]

    other = range(first, first + 4)
    train, test = slice(TRAIN), slice(TRAIN, None)
    here, there = f"digits {digits[0]}–{digits[-1]}, ", f"digits {other[0]}–{other[-1]}, "

    def first_rows(rows: slice) -> list[Data]:
        return [tuple(of[:500] for of in part(digits, rows))]

    found = {
        f"{here}random rows": (lambda: drawn(digits), {}),
        f"{here}125 of each class": (lambda: drawn(digits, how=equal), {}),
        f"{there}random rows": (lambda: drawn(other), {}),
        f"{there}125 of each class": (lambda: drawn(other, how=equal), {}),
        f"{here}first 500 of the training part": (lambda: first_rows(train), {}),
        f"{here}first 500 of the test part": (lambda: first_rows(test), {}),
        f"{here}random rows of the test part": (lambda: drawn(digits, test), {}),
    }
    for label, scale in ROTATED.items():
        found[here + label] = (lambda s=scale: [(s(A), b) for A, b in drawn(digits)], {})
    return found | {here + label: (lambda: drawn(digits), how) for label, how in VARIANTS.items()}


def usps(set: str, cause: str) -> Row:
    draws, options = usps_causes(set)[cause]
    return means(draws(), 2, **options)


STUDY = Study(
    "Tables 1 and 2 and Figures 3 to 5 of UMC-RLS",
    parts=(
        Part(
            "results",
            {"dataset": tuple(UMC_RLS), "method": tables.COLUMNS},
            summary,
            quick={"dataset": QUICK, "method": (*BASELINES, *SEARCHES)},
            only=lambda dataset, method: (dataset, method) != ("Coil", CPMMC),  # nor has the paper
        ),
        Part("figures", points, point, quick={"data": ("Coil",), "n": (180,)}),
        Part(
            "scaling",
            {
                "set": ("Coil 1-4", "Coil 5-8", "Iris", "Letter", "Moons"),
                "scaling": tuple(SCALINGS),
            },
            scaling,
            quick={"set": ("Iris",), "scaling": ("raw",)},
        ),
        Part(
            "starts",
            {"set": ("Coil 1-4", "Coil 5-8", "Moons"), "variant": tuple(STARTS)},
            starts,
            quick={"set": ("Coil 1-4",), "variant": ("standardised",)},
        ),
        Part(
            "subsets",
            {"seed": range(100, 112), "subset": tables.SUBSETS},
            subset,
            quick={"seed": (100,), "subset": tables.SUBSETS[:1]},
        ),
        Part(
            "usps",
            lambda: (
                {"set": s, "cause": c} for s in ("USPS 1-4", "USPS 5-8") for c in usps_causes(s)
            ),
            usps,
            quick={"cause": ("digits 0–3, first 500 of the test part",)},
        ),
    ),
    tables=tables.TABLES,
    pictures=tables.PICTURES,
    module=__name__,
)
