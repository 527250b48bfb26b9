"""What a few known labels are worth: ARI against the number of pinned rows in each class.

    python benchmarks/selection/run_pins.py

Writes ``pins.csv``, one row for each set, method, number of pinned rows and seed, and draws the
mean curves to ``pins.png``. The ARI is that of the rows that are not pinned.
"""

import os
import sys
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

for library in ("OMP", "OPENBLAS", "MKL"):
    os.environ.setdefault(f"{library}_NUM_THREADS", "1")

import numpy as np
from numpy.typing import NDArray
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import adjusted_rand_score
from sklearn.metrics.pairwise import euclidean_distances
from sklearn.semi_supervised import LabelSpreading, SelfTrainingClassifier

HERE = Path(__file__).parent
sys.path[:0] = [str(HERE), str(HERE.parent)]

from peers import Labels, dense
from sets import Set, all_sets
from shared.table import markdown, number, write_csv

from maxmargin import MaxMarginClustering

PINS = (0, 1, 2, 5, 10)  # in each class
SEEDS = (0, 1, 2)

#: Sets of both halves on which no method is perfect without pins.
SETS = (
    *("iris", "digits", "digits 3-8-9", "mnist 0-4", "mnist 3-5-8", "letter A-D", "glass"),
    *("news rec", "compound", "pathbased", "moons 0.15", "3 chains", "6 sheared"),
    *("gaussians 2-7", "gaussians 5-5"),
    *("wine", "breast diagnostic", "ionosphere", "usps 5-8", "satellite", "cora 3 topics"),
    *("aggregation", "4 squares", "strips overlap", "parabolas uneven"),
)
Row = dict[str, Any]


def here(s: Set, y: Labels, seed: int) -> Labels:
    """The front door; without pins it is told only the number of clusters."""
    return MaxMarginClustering(s.k, random_state=seed).fit(s.X, y).labels_


def spreading_knn(s: Set, y: Labels, seed: int) -> Labels:
    """Label spreading on the graph of 7 neighbours."""
    model = LabelSpreading(kernel="knn", n_neighbors=7, max_iter=200)
    return model.fit(dense(s, seed), y).transduction_


def spreading_rbf(s: Set, y: Labels, seed: int) -> Labels:
    """Label spreading with a Gaussian, the median distance its width."""
    X = dense(s, seed)
    distances = euclidean_distances(X)[np.triu_indices(len(X), 1)]
    gamma = 1 / (2 * np.median(distances) ** 2)
    return LabelSpreading(kernel="rbf", gamma=gamma, max_iter=200).fit(X, y).transduction_


def self_training(s: Set, y: Labels, seed: int) -> Labels:
    """Logistic regression that takes over the labels of which it is sure."""
    X = dense(s, seed)
    model = SelfTrainingClassifier(LogisticRegression(max_iter=1000))
    return model.fit(X, y).predict(X)


METHODS: dict[str, Callable[[Set, Labels, int], Labels]] = {
    "MaxMarginClustering": here,
    "LabelSpreading, 7 neighbours": spreading_knn,
    "LabelSpreading, Gaussian": spreading_rbf,
    "SelfTraining, logistic regression": self_training,
}


def pin(s: Set, pins: int, seed: int) -> NDArray[np.int64]:
    """Labels of so many random rows of each class, −1 for the others; more pins keep the fewer.

    A class keeps at least half of its rows free.
    """
    y = np.full(len(s.y), -1)
    rng = np.random.default_rng(seed)
    for c in range(s.k):
        members = rng.permutation(np.flatnonzero(s.y == c))
        chosen = members[: min(pins, len(members) // 2)]
        y[chosen] = c
    return y


def results() -> list[Row]:
    rows = []
    sets = all_sets()
    for name in SETS:
        s = sets[name]
        for pins in PINS:
            for seed in SEEDS:
                y = pin(s, pins, seed)
                free = y < 0
                for method, fit in METHODS.items():
                    if pins == 0 and fit is not here:
                        continue  # classifiers need a label of each class
                    ari = adjusted_rand_score(s.y[free], fit(s, y, seed)[free])
                    rows.append(
                        {
                            "set": name,
                            "half": s.half,
                            "k": s.k,
                            "method": method,
                            "pins": pins,
                            "seed": seed,
                            "ari": round(float(ari), 4),
                        }
                    )
        shown = [np.mean(values(rows, METHOD, pins, name)) for pins in PINS]
        print(name, *(f"{ari:.2f}" for ari in shown), flush=True)
    return rows


METHOD = next(iter(METHODS))


def values(rows: list[Row], method: str, pins: int, name: str | None = None) -> list[float]:
    """The ARIs of a method with so many pins, on one set or on all."""
    return [
        row["ari"]
        for row in rows
        if row["method"] == method and row["pins"] == pins and name in (None, row["set"])
    ]


def means(rows: list[Row]) -> str:
    """The mean ARI of each method for each number of pins."""
    table = []
    for method in METHODS:
        shown = [values(rows, method, pins) for pins in PINS]
        table.append([method, *(number(np.mean(v), 3) if v else "–" for v in shown)])
    return markdown(["pins in each class", *PINS], table)


def draw(rows: list[Row]) -> None:
    """The mean curves."""
    try:
        import matplotlib
    except ImportError:
        print("matplotlib is not there: no pins.png.")
        return
    matplotlib.use("Agg")
    from matplotlib import pyplot as plt

    figure, axes = plt.subplots(figsize=(6, 4), layout="constrained")
    for method in METHODS:
        at = [i for i, pins in enumerate(PINS) if values(rows, method, pins)]
        axes.plot(at, [np.mean(values(rows, method, PINS[i])) for i in at], "o-", label=method)
    axes.set_xticks(range(len(PINS)), [str(pins) for pins in PINS])
    axes.set(xlabel="pinned rows in each class", ylabel="mean ARI of the other rows", ylim=(0, 1))
    axes.grid(alpha=0.3)
    axes.legend(frameon=False)
    figure.savefig(HERE / "pins.png", dpi=120)


def main() -> None:
    warnings.simplefilter("ignore")
    rows = results()
    write_csv(HERE / "pins.csv", rows)
    print(means(rows))
    draw(rows)


if __name__ == "__main__":
    main()
