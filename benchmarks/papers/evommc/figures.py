"""Figures 1 and 2 of EvoMMC: time of a run against n, and restarts against error.

``python benchmarks/papers/evommc/figures.py`` writes two csv and two PNG files; ``--draw`` only
draws again what the csv files hold. Figure 2 takes the cells from ``results.csv``.
"""

import re
import sys
import time
from math import comb
from pathlib import Path

import matplotlib as mpl
import numpy as np
from numpy.typing import NDArray
from threadpoolctl import threadpool_limits

mpl.use("Agg")
HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[1]))

import matplotlib.pyplot as plt
from methods import box_diagonal, evommc, fastevommc
from sets import balance, load_set
from shared import machine, table
from sklearn.datasets import make_moons
from sklearn.metrics.pairwise import rbf_kernel
from sklearn.svm import SVC

from maxmargin import RLSClustering
from maxmargin.search import Evolutionary

SIZES = (100, 200, 400, 800, 1600, 3200)
SVM_LIMIT = 800
RUNS = 3
RESTART_SETS = ("UCI digits 3-8", "UCI digits 8-9", "Ionosphere", "Letter A-B")
POOL, MOST = 40, 20
CURVES = {
    "SVM": "SVM (scikit-learn SVC) for every labelling",
    "n2": "O(n²) formula in NumPy for every labelling",
    "EvoMMC": "EvoMMC: the shortcut",
    "FastEvoMMC": "FastEvoMMC: r = 0.1n",
}


def cpu(work, least: float = 0.1) -> float:
    """Return the CPU seconds of one call, repeated until they can be measured."""
    began, calls = time.process_time(), 0
    while (spent := time.process_time() - began) < least:
        work()
        calls += 1
    return spent / calls


def one_size(n: int) -> list[dict]:
    """Return the seconds of a run by four ways to evaluate a labelling."""
    X, _ = make_moons(n, noise=0.1, random_state=0)
    gamma, alpha = 1 / box_diagonal(X) ** 2, 1 / (1000 * n)
    seconds: dict[str, float] = {}
    for method in ("FastEvoMMC", "EvoMMC"):
        fast = method == "FastEvoMMC"
        fits, generations = [], []
        for seed in range(RUNS):
            model = RLSClustering(
                2, gamma=gamma, alpha=alpha, search=Evolutionary(1, 1), polish=False,
                min_size=0.97, n_init=1, random_state=seed,
                approximation="nystroem" if fast else None, n_components=max(1, n // 10),
            )  # fmt: skip
            began = time.process_time()
            model.fit(X)
            fits.append(time.process_time() - began)
            generations.append(model.n_iter_)
        seconds[method] = float(np.mean(fits))
    K = rbf_kernel(X, gamma=gamma)
    evaluations = float(np.mean(generations))  # μ = ν = 1: one evaluation in a generation
    R = K @ np.linalg.inv(K + 1e-3 * np.eye(n))
    signs = 2.0 * model.labels_ - 1
    seconds["n2"] = evaluations * cpu(lambda: signs @ R @ signs)
    if n <= SVM_LIMIT:
        random = np.random.default_rng(0).permutation(signs)
        svm = SVC(C=500, kernel="precomputed")
        each = [cpu(lambda y=y: svm.fit(K, y)) for y in (signs, random)]
        seconds["SVM"] = evaluations * float(np.mean(each))
    return [
        {"n": n, "method": method, "seconds": f"{value:.4g}", "evaluations": f"{evaluations:.0f}"}
        for method, value in seconds.items()
    ]


def expected_best(errors: NDArray, m: int) -> float:
    """Return the mean of the smallest of m errors over all choices of m runs of the pool."""
    ordered = np.sort(errors)
    size = len(ordered)
    weights = [comb(size - 1 - i, m - 1) / comb(size, m) for i in range(size)]
    return float(ordered @ np.array(weights))


def restarts() -> list[dict]:
    cells = {
        (row["dataset"], row["method"]): tuple(
            map(int, re.findall(r"\((\d+)n\) σ=(\d)", row["oracle_cell"])[0])
        )
        for row in table.read_csv(HERE / "results.csv")
        if row["oracle_cell"].startswith("λ")
    }
    rows = []
    for name in RESTART_SETS:
        X, y = load_set(name)
        runners = {
            "EvoMMC": evommc(X, y, balance(y)),
            "FastEvoMMC": fastevommc(X, y, balance(y), 0.1),
        }
        for method, run in runners.items():
            errors = run(cells[name, method], range(2000, 2000 + POOL)).error
            for m in range(1, MOST + 1):
                error = f"{expected_best(errors, m):.3f}"
                rows.append({"dataset": name, "method": method, "restarts": m, "error": error})
    return rows


def draw_times(rows: list[dict]) -> None:
    figure, ax = plt.subplots(figsize=(6.5, 4.2), layout="constrained")
    for (method, label), marker in zip(CURVES.items(), "D^os", strict=True):
        chosen = [row for row in rows if row["method"] == method]
        ax.loglog(
            [int(r["n"]) for r in chosen], [float(r["seconds"]) for r in chosen],
            marker=marker, label=label,
        )  # fmt: skip
    ax.set_xticks(SIZES, [str(size) for size in SIZES])
    ax.minorticks_off()
    ax.set_xlabel("number of rows n")
    ax.set_ylabel("CPU seconds of a single run")
    finish(figure, [ax], "figure1.png")


def draw_restarts(rows: list[dict]) -> None:
    figure, grid = plt.subplots(2, 2, figsize=(8, 5.5), layout="constrained", sharex=True)
    for ax, name in zip(grid.flat, RESTART_SETS, strict=True):
        for method, line in (("EvoMMC", "o-"), ("FastEvoMMC", "s--")):
            chosen = [r for r in rows if r["dataset"] == name and r["method"] == method]
            ax.plot(
                [int(r["restarts"]) for r in chosen], [float(r["error"]) for r in chosen],
                line, markersize=4, label=method,
            )  # fmt: skip
        ax.set_title(name, fontsize=10)
        ax.set_ylim(bottom=0)
        ax.set_xticks((1, 5, 10, 15, 20))
    figure.supxlabel("restarts")
    figure.supylabel("clustering error % (best by the true labels)")
    finish(figure, list(grid.flat), "figure2.png")


def finish(figure: plt.Figure, axes: list[plt.Axes], name: str) -> None:
    for ax in axes:
        ax.grid(alpha=0.3)
        ax.spines[["top", "right"]].set_visible(False)
    axes[0].legend(frameon=False, fontsize=9)
    figure.savefig(HERE / name, dpi=150)


def main() -> None:
    first, second = HERE / "figure1.csv", HERE / "figure2.csv"
    if "--draw" not in sys.argv:
        rows = [row for n in SIZES for row in one_size(n)]
        table.write_csv(first, [{**row, **machine.describe()} for row in rows])
        table.write_csv(second, restarts())
    draw_times(table.read_csv(first))
    draw_restarts(table.read_csv(second))


if __name__ == "__main__":
    with threadpool_limits(1):
        main()
