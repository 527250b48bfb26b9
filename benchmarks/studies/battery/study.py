"""The front door on the field's public sets, by their own protocol.

MAXMARGIN_BATTERY names the folder of clustering-data-v1; in that of MAXMARGIN_LABELS, if it is set,
all labels are kept and not found again.
"""

from collections.abc import Callable, Iterator
from functools import cache, partial
from itertools import combinations
from typing import Any
from unittest.mock import patch

import numpy as np
from numpy.typing import NDArray
from sklearn.metrics import adjusted_rand_score

from benchmarks.datasets.battery import BatterySet, Labels, ari, load, names, number_of, score
from benchmarks.datasets.unseen import WITH_GAPS, generated
from benchmarks.methods import peers
from benchmarks.methods.front_door import offered
from benchmarks.runner.measure import Row, timed
from benchmarks.runner.store import Store
from benchmarks.runner.study import Part, Results, Study
from benchmarks.studies.battery import page, published, tables
from maxmargin import MaxMarginClustering
from maxmargin.front_door import max_margin_clustering as front_door
from maxmargin.front_door.choice import Choice, choose

SEED, COLUMNS = 0, ("raw", "standardised")
#: What the user says about the scales of the columns, random rows, and columns that were rounded.
VARIANTS: dict[str, tuple[Row, Callable[[BatterySet], BatterySet]]] = {
    "standardised columns": ({"standardize": True}, lambda data: data),
    "raw columns": ({"standardize": False}, lambda data: data),
    "1500 rows": ({}, lambda data: data.sampled(1500)),
    "2 digits": ({}, lambda data: data.rounded(2)),
}


def keys(**axes: Any) -> Callable[[], Iterator[Row]]:
    """Every set, with the values of other axes."""

    def found() -> Iterator[Row]:
        for key in names():
            family, name = key.split("/")
            rows: list[Row] = [{"family": family, "set": name}]
            for axis, values in axes.items():
                rows = [row | {axis: value} for row in rows for value in values]
            yield from rows

    return found


def fitted(data: BatterySet, run: str, **parameters: Any) -> Row:
    """Fit a set with every k that its references ask for, and score it."""

    def fits() -> dict[int, list[Labels]]:
        how = {"random_state": SEED, **parameters}
        return {
            k: Store().kept(run, data.key, k, lambda k=k: offered(data.X, k, **how))
            for k in data.numbers
        }

    found, taken = timed(fits)
    scores = [score(data, lambda k, i=i: found[k][min(i, len(found[k]) - 1)]) for i in range(3)]
    row = {"rows": len(data.X), "k": " ".join(map(str, data.numbers)), "ari": scores[0]}
    return row | {"best of 3": max(scores), "seconds": taken["cpu_seconds"]}


def answer(family: str, set: str) -> Iterator[Row]:
    data = load(f"{family}/{set}")
    if data is not None:
        yield fitted(data, "ours")


def variant(family: str, set: str, variant: str) -> Iterator[Row]:
    data, (parameters, change) = load(f"{family}/{set}"), VARIANTS[variant]
    if data is not None:
        yield fitted(change(data), f"ours, {variant}", **parameters)


def peer(family: str, set: str, method: str, columns: str) -> Iterator[Row]:
    data = load(f"{family}/{set}")
    too_slow = method in peers.SLOW and data is not None and len(data.X) > peers.MOST_ROWS_OF_SLOW
    if data is None or too_slow:
        return
    run = peers.peers()[method]

    def labels_for(k: int) -> Labels:
        k = 0 if method in peers.CHOOSE_K else k
        fit = partial(peers.run, method, run, data.X, k, SEED, columns)
        return Store().kept(f"{method}-{columns}", data.key, k, lambda: [fit()])[0]

    yield {"ari": score(data, cache(labels_for))}


def of_others(family: str, set: str) -> Iterator[Row]:
    """One column for each method with its parameters."""
    data = load(f"{family}/{set}")
    if data is not None:
        yield published.scores(data, published.published(data))


# -- the best of all candidates, by the truth ----------------------------------------------


def candidates(data: BatterySet, k: int) -> tuple[Choice, Labels]:
    """What a fit chooses from, and the rows that decide."""
    seen: list[Choice] = []

    def watched(*args: Any, **parameters: Any) -> Choice:
        seen.append(choose(*args, **parameters))
        return seen[-1]

    with patch.object(front_door, "choose", watched):
        model = MaxMarginClustering(k, random_state=SEED).fit(data.X)
    return seen[0], model._sample.seen


def pool(family: str, set: str) -> Iterator[Row]:
    """The best candidate over the references, each with its own number, and how many there are."""
    data, best, many = load(f"{family}/{set}"), -1.0, 0
    for k in data.numbers if data is not None else ():
        choice, rows = candidates(data, k)
        for reference in (r for r in data.references if number_of(r) == k):
            found = [ari(reference[rows], c.labels) for c in choice.candidates]
            best, many = max(best, *found), max(many, len(found))
    if many:
        yield {"best": best, "candidates": many}


# -- how much the answer changes with the rows ---------------------------------------------

N_SUBSETS, SHARE = 10, 0.7
SOLVED = 0.95
DRAWS = 4  # of each family of generators


def subsets(n: int, seed: int = 0) -> list[NDArray[np.integer]]:
    """The rows of each subset, in their order."""
    rng = np.random.default_rng([n, seed])
    return [np.sort(rng.permutation(n)[: round(SHARE * n)]) for _ in range(N_SUBSETS)]


def agreement(rows: list[NDArray[np.integer]], labels: list[Labels]) -> list[float]:
    """ARI of each two answers on the rows that both subsets have."""
    found = []
    for i, j in combinations(range(len(rows)), 2):
        _, one, two = np.intersect1d(rows[i], rows[j], assume_unique=True, return_indices=True)
        found.append(float(adjusted_rand_score(labels[i][one], labels[j][two])))
    return found


@cache
def with_gaps() -> dict[str, Any]:
    """The draws of the generators whose clusters have empty space between them."""
    return {draw.name: draw for draw in generated(0, DRAWS) if draw.family in WITH_GAPS}


def stability_keys() -> Iterator[Row]:
    """The sets that some published method solves, with each of their numbers, and the draws."""
    best = tables.oracle(tables.every_published(Results(STUDY.folder)))
    for key in names():
        data = load(key) if best.get(key, 0) >= SOLVED else None
        for k in data.numbers if data is not None else ():
            yield {"family": f"battery, {data.family}", "set": data.name, "k": k}
    for name, draw in with_gaps().items():
        yield {"family": draw.family, "set": name, "k": draw.k}


def stable(family: str, set: str, k: int) -> Row:
    """For each two of 10 subsets of 70 % the ARI of the answers, right or not; the median."""
    if family.startswith("battery, "):
        data = load(f"{family.removeprefix('battery, ')}/{set}")
        X, truth = data.X, {number_of(r): r for r in data.references}[k]
    else:
        draw = with_gaps()[set]
        X, truth = draw.X, draw.y + 1
    rows = subsets(len(X))
    labels = [offered(X[chosen], k, 1, random_state=SEED)[0] for chosen in rows]
    pairs = agreement(rows, labels)
    scores = [ari(truth[chosen], found) for chosen, found in zip(rows, labels, strict=True)]
    row = {"rows": len(X), "stability": np.median(pairs), "worst pair": min(pairs)}
    return row | {"worst ari": min(scores), "best ari": max(scores)}


SMALL: Row = {"family": ("fcps", "chains and circles"), "set": ("hepta",)}
STUDY = Study(
    "The front door on the field's public sets, beside what others published",
    parts=(
        Part("results", keys(), answer, quick=SMALL),
        Part("peers", lambda: keys(method=peers.peers(), columns=COLUMNS)(), peer, quick=SMALL),
        Part("published", keys(), of_others, quick={"family": ()}),
        Part("pool", keys(), pool, quick=SMALL),
        Part("stability", stability_keys, stable, quick={"set": ("hepta",)}),
        Part("variants", keys(variant=VARIANTS), variant, quick=SMALL),
    ),
    tables=tables.TABLES | page.TABLES,
    pictures={"../../../docs/pictures/battery": page.draw_all},
    module=__name__,
)
