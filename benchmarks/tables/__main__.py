"""Run the study: ``python -m benchmarks.tables {geometries,compare} --seeds 0 3 [--real DIR]``."""

import argparse
import csv
import time
import warnings
from collections.abc import Iterator
from typing import Any

import numpy as np
from sklearn.cluster import KMeans
from sklearn.metrics import adjusted_rand_score

from benchmarks.tables import generators, real
from benchmarks.tables.geometries import WAYS, scaled
from benchmarks.tables.peers import answers, one_hot
from maxmargin import MaxMarginClustering, TableEncoder


def geometries(frame: Any, k: int) -> Iterator[tuple[str, np.ndarray, float]]:
    """k-means and the front door's search in columns that are scaled in each way."""
    X = TableEncoder(standardize=False).fit_transform(frame)
    for way, (block, ranges) in WAYS.items():
        Z = scaled(X, block, ranges)
        yield f"k-means; {way}", KMeans(k, n_init=5, random_state=0).fit_predict(Z), np.nan
        model = MaxMarginClustering(k, standardize=False, random_state=0)
        # a little noise: no column has few values, so margins alone decide
        Z = Z + 1e-3 * np.random.default_rng(0).normal(size=Z.shape)
        yield f"margins; {way}", model.fit(Z).labels_, np.nan


def compare(frame: Any, k: int) -> Iterator[tuple[str, np.ndarray, float]]:
    """The front door beside its peers."""
    for peer, labels in answers(frame, k).items():
        yield peer, labels, np.nan
    for name, X in (
        ("MaxMarginClustering", frame),
        ("MaxMarginClustering, one-hot", one_hot(frame)),
    ):
        began = time.process_time()
        labels = MaxMarginClustering(k, random_state=0).fit(X).labels_
        yield name, labels, time.process_time() - began


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("what", choices=["geometries", "compare"])
    parser.add_argument("--seeds", nargs=2, type=int, default=(0, 0))
    parser.add_argument("--real", help="a folder of CSV files: package/table.csv")
    parser.add_argument("--half", default="test", choices=["tune", "test"])
    parser.add_argument("--output", required=True)
    asked = parser.parse_args()
    tables = list(generators.tables(*asked.seeds))
    tables += list(real.tables(asked.real, asked.half)) if asked.real else []
    ways = geometries if asked.what == "geometries" else compare
    scores: dict[str, dict[str, list[float]]] = {}
    warnings.simplefilter("ignore")
    for name, frame, classes, k in tables:
        for way, labels, _ in ways(frame, k):
            ari = adjusted_rand_score(classes, labels)
            scores.setdefault(way, {}).setdefault(name, []).append(ari)
        print(name, flush=True)
    names = list(dict.fromkeys(name for name, *_ in tables))
    with open(asked.output, "w", newline="", encoding="utf-8") as stream:
        writer = csv.writer(stream)
        writer.writerow(["way", "mean", *names])
        for way, found in scores.items():
            everything = [ari for several in found.values() for ari in several]
            means = [np.mean(found[name]) for name in names]
            writer.writerow([way, *(f"{x:.3f}" for x in (np.mean(everything), *means))])
            print(f"{way:40s} {np.mean(everything):.3f}")


if __name__ == "__main__":
    main()
