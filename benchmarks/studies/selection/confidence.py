"""Fit ``k_confidence_`` anew: the probability that the number of clusters is exact.

The sets are the half "choose" of ``datasets/numbers.py``, those of ``datasets/selection.py``, and
further draws that nothing is reported on: the families of ``datasets/unseen.py``, of a series of
their own, and single clusters of other seeds. The table says the constants for
``maxmargin.front_door.number``, and how far probabilities hold on families that the fit did not
see.
"""

from collections.abc import Iterator
from functools import cache
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import log_loss
from sklearn.model_selection import GroupKFold, cross_val_predict

from benchmarks.datasets.numbers import ONE, all_draws
from benchmarks.datasets.selection import all_sets
from benchmarks.datasets.unseen import generated
from benchmarks.runner.measure import Row
from benchmarks.runner.study import Part, Results
from benchmarks.runner.table import markdown, number
from benchmarks.studies.selection.number_tables import BINS
from maxmargin import MaxMarginClustering
from maxmargin.front_door.number import LARGEST_MARGIN

SERIES, SEED, FOLDS, DRAWS = 20, 1717, 10, 6
Problem = tuple[str, str, NDArray[np.float64], int]  # name, family, rows, number of clusters


@cache
def problems() -> dict[str, Problem]:
    """The sets to learn from, by name."""
    found = [(name, s.family, s.X, s.k) for name, s in (*all_draws("choose"), *all_sets().items())]
    for draw in generated(SERIES, DRAWS):
        if (draw.y >= 0).all():  # rows that belong nowhere have no number
            found.append((draw.name, draw.family, draw.X, draw.k))
    for family, make in ONE.items():
        for i in range(DRAWS):
            X = make(np.random.default_rng([SEED, i, *family.encode()]))
            found.append((f"one {family} of {i}", f"one {family}", X, 1))
    return {problem[0]: problem for problem in found}


def measure(set: str) -> Iterator[Row]:
    """What the confidence is made of; nothing where latent classes were counted."""
    _, family, X, k = problems()[set]
    model = MaxMarginClustering(random_state=0).fit(X)
    if "latent classes" in model.chosen_["number"]:
        return
    curve = {column: np.asarray(values) for column, values in model.k_curve_.items()}
    at = int(np.argmax(curve["evidence"]))
    chosen = int(curve["k"][at])
    far = curve["evidence"][np.abs(curve["k"] - chosen) > 1].max(initial=-np.inf)
    yield {
        "family": family,
        "k_true": k,
        "k": chosen,
        "margin": float(min(curve["evidence"][at] - far, LARGEST_MARGIN)),
        "weakest_border": float(curve["weakest_border"][at]),
    }


def table(results: Results) -> str:
    """The constants, and the calibration out of family."""
    rows = results["confidence"]
    margin, border = (np.array([float(r[c]) for r in rows]) for c in ("margin", "weakest_border"))
    one = np.array([r["k"] == "1" for r in rows])
    exact = np.array([r["k"] == r["k_true"] for r in rows])
    X = np.column_stack([margin, border, one])
    model = LogisticRegression(C=1e6).fit(X, exact)
    by_margin, by_border, surer = model.coef_[0]
    families = [r["family"] for r in rows]
    folds = GroupKFold(min(FOLDS, len(set(families))))
    said = cross_val_predict(model, X, exact, groups=families, cv=folds, method="predict_proba")
    said = said[:, 1]
    lines = []
    for low, high in pairwise(BINS):
        own = (said >= low) & (said < high)
        if own.any():
            mean, share = number(said[own].mean()), number(exact[own].mean())
            lines.append([f"{low:g} – {high:g}", own.sum(), mean, share])
    calibration = markdown(["k_confidence_", "n", "mean", "exact"], lines)
    return (
        f"{len(rows)} sets: `CONFIDENCE = ({model.intercept_[0]:.2f}, {by_margin:.2f}, "
        f"{by_border:.2f})`, `ONE_IS_SURER = {surer:.2f}`; out of family, log loss "
        f"{log_loss(exact, said):.3f}:\n\n{calibration}"
    )


PARTS = (
    Part(
        "confidence",
        lambda: ({"set": name} for name in problems()),
        measure,
        quick={"set": ("iris", "wine")},
    ),
)
TABLES = {"confidence": table}
