"""Figures 1, 2 and 3 of CPM3C: time against n, accuracy and time against ε.

``python benchmarks/papers/cpm3c/figures.py`` writes ``figures.csv`` and three PNG files; ``--draw``
only draws again what ``figures.csv`` holds.
"""

import os
import sys
import warnings
from functools import partial
from pathlib import Path
from typing import Any

os.environ |= {f"{library}_NUM_THREADS": "1" for library in ("OMP", "OPENBLAS", "MKL")}
HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[1]))

import matplotlib as mpl
import numpy as np

mpl.use("Agg")
import matplotlib.pyplot as plt
from methods import TO_THE_LETTER, fitted
from sets import NAMED, classes
from shared import machine, table
from shared.data import load
from threadpoolctl import threadpool_limits

from maxmargin import CuttingPlaneClustering

SEEDS = 3
TOLERANCES = (0.001, 0.003, 0.01, 0.03, 0.1, 0.3)
TOLERANCE_SETS = ("Dig 3-8", "Letter A-B", "Satellite 1-2", "Dig 1279", "20-news")


def mnist_pair() -> tuple[Any, Any]:
    X, y = classes(partial(load, "mnist"), 1, 7)
    return X.astype(np.float32) / 255, y


SIZE_SETS = {
    **{name: NAMED[name] for name in ("Letter A-B", "Satellite 1-2", "20-news")},
    "MNIST 1-7": mnist_pair,
}
MODELS = {"defaults": {}, "letter": {"init": "k-means++", "n_init": 1, **TO_THE_LETTER}}


def run(figure: int, dataset: str, X: Any, y: Any, **parameters: Any) -> list[dict]:
    """Both models; the accuracy and the time are means over seeds."""
    rows = []
    for name, fixed in MODELS.items():
        found = []
        for seed in range(SEEDS):
            model = CuttingPlaneClustering(
                len(np.unique(y)), random_state=seed, **fixed, **parameters
            )
            found.append(fitted(model, X, y))
        row = {"figure": figure, "dataset": dataset, "model": name, "n": X.shape[0], **parameters}
        row["cpu_seconds"] = f"{np.mean([one['cpu_seconds'] for one in found]):.5f}"
        row["majority"] = f"{np.mean([one['majority'] for one in found]):.3f}"
        row["ari"] = f"{np.mean([one['ari'] for one in found]):.4f}"
        rows.append({**row, **machine.describe()})
        print(*list(row.values()), flush=True)
    return rows


def measure() -> list[dict]:
    rows = []
    for dataset, source in SIZE_SETS.items():
        X, y = source()
        order = np.random.default_rng(0).permutation(len(y))
        n = len(y)
        while n >= 200:
            rows += run(1, dataset, X[order[:n]], y[order[:n]])
            n //= 2
        table.write_csv(HERE / "figures.csv", rows)
    for dataset in TOLERANCE_SETS:
        X, y = NAMED[dataset]()
        for tol in TOLERANCES:
            rows += run(2, dataset, X, y, tol=tol)
        table.write_csv(HERE / "figures.csv", rows)
    return rows


def slope(x: list[float], y: list[float]) -> float:
    return float(np.polyfit(np.log(x), np.log(y), 1)[0])


def draw(rows: list[dict], figure: int, x: str, y: str, name: str, labels: tuple[str, str]) -> None:
    picture, axes = plt.subplots(1, 2, figsize=(10, 4), layout="constrained", sharey=True)
    for ax, model in zip(axes, MODELS, strict=True):
        chosen = [row for row in rows if int(row["figure"]) == figure and row["model"] == model]
        for marker, dataset in zip(
            "os^Dv", dict.fromkeys(r["dataset"] for r in chosen), strict=False
        ):
            points = sorted((float(r[x]), float(r[y])) for r in chosen if r["dataset"] == dataset)
            xs, ys = map(list, zip(*points, strict=True))
            label = dataset
            if y == "cpu_seconds":
                label += f", slope {slope(xs, ys):.2f}"
                ax.set_yscale("log")
            ax.plot(xs, ys, f"{marker}-", markersize=4, label=label)
        ax.set_xscale("log")
        ax.set_title(
            {"defaults": "defaults", "letter": "the paper to the letter, one start"}[model]
        )
        ax.set_xlabel(labels[0])
        ax.grid(alpha=0.3)
        ax.spines[["top", "right"]].set_visible(False)
        if y == "cpu_seconds" or ax is axes[0]:
            ax.legend(frameon=False, fontsize=8)
    axes[0].set_ylabel(labels[1])
    picture.savefig(HERE / name, dpi=130)


def main() -> None:
    if "--draw" not in sys.argv:
        measure()
    rows = table.read_csv(HERE / "figures.csv")
    draw(rows, 1, "n", "cpu_seconds", "figure1.png", ("number of rows n", "CPU seconds of a fit"))
    draw(rows, 2, "tol", "majority", "figure2.png", ("tol (ε)", "majority accuracy %"))
    draw(rows, 2, "tol", "cpu_seconds", "figure3.png", ("tol (ε)", "CPU seconds of a fit"))


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    with threadpool_limits(1):
        main()
