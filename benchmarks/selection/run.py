"""The front door on all sets, next to its own parts and to what it could have chosen.

    python benchmarks/selection/run.py [seeds]

Writes ``results.csv``: one row for each set, seed and way to choose. ``report.py`` makes the tables
of the README from it and from ``peers.csv``.
"""

import os
import sys
import time
import warnings
from pathlib import Path

for library in ("OMP", "OPENBLAS", "MKL"):
    os.environ.setdefault(f"{library}_NUM_THREADS", "1")

import numpy as np
from sklearn.metrics import adjusted_rand_score

HERE = Path(__file__).parent
sys.path[:0] = [str(HERE), str(HERE.parent)]

from sets import Set, all_sets, unbalanced
from shared.table import write_csv

from maxmargin import MaxMarginClustering
from maxmargin.front_door.candidates import by_affinity, generate, leading_vectors, spectral_labels
from maxmargin.front_door.choice import MIXTURE_STARTS, rank
from maxmargin.front_door.effort import EFFORTS
from maxmargin.front_door.sources.mixture import judge_mixture
from maxmargin.sizes import read_sizes
from maxmargin.spaces.metric import Metric
from maxmargin.spaces.pairwise import PairwiseDistances

SEEDS = 3


def ways(s: Set, seed: int) -> dict[str, tuple[np.ndarray, float]]:
    """Labels and CPU seconds of each way to choose."""
    n = s.X.shape[0]
    found = {}
    for effort in ("normal", "fast"):
        began = time.process_time()
        model = MaxMarginClustering(s.k, effort=effort, random_state=seed).fit(s.X)
        found[effort] = model.labels_, time.process_time() - began
        if effort == "normal":
            offered = [model.labels_, *(a.labels for a in model.alternatives_)]
            best = max(offered[:3], key=lambda labels: adjusted_rand_score(s.y, labels))
            found["best of 3 offered"] = best, np.nan
            best = max(offered, key=lambda labels: adjusted_rand_score(s.y, labels))
            found["best of 4 offered"] = best, np.nan

    metric = Metric().fit(s.X)
    rows = metric.prepare(s.X)
    distances = PairwiseDistances(rows, metric)
    sizes = read_sizes(n, s.k, None, 0.1, None, np.full(n, -1, np.int32))
    pool = generate(distances, EFFORTS["normal"], {s.k: sizes}, np.random.SeedSequence(seed))
    partitions = [candidate.labels for candidate in pool.candidates[s.k]]
    judges = list(pool.judges.values())
    ranking = rank(partitions, judges)
    found["without the mixture"] = partitions[ranking.best], np.nan
    found["largest score, no vote"] = partitions[int(np.argmax(ranking.scores))], np.nan
    found["best candidate (truth)"] = (
        max(partitions, key=lambda labels: adjusted_rand_score(s.y, labels)),
        np.nan,
    )
    first = [ranking.best, *ranking.distinct(ranking.best, MIXTURE_STARTS - 1)]
    mixture = judge_mixture(
        distances.coordinates,
        s.k,
        [partitions[p] for p in first],
        variance=distances.variance,
        seed=seed,
    )
    if mixture is not None:
        found["always the mixture"] = mixture.labels, np.nan
    rng = np.random.default_rng(seed)
    spectral = []
    for space, *_ in by_affinity(EFFORTS["normal"].spaces):
        vectors = leading_vectors(space.space(distances).affinity(distances), s.k, rng)
        spectral.append(spectral_labels(vectors, s.k, seed))
    found["no search: spectral starts"] = spectral[rank(spectral, judges).best], np.nan
    return found


def main() -> None:
    warnings.simplefilter("ignore")
    seeds = range(int(sys.argv[1]) if len(sys.argv) > 1 else SEEDS)
    rows = []
    for name, s in all_sets().items():
        for seed in seeds:
            for way, (labels, seconds) in ways(s, seed).items():
                rows.append(
                    {
                        "set": name,
                        "half": s.half,
                        "family": s.family,
                        "k": s.k,
                        "unbalanced": unbalanced(s),
                        "seed": seed,
                        "way": way,
                        "ari": round(float(adjusted_rand_score(s.y, labels)), 4),
                        "seconds": round(seconds, 2),
                    }
                )
        print(name, *(f"{row['way']}: {row['ari']:.2f}" for row in rows[-9:-6]), flush=True)
    write_csv(HERE / "results.csv", rows)


if __name__ == "__main__":
    main()
