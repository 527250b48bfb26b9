"""What a reader of the report should beware of."""

from typing import Any

import numpy as np
from sklearn.metrics import adjusted_rand_score

from maxmargin.explain.clustering import Clustering
from maxmargin.explain.formatting import count, fixed, listed
from maxmargin.front_door.number import WEAK_EVIDENCE

#: Labels and predictions that agree less (adjusted Rand index) are hardly of the same rows.
DOUBTFUL = 0.5
#: Scores that differ by less say little.
LEVEL = 0.02


def warnings_of(
    summary: dict[str, Any], given: list[str] | None, clustering: Clustering
) -> list[str]:
    """The warnings of the fit, and what the numbers of the summary warn of.

    Where the warnings of the fit are not given, the model is asked what it remembers of them.
    """
    model = clustering.model
    found = _of_fit(model) if given is None else list(given)
    n_rows, (answer, *others) = summary["data"]["n_rows"], summary["partitions"]
    new = n_rows != len(getattr(model, "labels_", ()))
    if new and not others and getattr(model, "alternatives_", []):
        found.append(
            "The alternatives of the model are not shown: they are about the rows that it was "
            "fitted to, and these are others."
        )
    elsewhere = _predicted_elsewhere(clustering)
    if elsewhere:
        found.append(
            f"The model predicts another cluster than its label for {elsewhere:,} of "
            f"{count(n_rows, 'row')}: either X does not hold the rows of fit in their order, or "
            f"the model is no guide to new rows."
        )
    tiny = [str(cluster["number"]) for cluster in answer["clusters"] if cluster["size"] < 3]
    if tiny:
        found.append(
            f"Cluster {tiny[0]} has fewer than three rows."
            if len(tiny) == 1
            else f"Clusters {listed(tiny)} have fewer than three rows each."
        )
    level = [other for other in others if other["score"] > answer["score"] - LEVEL]
    return [*found, _of_alternatives(level, answer["score"])] if level else found


def _of_alternatives(level: list[dict[str, Any]], score: float) -> str:
    verb = "scores" if len(level) == 1 else "score"
    # an alternative that was taken may have a better one beside it
    better = any(other["score"] > score + LEVEL for other in level)
    return (
        f"{listed([other['name'] for other in level]).capitalize()} {verb} about as well as the "
        f"answer{', or better' if better else ''} "
        f"({listed([fixed(other['score']) for other in level])} against {fixed(score)}): other "
        f"groupings may be {'better' if better else 'as good'}."
    )


def _of_fit(model: Any) -> list[str]:
    """What a fitted model remembers of the warnings of its fit."""
    found = []
    if getattr(model, "complete_", True) is False:
        found.append("The search was ended early: the answer is the best of what was done by then.")
    confidence = getattr(model, "k_confidence_", 1.0)
    if confidence < WEAK_EVIDENCE:
        found.append(
            f"The evidence for {count(model.n_clusters_, 'cluster')} is weak: the number is exact "
            f"with probability {fixed(confidence)}."
        )
    return found


def _predicted_elsewhere(clustering: Clustering) -> int:
    """For how many rows kept labels are not what the model predicts; 0 where most agree.

    Pins and sizes keep some rows away from where the model would put them. Other rows than
    those of fit, or the same in another order, are elsewhere as often as not.
    """
    estimator, labels = clustering.estimator, clustering.labels
    kept = getattr(clustering.model, "labels_", ())
    if len(kept) != len(labels) or not hasattr(estimator, "predict"):
        return 0
    try:
        predicted = np.asarray(estimator.predict(clustering.given))
    except ValueError:  # models of pairs that predict rows only
        return 0
    agree = adjusted_rand_score(labels, predicted) >= DOUBTFUL
    return 0 if agree else int(np.sum(labels != predicted))
