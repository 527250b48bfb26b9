"""Several models of a table, and the one that the others agree with most.

Where margins are the wrong question, no other one is always the right one: latent classes tell a
heavy tail from the rest where others tell a shift, and k-means depends on how columns are scaled.
What several of them find is more often there than what the likeliest one finds.
"""

import warnings
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from sklearn.cluster import KMeans
from sklearn.exceptions import ConvergenceWarning
from sklearn.metrics import adjusted_rand_score
from sklearn.preprocessing import StandardScaler

from maxmargin.front_door.latent_classes import RANDOM_STARTS, MixedColumns, Spread, latent_classes
from maxmargin.spaces.metric import Matrix, Weights

#: Starts of k-means.
KMEANS_STARTS = 10


def table_models(
    variables: MixedColumns,
    views: Sequence[Matrix],
    k: int,
    starts: Sequence[NDArray[np.integer]],
    seed: int,
    weights: Weights = None,
) -> list[NDArray[np.float64]]:
    """What each model says of each row and each of k classes (n × k), larger for more likely.

    Latent classes with variances of their own and with common ones; the same where numbers go
    together, which begin at what all others say; k-means in each of the views.
    """
    near = [_nearness(rows, k, seed, weights) for rows in views]
    joint: list[NDArray[np.float64]] = []
    begin, n_random = list(starts), RANDOM_STARTS
    for together in (False, True) if variables.numbers.shape[1] > 1 else (False,):
        for alike in (False, True):
            spread = Spread(alike, together)
            joint.append(latent_classes(variables, k, begin, seed, n_random, weights, spread))
        begin, n_random = [*begin, *(np.argmax(values, axis=1) for values in (*joint, *near))], 0
    return [*joint, *near]


def _nearness(rows: Matrix, k: int, seed: int, weights: Weights) -> NDArray[np.float64]:
    """Minus the squared distances to the centres of k-means."""
    model = KMeans(k, n_init=KMEANS_STARTS, random_state=seed)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)  # fewer different rows than k
        model.fit(rows, sample_weight=weights)
    return np.asarray(-np.square(model.transform(rows)), np.float64)


def views_of(X: NDArray[np.floating], prepared: Matrix | None) -> list[Matrix]:
    """All columns standardised, and the rows as they are compared."""
    standardised = StandardScaler().fit_transform(np.asarray(X, np.float64))
    return [standardised] if prepared is None else [standardised, prepared]


def most_agreed(partitions: Sequence[NDArray[np.integer]]) -> int:
    """The partition that the others agree with most (adjusted Rand index), ties to the first.

    Examples
    --------
    >>> import numpy as np
    >>> from maxmargin.front_door.table_models import most_agreed
    >>> a, b, c = np.array([[0, 0, 0, 1, 1, 1], [0, 0, 1, 1, 1, 1], [0, 1, 0, 1, 0, 1]])
    >>> most_agreed([c, b, a, a])
    2
    """
    votes = [
        sum(max(adjusted_rand_score(one, other), 0.0) for other in partitions) for one in partitions
    ]
    return int(np.argmax(np.round(votes, 9)))
