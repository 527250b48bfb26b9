"""SupportVectorClustering without labels, and why its constants are so."""

import os
from collections.abc import Iterator
from contextlib import ExitStack
from functools import cache
from typing import Any
from unittest.mock import patch

import numpy as np
from sklearn.datasets import load_digits
from sklearn.decomposition import PCA
from sklearn.metrics import adjusted_rand_score
from sklearn.preprocessing import StandardScaler

from benchmarks.datasets import many_rows
from benchmarks.datasets.groups import (
    BATTERY,
    FRESH,
    GROUPS,
    LARGE,
    REAL,
    VARIABLE,
    scaled,
    sets_of,
)
from benchmarks.datasets.six_shapes import six_shapes
from benchmarks.datasets.stored import load
from benchmarks.datasets.unseen import TEXT, Draw, real
from benchmarks.methods.densities import METHODS, MOST_OF_SHIFT, SHIFT
from benchmarks.runner.measure import Row, fit, only_ari
from benchmarks.runner.study import Part, Study
from benchmarks.studies.choices_support_vector import tables
from benchmarks.studies.choices_support_vector.tables import AS_IS, BY_LABELS, CHANGES
from maxmargin import SupportVectorClustering
from maxmargin.domain import domain_graph, finder, graph, width

MODULES = {"domain_graph": domain_graph, "graph": graph, "width": width}


def ours(X: Any, y: Any, constants: Row, parameters: Row) -> Row:
    """The defaults with constants (named module.name) and parameters changed."""
    with ExitStack() as stack:
        for place, value in constants.items():
            module, constant = place.split(".")
            stack.enter_context(patch.object(MODULES[module], constant, value))
        return fit(SupportVectorClustering(random_state=0, **parameters), X, y, only_ari)


def group_keys(names: tuple[str, ...], methods: Any) -> Iterator[Row]:
    for group in names:
        for name in sets_of(group):
            for method in methods:
                if not (method == SHIFT and len(sets_of(group)[name][0]) > MOST_OF_SHIFT):
                    yield {"group": group, "set": name, "method": method}


def in_groups(group: str, set: str, method: str) -> Row:
    """The defaults and their peers."""
    X, y = sets_of(group)[set]
    facts = {"n": X.shape[0], "d": X.shape[1], "classes": len(np.unique(y[y >= 0]))}
    return facts | fit(METHODS[method](), X, y, only_ari)


def ablation(group: str, set: str, method: str) -> Row:
    """One change at a time."""
    return ours(*sets_of(group)[set], *CHANGES[method])


@cache
def larger(name: str) -> Any:
    """All rows of the sets with more than 2000 of them."""
    if name == "six shapes":
        return six_shapes(10_000)
    return scaled(load("d31") if name == "d31" else LARGE[name]())


def landmark(set: str, n_landmarks: str, seed: int) -> Row:
    """Other numbers of landmarks."""
    X, y = larger(set)
    number = None if n_landmarks == "None" else int(n_landmarks)
    model = SupportVectorClustering(n_landmarks=number, random_state=seed)
    return {"n": X.shape[0], "d": X.shape[1]} | fit(model, X, y, only_ari)


def landmark_keys() -> Iterator[Row]:
    for name in (*LARGE, "d31", "six shapes"):
        for number in tables.LANDMARKS:
            for seed in range(tables.LANDMARK_SEEDS if number else 1):
                yield {"set": name, "n_landmarks": str(number), "seed": seed}


@cache
def many(name: str) -> Any:
    """All rows of a set, or some of them, or those of random classes."""
    source, _, which = name.partition(", ")
    X, y = many_rows.shapes(100_000) if source == "four shapes" else load(source)
    if which.startswith("classes"):
        rng = np.random.default_rng([904, int(which.split()[1])])
        chosen = rng.choice(10, int(rng.integers(3, 8)), replace=False)
        X, y = X[np.isin(y, chosen)], y[np.isin(y, chosen)]
    elif which:
        rows = np.random.default_rng(0).permutation(len(X))[: int(which.replace(" ", ""))]
        X, y = X[rows], y[rows]
    return X.astype(np.float32), y


def mean(set: str, landmarks: str, seed: int) -> Row:
    """Landmarks as they are, and means of their neighbours."""
    X, y = many(set)
    with ExitStack() as stack:
        if landmarks == tables.AS_THEY_ARE:
            stack.enter_context(patch.object(finder, "local_means", lambda *given: None))
        model = SupportVectorClustering(random_state=seed)
        return {"n": X.shape[0], "d": X.shape[1]} | fit(model, X, y, only_ari)


STREAM = tables.STREAM


def stream(order: str, seed: int) -> Row:
    """``partial_fit`` with rows in a random and in a sorted order."""
    X, y = six_shapes(STREAM["n"])
    rows = {
        "random": np.arange(len(X)),
        "sorted by class": np.argsort(y, kind="stable"),
        "sorted by the first column": np.argsort(X[:, 0], kind="stable"),
    }[order]
    model = SupportVectorClustering(n_landmarks=STREAM["n_landmarks"], random_state=seed)
    for start in range(0, len(X), STREAM["batch"]):
        model.partial_fit(X[rows[start : start + STREAM["batch"]]])
    known = y >= 0
    return {"ari": adjusted_rand_score(y[known], model.predict(X[known])), "k": model.n_clusters_}


WEAK = {"graph.WEAKEST": np.inf}
#: What may explain a low ARI on digits: constants and parameters.
DIGITS: dict[str, tuple[Row, Row]] = {
    AS_IS: ({}, {}),
    "pixels as they come": ({}, {}),
    "30 principal components": ({}, {}),
    "weak pieces are not joined": (WEAK, {}),
    "min_cluster_size=5": ({}, {"min_cluster_size": 5}),
    "min_cluster_size=0.01": ({}, {"min_cluster_size": 0.01}),
    "nu=0.5": ({}, {"nu": 0.5}),
    "wider: 0.7, 1, 1.4": ({"width.NARROW_WIDTHS": (0.7, 1.0, 1.4)}, {}),
    BY_LABELS: ({}, {}),
    f"{BY_LABELS}, weak pieces are not joined": (WEAK, {}),
}


def digit(change: str) -> Row:
    """Other scales, parameters and constants; at last the choice of the labels."""
    pixels, y = load_digits(return_X_y=True)
    X = StandardScaler().fit_transform(pixels)
    others = {"pixels as they come": pixels}
    others["30 principal components"] = PCA(30, random_state=0).fit_transform(X)

    def by_labels(self: Any, labels: Any, beat: float = -np.inf) -> float:
        return float(adjusted_rand_score(y, labels))

    with ExitStack() as stack:
        if change.startswith(BY_LABELS):
            stack.enter_context(patch.object(domain_graph.DomainGraph, "split_gap", by_labels))
        return ours(others.get(change, X), y, *DIGITS[change])


@cache
def real_draws() -> dict[str, Draw]:
    """Random classes of real sets, columns as they are.

    Series 901 was looked at while the rule for many dimensions was chosen; 903 was run once.
    """
    return {draw.name: draw for draw in real(903, 6) if draw.family not in TEXT}


def real_draw(set: str) -> Row:
    """The defaults and HDBSCAN; its noise joins the nearest clustered row."""
    draw = real_draws()[set]
    X = np.asarray(draw.X, dtype=float)
    found = {m: fit(METHODS[m](), X, draw.y, only_ari)["ari"] for m in tables.IN_REAL_DRAWS}
    return {"series": 903, "rows": len(X), "k": draw.k} | found


def known_groups() -> tuple[str, ...]:
    """Those whose folder is there."""
    return tuple(g for g in GROUPS if g != BATTERY or VARIABLE in os.environ)


STUDY = Study(
    "SupportVectorClustering without labels, and why its constants are so",
    parts=(
        Part(
            "groups",
            lambda: group_keys(known_groups(), METHODS),
            in_groups,
            quick={"group": (REAL,), "set": ("iris",)},
        ),
        Part(
            "ablations",
            lambda: group_keys((FRESH, REAL), CHANGES),
            ablation,
            quick={"group": (REAL,), "set": ("iris",)},
        ),
        Part(
            "landmarks", landmark_keys, landmark, quick={"set": ("d31",), "n_landmarks": ("500",)}
        ),
        Part(
            "means",
            {
                "set": tables.MANY,
                "landmarks": (tables.AS_THEY_ARE, tables.MEANS),
                "seed": range(tables.LANDMARK_SEEDS),
            },
            mean,
            quick={"set": ("satellite",), "seed": (0,)},
        ),
        Part(
            "streams",
            {
                "order": ("random", "sorted by class", "sorted by the first column"),
                "seed": range(STREAM["seeds"]),
            },
            stream,
            quick={"order": ("random",), "seed": (0,)},
        ),
        Part(
            "real_draws",
            lambda: ({"set": name} for name in real_draws()),
            real_draw,
            quick={"set": ("digits 0",)},
        ),
        Part("digits", {"change": tuple(DIGITS)}, digit, quick={"change": ("nu=0.5",)}),
    ),
    tables=tables.TABLES,
    module=__name__,
)
