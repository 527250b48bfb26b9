"""SupportVectorClustering without labels, and why its constants are so.

    python benchmarks/choices/support_vector/run.py [groups] [ablations] [...]

``groups``: the defaults and their peers on four groups of sets. ``ablations``: one change at a
time, on the groups "fresh" and "real". ``landmarks``: other numbers of landmarks on larger sets.
``streams``: ``partial_fit`` with rows in a random and in a sorted order. ``digits``: what may
explain its low ARI. Each part has a csv file; rows that it holds already are not made again. The
tables go to ``README.md``.
"""

import os
import sys
import warnings
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any
from unittest.mock import patch

os.environ |= {f"{library}_NUM_THREADS": "1" for library in ("OMP", "OPENBLAS", "MKL")}
HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parents[1])]

import numpy as np
from groups import FRESH, GROUPS, LARGE, REAL, scaled, sets_of
from methods import METHODS, MOST_OF_SHIFT, SHIFT, ours, scored
from report import AS_IS, BY_LABELS, CHANGES, LANDMARK_SEEDS, LANDMARKS, STREAM, write_tables
from shared.data import load
from shared.machine import describe
from shared.table import read_csv, write_csv
from six_shapes import six_shapes
from sklearn.datasets import load_digits
from sklearn.decomposition import PCA
from sklearn.metrics import adjusted_rand_score
from sklearn.preprocessing import StandardScaler
from threadpoolctl import threadpool_limits

from maxmargin import SupportVectorClustering
from maxmargin.domain import domain_graph, graph, width

MODULES = {"domain_graph": domain_graph, "graph": graph, "width": width}
Row = dict[str, Any]


def groups(done: Callable[[Row], bool]) -> Iterator[Row]:
    for group in GROUPS:
        for name, X, y in sets_of(group):
            facts = {"n": X.shape[0], "d": X.shape[1], "classes": len(np.unique(y[y >= 0]))}
            for method, cluster in METHODS.items():
                key = {"group": group, "set": name, "method": method}
                if not done(key) and not (method == SHIFT and len(X) > MOST_OF_SHIFT):
                    yield key | facts | scored(cluster, X, y)


def patched(stack: ExitStack, constants: dict[str, Any]) -> None:
    """Change constants, named module.name, for as long as the stack is open."""
    for place, value in constants.items():
        module, constant = place.split(".")
        stack.enter_context(patch.object(MODULES[module], constant, value))


def ablations(done: Callable[[Row], bool]) -> Iterator[Row]:
    for group in (FRESH, REAL):
        for name, X, y in sets_of(group):
            for change, (constants, parameters) in CHANGES.items():
                key = {"group": group, "set": name, "method": change}
                if done(key):
                    continue
                with ExitStack() as stack:
                    patched(stack, constants)
                    yield key | scored(lambda X, p=parameters: ours(X, **p), X, y)


def larger_sets() -> Iterator[tuple[str, Any, Any]]:
    """All rows of the sets with more than 2000 of them."""
    for name, source in {**LARGE, "d31": lambda: load("d31")}.items():
        yield (name, *scaled(source()))
    yield ("six shapes", *six_shapes(10_000))


def landmarks(done: Callable[[Row], bool]) -> Iterator[Row]:
    for name, X, y in larger_sets():
        for number in LANDMARKS:
            for seed in range(LANDMARK_SEEDS if number else 1):
                key = {"set": name, "n_landmarks": str(number), "seed": str(seed)}
                if not done(key):

                    def cluster(X: Any, number: Any = number, seed: int = seed) -> Any:
                        model = SupportVectorClustering(n_landmarks=number, random_state=seed)
                        return model.fit(X).labels_

                    yield key | {"n": X.shape[0], "d": X.shape[1]} | scored(cluster, X, y)


def streams(done: Callable[[Row], bool]) -> Iterator[Row]:
    X, y = six_shapes(STREAM["n"])
    orders = {"random": np.arange(len(X)), "sorted by class": np.argsort(y, kind="stable")}
    orders["sorted by the first column"] = np.argsort(X[:, 0], kind="stable")
    for order, rows in orders.items():
        for seed in range(STREAM["seeds"]):
            key = {"order": order, "seed": str(seed)}
            if done(key):
                continue
            model = SupportVectorClustering(n_landmarks=STREAM["n_landmarks"], random_state=seed)
            for start in range(0, len(X), STREAM["batch"]):
                model.partial_fit(X[rows[start : start + STREAM["batch"]]])
            known = y >= 0
            ari = adjusted_rand_score(y[known], model.predict(X[known]))
            yield key | {"ari": f"{ari:.4f}", "k": model.n_clusters_}


def digits(done: Callable[[Row], bool]) -> Iterator[Row]:
    """Other scales, parameters and constants; at last the choice of the labels."""
    pixels, y = load_digits(return_X_y=True)
    X = StandardScaler().fit_transform(pixels)
    for change, (rows, constants, parameters) in {
        AS_IS: (X, {}, {}),
        "pixels as they come": (pixels, {}, {}),
        "30 principal components": (PCA(30, random_state=0).fit_transform(X), {}, {}),
        "weak pieces are not joined": (X, {"graph.WEAKEST": np.inf}, {}),
        "min_cluster_size=5": (X, {}, {"min_cluster_size": 5}),
        "min_cluster_size=0.01": (X, {}, {"min_cluster_size": 0.01}),
        "nu=0.5": (X, {}, {"nu": 0.5}),
        "wider: 0.7, 1, 1.4": (X, {"width.NARROW_WIDTHS": (0.7, 1.0, 1.4)}, {}),
        BY_LABELS: (X, {}, {}),
        f"{BY_LABELS}, weak pieces are not joined": (X, {"graph.WEAKEST": np.inf}, {}),
    }.items():
        if done({"change": change}):
            continue
        with ExitStack() as stack:
            patched(stack, constants)
            if change.startswith(BY_LABELS):

                def by_labels(self: Any, labels: Any, beat: float = -np.inf) -> float:
                    return float(adjusted_rand_score(y, labels))

                stack.enter_context(patch.object(domain_graph.DomainGraph, "split_gap", by_labels))
            yield {"change": change} | scored(lambda X, p=parameters: ours(X, **p), rows, y)


PARTS = {
    "groups": groups,
    "ablations": ablations,
    "landmarks": landmarks,
    "streams": streams,
    "digits": digits,
}


def main() -> None:
    wanted = sys.argv[1:] or list(PARTS)
    for part in wanted:
        path = HERE / f"{part}.csv"
        rows: list[Row] = list(read_csv(path)) if path.is_file() else []

        def done(key: Row, rows: list[Row] = rows) -> bool:
            return any(all(row[name] == value for name, value in key.items()) for row in rows)

        for row in PARTS[part](done):
            rows.append(row | describe())
            print(part, *row.values(), flush=True)
            write_csv(path, rows)
    write_tables()


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    with threadpool_limits(1):
        main()
