"""Latent classes: a mixture in which columns are independent within a class, by EM.

Numbers may go together within a class, as height and weight do: they are Gaussian, with variances
or covariances that each class has for itself or that all have in common.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import solve_triangular
from scipy.special import logsumexp

#: Random starts of the latent classes, and their rounds.
RANDOM_STARTS = 8
EM_ROUNDS = 150
#: Rounds from each start with covariances, which are dear; only the best start goes on.
FIRST_ROUNDS = 10
#: The share of a column's variance below which what its classes leave of it means nothing.
LITTLE = 0.05


class MixedColumns(Protocol):
    """What is known of a table: standardised numbers, zeros and ones of each category."""

    numbers: NDArray[np.float64]
    floor: NDArray[np.float64]  # what is added to the variance of each number
    indicators: list[NDArray[Any]]


@dataclass(frozen=True)
class Spread:
    """How numbers lie within a class.

    Attributes
    ----------
    alike : bool
        Whether all classes have the same variances.
    together : bool
        Whether there are covariances.
    """

    alike: bool = False
    together: bool = False


#: Columns are independent within a class, and each class has variances of its own.
OWN_VARIANCES = Spread()


def latent_classes(
    variables: MixedColumns,
    k: int,
    starts: Sequence[NDArray[np.integer]],
    seed: int,
    n_random: int = RANDOM_STARTS,
    weights: NDArray[np.float64] | None = None,
    spread: Spread = OWN_VARIANCES,
) -> NDArray[np.float64]:
    """The log of the joint probability of each row and each of k classes, by EM.

    Within a class columns are independent, but for numbers whose ``spread`` has covariances:
    numbers Gaussian, categories with shares of their own. One row of the average kind is added to
    each class (with covariances one for each column), so that none shrinks to a point. Where the
    first given start is as likely as the best one, it is preferred: where nothing else is in the
    table, a flag is what there is. ``n_random`` starts are random. Rows have weights of mean 1, or
    none.
    """
    n = len(variables.numbers)
    rng = np.random.default_rng(seed)
    given = [np.eye(k)[np.minimum(labels, k - 1)] for labels in starts]
    random = [rng.dirichlet(np.full(k, 0.3), size=n) for _ in range(n_random)]
    best, most = np.zeros((n, k)), -np.inf
    n_parameters = k * (len(variables.indicators) + 2 * variables.numbers.shape[1])
    head_start = float(n_parameters if given else 0)  # a nat for each
    for members in (*given, *random):
        rounds = FIRST_ROUNDS if spread.together else EM_ROUNDS
        values, reached = _climb(variables, members, rounds, weights, spread)
        if reached > most:
            best, most = values, reached + head_start
            head_start = 0.0
    if spread.together:
        members = np.exp(best - logsumexp(best, axis=1)[:, None])
        best, _ = _climb(variables, members, EM_ROUNDS, weights, spread)
    return best


def _climb(
    variables: MixedColumns,
    members: NDArray[np.float64],
    rounds: int,
    weights: NDArray[np.float64] | None,
    spread: Spread,
) -> tuple[NDArray[np.float64], float]:
    """EM from such memberships: the logs of the joint probabilities, and of the likelihood."""
    reached, values = -np.inf, members
    for _ in range(rounds):
        counted = members if weights is None else members * weights[:, None]
        values = _log_joint(variables, counted, spread)
        rows = logsumexp(values, axis=1)
        total, before = float(rows.sum() if weights is None else weights @ rows), reached
        reached = total
        members = np.exp(values - rows[:, None])
        if total - before < 1e-6 * len(members):
            break
    return values, reached


def _log_joint(
    variables: MixedColumns, members: NDArray[np.float64], spread: Spread
) -> NDArray[np.float64]:
    counts = members.sum(axis=0)
    values = np.repeat(np.log((counts + 1) / (counts + 1).sum())[None], len(members), axis=0)
    if variables.numbers.shape[1]:
        gaussians = _correlated if spread.together else _independent
        values += gaussians(variables, members, counts, spread.alike)
    for values_of in variables.indicators:
        shares = (members.T @ values_of + values_of.mean(axis=0)) / (counts + 1)[:, None]
        values += values_of @ np.log(shares).T
    return values


def _independent(
    variables: MixedColumns, members: NDArray[np.float64], counts: NDArray[np.float64], alike: bool
) -> NDArray[np.float64]:
    """The log densities of the numbers, those of a class with variances only."""
    N, weight = variables.numbers, (counts + 1)[:, None]
    means = members.T @ N / np.maximum(counts, 1e-9)[:, None]
    squares = members.T @ np.square(N) - counts[:, None] * np.square(means)
    squares = np.maximum(squares, 0)
    if alike:  # of all rows around the means of their classes
        squares, weight = squares.sum(axis=0) + np.zeros((len(counts), 1)), counts.sum() + 1
    variances = (squares + 1) / weight + variables.floor
    values = -0.5 * (np.square(N) @ (1 / variances).T)
    values += N @ (means / variances).T - 0.5 * (np.square(means) / variances).sum(axis=1)
    return np.asarray(values - 0.5 * np.log(variances).sum(axis=1))


def _correlated(
    variables: MixedColumns, members: NDArray[np.float64], counts: NDArray[np.float64], alike: bool
) -> NDArray[np.float64]:
    """The log densities of the numbers, those of a class with covariances."""
    N, (k, d) = variables.numbers, (len(counts), variables.numbers.shape[1])
    means = members.T @ N / np.maximum(counts, 1e-9)[:, None]
    scatter = np.empty((k, d, d))
    for c in range(k):
        centred = N - means[c]
        scatter[c] = (members[:, [c]] * centred).T @ centred
    common = (scatter.sum(axis=0) + np.eye(d)) / (counts.sum() + 1)
    values = np.empty((len(N), k))
    for c in range(k):
        own = (scatter[c] + (d + 1) * common) / (counts[c] + d + 1)
        root = np.linalg.cholesky((common if alike else own) + np.diag(variables.floor))
        scaled = solve_triangular(root, (N - means[c]).T, lower=True, check_finite=False)
        values[:, c] = -0.5 * np.square(scaled).sum(axis=0) - np.log(np.diag(root)).sum()
    return values


def left_in_common(variables: MixedColumns, joint: NDArray[np.float64]) -> float:
    """How much columns still go together within the classes; about 1 where these are all there is.

    Columns are independent within a class, says the model: then n times the squared correlation of
    what two of them have beyond the means of their class is 1 in the mean.

    Examples
    --------
    >>> import numpy as np
    >>> from maxmargin.front_door.latent_classes import left_in_common
    >>> from maxmargin.front_door.one_column import Variables
    >>> rng = np.random.default_rng(0)
    >>> numbers, trait = rng.normal(size=(400, 6)), rng.normal(size=(400, 1))
    >>> one_class = np.zeros((400, 1))
    >>> left_in_common(Variables(numbers), one_class) < 2
    True
    >>> left_in_common(Variables(numbers + trait), one_class) > 20
    True
    """
    members = np.exp(joint - logsumexp(joint, axis=1, keepdims=True))
    counts = np.maximum(members.sum(axis=0), 1e-9)
    kinds = [*variables.numbers.T[:, :, None], *(v[:, :-1] for v in variables.indicators)]
    X = np.concatenate(kinds, axis=1)  # the last value of a category is what the others leave
    of = np.repeat(np.arange(len(kinds)), [columns.shape[1] for columns in kinds])
    left = X - members @ (members.T @ X / counts[:, None])
    spread = np.square(left).sum(axis=0) + LITTLE * np.square(X - X.mean(axis=0)).sum(axis=0)
    squared = np.square(left.T @ left) / np.outer(spread, spread)
    apart = of[:, None] != of
    return float(len(X) * squared[apart].mean()) if apart.any() else 1.0
