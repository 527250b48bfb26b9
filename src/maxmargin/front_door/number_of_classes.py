"""The number of clusters of a table whose columns have few values: that of its latent classes.

Rows of flags and categories lie in clumps, each as clean as a cluster, and there are as many clumps
as combinations of values. So where latent classes would give the answer, they give the number too:
the one with the smallest Bayesian information criterion.
"""

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray
from scipy.special import logsumexp, softmax

from maxmargin.front_door.choice import WIDE_MARGINS
from maxmargin.front_door.found_number import NumberOfClusters
from maxmargin.front_door.latent_classes import MixedColumns, latent_classes
from maxmargin.front_door.one_column import Variables
from maxmargin.spaces.metric import few_valued

#: Random starts for each number: most of them find the same classes.
STARTS = 4
#: So many numbers in a row that have less evidence than the best: no more are tried.
WORSE = 2


def count_classes(
    X: NDArray[np.floating],
    found: NumberOfClusters,
    partitions: Mapping[int, NDArray[np.intp]],
    seed: int,
) -> NumberOfClusters:
    """The number of latent classes, where they and not margins give the answer; else ``found``."""
    if not few_valued(X).any():
        return found
    variables, at = Variables(X), found.curve["k"] == found.k
    clean = bool(found.curve["predictability"][at][0] >= -np.log(1 - WIDE_MARGINS))
    labels = partitions.get(found.k, np.zeros(len(X), np.intp))
    if not variables.doubts(labels, clean):
        return found
    tried, evidence = class_evidence(variables, found.curve["k"].tolist(), seed)
    curve = {name: values[: len(tried)] for name, values in found.curve.items()}
    shares = softmax(evidence)
    at = int(np.argmax(evidence))
    curve["evidence"] = evidence
    return NumberOfClusters(int(tried[at]), float(shares[at]), curve, "latent classes")


def class_evidence(
    variables: MixedColumns, numbers: Sequence[int], seed: int
) -> tuple[NDArray[np.intp], NDArray[np.float64]]:
    """The numbers that were tried, and minus half of the information criterion of each.

    That is about the logarithm of the probability of the table if there are so many classes; the
    number with most evidence of those tried has 0.

    Examples
    --------
    >>> import numpy as np
    >>> from maxmargin.front_door.number_of_classes import class_evidence
    >>> from maxmargin.front_door.one_column import Variables
    >>> rng = np.random.default_rng(0)
    >>> y = np.repeat([0, 1], 150)[:, None]
    >>> flags = (rng.random((300, 8)) < np.where(y, 0.8, 0.2)).astype(float)
    >>> tried, evidence = class_evidence(Variables(flags), range(1, 9), seed=0)
    >>> tried.tolist(), int(tried[np.argmax(evidence)])
    ([1, 2, 3, 4], 2)
    """
    n = len(variables.numbers)
    free = 2 * variables.numbers.shape[1] + sum(v.shape[1] - 1 for v in variables.indicators)
    evidence: list[float] = []
    for k in numbers:
        joint = latent_classes(variables, k, (), seed, STARTS)
        cost = (k - 1 + k * free) / 2 * np.log(n)
        evidence.append(float(logsumexp(joint, axis=1).sum() - cost))
        if len(evidence) - 1 - int(np.argmax(evidence)) >= WORSE:
            break
    values = np.array(evidence)
    return np.array(numbers[: len(values)], dtype=np.intp), values - values.max(initial=-np.inf)
