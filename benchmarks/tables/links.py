"""A curve of the adjusted Rand index against the number of pairs that the user knows.

``python -m benchmarks.tables.links --output FILE``: pairs of rows drawn at random from sets of
scikit-learn, must-links where their classes are the same and cannot-links otherwise, five draws.
Scores are of all rows, and of those that are in no pair.
"""

import argparse
import csv
import warnings

import numpy as np
from sklearn.datasets import load_iris, load_wine
from sklearn.metrics import adjusted_rand_score

from maxmargin import MaxMarginClustering

PAIRS = (0, 10, 30, 100)
DRAWS = 5


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--output", required=True)
    asked = parser.parse_args()
    warnings.simplefilter("ignore")
    with open(asked.output, "w", newline="", encoding="utf-8") as stream:
        writer = csv.writer(stream)
        writer.writerow(["set", "pairs", "all rows", "rows in no pair"])
        for load in (load_iris, load_wine):
            X, y = load(return_X_y=True)
            k = len(np.unique(y))
            for number in PAIRS:
                model = MaxMarginClustering(k, random_state=0)
                scores = [_scores(model, X, y, number, draw) for draw in draws(number)]
                means = [f"{x:.3f}" for x in np.mean(scores, axis=0)]
                writer.writerow([load.__name__[5:], number, *means])
                print(load.__name__[5:], number, *means, flush=True)


def draws(number: int) -> range:
    """The seeds of the draws; without pairs there is one answer."""
    return range(DRAWS if number else 1)


def _scores(
    model: MaxMarginClustering, X: np.ndarray, y: np.ndarray, number: int, draw: int
) -> tuple[float, float]:
    rng = np.random.default_rng(draw)
    pairs = np.array([rng.choice(len(y), 2, replace=False) for _ in range(number)], int)
    pairs = pairs.reshape(-1, 2)
    same = y[pairs[:, 0]] == y[pairs[:, 1]]
    known = {"must_link": pairs[same], "cannot_link": pairs[~same]}
    labels = model.fit(X, constraints=known if number else None).labels_
    free = np.setdiff1d(np.arange(len(y)), pairs)
    return adjusted_rand_score(y, labels), adjusted_rand_score(y[free], labels[free])


if __name__ == "__main__":
    main()
