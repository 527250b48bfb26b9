"""Why the defaults of RLSClustering are what they are.

    python benchmarks/choices/rls/run.py

Mean ARI over small data sets of many kinds: widths against alphas, and what the runs of one fit
aim at, start from and are chosen by. Results go to ``README.md``.
"""

import os
import sys
import warnings
from collections.abc import Iterator
from pathlib import Path

for library in ("OMP", "OPENBLAS", "MKL"):
    os.environ.setdefault(f"{library}_NUM_THREADS", "1")

import numpy as np
from sklearn.metrics import adjusted_rand_score

HERE = Path(__file__).parent
sys.path[:0] = [str(HERE), str(HERE.parents[1])]

from sets import Set, all_sets
from shared.machine import one_line
from shared.table import fill, markdown, number

from maxmargin import RLSClustering
from maxmargin.search import Shaking
from maxmargin.search.engine import Engine, Start
from maxmargin.search.starts import nearest_seed
from maxmargin.sizes import read_sizes
from maxmargin.spaces.kernel import Kernel
from maxmargin.spaces.quadratic_form import QuadraticForm

ALPHAS = (1e-5, 1e-4, 1e-3, 1e-2)
SEEDS = (0, 1)
RUNS = 4

#: name: (proportions, init, restart r begins at round r mod this, None for the default)
VARIANTS = {
    "balanced (default)": ("balanced", "random", None),
    "balanced, k-means++ starts": ("balanced", "k-means++", None),
    "balanced, restart r from round r mod 4": ("balanced", "random", 4),
    "free": (None, "random", None),
    "free, k-means++ starts": (None, "k-means++", None),
    "free, restart r from round r mod 4": (None, "random", 4),
}


def width_table(sets: dict[str, Set]) -> Iterator[list[str]]:
    for gamma in ("median", "neighbors", "scale"):
        means = []
        for alpha in ALPHAS:
            scores = [
                adjusted_rand_score(
                    y,
                    RLSClustering(
                        len(np.unique(y)), gamma=gamma, alpha=alpha, random_state=seed
                    ).fit_predict(X),
                )
                for X, y in sets.values()
                for seed in SEEDS
            ]
            means.append(np.mean(scores))
        print(gamma, means, flush=True)
        yield [f'`gamma="{gamma}"`', *(number(mean, 3) for mean in means)]


def choice_table(sets: dict[str, Set]) -> Iterator[list[str]]:
    """The runs of one fit, compared by f and by the leave-one-out score."""
    for name, variant in VARIANTS.items():
        chosen = np.array(
            [choose(X, y, seed, *variant) for X, y in sets.values() for seed in SEEDS]
        )
        print(name, chosen.mean(axis=0), flush=True)
        yield [name, *(number(mean, 3) for mean in chosen.mean(axis=0))]


def choose(
    X: np.ndarray, y: np.ndarray, seed: int, proportions: str | None, init: str, rounds: int | None
) -> tuple[float, float, float]:
    """ARI of the run that f, the leave-one-out score and the true labels would choose."""
    n, k = len(X), len(np.unique(y))
    rng = np.random.default_rng(seed)
    kernel = Kernel("rbf", gamma="median").fit(X, rng)
    form = QuadraticForm.from_gram(kernel.gram(X)[0], 1e-4 * n)
    sizes = read_sizes(n, k, proportions, 0.1, None, np.full(n, -1, np.int32))
    runs = []
    for r in range(RUNS):
        quota = sizes.draw_quota(rng, r)
        informed = init == "k-means++"
        labels = nearest_seed(kernel, X, k, rng) if informed else sizes.random_labels(rng, quota)
        search = Shaking(first_round=None if rounds is None else r % rounds)
        start = Start(labels, informed, quota, r)
        run = Engine(form, sizes).run(search, start, rng)
        runs.append((run.objective, run.loo_score, adjusted_rand_score(y, run.labels)))
    return tuple(max(runs, key=lambda run, i=i: run[i])[2] for i in range(3))


def main() -> None:
    warnings.simplefilter("ignore")
    sets = all_sets()
    readme = HERE / "README.md"
    fill(
        readme,
        "choices",
        markdown(["runs", "chosen by f", "by `loo_score_`", "by the truth"], choice_table(sets)),
    )
    fill(readme, "widths", markdown(["", *(f"alpha = {a:g}" for a in ALPHAS)], width_table(sets)))
    fill(readme, "machine", f"{len(sets)} sets, {len(SEEDS)} seeds. {one_line()}")


if __name__ == "__main__":
    main()
