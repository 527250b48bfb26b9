"""The papers' other columns by their protocols: normalised cut, IterSVR, CPMMC, MMC and GMMC.

What is "tuned" takes the cell with the best majority accuracy of its grid, by the true labels, as
the papers do. Widths are shares of σ0, the largest distance between two rows.
"""

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from itertools import product
from typing import Any

import numpy as np
from sklearn.cluster import SpectralClustering
from sklearn.metrics import pairwise_distances

from benchmarks.datasets.stored import Data
from benchmarks.methods.cutting_planes import SMALL_GRID
from benchmarks.runner.measure import Row, facts, fit, over
from benchmarks.runner.study import Part, Results
from benchmarks.runner.table import markdown, number
from maxmargin import CuttingPlaneClustering, IterativeSVRClustering, SDPClustering

SHARES = tuple(i / 10 for i in range(1, 11))
#: Of each cell, fewer where there are more rows.
SEEDS, MANY_ROWS = 3, 1000
#: Beyond so many rows a method is left out: its time is cubic, or worse.
MOST_ROWS = 4000
SDP_ROWS = 40  # of the semidefinite program; the polish sees all rows

Cells = Iterator[tuple[str, Callable[[int], Any]]]


def widths(X: Any) -> Iterator[tuple[str, float]]:
    """The Gaussians of the grid."""
    largest = float(pairwise_distances(X).max())
    for share in SHARES:
        yield f"σ={share:g}σ0", 1 / (2 * (share * largest) ** 2)


def normalised_cut(X: Any, k: int) -> Cells:
    """Shi and Malik's, on a Gaussian of every width."""
    for cell, gamma in widths(X):
        yield cell, partial(_spectral, k, gamma)


def _spectral(k: int, gamma: float, seed: int) -> SpectralClustering:
    return SpectralClustering(k, affinity="rbf", gamma=gamma, random_state=seed)


def iterated(X: Any, k: int) -> Cells:
    """Zhang, Tsang and Kwok's, from one k-means start, on a Gaussian of every width."""
    for cell, gamma in widths(X):
        yield (
            cell,
            lambda seed, g=gamma: IterativeSVRClustering(k, gamma=g, n_init=1, random_state=seed),
        )


def cpmmc(X: Any, k: int) -> Cells:
    """Two clusters with one hyperplane, linear, from one start."""
    for (alpha, balance), init in product(SMALL_GRID, ("k-means++", "random")):
        fixed = {"alpha": alpha, "balance": balance, "init": init, "n_init": 1}
        fixed |= {"optimizer": "cpmmc", "init_size": None, "max_iter": 100}
        yield (
            f"alpha={alpha:g} balance={balance:g} {init}",
            lambda seed, how=fixed: CuttingPlaneClustering(k, random_state=seed, **how),
        )


def cpm3c_of_kernels(X: Any, k: int) -> Cells:
    """The multi-class form on kernel features, as UMC-RLS has it under the name CPMMC."""
    for (cell, gamma), alpha in product(list(widths(X))[1::2], (0.01, 0.1)):
        fixed = {"kernel": "rbf", "gamma": gamma, "alpha": alpha, "balance": 0.1, "n_init": 1}
        fixed |= {"optimizer": "cpm3c", "init_size": None, "max_iter": 100, "init": "random"}
        yield (
            f"{cell} alpha={alpha:g}",
            lambda seed, how=fixed: CuttingPlaneClustering(k, random_state=seed, **how),
        )


def relaxed(X: Any, k: int, relaxation: str) -> Cells:
    """A semidefinite program of few rows, and the polish on all of them."""
    for C in (1.0, 10.0):
        fixed = {"relaxation": relaxation, "C": C, "init_size": SDP_ROWS}
        yield f"C={C:g}", lambda seed, how=fixed: SDPClustering(k, random_state=seed, **how)


def defaults(X: Any, k: int) -> Cells:
    """IterSVR as it comes."""
    yield "", lambda seed: IterativeSVRClustering(k, random_state=seed)


NC, SVR, SVR_DEFAULT, CPMMC = "NC, tuned", "IterSVR, tuned", "IterSVR, defaults", "CPMMC, tuned"
CPM3C_KERNELS, MMC, GMMC = "CPM3C of kernels, tuned", "MMC, tuned", "GMMC, tuned"
RIVALS: dict[str, Callable[[Any, int], Cells]] = {
    NC: normalised_cut,
    SVR: iterated,
    SVR_DEFAULT: defaults,
    CPMMC: cpmmc,
    CPM3C_KERNELS: cpm3c_of_kernels,
    MMC: partial(relaxed, relaxation="mmc"),
    GMMC: partial(relaxed, relaxation="gmmc"),
}


def measure(sets: Mapping[str, Callable[[], Data]], dataset: str, rival: str) -> Row:
    """The best cell, means over seeds; the median of the grid beside it."""
    X, y = sets[dataset]()
    X = X.astype(np.float64)
    k, seeds = len(np.unique(y)), SEEDS if len(y) <= MANY_ROWS else 1
    runs = [
        {"cell": cell} | over(fit(make(seed), X, y) for seed in range(seeds))
        for cell, make in RIVALS[rival](X, k)
    ]
    best = max(runs, key=lambda run: run["majority"])
    median = float(np.median([run["majority"] for run in runs]))
    return facts(X, y) | best | {"grid_median": median, "grid_cells": len(runs)}


def part(
    sets: Mapping[str, Callable[[], Data]],
    rivals: tuple[str, ...],
    quick: str,
    file: str = "rivals",
) -> Part:
    """The rows of a study's rivals; CPMMC is of two clusters."""

    def only(dataset: str, rival: str) -> bool:
        X, y = sets[dataset]()
        k = len(np.unique(y))
        return X.shape[0] <= MOST_ROWS and (rival != CPMMC or k == 2)

    axes = {"dataset": tuple(sets), "rival": rivals}
    return Part("rivals", axes, partial(measure, sets), {"dataset": (quick,)}, only)


def table(
    results: Results,
    names: Mapping[str, str],
    wanted: Callable[[str, str], str],
    figure: Callable[[Mapping[str, str]], float],
    digits: int = 2,
) -> str:
    """A line for each set: what was measured, and in brackets what was published.

    ``names`` are the paper's names of the rivals, ``wanted(data, name)`` its figures.
    """
    found, lines = results.by("rivals", "dataset", "rival"), []
    for data in dict.fromkeys(data for data, _ in found):
        line = [data]
        for rival, name in names.items():
            row, target = found.get((data, rival)), wanted(data, name) if name else ""
            parts = [number(figure(row), digits)] if row else []
            line.append(
                " ".join([*parts, f"({number(target, digits)})"] if target else parts) or "–"
            )
        lines.append(line)
    return markdown(["data", *(f"{r} ({n})" if n else r for r, n in names.items())], lines)
