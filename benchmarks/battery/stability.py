"""How much the answer changes with the rows: 10 subsets of 70 % of them.

    export MAXMARGIN_BATTERY=…
    python -m benchmarks.battery.stability [--out stability.csv] [--only generators]

For each two subsets the ARI of the two answers on the rows that both have; the median over all
pairs is the stability of a set, whether or not the answer is right. On the sets of the battery that
some published method solves (ARI ≥ .95), and on the generators with gaps.
"""

import argparse
import os
import warnings
from collections.abc import Callable, Iterator
from itertools import combinations
from pathlib import Path
from typing import Any

for library in ("OMP", "OPENBLAS", "MKL"):
    os.environ.setdefault(f"{library}_NUM_THREADS", "1")

import numpy as np
from numpy.typing import NDArray
from sklearn.metrics import adjusted_rand_score

from benchmarks.battery.report import every_published, oracle
from benchmarks.battery.suite import MOST_ROWS, Labels, ari, battery, number_of
from benchmarks.shared.front_door import offered
from benchmarks.shared.table import write_csv
from benchmarks.unseen.draws import WITH_GAPS, generated

HERE = Path(__file__).parent
N_SUBSETS, SHARE = 10, 0.7
SOLVED = 0.95
#: Draws of each family of generators.
DRAWS = 4

Problem = tuple[str, str, NDArray[np.float64], int, Callable[[NDArray, Labels], float]]


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


def solved(most_rows: int) -> Iterator[Problem]:
    """The sets of the battery that some published method solves, with each of their numbers."""
    best = oracle(every_published())
    for data in battery([key for key, score in best.items() if score >= SOLVED], most_rows):
        for reference in {number_of(r): r for r in data.references}.values():
            yield (
                f"battery, {data.family}",
                data.name,
                data.X,
                number_of(reference),
                lambda rows, labels, truth=reference: ari(truth[rows], labels),
            )


def with_gaps(series: int, draws: int = DRAWS) -> Iterator[Problem]:
    """The draws of the generators whose clusters have empty space between them."""
    for draw in generated(series, draws):
        if draw.family in WITH_GAPS:
            yield (
                draw.family,
                draw.name,
                draw.X,
                draw.k,
                lambda rows, labels, y=draw.y: float(adjusted_rand_score(y[rows], labels)),
            )


def measure(problem: Problem) -> dict[str, Any]:
    """The stability of a set, and the scores of its subsets."""
    family, name, X, k, score = problem
    rows = subsets(len(X))
    labels = [offered(X[chosen], k, 1, random_state=0)[0] for chosen in rows]
    pairs = agreement(rows, labels)
    scores = [score(chosen, found) for chosen, found in zip(rows, labels, strict=True)]
    return {
        "family": family,
        "set": name,
        "rows": len(X),
        "k": k,
        "stability": round(float(np.median(pairs)), 4),
        "worst pair": round(min(pairs), 4),
        "worst ari": round(min(scores), 4),
        "best ari": round(max(scores), 4),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--out", type=Path, default=HERE / "stability.csv")
    parser.add_argument("--only", choices=("battery", "generators"))
    parser.add_argument("--most-rows", type=int, default=MOST_ROWS, help="leave out larger sets")
    parser.add_argument("--series", type=int, default=0, help="of the generators")
    options = parser.parse_args()
    warnings.simplefilter("ignore")
    parts = {
        "battery": lambda: solved(options.most_rows),
        "generators": lambda: with_gaps(options.series),
    }
    rows = []
    for part, problems in parts.items():
        for problem in problems() if options.only in (None, part) else ():
            rows.append(measure(problem))
            print(*rows[-1].values(), flush=True)
            write_csv(options.out, rows)
    stable = [row["stability"] for row in rows]
    print(
        f"median {np.median(stable):.3f}, at least .95 on {np.mean(np.array(stable) >= 0.95):.2f}"
    )


if __name__ == "__main__":
    main()
