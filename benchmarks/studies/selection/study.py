"""The front door without labels: on sets of many kinds, the number of clusters, a few pins."""

from collections.abc import Callable, Iterator
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import adjusted_rand_score
from sklearn.metrics.pairwise import euclidean_distances
from sklearn.semi_supervised import LabelSpreading, SelfTrainingClassifier

from benchmarks.datasets import mixed_tables, numbers
from benchmarks.datasets.selection import Set, all_sets, unbalanced
from benchmarks.datasets.stored import digits, load
from benchmarks.methods import peers
from benchmarks.methods.front_door import ways
from benchmarks.methods.peers import Labels
from benchmarks.runner.measure import Row, timed
from benchmarks.runner.study import Part, Study
from benchmarks.studies.selection import confidence, number_tables, tables
from benchmarks.studies.selection.tables import OURS, PINS
from maxmargin import MaxMarginClustering

COLUMNS = ("raw", "standardised")
PEERS = peers.peers()
SEEDS = range(1)


def score(y: Labels, labels: Labels) -> float:
    return float(adjusted_rand_score(y, labels))


def about(s: Set) -> Row:
    return {"half": s.half, "family": s.family, "k": s.k, "unbalanced": int(unbalanced(s))}


def answers(set: str, seed: int) -> Iterator[Row]:
    """The front door, next to its own parts and to what it could have chosen."""
    s = all_sets()[set]
    for way, (labels, seconds) in ways(s, seed).items():
        yield about(s) | {"way": way, "ari": score(s.y, labels), "seconds": seconds}


def peer(set: str, method: str, columns: str) -> Row:
    """Another clustering; the processor time of one fit."""
    s = all_sets()[set]
    labels, taken = timed(peers.run, method, PEERS[method], s.X, s.k, 0, columns)
    return about(s) | {"ari": score(s.y, labels), "seconds": taken["cpu_seconds"]}


# -- draws of real sets that no constant was chosen on -------------------------------------

FRESH_DRAWS = 10  # of each source


@cache
def fresh_draws() -> dict[str, Set]:
    """Random groups of classes of the large real sets, random numbers of rows of each."""
    found = {}
    for number, source in enumerate(numbers.SOURCES):
        X, y = digits() if source == "digits" else load(source)
        for draw in range(FRESH_DRAWS):
            rng = np.random.default_rng([2026, number, draw])
            k = int(rng.integers(2, min(7, len(np.unique(y)) + 1)))
            classes = rng.choice(np.unique(y), k, replace=False)
            sizes = rng.integers(20, 120, size=k)
            rows = np.concatenate(
                [
                    rng.permutation(np.flatnonzero(y == c))[:size]
                    for c, size in zip(classes, sizes, strict=True)
                ]
            )
            labels = np.unique(y[rows], return_inverse=True)[1]
            name = f"{source} {'-'.join(map(str, np.sort(classes)))}"
            found[name] = Set(X[rows].astype(np.float64), labels, k, source, "fresh", False)
    return found


def fresh_keys() -> Iterator[Row]:
    methods = [(OURS, ""), *((method, columns) for method in PEERS for columns in COLUMNS)]
    for name in fresh_draws():
        yield from ({"set": name, "method": m, "columns": columns} for m, columns in methods)


def fresh(set: str, method: str, columns: str) -> Iterator[Row]:
    s = fresh_draws()[set]
    row = {"source": s.family, "k": s.k, "unbalanced": int(unbalanced(s))}
    if method != OURS:
        labels = peers.run(method, PEERS[method], s.X, s.k, 0, columns)
        yield row | {"ari": score(s.y, labels)}
        return
    model = MaxMarginClustering(s.k, random_state=0).fit(s.X)
    offered = [model.labels_, *(a.labels for a in model.alternatives_[:2])]
    found = [score(s.y, labels) for labels in offered]
    yield row | {"ari": found[0]}
    yield row | {"method": "best of 3 offered", "ari": max(found)}


# -- the number of clusters ----------------------------------------------------------------


@cache
def drawn(half: str) -> dict[str, Set]:
    return dict(numbers.all_draws(half))


def number_keys() -> Iterator[Row]:
    for half in numbers.HALVES:
        for name in drawn(half):
            yield from ({"half": half, "set": name, "rule": rule} for rule in number_tables.RULES)


def number(half: str, set: str, rule: str) -> Row:
    """How often it is found, and what a wrong one costs: ARI at it, and at the true number."""
    s = drawn(half)[set]
    row: Row = {"family": s.family, "k_true": s.k}
    if rule != OURS:
        labels = peers.run(rule, PEERS[rule], s.X, s.k, 0)
        return row | {"k": len(np.unique(labels)), "ari": score(s.y, labels)}
    model = MaxMarginClustering(random_state=0).fit(s.X)
    given = MaxMarginClustering(s.k, random_state=0).fit_predict(s.X)
    row |= {"k": len(np.unique(model.labels_)), "ari": score(s.y, model.labels_)}
    return row | {"ari_given_k": score(s.y, given), "confidence": model.k_confidence_}


def table_keys() -> Iterator[Row]:
    """Generated mixed tables; the seeds 600 to 602 were not chosen on."""
    for seed in range(600, 603):
        yield from ({"seed": seed, "family": f.__name__} for f in mixed_tables.FAMILIES)


def number_of_table(seed: int, family: str) -> Row:
    """The number of clusters of mixed tables."""
    X, y, k = mixed_tables.table(family, seed)
    chosen = MaxMarginClustering(random_state=0).fit(X)
    given = MaxMarginClustering(k, random_state=0).fit_predict(X)
    row = {"ari": score(y, chosen.labels_), "ari_given_k": score(y, given)}
    return row | {"exact": int(chosen.n_clusters_ == k), "confidence": chosen.k_confidence_}


# -- a few known labels --------------------------------------------------------------------

#: Sets of both halves on which no method is perfect without pins.
PIN_SETS = (
    *("iris", "digits", "digits 3-8-9", "mnist 0-4", "mnist 3-5-8", "letter A-D", "glass"),
    *("news rec", "compound", "pathbased", "moons 0.15", "3 chains", "6 sheared"),
    *("gaussians 2-7", "gaussians 5-5"),
    *("wine", "breast diagnostic", "ionosphere", "usps 5-8", "satellite", "cora 3 topics"),
    *("aggregation", "4 squares", "strips overlap", "parabolas uneven"),
)


def dense(s: Set, seed: int) -> NDArray[np.floating]:
    """The rows as the peers see them that take dense rows only."""
    return peers.dense(peers.prepared(s.X), seed)


def spreading_rbf(s: Set, y: Labels, seed: int) -> Labels:
    """Label spreading with a Gaussian, the median distance its width."""
    X = dense(s, seed)
    distances = euclidean_distances(X)[np.triu_indices(len(X), 1)]
    gamma = 1 / (2 * np.median(distances) ** 2)
    return LabelSpreading(kernel="rbf", gamma=gamma, max_iter=200).fit(X, y).transduction_


def self_training(s: Set, y: Labels, seed: int) -> Labels:
    """Logistic regression that takes over the labels of which it is sure."""
    model, X = SelfTrainingClassifier(LogisticRegression(max_iter=1000)), dense(s, seed)
    return model.fit(X, y).predict(X)


PINNED: dict[str, Callable[[Set, Labels, int], Labels]] = {
    OURS: lambda s, y, seed: MaxMarginClustering(s.k, random_state=seed).fit(s.X, y).labels_,
    "LabelSpreading, 7 neighbours": lambda s, y, seed: (
        LabelSpreading(kernel="knn", n_neighbors=7, max_iter=200)
        .fit(dense(s, seed), y)
        .transduction_
    ),
    "LabelSpreading, Gaussian": spreading_rbf,
    "SelfTraining, logistic regression": self_training,
}


def pin(s: Set, pins: int, seed: int) -> NDArray[np.int64]:
    """Labels of so many random rows of each class, −1 for the others; more pins keep the fewer.

    A class keeps at least half of its rows free.
    """
    y, rng = np.full(len(s.y), -1), np.random.default_rng(seed)
    for c in range(s.k):
        members = rng.permutation(np.flatnonzero(s.y == c))
        y[members[: min(pins, len(members) // 2)]] = c
    return y


def pinned(set: str, pins: int, seed: int, method: str) -> Row:
    """The ARI of the rows that are not pinned."""
    s = all_sets()[set]
    y = pin(s, pins, seed)
    free = y < 0
    labels = PINNED[method](s, y, seed)
    return {"half": s.half, "k": s.k, "ari": score(s.y[free], labels[free])}


def names() -> Any:
    return tuple(all_sets())


STUDY = Study(
    "The front door without labels: which clusters, how many, and a few known labels",
    parts=(
        Part(
            "results",
            lambda: ({"set": name, "seed": seed} for name in names() for seed in SEEDS),
            answers,
            quick={"set": ("iris",), "seed": (0,)},
        ),
        Part(
            "peers",
            lambda: (
                {"set": n, "method": m, "columns": c}
                for n in names()
                for m in PEERS
                for c in COLUMNS
            ),
            peer,
            quick={"set": ("iris",)},
        ),
        Part("fresh", fresh_keys, fresh, quick={"set": ("digits 3-5",), "columns": ("",)}),
        Part("number", number_keys, number, quick={"set": ("blobs 0",), "half": ("choose",)}),
        Part(
            "number_tables",
            table_keys,
            number_of_table,
            quick={"family": ("flags",), "seed": (600,)},
        ),
        Part(
            "pins",
            {"set": PIN_SETS, "pins": PINS, "seed": range(3), "method": tuple(PINNED)},
            pinned,
            quick={"set": ("iris",), "pins": (1,), "seed": (0,)},
            # classifiers need a label of each class
            only=lambda set, pins, seed, method: pins > 0 or method == OURS,
        ),
        *confidence.PARTS,
    ),
    tables=tables.TABLES | number_tables.TABLES | confidence.TABLES,
    pictures={"pins.png": tables.draw_pins},
    module=__name__,
)
