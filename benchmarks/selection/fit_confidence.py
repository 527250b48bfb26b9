"""Fit ``k_confidence_`` anew: the probability that the number of clusters is exact.

    export MAXMARGIN_DATA=…
    python benchmarks/selection/fit_confidence.py [--draws 4] [--refit]

The sets are the half "choose" of ``number_sets.py``, those of ``sets.py``, and further draws that
nothing is reported on: the families of benchmarks/unseen, of a series of their own, and single
clusters of other seeds. What the evidence for each says goes to ``confidence.csv``; with
``--refit`` that file is read, and nothing is clustered. The constants for
``maxmargin.front_door.number`` are printed, and how far probabilities hold on families that the
fit did not see.
"""

import argparse
import os
import sys
import warnings
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

for library in ("OMP", "OPENBLAS", "MKL"):
    os.environ.setdefault(f"{library}_NUM_THREADS", "1")

import numpy as np
from numpy.typing import NDArray
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import log_loss
from sklearn.model_selection import GroupKFold, cross_val_predict

HERE = Path(__file__).parent
sys.path[:0] = [str(HERE), str(HERE.parent), str(HERE.parent.parent)]

from number_sets import ONE, all_draws
from run_number import BINS
from sets import all_sets
from shared.table import markdown, number, read_csv, write_csv

from benchmarks.unseen.draws import generated
from maxmargin import MaxMarginClustering
from maxmargin.front_door.number import LARGEST_MARGIN

SERIES, SEED, FOLDS = 20, 1717, 10
Problem = tuple[str, str, NDArray[np.float64], int]  # name, family, rows, number of clusters


def problems(draws: int) -> Iterator[Problem]:
    """The sets to learn from."""
    for name, s in all_draws("choose"):
        yield name, s.family, s.X, s.k
    for name, s in all_sets().items():
        yield name, s.family, s.X, s.k
    for draw in generated(SERIES, draws):
        if (draw.y >= 0).all():  # rows that belong nowhere have no number
            yield draw.name, draw.family, draw.X, draw.k
    for family, make in ONE.items():
        for i in range(draws):
            X = make(np.random.default_rng([SEED, i, *family.encode()]))
            yield f"one {family} {i}", f"one {family}", X, 1


def measured(problem: Problem) -> dict[str, str | float] | None:
    """What the confidence is made of; None where latent classes were counted."""
    name, family, X, k = problem
    model = MaxMarginClustering(random_state=0).fit(X)
    if "latent classes" in model.chosen_["number"]:
        return None
    curve = {column: np.asarray(values) for column, values in model.k_curve_.items()}
    at = int(np.argmax(curve["evidence"]))
    chosen = int(curve["k"][at])
    far = curve["evidence"][np.abs(curve["k"] - chosen) > 1].max(initial=-np.inf)
    return {
        "set": name,
        "family": family,
        "k_true": k,
        "k": chosen,
        "margin": round(float(min(curve["evidence"][at] - far, LARGEST_MARGIN)), 4),
        "weakest_border": round(float(curve["weakest_border"][at]), 4),
    }


def report(rows: list[dict[str, str]]) -> None:
    """Print the constants, and the calibration out of family."""
    margin, border = (np.array([float(r[c]) for r in rows]) for c in ("margin", "weakest_border"))
    one = np.array([r["k"] == "1" for r in rows])
    exact = np.array([r["k"] == r["k_true"] for r in rows])
    X = np.column_stack([margin, border, one])
    model = LogisticRegression(C=1e6).fit(X, exact)
    by_margin, by_border, surer = model.coef_[0]
    print(
        f"{len(rows)} sets: CONFIDENCE = ({model.intercept_[0]:.2f}, {by_margin:.2f}, "
        f"{by_border:.2f}), ONE_IS_SURER = {surer:.2f}"
    )
    families = [r["family"] for r in rows]
    folds = GroupKFold(min(FOLDS, len(set(families))))
    said = cross_val_predict(model, X, exact, groups=families, cv=folds, method="predict_proba")
    said = said[:, 1]
    print(f"out of family: log loss {log_loss(exact, said):.3f}")
    lines = []
    for low, high in pairwise(BINS):
        own = (said >= low) & (said < high)
        if own.any():
            mean, share = number(said[own].mean()), number(exact[own].mean())
            lines.append([f"{low:g} – {high:g}", own.sum(), mean, share])
    print(markdown(["k_confidence_", "n", "mean", "exact"], lines))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--draws", type=int, default=6, help="of each further family")
    parser.add_argument("--refit", action="store_true", help="read confidence.csv")
    options = parser.parse_args()
    warnings.simplefilter("ignore")
    if not options.refit:
        rows = []
        for problem in problems(options.draws):
            found = measured(problem)
            if found is not None:
                rows.append(found)
                print(*found.values(), flush=True)
        write_csv(HERE / "confidence.csv", rows)
    report(read_csv(HERE / "confidence.csv"))


if __name__ == "__main__":
    main()
