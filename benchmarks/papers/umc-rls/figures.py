"""Figures 3, 4 and 5 of UMC-RLS: claims and CPU seconds against the number of rows.

``python benchmarks/papers/umc-rls/figures.py`` writes ``figures.csv`` and three PNG files;
``--draw`` only draws again what ``figures.csv`` holds.
"""

import sys
import time
import warnings
from pathlib import Path

import matplotlib as mpl
import numpy as np
from numpy.typing import NDArray
from threadpoolctl import threadpool_limits

mpl.use("Agg")
HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[1]))

import matplotlib.pyplot as plt
from shared import machine, table
from shared.data import load
from sklearn.cluster import KMeans, SpectralClustering
from sklearn.metrics import adjusted_rand_score
from sklearn.mixture import GaussianMixture

from maxmargin import MaxMarginWarning, RLSClustering

COIL_SIZES = (180, 360, 540, 720, 900, 1080, 1260, 1440)
MNIST_SIZES = (250, 500, 1000, 2000, 4000)
GMM_LIMIT = {"Coil": 720, "MNIST": 1000}  # to keep the whole short
STYLE = {"UMC-RLS": "o", "K-means": "s", "SC": "^", "GMM": "D"}


def models(k: int, n: int, seed: int) -> dict:
    """Return the four methods of the paper's figures, one run each."""
    return {
        "UMC-RLS": RLSClustering(
            k, alpha=2.0**-4 / n, polish=False, min_size=0, n_init=1, random_state=seed
        ),
        "K-means": KMeans(k, n_init=10, random_state=seed),
        "SC": SpectralClustering(
            k, affinity="nearest_neighbors", n_neighbors=10, random_state=seed
        ),
        "GMM": GaussianMixture(k, reg_covar=1e-3, random_state=seed),
    }


def measure(name: str, X: NDArray, y: NDArray, sizes: tuple[int, ...], runs: int) -> list[dict]:
    """Return CPU seconds, ARI and (UMC-RLS) claims for random subsets."""
    k, rows = len(np.unique(y)), []
    for n in sizes:
        for seed in range(runs):
            kept = np.random.default_rng(seed).permutation(len(y))[:n]
            for method, model in models(k, n, seed).items():
                if method == "GMM" and (n > GMM_LIMIT[name] or seed > 0):
                    continue
                began = time.process_time()
                labels = model.fit_predict(X[kept])
                row = {"data": name, "n": n, "method": method, "seed": seed}
                row["cpu_seconds"] = f"{time.process_time() - began:.4f}"
                row["ari"] = f"{adjusted_rand_score(y[kept], labels):.3f}"
                row["claims"] = getattr(model, "n_moves_", "")
                print(row, flush=True)
                rows.append(row)
    return rows


def means(rows: list[dict], data: str, method: str, column: str) -> tuple[NDArray, NDArray]:
    chosen = [row for row in rows if row["data"] == data and row["method"] == method]
    sizes = sorted({int(row["n"]) for row in chosen})
    values = [np.mean([float(r[column]) for r in chosen if int(r["n"]) == n]) for n in sizes]
    return np.array(sizes), np.array(values)


def axes(xlabel: str, ylabel: str) -> tuple[plt.Figure, plt.Axes]:
    figure, ax = plt.subplots(figsize=(6.5, 4), layout="constrained")
    ax.set_xlabel(xlabel)
    ax.set_ylabel(ylabel)
    ax.grid(alpha=0.3)
    ax.spines[["top", "right"]].set_visible(False)
    return figure, ax


def draw_claims(rows: list[dict]) -> None:
    sizes, claims = means(rows, "Coil", "UMC-RLS", "claims")
    figure, ax = axes("number of rows n (subsets of COIL, 20 clusters)", "claims in one run")
    ax.plot(sizes, claims, "o-", label="UMC-RLS")
    slope = float(sizes @ claims / (sizes @ sizes))
    ax.plot(sizes, slope * sizes, "--", color="grey", label=f"{slope:.2f} n")
    ax.set_xlim(left=0)
    ax.set_ylim(bottom=0)
    ax.legend(frameon=False)
    figure.savefig(HERE / "figure3.png", dpi=150)


def draw_seconds(rows: list[dict], data: str, number: int) -> None:
    figure, ax = axes(f"number of rows n (subsets of {data.upper()})", "CPU seconds of one fit")
    for method, marker in STYLE.items():
        sizes, seconds = means(rows, data, method, "cpu_seconds")
        ax.loglog(sizes, seconds, marker=marker, label=method)
    ticks = (180, 360, 720, 1440) if data == "Coil" else MNIST_SIZES
    ax.set_xticks(ticks, [str(tick) for tick in ticks])
    ax.minorticks_off()
    ax.legend(frameon=False, loc="center left", bbox_to_anchor=(1, 0.5))
    figure.savefig(HERE / f"figure{number}.png", dpi=150)


def main() -> None:
    path = HERE / "figures.csv"
    if "--draw" not in sys.argv:
        warnings.simplefilter("ignore", MaxMarginWarning)
        warnings.filterwarnings("ignore", "Graph is not fully connected", UserWarning)
        X, y = load("coil20")
        rows = measure("Coil", X, y, COIL_SIZES, 3)
        X, y = load("mnist")
        rows += measure("MNIST", X / 255.0, y, MNIST_SIZES, 2)
        table.write_csv(path, [{**row, **machine.describe()} for row in rows])
    rows = table.read_csv(path)
    draw_claims(rows)
    draw_seconds(rows, "Coil", 4)
    draw_seconds(rows, "MNIST", 5)


if __name__ == "__main__":
    with threadpool_limits(1):
        main()
