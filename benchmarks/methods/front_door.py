"""The front door: its answer, what it offers besides, and what it could have chosen."""

from contextlib import suppress
from typing import Any
from unittest.mock import patch

import numpy as np
from numpy.typing import NDArray
from sklearn.metrics import adjusted_rand_score

from benchmarks.runner.measure import timed
from maxmargin import MaxMarginClustering
from maxmargin.front_door import max_margin_clustering as front_door
from maxmargin.front_door.candidates import by_affinity, generate, leading_vectors, spectral_labels
from maxmargin.front_door.choice import MIXTURE_STARTS, rank
from maxmargin.front_door.effort import EFFORTS
from maxmargin.front_door.number import NumberOfClusters
from maxmargin.front_door.sources.mixture import judge_mixture
from maxmargin.sizes import read_sizes
from maxmargin.spaces.metric import Metric
from maxmargin.spaces.pairwise import PairwiseDistances

OURS = "MaxMarginClustering"
Labels = NDArray[np.integer]


def offered(X: Any, k: int, n: int = 3, **parameters: Any) -> list[Labels]:
    """The labels of the answer and of the first n − 1 alternatives, for all rows."""
    model = MaxMarginClustering(k, **parameters).fit(X)
    others = range(min(n - 1, len(model.alternatives_)))
    return [model.labels_, *(model.use_alternative(i, X).labels_ for i in others)]


class Enough(Exception):
    """The rest of a fit is of no interest."""


def number_of_clusters(X: Any) -> NumberOfClusters | None:
    """What a fit without a number finds of it, without the answer at it, which takes as long."""
    found = []

    def only(*given: Any) -> Any:
        found.append(choose_number(*given)[1])
        raise Enough

    choose_number = front_door.choose_number
    with patch.object(front_door, "choose_number", only), suppress(Enough):
        MaxMarginClustering(random_state=0).fit(X)
    return found[0]


def best(y: Labels, found: list[Labels]) -> Labels:
    """What the truth would choose."""
    return max(found, key=lambda labels: adjusted_rand_score(y, labels))


def ways(s: Any, seed: int) -> dict[str, tuple[Labels, float | None]]:
    """Labels and CPU seconds of each way to choose, for a set with X, y and k."""
    found: dict[str, tuple[Labels, float | None]] = {}
    for effort in ("normal", "fast"):
        model = MaxMarginClustering(s.k, effort=effort, random_state=seed)
        _, taken = timed(model.fit, s.X)
        found[effort] = model.labels_, taken["cpu_seconds"]
        if effort == "normal":
            every = [model.labels_, *(a.labels for a in model.alternatives_)]
            found["best of 3 offered"] = best(s.y, every[:3]), None
            found["best of 4 offered"] = best(s.y, every), None

    metric = Metric().fit(s.X)
    distances = PairwiseDistances(metric.prepare(s.X), metric)
    sizes = read_sizes(distances.n, s.k, None, 0.1, None, np.full(distances.n, -1, np.int32))
    pool = generate(distances, EFFORTS["normal"], {s.k: sizes}, np.random.SeedSequence(seed))
    partitions = [candidate.labels for candidate in pool.candidates[s.k]]
    judges = list(pool.judges.values())
    ranking = rank(partitions, judges)
    found["without the mixture"] = partitions[ranking.best], None
    found["largest score, no vote"] = partitions[int(np.argmax(ranking.scores))], None
    found["best candidate (truth)"] = best(s.y, partitions), None
    first = [ranking.best, *ranking.distinct(ranking.best, MIXTURE_STARTS - 1)]
    mixture = judge_mixture(
        distances.coordinates,
        s.k,
        [partitions[p] for p in first],
        variance=distances.variance,
        seed=seed,
    )
    if mixture is not None:
        found["always the mixture"] = mixture.labels, None
    rng = np.random.default_rng(seed)
    spectral = []
    for space, *_ in by_affinity(EFFORTS["normal"].spaces):
        vectors = leading_vectors(space.space(distances).affinity(distances), s.k, rng)
        spectral.append(spectral_labels(vectors, s.k, seed))
    found["no search: spectral starts"] = spectral[rank(spectral, judges).best], None
    return found
