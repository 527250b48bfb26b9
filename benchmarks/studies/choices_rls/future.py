"""What UMC-RLS names as future work, beside shaking.

Claims that decay otherwise than by halves, claims among the rows near one row only, memberships
that are partial until the end, and k-means with a fine tuning; four runs each, the best by f, on
the sets of the curve of pins, at most 400 rows of each.
"""

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import issparse
from sklearn.cluster import KMeans
from sklearn.metrics import adjusted_rand_score

from benchmarks.runner.measure import Row
from benchmarks.runner.study import Part, Results
from benchmarks.runner.table import distinct, markdown, number, where
from benchmarks.studies.choices_rls.pins import SETS, some
from maxmargin import RLSClustering
from maxmargin.search import Found, Problem, Search, Shaking, Start, Steepest

RUNS = 4
ROUNDS = 20
MOST_ROWS = 400


class Decaying(Search):
    """Shaking whose claims are divided by a number from round to round, or fall to 0 in a line."""

    def __init__(self, by: float | None) -> None:
        self.by = by

    def run(self, problem: Problem, start: Start, rng: np.random.Generator) -> Found:
        """Search from the start."""
        labelling, quota = problem.labelling(start.labels), start.quota.astype(np.intp)
        rounds = ROUNDS if self.by is None else 1 + int(ROUNDS * np.log(2) / np.log(self.by))
        first, path = start.number % 4 if len(quota) == 2 else 0, []
        for i in range(first, first + rounds):
            share = max(0, 1 - i / (rounds - 1)) / 2 if self.by is None else self.by**-i
            for c in range(len(quota)):
                claims = int(share * start.quota[c]) + quota[c] - labelling.counts[c]
                labelling.claim(c, claims)
            path.append(labelling.value)
        labelling.repair()
        return Found(labelling, path, len(path))


class Local(Search):
    """Shaking in which a cluster claims among the rows that R joins most with a random one."""

    def __init__(self, share: float) -> None:
        self.share = share

    def run(self, problem: Problem, start: Start, rng: np.random.Generator) -> Found:
        """Search from the start."""
        labelling, quota = problem.labelling(start.labels), start.quota.astype(np.intp)
        n, movable, path = len(start.labels), labelling.movable, []
        for i in range(ROUNDS):
            for c in range(len(quota)):
                near = np.argsort(-problem.form.matrix[rng.integers(n)])[: int(self.share * n)]
                labelling.movable = np.isin(np.arange(n), near).astype(np.uint8)
                there = np.sum(labelling.labels[near] != c)
                claims = int(start.quota[c] / 2**i) + quota[c] - labelling.counts[c]
                labelling.claim(c, min(claims, there))
            path.append(labelling.value)
        labelling.movable = movable
        labelling.repair()
        return Found(labelling, path, len(path))


class Partial(Search):
    """Memberships softmax(β RH) that sharpen from round to round, with equal sums."""

    def run(self, problem: Problem, start: Start, rng: np.random.Generator) -> Found:
        """Search from the start."""
        form, k = problem.form, len(start.quota)
        R = form.matrix + np.diag(form.diagonal)
        H = np.eye(k)[start.labels] + 0.1 * rng.random((form.n, k))
        for i in range(30):
            T = R @ (H / H.sum(axis=0) * form.n / k)
            H = np.exp(2 * 1.2**i * (T - T.max(axis=1, keepdims=True)))
            for _ in range(5):
                H /= np.maximum(H.sum(axis=0), 1e-9)
                H /= H.sum(axis=1, keepdims=True)
        labelling = problem.labelling(H.argmax(axis=1).astype(np.int32))
        labelling.repair()
        return Found(labelling, [labelling.value], 30)


def k_means(X: Any, k: int, seed: int) -> NDArray[np.int32]:
    rows = X.toarray() if issparse(X) else X
    return KMeans(k, n_init=1, random_state=seed).fit(rows).labels_.astype(np.int32)


def fits(X: Any, k: int) -> dict[str, NDArray[np.int32]]:
    how = {"n_clusters": k, "n_init": RUNS, "random_state": 0, "init": "random"}
    searches: dict[str, Search] = {"shaking": Shaking()}
    searches |= {f"claims divided by {by:g}": Decaying(by) for by in (1.3, 1.5, 3.0, 4.0)}
    searches |= {"claims fall in a line": Decaying(None), "partial memberships": Partial()}
    searches |= {f"claims near a row ({share:.0%})": Local(share) for share in (0.3, 0.6)}
    found = {
        name: RLSClustering(search=one, **how).fit(X).labels_ for name, one in searches.items()
    }
    for name, search in {"steepest": Steepest(), "shaking": Shaking()}.items():
        runs = [
            RLSClustering(**{**how, "init": k_means(X, k, seed)}, search=search).fit(X)
            for seed in range(RUNS)
        ]
        found[f"k-means, then {name}"] = max(runs, key=lambda run: run.objective_).labels_
    return found


def measure(set: str) -> Iterator[Row]:
    """The answers of every search."""
    X, y = some(set, MOST_ROWS)
    for search, labels in fits(X, int(y.max()) + 1).items():
        yield {"search": search, "ari": adjusted_rand_score(y, labels)}


def table(results: Results) -> str:
    """The mean, and on how many sets each is better or worse than shaking."""
    rows, lines = results["future"], []
    scores = {
        search: np.array([float(row["ari"]) for row in where(rows, search=search)])
        for search in distinct(rows, "search")
    }
    for search, found in scores.items():
        gain = found - scores["shaking"]
        lines.append([search, number(found.mean(), 3), sum(gain > 0.02), sum(gain < -0.02)])
    return markdown(["search", "mean ARI", "better by .02", "worse by .02"], lines)


PARTS = (Part("future", {"set": SETS}, measure, quick={"set": ("iris",)}),)
TABLES = {"future": table}
