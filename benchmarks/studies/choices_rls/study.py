"""Why the defaults of RLSClustering are what they are: widths, and what runs aim at."""

from functools import cache

import numpy as np
from sklearn.metrics import adjusted_rand_score

from benchmarks.datasets.small import Set, all_sets
from benchmarks.runner import machine
from benchmarks.runner.measure import Row
from benchmarks.runner.study import Part, Results, Study
from benchmarks.runner.table import distinct, grid, mean_of, number, where
from benchmarks.studies.choices_rls import future, pins
from maxmargin import RLSClustering
from maxmargin.search import Shaking
from maxmargin.search.engine import Engine, Start
from maxmargin.search.starts import nearest_seed
from maxmargin.sizes import read_sizes
from maxmargin.spaces.kernel import Kernel
from maxmargin.spaces.quadratic_form import QuadraticForm

ALPHAS = (1e-5, 1e-4, 1e-3, 1e-2)
SEEDS, RUNS = (0, 1), 4
#: name: (proportions, init, restart r begins at round r mod this, None for the default)
VARIANTS = {
    "balanced (default)": ("balanced", "random", None),
    "balanced, k-means++ starts": ("balanced", "k-means++", None),
    "balanced, restart r from round r mod 4": ("balanced", "random", 4),
    "free": (None, "random", None),
    "free, k-means++ starts": (None, "k-means++", None),
    "free, restart r from round r mod 4": (None, "random", 4),
}
CHOSEN_BY = {"chosen by f": "by_f", "by `loo_score_`": "by_loo", "by the truth": "by_truth"}


@cache
def sets() -> dict[str, Set]:
    return all_sets()


def width(gamma: str, alpha: float, set: str, seed: int) -> Row:
    """The ARI of a width rule and a regularisation."""
    X, y = sets()[set]
    model = RLSClustering(len(np.unique(y)), gamma=gamma, alpha=alpha, random_state=seed)
    return {"ari": adjusted_rand_score(y, model.fit_predict(X))}


def choice(runs: str, set: str, seed: int) -> Row:
    """ARI of the run that f, the leave-one-out score and the true labels would choose."""
    X, y = sets()[set]
    proportions, init, rounds = VARIANTS[runs]
    n, k, rng = len(X), len(np.unique(y)), np.random.default_rng(seed)
    kernel = Kernel("rbf", gamma="median").fit(X, rng)
    form = QuadraticForm.from_gram(kernel.gram(X)[0], 1e-4 * n)
    sizes = read_sizes(n, k, proportions, 0.1, None, np.full(n, -1, np.int32))
    found = []
    for r in range(RUNS):
        quota = sizes.draw_quota(rng, r)
        informed = init == "k-means++"
        labels = nearest_seed(kernel, X, k, rng) if informed else sizes.random_labels(rng, quota)
        search = Shaking(first_round=None if rounds is None else r % rounds)
        run = Engine(form, sizes).run(search, Start(labels, informed, quota, r), rng)
        found.append((run.objective, run.loo_score, adjusted_rand_score(y, run.labels)))
    best = (max(found, key=lambda run, i=i: run[i])[2] for i in range(3))
    return dict(zip(CHOSEN_BY.values(), best, strict=True))


def choice_table(results: Results) -> str:
    rows = results["choices"]
    cells = {
        title: lambda name, c=column: number(mean_of(where(rows, runs=name), c), 3)
        for title, column in CHOSEN_BY.items()
    }
    return grid("runs", distinct(rows, "runs"), cells)


def width_table(results: Results) -> str:
    rows = results["widths"]
    cells = {
        f"alpha = {float(a):g}": lambda name, a=a: number(
            mean_of(where(rows, gamma=name.split('"')[1], alpha=a), "ari"), 3
        )
        for a in distinct(rows, "alpha")
    }
    return grid("", (f'`gamma="{gamma}"`' for gamma in distinct(rows, "gamma")), cells)


STUDY = Study(
    "Why the defaults of RLSClustering are what they are",
    parts=(
        Part(
            "choices",
            lambda: (
                {"runs": r, "set": s, "seed": i} for r in VARIANTS for s in sets() for i in SEEDS
            ),
            choice,
            quick={"set": ("iris",), "seed": (0,)},
        ),
        Part(
            "widths",
            lambda: (
                {"gamma": gamma, "alpha": alpha, "set": name, "seed": seed}
                for gamma in ("median", "neighbors", "scale")
                for alpha in ALPHAS
                for name in sets()
                for seed in SEEDS
            ),
            width,
            quick={"set": ("iris",), "seed": (0,), "alpha": ALPHAS[1:2]},
        ),
        *pins.PARTS,
        *future.PARTS,
    ),
    tables=pins.TABLES
    | future.TABLES
    | {
        "choices": choice_table,
        "widths": width_table,
        "machine": lambda results: machine.lines(results["choices"]),
    },
    module=__name__,
)
