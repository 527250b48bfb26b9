"""The papers' other columns by their protocols: normalised cut, IterSVR, CPMMC, MMC and GMMC.

What is "tuned" takes the cell with the best majority accuracy of its grid, by the true labels, as
the papers do. Widths are shares of σ0, the largest distance between two rows.
"""

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from itertools import product
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import issparse
from sklearn.cluster import SpectralClustering
from sklearn.metrics import pairwise_distances

from benchmarks.datasets.papers import balance
from benchmarks.datasets.stored import Data, some
from benchmarks.methods.cutting_planes import SMALL_GRID
from benchmarks.runner.measure import Row, facts, fit, over
from benchmarks.runner.study import Part, Results
from benchmarks.runner.table import markdown, number
from maxmargin import CuttingPlaneClustering, IterativeSVRClustering, SDPClustering

SHARES = tuple(i / 10 for i in range(1, 11))
#: Of each cell, one where there are more rows, and for a pair of digits.
SEEDS, MANY_ROWS = 3, 1000
#: Beyond so many rows what compares all of them sees a thousand: its time is cubic, or worse.
MOST_ROWS = 4000
SDP_SHARES = (0.1, 0.5, 0.9)
SDP_ROWS = 40  # of the semidefinite program; the polish sees all rows

#: An interior point method takes eight times as long for it, and finds the same labels.
MULTICLASS = {"relaxation": "multiclass", "sdp_solver": "scs"}

Cells = Iterator[tuple[str, Callable[[int], Any]]]


def n_classes(y: NDArray) -> int:
    """What the papers take for k."""
    return len(np.unique(y))


def widths(X: Any, shares: tuple[float, ...] = SHARES) -> Iterator[tuple[str, float]]:
    """The Gaussians of the grid."""
    largest = float(pairwise_distances(X).max())
    for share in shares:
        yield f"σ={share:g}σ0", 1 / (2 * (share * largest) ** 2)


def normalised_cut(X: Any, y: NDArray) -> Cells:
    """Shi and Malik's, on a Gaussian of every width."""
    for cell, gamma in widths(X):
        yield cell, partial(_spectral, n_classes(y), gamma)


def _spectral(k: int, gamma: float, seed: int) -> SpectralClustering:
    return SpectralClustering(k, affinity="rbf", gamma=gamma, random_state=seed)


def iterated(X: Any, y: NDArray) -> Cells:
    """Zhang, Tsang and Kwok's, from one k-means start, on a Gaussian of every width.

    Its l/n is the smallest that the true classes keep, as in the papers.
    """
    k = n_classes(y)
    fixed = {"n_init": 1} | ({"balance": balance(y)} if k == 2 else {})
    for cell, gamma in widths(X):
        how = fixed | {"gamma": gamma}
        yield cell, lambda seed, how=how: IterativeSVRClustering(k, random_state=seed, **how)


def cpmmc(X: Any, y: NDArray) -> Cells:
    """Two clusters with one hyperplane, linear, from one start."""
    for (alpha, most), init in product(SMALL_GRID, ("k-means++", "random")):
        fixed = {"alpha": alpha, "balance": most, "init": init, "n_init": 1}
        fixed |= {"optimizer": "cpmmc", "init_size": None, "max_iter": 100}
        yield (
            f"alpha={alpha:g} balance={most:g} {init}",
            lambda seed, how=fixed: CuttingPlaneClustering(2, random_state=seed, **how),
        )


def relaxed(X: Any, y: NDArray, relaxation: str) -> Cells:
    """A semidefinite program of few rows, and the polish on all of them, on Gaussians.

    For more than two clusters it is Xu and Schuurmans's. The l/n is as in ``iterated``.
    """
    k = n_classes(y)
    fixed = {"relaxation": relaxation, "balance": balance(y)} if k == 2 else MULTICLASS
    fixed = fixed | {"init_size": SDP_ROWS}
    others = widths(X, SDP_SHARES) if k == 2 else ()  # which take minutes each
    for cell, gamma in [("median", "median"), *others]:
        how = fixed | {"gamma": gamma}
        yield cell, lambda seed, how=how: SDPClustering(k, random_state=seed, **how)


def defaults(X: Any, y: NDArray) -> Cells:
    """IterSVR as it comes."""
    yield "", lambda seed: IterativeSVRClustering(n_classes(y), random_state=seed)


NC, SVR, SVR_DEFAULT, CPMMC = "NC, tuned", "IterSVR, tuned", "IterSVR, defaults", "CPMMC, tuned"
MMC, GMMC = "MMC, tuned", "GMMC, tuned"
RIVALS: dict[str, Callable[[Any, NDArray], Cells]] = {
    NC: normalised_cut,
    SVR: iterated,
    SVR_DEFAULT: defaults,
    CPMMC: cpmmc,
    MMC: partial(relaxed, relaxation="mmc"),
    GMMC: partial(relaxed, relaxation="gmmc"),
}


#: What papers print of a row.
SCORES: dict[str, Callable[[Mapping[str, str]], float]] = {
    "majority": lambda row: float(row["majority"]),
    "rand": lambda row: float(row["rand"]),
    "error": lambda row: 100 - float(row["one_to_one"]),
}
#: The file of the rows over pairs of digits.
PAIRS = "rival_pairs"


def measure(sets: Mapping[str, Callable[[], Data]], most: int, dataset: str, rival: str) -> Row:
    """The best cell, means over seeds; the median of the grid beside it."""
    X, y = sets[dataset]()
    if rival != CPMMC and X.shape[0] > MOST_ROWS:
        X, y = some((X, y), MANY_ROWS)
    X = X.astype(np.float64)
    seeds = most if len(y) <= MANY_ROWS else 1
    runs = [
        {"cell": cell} | over(fit(make(seed), X, y) for seed in range(seeds))
        for cell, make in RIVALS[rival](X, y)
    ]
    best = max(runs, key=lambda run: run["majority"])
    median = float(np.median([run["majority"] for run in runs]))
    return facts(X, y) | best | {"grid_median": median, "grid_cells": len(runs)}


@dataclass(frozen=True)
class Columns:
    """The rivals in the tables of a paper.

    Attributes
    ----------
    names : mapping
        The paper's names of the rivals; an empty one is ours alone.
    published : callable
        The figure of the paper, of results, data, name and score; empty where it has none.
    score : str
        The first score of the paper's tables.
    """

    names: Mapping[str, str]
    published: Callable[[Results, str, str, str], str]
    score: str = "majority"

    def part(
        self,
        sets: Mapping[str, Callable[[], Data]],
        results: Callable[[], Results],
        quick: str,
        file: str = "rivals",
    ) -> Part:
        """The rows: where the paper prints a figure, and what is ours alone."""

        def only(dataset: str, rival: str) -> bool:
            if rival == NC and issparse(sets[dataset]()[0]):
                return False  # a narrow Gaussian is the identity there: no eigenvectors are found
            name = self.names[rival]
            data = dataset if file != PAIRS else family(dataset)
            if not name:
                return file != PAIRS
            return bool(self.published(results(), data, name, self.score))

        axes = {"dataset": tuple(sets), "rival": tuple(self.names)}
        work = partial(measure, sets, 1 if file == PAIRS else SEEDS)
        return Part(file, axes, work, {"dataset": (quick,)}, only)

    def table(self, results: Results, score: str = "", digits: int = 2) -> str:
        """A line for each set: what was measured, and in brackets what was published."""
        score = score or self.score
        found: dict[tuple[str, str], list[float]] = defaultdict(list)
        for row in results["rivals"]:
            found[row["dataset"], row["rival"]].append(SCORES[score](row))
        for row in results[PAIRS] if (results.folder / f"{PAIRS}.csv").is_file() else ():
            found[family(row["dataset"]), row["rival"]].append(SCORES[score](row))
        lines = []
        for data in dict.fromkeys(data for data, _ in list(found)):
            line = [data]
            for rival, name in self.names.items():
                ours = found[data, rival]
                wanted = self.published(results, data, name, score) if name else ""
                parts = [number(np.mean(ours), digits)] if ours else []
                parts += [f"({number(wanted, digits)})"] if wanted else []
                line.append(" ".join(parts) or "–")
            lines.append(line)
        return markdown(["data", *(f"{r} ({n})" if n else r for r, n in self.names.items())], lines)


def family(pair: str) -> str:
    """The line of the tables that a pair of digits belongs to."""
    return pair.rpartition(" ")[0] + " 45 pairs"
