"""The number of clusters of a table whose columns have few values: that of its latent classes.

Rows of flags and categories lie in clumps, each as clean as a cluster, and there are as many clumps
as combinations of values. So where latent classes would give the answer, they give the number too:
the one with the smallest Bayesian information criterion.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit, logsumexp

from maxmargin.front_door.choice import WIDE_MARGINS
from maxmargin.front_door.latent_classes import MixedColumns, latent_classes, left_in_common
from maxmargin.front_door.one_column import Variables, crossing
from maxmargin.spaces.metric import Metric
from maxmargin.spaces.pairwise import PairwiseDistances

if TYPE_CHECKING:
    from maxmargin.front_door.number import NumberOfClusters

#: Random starts for each number: most of them find the same classes.
CLASS_STARTS = 4
#: So many numbers in a row that have less evidence than the best: no more are tried.
WORSE = 2
#: log-odds that the number is exact: by the logarithm of 1 + the margin of its evidence (at most so
#: much), and that of what columns still have in common. By logistic regression on tables of latent
#: classes, of other models, and real ones; and no more than held where it was surest.
CLASS_CONFIDENCE, LARGEST_GAP, MOST_SURE = (-4.25, 1.65, -0.73), 100.0, 0.9


def number_of_table(
    table: NDArray[np.floating],
    metric: Metric,
    labels: NDArray[np.integer] | None,
    found: "NumberOfClusters",
    count: Callable[[PairwiseDistances], "NumberOfClusters"],
) -> "NumberOfClusters":
    """The number where some columns have few values, instead of the one that was ``found``.

    It is that of the latent classes, or what ``count`` says of the other columns where ``labels``
    tell a column of few values.
    """
    curve = found.curve
    fit = float(curve["predictability"][curve["k"] == found.k][0])
    classes = count_classes(table, labels, fit, curve["k"].tolist())
    if classes is not None:
        evidence, left = classes
        parts = {name: values[: len(evidence)] for name, values in curve.items()}
        parts |= {"evidence": evidence, "left_in_common": left}
        k, sure = int(curve["k"][np.argmax(evidence)]), class_confidence(evidence, left)
        return replace(found, k=k, confidence=sure, curve=parts, of="latent classes")
    rest = table[:, ~crossing(table, labels)]
    if rest.shape[1] in (0, table.shape[1]):
        return found
    other = Metric(metric.name, metric.standardize).fit(rest).whole
    return count(PairwiseDistances(other.prepare(rest), other))


def count_classes(
    X: NDArray[np.floating],
    labels: NDArray[np.integer] | None,
    predictability: float,
    numbers: Sequence[int],
) -> tuple[NDArray[np.float64], NDArray[np.float64]] | None:
    """The evidence for the first numbers, where classes and not margins give the answer.

    ``labels`` are the clusters by margins (None if they are one), ``predictability`` minus the
    mean logarithm of their leave-one-out errors.
    """
    labels = np.zeros(len(X), np.intp) if labels is None else labels
    variables, clean = Variables(X), predictability >= -np.log(1 - WIDE_MARGINS)
    return class_evidence(variables, numbers) if variables.doubts(labels, clean) else None


def class_evidence(
    variables: MixedColumns, numbers: Sequence[int], seed: int = 0
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Minus half of the information criterion of each number, as far as they were tried.

    That is about the logarithm of the probability of the table if there are so many classes; the
    number with most evidence of those tried has 0. With it, what the columns still have in common
    within so many classes.

    Examples
    --------
    >>> import numpy as np
    >>> from maxmargin.front_door.number_of_classes import class_evidence
    >>> from maxmargin.front_door.one_column import Variables
    >>> rng = np.random.default_rng(0)
    >>> y = np.repeat([0, 1], 150)[:, None]
    >>> flags = (rng.random((300, 8)) < np.where(y, 0.8, 0.2)).astype(float)
    >>> evidence, left = class_evidence(Variables(flags), range(1, 9))
    >>> len(evidence), int(np.argmax(evidence)) + 1
    (4, 2)
    >>> bool(left[0] > 20), bool(left[1] < 2)
    (True, True)
    """
    n = len(variables.numbers)
    free = 2 * variables.numbers.shape[1] + sum(v.shape[1] - 1 for v in variables.indicators)
    evidence: list[float] = []
    left: list[float] = []
    for k in numbers:
        joint = latent_classes(variables, k, (), seed, CLASS_STARTS)
        cost = (k - 1 + k * free) / 2 * np.log(n)
        evidence.append(float(logsumexp(joint, axis=1).sum() - cost))
        left.append(left_in_common(variables, joint))
        if len(evidence) - 1 - int(np.argmax(evidence)) >= WORSE:
            break
    values = np.array(evidence)
    return values - values.max(initial=-np.inf), np.array(left)


def class_confidence(evidence: NDArray[np.float64], left: NDArray[np.float64]) -> float:
    """The probability that the number of classes with most evidence is exact.

    A likelihood is counted row by row, and gets as sure of a wrong model as of the right one: with
    enough rows each bend of a cloud is a class. So it counts by its logarithm only, and against
    the number where columns still go together within the classes.
    """
    at = int(np.argmax(evidence))
    margin = -float(np.delete(evidence, at).max(initial=-np.inf))
    level, by_margin, by_left = CLASS_CONFIDENCE
    sure = level + by_margin * np.log1p(min(margin, LARGEST_GAP)) + by_left * np.log(left[at])
    return float(min(expit(sure), MOST_SURE))
