"""Rows in two: regression on labels ±1 and its own signs, in turn, until they agree.

A classifier agrees too readily with the labels that it is given. A regression does not: it
is punished for values beyond ±1 as well (Zhang, Tsang and Kwok, "Maximum Margin Clustering Made
Practical", ICML 2007).
"""

import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import LinAlgError, cho_factor, cho_solve
from sklearn.exceptions import ConvergenceWarning
from sklearn.svm import SVR

from maxmargin._core.interrupts import check_interrupt

#: Values closer than this share of the largest are the same but for rounding, and so are those
#: closer than this share of what they could be at most.
SAME = 1e-9
ROUNDED = 1e-13
#: Steps of LIBSVM in a run, at most, for each row: with a C that is large for the kernel it
#: would take thousands of times as many as usual.
STEPS_PER_ROW = 4_000

#: From targets to coefficients; None when all steps were taken before.
Fit = Callable[[NDArray[np.float64]], NDArray[np.float64] | None]


@dataclass(frozen=True)
class Bisection:
    """Two sides of some rows, and the function whose sign tells them apart.

    Attributes
    ----------
    right : ndarray of shape (n,)
        Whether a row is on the right side.
    coef : ndarray of shape (n,)
        The function is K @ coef + intercept.
    intercept : float
    objective : float
        ‖w‖² / (2 C n) + the mean loss: 1 if nothing was found, whatever n is.
    clear : bool
        Whether the function tells any rows apart.
    converged : bool
        Whether the labels came to rest.
    n_iter : int
        The regressions.
    spent : bool
        Whether they took all of their steps.
    """

    right: NDArray[np.bool_]
    coef: NDArray[np.float64]
    intercept: float
    objective: float
    clear: bool = True
    converged: bool = True
    n_iter: int = 1
    spent: bool = False


@dataclass(frozen=True)
class IterativeRegression:
    """Regression with a kernel on the current sides, then sides by its signs, in turn.

    Attributes
    ----------
    loss : {"absolute_error", "squared_error"}
        Of the regression. The first is ε-insensitive with ε = 0.
    C : float
        The objective is ½ ‖w‖² + C Σ loss.
    max_iter : int
        Regressions at most.
    """

    loss: str = "absolute_error"
    C: float = 1.0
    max_iter: int = 100

    def run(self, K: NDArray[np.float64], right: NDArray[np.bool_], sizes: "Balance") -> Bisection:
        """Go on from sides until they come to rest.

        What is kept is where it ends, and not the lowest objective on the way: functions that
        were fitted to other sides than their own have lower ones, and are worse.
        """
        fit = FITS[self.loss](K, self.C)
        seen, n_iter, at_rest = {right.tobytes()}, 0, False
        while not at_rest and n_iter < self.max_iter:
            check_interrupt()
            coef = fit(np.where(right, 1.0, -1.0))
            if coef is None:
                break
            n_iter += 1
            found = self._cut(K, coef, sizes)
            right = found.right
            at_rest = right.tobytes() in seen  # the same sides again, or a circle
            seen.add(right.tobytes())
        spent = not at_rest and n_iter < self.max_iter
        return replace(found, converged=at_rest, n_iter=n_iter, spent=spent)

    def describe(self, K: NDArray[np.float64], right: NDArray[np.bool_]) -> Bisection:
        """The function for sides that stay as they are."""
        coef = FITS[self.loss](K, self.C)(np.where(right, 1.0, -1.0))
        assert coef is not None, "the first has steps"
        share = float(np.mean(right))
        found = self._cut(K, coef, Balance((1 - share,), 0.0))
        return replace(found, right=right)

    def _cut(
        self, K: NDArray[np.float64], coef: NDArray[np.float64], sizes: "Balance"
    ) -> Bisection:
        """The sides by the signs of K @ coef − b, for the b within the balance that costs least."""
        values, power = K @ coef, POWERS[self.loss]
        order = np.argsort(values, kind="stable")
        ranked = values[order]
        noise = ROUNDED * float(np.abs(K).max()) * float(np.abs(coef).sum())
        n_left, clear = sizes.places_to_cut(ranked, noise)
        middles = (ranked[n_left] + ranked[n_left - 1]) / 2
        losses = [np.mean(np.abs(np.abs(values - b) - 1) ** power) for b in middles]
        at = int(np.argmin(losses))
        right = np.ones(len(values), dtype=np.bool_)
        right[order[: n_left[at]]] = False
        objective = float(coef @ values) / (2 * self.C * len(values)) + float(losses[at])
        return Bisection(right, coef, -float(middles[at]), objective, clear)


@dataclass(frozen=True)
class Balance:
    """How many of the rows may be on the left side.

    Attributes
    ----------
    shares : tuple of float
        Of the rows; each will do.
    slack : float
        How far the share may be from them.
    parts : tuple of int
        The clusters that come from the left side, for each of the shares.
    n_clusters : int
        Those that come from both sides.

    Notes
    -----
    Where the rows cannot be shared out evenly, some clusters have one more than others, and any of
    them may be on either side.

    Examples
    --------
    >>> import numpy as np
    >>> from maxmargin.solvers.bisection import Balance
    >>> values = np.array([0.0, 0.1, 0.2, 0.9, 1.0, 1.0])
    >>> Balance.between(2, 0.4).places_to_cut(values)
    (array([2, 3, 4]), True)
    >>> Balance.between(3, 0.0).places_to_cut(values)
    (array([2, 4]), True)
    >>> Balance.between(3, 0.0).places_to_cut(np.arange(7.0))
    (array([2, 3, 4, 5]), True)
    """

    shares: tuple[float, ...]
    slack: float
    parts: tuple[int, ...] = ()
    n_clusters: int = 1

    @classmethod
    def between(cls, n_clusters: int, balance: float) -> "Balance":
        """Half of the clusters, which are alike but for a share ``balance``, on each side."""
        parts = n_clusters // 2, n_clusters - n_clusters // 2
        low, high = (part / n_clusters for part in parts)
        return cls((low, high), balance / 2, parts, n_clusters)

    def places_to_cut(
        self, ranked: NDArray[np.float64], noise: float = 0.0
    ) -> tuple[NDArray[np.intp], bool]:
        """The numbers of sorted values on the left, and whether values tell them apart.

        Where there is no gap between values at these places, the next one has to do.
        """
        n = len(ranked)
        n_left = np.arange(1, n)
        off = np.min([np.abs(n_left - share * n) for share in self.shares], axis=0)
        gaps = np.diff(ranked) > max(noise, SAME * float(np.abs(ranked).max()))
        within = (off <= max(self.slack * n, 0.5 + SAME)) | self._is_even(n_left, n)
        if np.any(gaps & within):
            return n_left[gaps & within], True
        if np.any(gaps):
            return n_left[[np.argmin(np.where(gaps, off, np.inf))]], True
        return n_left[[np.argmin(off)]], False

    def _is_even(self, n_left: NDArray[np.intp], n: int) -> NDArray[np.bool_]:
        """Whether clusters can differ by one row at most with so many of the rows on the left."""
        each, more = divmod(n, self.n_clusters)
        even = np.zeros(len(n_left), np.bool_)
        for part in self.parts:
            larger = n_left - part * each  # clusters on the left that have a row more
            least = max(0, more - (self.n_clusters - part))
            even |= (least <= larger) & (larger <= min(part, more))
        return even


@contextmanager
def regressions_end_early() -> Iterator[None]:
    """Silence what scikit-learn says of that: the sides matter, not the digits.

    Filters of warnings belong to all threads: whoever starts them enters this.
    """
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        yield


def _absolute(K: NDArray[np.float64], C: float) -> Fit:
    left = int(min(STEPS_PER_ROW * len(K), 2**31 - 1))

    def fit(targets: NDArray[np.float64]) -> NDArray[np.float64] | None:
        nonlocal left
        if left <= 0:
            return None
        model: Any = SVR(kernel="precomputed", C=C, epsilon=0.0, max_iter=left, cache_size=400)
        try:
            model.fit(K, targets)
        except ValueError as error:
            raise ValueError(
                f"C = {C:.3g} is too large for X, whose kernel has values up to "
                f"{np.abs(K).max():.3g}: the regression has no finite answer. Rescale X, or "
                f"choose a smaller C."
            ) from error
        left -= int(model.n_iter_)
        coef = np.zeros(len(K))
        coef[model.support_] = model.dual_coef_[0]
        return coef

    return fit


def _squared(K: NDArray[np.float64], C: float) -> Fit:
    """One factorisation for all targets."""
    ridge = K.copy()
    ridge.flat[:: len(K) + 1] += 1 / (2 * C)
    try:
        factor = cho_factor(ridge, overwrite_a=True, check_finite=False)
    except LinAlgError:
        raise ValueError(
            f"C is too large for kernel values up to {np.abs(K).max():.3g}: rescale X, or choose a "
            f"smaller C; got {C!r}."
        ) from None
    ones = cho_solve(factor, np.ones(len(K)))

    def fit(targets: NDArray[np.float64]) -> NDArray[np.float64]:
        bias = float(ones @ targets) / float(ones.sum())
        return cho_solve(factor, targets - bias, check_finite=False)

    return fit


#: What fits a regression to targets, and the power of its loss.
FITS = {"absolute_error": _absolute, "squared_error": _squared}
POWERS = {"absolute_error": 1, "squared_error": 2}


def two_means(K: NDArray[np.float64], rng: np.random.Generator) -> NDArray[np.bool_]:
    """Which rows have the second mean: 2-means in the space of a kernel, seeded by k-means++."""
    n, norms = len(K), K.diagonal()
    first = int(rng.integers(n))
    distances = np.maximum(norms + norms[first] - 2 * K[first], 0)
    total = float(distances.sum())
    second = int(rng.choice(n, p=distances / total)) if total > 0 else (first + 1) % n
    nearer = np.maximum(norms + norms[second] - 2 * K[second], 0) < distances
    for _ in range(100):
        check_interrupt()
        if nearer.all() or not nearer.any():
            break
        share = np.stack([~nearer / np.sum(~nearer), nearer / np.sum(nearer)])
        to_means = share @ K  # the products of the means with all rows
        offsets = 0.5 * np.einsum("ci,ci->c", share, to_means)
        moved = to_means[1] - offsets[1] > to_means[0] - offsets[0]
        if np.array_equal(moved, nearer):
            break
        nearer = moved
    if nearer.all() or not nearer.any():  # rows that are equal
        nearer = np.arange(n) >= n // 2
    return nearer
