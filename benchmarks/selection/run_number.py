"""The number of clusters: how often it is found, and what a wrong one costs.

    python benchmarks/selection/run_number.py

Writes ``number.csv``, one row for each set and rule. ``ari`` is that of the rule's own partition at
the number that it chose, ``ari_given_k`` that of its partition into the true number of clusters,
``ari_here`` that of the candidate of MaxMarginClustering at the number that the rule chose;
``agreement`` is how many of the three voices say the number. The means of the halves are printed,
and what the agreement is worth.
"""

import os
import sys
import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

for library in ("OMP", "OPENBLAS", "MKL"):
    os.environ.setdefault(f"{library}_NUM_THREADS", "1")

import numpy as np
from sklearn.metrics import adjusted_rand_score, silhouette_score
from sklearn.mixture import GaussianMixture

HERE = Path(__file__).parent
sys.path[:0] = [str(HERE), str(HERE.parent)]

from peers import PEERS, Labels, dense
from sets import Set, all_sets
from shared.table import markdown, number, write_csv

from maxmargin.front_door.candidates import generate
from maxmargin.front_door.choice import best_labels
from maxmargin.front_door.effort import EFFORTS, ROWS_PER_CLUSTER
from maxmargin.front_door.number import K_MAX
from maxmargin.selection.number import NumberOfClusters, count_clusters
from maxmargin.sizes import read_sizes
from maxmargin.spaces.metric import Metric
from maxmargin.spaces.pairwise import PairwiseDistances

SEED = 0
VOTE = "MaxMarginClustering"
Row = dict[str, Any]


@dataclass(frozen=True)
class Answer:
    """What a rule chose: a number, its partition, and its partition into the true number."""

    k: int
    labels: Labels
    given: Labels | None


def candidates(s: Set) -> tuple[dict[int, Labels], NumberOfClusters]:
    """The partitions that ``n_clusters=None`` looks at, and what it concludes."""
    n = s.X.shape[0]
    metric = Metric().fit(s.X)
    distances = PairwiseDistances.of(metric, metric.prepare(s.X))
    free = np.full(n, -1, np.int32)
    limits = {k: read_sizes(n, k, None, 0.1, None, free) for k in numbers(s)}
    effort = replace(EFFORTS["normal"], n_shakes=1)
    pool = generate(distances, effort, limits, np.random.SeedSequence(SEED))
    partitions = {k: best_labels(pool, k) for k in limits}
    found = count_clusters(
        distances.coordinates,
        distances.neighbors,
        partitions,
        k_max=max(partitions),
        criteria=list(pool.judges.values()),
    )
    return partitions, found


def numbers(s: Set) -> range:
    """The numbers of clusters that are considered."""
    return range(2, max(2, min(K_MAX, s.X.shape[0] // ROWS_PER_CLUSTER)) + 1)


def silhouette(s: Set) -> Answer:
    """The largest mean silhouette of k-means."""
    X = dense(s, SEED)
    tried = {k: PEERS["k-means"](replace(s, k=k), SEED) for k in numbers(s)}
    k = max(tried, key=lambda k: silhouette_score(X, tried[k]))
    return Answer(k, tried[k], tried[s.k])


def bic(s: Set) -> Answer:
    """The smallest BIC of Gaussian mixtures with full or diagonal covariances."""
    X = dense(s, SEED)
    n, d = X.shape
    tried: dict[int, tuple[float, Labels]] = {}
    for k in (1, *numbers(s)):
        for shape in ("full", "diag"):
            if shape == "full" and 3 * k * d > n:  # more parameters than the rows determine
                continue
            mixture = GaussianMixture(k, covariance_type=shape, reg_covar=1e-4, random_state=SEED)
            value = mixture.fit(X).bic(X)
            if k not in tried or value < tried[k][0]:
                tried[k] = value, mixture.predict(X)
    k = min(tried, key=lambda k: tried[k][0])
    return Answer(k, tried[k][1], tried[s.k][1])


def density(s: Set) -> Answer:
    """HDBSCAN's own number."""
    labels = PEERS["HDBSCAN"](s, SEED)
    return Answer(len(np.unique(labels)), labels, None)


OTHERS: dict[str, Callable[[Set], Answer]] = {
    "silhouette of k-means": silhouette,
    "BIC of Gaussian mixtures": bic,
    "HDBSCAN": density,
}


def results() -> Iterator[Row]:
    for name, s in all_sets().items():
        partitions, found = candidates(s)
        voices = {
            VOTE: found.k,
            "split gap alone": found.k_gap,
            "dips alone": found.k_dip,
            "drop of predictability alone": found.k_drop,
            "modes alone": found.k_mode,
        }
        answers = {
            rule: Answer(k, at(partitions, k), partitions[s.k]) for rule, k in voices.items()
        }
        answers |= {rule: choose(s) for rule, choose in OTHERS.items()}
        for rule, answer in answers.items():
            yield {
                "set": name,
                "half": s.half,
                "rule": rule,
                "k": answer.k,
                "k_true": s.k,
                "ari": score(s, answer.labels),
                "ari_given_k": "" if answer.given is None else score(s, answer.given),
                "ari_here": score(s, at(partitions, answer.k)),
                "agreement": found.agreement if rule == VOTE else "",
            }
        print(name, s.k, *(f"{rule}: {answer.k}" for rule, answer in answers.items()), flush=True)


def at(partitions: dict[int, Labels], k: int) -> Labels:
    """The partition into k clusters, or into as near a number as there is."""
    return partitions[min(max(k, min(partitions)), max(partitions))]


def score(s: Set, labels: Labels) -> float:
    return round(float(adjusted_rand_score(s.y, labels)), 4)


def halves(rows: list[Row]) -> str:
    """How good each rule is on each half."""
    table = []
    for half in ("A", "B"):
        own = [row for row in rows if row["half"] == half]
        given = np.mean([row["ari_given_k"] for row in own if row["rule"] == VOTE])
        table.append([half, "k given", "", "", number(given, 3), "1", number(given, 3), "1"])
        for rule in dict.fromkeys(row["rule"] for row in own):
            part = [row for row in own if row["rule"] == rule]
            off = np.array([abs(row["k"] - row["k_true"]) for row in part])
            ari, here = (np.mean([row[name] for row in part]) for name in ("ari", "ari_here"))
            known = [row["ari_given_k"] for row in part if row["ari_given_k"] != ""]
            cells = [
                number(np.mean(off == 0)),
                number(off.mean()),
                number(ari, 3),
                number(ari / np.mean(known), 3) if known else "–",
                number(here, 3),
                number(here / given, 3),
            ]
            table.append([half, rule, *cells])
    header = ["half", "rule", "exact", "mean off by", "ARI", "of that with k given"]
    return markdown([*header, "ARI with partitions of here", "of that with k given"], table)


def worth(rows: list[Row]) -> str:
    """What it means that so many voices agree."""
    table = []
    for half in ("A", "B", "AB"):
        own = [row for row in rows if row["rule"] == VOTE and row["half"] in half]
        for agreement in sorted({row["agreement"] for row in own}, reverse=True):
            part = [row for row in own if row["agreement"] == agreement]
            off = np.array([abs(row["k"] - row["k_true"]) for row in part])
            ari, given = (np.mean([row[name] for row in part]) for name in ("ari", "ari_given_k"))
            shares = [number(np.mean(off == 0)), number(np.mean(off <= 1))]
            table.append([half, agreement, len(part), *shares, number(ari), number(given)])
    header = ["half", "agree", "sets", "exact", "within 1", "ARI", "ARI with k given"]
    return markdown(header, table)


def main() -> None:
    warnings.simplefilter("ignore")
    rows = list(results())
    write_csv(HERE / "number.csv", rows)
    print(halves(rows), worth(rows), sep="\n\n")


if __name__ == "__main__":
    main()
