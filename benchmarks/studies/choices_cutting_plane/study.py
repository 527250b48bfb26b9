"""Why the defaults of CuttingPlaneClustering are what they are."""

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import Any

import numpy as np
from sklearn.cluster import KMeans, SpectralClustering

from benchmarks.datasets.few_and_ten import Set, few_clusters, many_kernels, ten_clusters, uneven
from benchmarks.runner import machine
from benchmarks.runner.measure import Row, fit
from benchmarks.runner.study import Part, Results, Study
from benchmarks.runner.table import distinct, markdown, mean_of, where
from benchmarks.studies.choices_cutting_plane import as_written
from maxmargin import CuttingPlaneClustering, RLSClustering

KMEANS = "k-means"
#: Rows that RLSClustering is given at most: its time is cubic.
MOST_ROWS = 3000
Maker = Callable[[int, int], Any]


def ours(k: int, seed: int, **parameters: Any) -> CuttingPlaneClustering:
    return CuttingPlaneClustering(k, random_state=seed, **parameters)


def kmeans(k: int, seed: int) -> KMeans:
    return KMeans(k, n_init=10, random_state=seed)


class Times:
    """A Gaussian of a multiple of the median rule's width."""

    def __init__(self, k: int, seed: int, times: float) -> None:
        self.k, self.seed, self.times = k, seed, times

    def fit(self, X: Any) -> "Times":
        """Find the width, then fit."""
        first = ours(self.k, self.seed, kernel="rbf", n_init=1).fit(X)
        gamma = {"kernel": "rbf", "gamma": self.times * first.gamma_}
        self.labels_ = ours(self.k, self.seed, **gamma).fit(X).labels_
        return self


OPTIMIZERS: dict[str, Maker] = {
    f'"{name}"': partial(ours, optimizer=name, init="mixed")
    for name in ("cpm3c", "cccp", "alternation", "auto")
} | {KMEANS: kmeans}
TEN: dict[str, Maker] = {
    KMEANS: kmeans,
    "spectral": lambda k, seed: SpectralClustering(
        k, affinity="nearest_neighbors", n_neighbors=10, random_state=seed
    ),
    "RLSClustering": lambda k, seed: RLSClustering(k, n_init=6, random_state=seed),
    '`optimizer="cccp"`': partial(ours, optimizer="cccp"),
    "alternation from k-means++": partial(ours, optimizer="alternation", init="k-means++"),
    "default": ours,
}
KERNELS: dict[str, Maker] = {
    "linear": ours,
    "rbf": partial(ours, kernel="rbf"),
    "rbf, 4 γ": partial(Times, times=4),
    "rbf, 16 γ": partial(Times, times=16),
    '"auto"': partial(ours, kernel="auto"),
}
FLOORS: dict[str, Maker] = {
    "0": partial(ours, min_size=0.0),
    "0.1": partial(ours, min_size=0.1),
    "0.5 (default)": ours,
    "0.8": partial(ours, min_size=0.8),
    "0.1, balance 0.3": partial(ours, min_size=0.1, balance=0.3),
}
#: The parts: sets, methods, seeds.
PARTS: dict[str, tuple[Callable[[], Mapping[str, Set]], dict[str, Maker], int]] = {
    "few": (few_clusters, OPTIMIZERS, 5),
    "ten": (ten_clusters, TEN, 5),
    "kernels": (many_kernels, KERNELS, 3),
    "sizes": (lambda: few_clusters() | uneven(), FLOORS, 5),
}


def keys(part: str) -> Iterator[Row]:
    sets, methods, seeds = PARTS[part]
    for name, (X, _) in sets().items():
        for method in methods:
            if method != "RLSClustering" or len(X) <= MOST_ROWS:
                yield from ({"set": name, "method": method, "seed": seed} for seed in range(seeds))


def measure(part: str, set: str, method: str, seed: int) -> Row:
    """One fit."""
    sets, methods, _ = PARTS[part]
    X, y = sets()[set]
    model = methods[method](len(np.unique(y)), seed)
    return fit(model, X, y) | {"objective": getattr(model, "objective_", None)}


def pivot(rows: list[Any], title: str, cell: Callable[[list[Any]], str]) -> str:
    """A line for each set, a column for each method; a dash where it was not run."""
    methods = distinct(rows, "method")
    found = [[where(rows, set=s, method=m) for m in methods] for s in distinct(rows, "set")]
    lines = [[of[0][0]["set"], *(cell(one) if one else "–" for one in of)] for of in found]
    return markdown([title, *methods], lines)


def few_cell(rows: list[Any]) -> str:
    ari = f"{mean_of(rows, 'ari'):.3f}"
    return f"{mean_of(rows, 'objective'):.3f} / {ari}" if rows[0]["objective"] else ari


def ten_cell(rows: list[Any]) -> str:
    scores = f"{mean_of(rows, 'one_to_one') / 100:.3f} / {mean_of(rows, 'ari'):.3f}"
    return f"{scores} ({mean_of(rows, 'cpu_seconds'):.1f} s)"


def ari_cell(rows: list[Any]) -> str:
    return f"{mean_of(rows, 'ari'):.3f}"


def kernel_table(results: Results) -> str:
    """What the lowest objective chooses, against each kernel."""
    rows, lines, totals = results["kernels"], [], []
    for name in distinct(rows, "set"):
        means = [mean_of(where(rows, set=name, method=method), "ari") for method in KERNELS]
        totals.append([*means, max(means[:-1])])
        good = "yes" if means[-1] >= max(means[:-1]) - 0.01 else "no"
        lines.append([name, *(f"{mean:.3f}" for mean in means), good])
    table = markdown(["ARI", *KERNELS, "within .01 of the best"], lines)
    right = sum(line[-1] == "yes" for line in lines)
    linear, *_, auto, best = np.mean(totals, axis=0)
    return (
        f"{table}\n\nWithin .01 of the best kernel on {right} of {len(lines)} sets; mean "
        f"ARI {auto:.3f}, with the best kernel of each set {best:.3f}, with the linear one "
        f"{linear:.3f}."
    )


SMALL = {"few": "digits 3-8", "ten": "digits", "kernels": "iris", "sizes": "digits 3-8"}
STUDY = Study(
    "Why the defaults of CuttingPlaneClustering are what they are",
    parts=tuple(
        Part(
            part,
            partial(keys, part),
            partial(measure, part),
            quick={"set": (SMALL[part],), "seed": (0,)},
        )
        for part in PARTS
    )
    + as_written.PARTS,
    tables=as_written.TABLES
    | {
        "few": lambda results: pivot(results["few"], "objective / ARI", few_cell),
        "ten": lambda results: pivot(results["ten"], "one-to-one / ARI (CPU)", ten_cell),
        "kernels": kernel_table,
        "sizes": lambda results: pivot(results["sizes"], "ARI, `min_size`", ari_cell),
        "machine": lambda results: machine.lines(results["few"]),
    },
    module=__name__,
)
