"""The rows that a domain is made from where there are many: several draws, and one of them."""

from collections.abc import Sequence
from itertools import combinations

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import issparse
from sklearn.metrics import adjusted_rand_score

from maxmargin.blocks.local_means import local_means
from maxmargin.domain.base import DomainClusters
from maxmargin.domain.domain_graph import distinct_rows
from maxmargin.spaces.metric import Matrix, Weights

#: Draws of landmarks, where there are more rows: one draw in ten has a hole that splits a cluster.
N_DRAWS = 5
#: Rows among which landmarks have their neighbours, besides themselves.
MEANT_ROWS = 20_000
#: Rows that these are compared by.
COMPARED_ROWS = 3000


def draw_landmarks(
    X: Matrix, m: int | None, rng: np.random.Generator, distinct: bool
) -> list[NDArray[np.intp]]:
    """The rows that a domain is made from: all or m of them, several draws of distinct ones."""
    n = X.shape[0]
    draws = [np.arange(n)]
    if m is not None and n > m:
        n_draws = N_DRAWS if distinct else 1
        draws = [np.sort(rng.choice(n, m, replace=False)) for _ in range(n_draws)]
    return [distinct_rows(X, some) for some in draws] if distinct else draws


def landmarks(
    X: Matrix, draws: Sequence[NDArray[np.intp]], weights: Weights
) -> tuple[list[Matrix], bool]:
    """The rows of each draw, or, where that takes noise away, means of their neighbours.

    In many columns single rows are far from all others and hide where they are dense. Whether they
    are means is said, too.
    """
    marks = [X[some] for some in draws]
    if len(draws) == 1 or issparse(marks[0]):
        return marks, False
    some = np.random.default_rng(0).permutation(X.shape[0])[:MEANT_ROWS]
    among = np.unique(np.concatenate([some, *draws]))
    many, shares = X[among], None if weights is None else weights[among]
    found = [local_means(mark, many, shares) for mark in marks]
    means = [mean.astype(many.dtype) for mean in found if mean is not None]
    return (means, True) if len(means) == len(marks) else (marks, False)


def most_agreed(
    X: Matrix, marks: Sequence[Matrix], found: Sequence[DomainClusters], rng: np.random.Generator
) -> int:
    """The number of the draw whose clusters the others agree with most (adjusted Rand index)."""
    if len(found) == 1:
        return 0
    some = X[np.sort(rng.permutation(X.shape[0])[:COMPARED_ROWS])]
    nearest = [clusters.nearest(mark) for mark, clusters in zip(marks, found, strict=False)]
    labellings = [clusters.labels_of(some) for clusters in nearest]
    agreement = np.zeros(len(labellings))
    for i, j in combinations(range(len(labellings)), 2):
        agreement[[i, j]] += adjusted_rand_score(labellings[i], labellings[j])
    return int(np.argmax(agreement))
