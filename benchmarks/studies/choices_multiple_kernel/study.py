"""Does it pay to combine several sources, and why the defaults of MultipleKernelClustering."""

from collections.abc import Iterator
from typing import Any

import numpy as np

from benchmarks.datasets.sources import SETS
from benchmarks.runner.measure import Row, scores, timed
from benchmarks.runner.study import Part, Study
from benchmarks.studies.choices_multiple_kernel.tables import (
    ALONE,
    CHOICE_SEEDS,
    CHOICE_SETS,
    CHOICES,
    DEFAULT,
    MAIN_SETS,
    PAPER,
    TABLES,
    UNIFORM,
)
from maxmargin import MultipleKernelClustering

#: More than 15 seconds for a fit: three seeds, the others five.
SLOW = ("USPS, 2000 rows", "satellite, 2000 rows", "20-news rec")
#: Every source alone is "alone: …"; the settings of the other methods.
METHODS: dict[str, dict[str, Any]] = {
    UNIFORM: {"kernel_weights": "uniform"},
    DEFAULT: {},
    **CHOICES,
    PAPER: {"optimizer": "mkc", "norm": 2},
}


def keys() -> Iterator[Row]:
    """Every source alone, all with equal weights and with learned ones; then other choices."""
    for name in MAIN_SETS:
        for seed in range(3 if name in SLOW else 5):
            alone = [ALONE + source for source in SETS[name](seed).tables]
            yield from (
                {"set": name, "seed": seed, "method": m} for m in (*alone, UNIFORM, DEFAULT)
            )
    for name in CHOICE_SETS:
        for seed in range(CHOICE_SEEDS):
            known = () if name in MAIN_SETS else (DEFAULT,)
            yield from ({"set": name, "seed": seed, "method": m} for m in (*known, *CHOICES, PAPER))


def measure(set: str, seed: int, method: str) -> Row:
    """Scores of one fit, the shares of the sources in the weights, and the CPU seconds."""
    data = SETS[set](seed)
    alone = method.startswith(ALONE)
    sources = [method.removeprefix(ALONE)] if alone else list(data.kernels)
    model = MultipleKernelClustering(
        data.n_clusters,
        kernels=[data.kernels[name] for name in sources],
        random_state=seed,
        **({} if alone else METHODS[method]),
    )
    _, taken = timed(model.fit, data.X)
    weights, found = model.kernel_weights_, scores(data.y, model.labels_)
    total = sum(weights.values())
    return {
        "n": len(data.y),
        "k": data.n_clusters,
        "ari": found["ari"],
        "accuracy": found["one_to_one"] / 100,
        "clusters": len(np.unique(model.labels_)),
        "objective": model.objective_,
        **taken,
        "shares": "; ".join(f"{name}: {weight / total:.4f}" for name, weight in weights.items()),
    }


STUDY = Study(
    "Does it pay to combine several sources, and why the defaults of MultipleKernelClustering",
    parts=(Part("results", keys, measure, quick={"set": ("wine + noise",), "seed": (0,)}),),
    tables=TABLES,
    module=__name__,
)
