"""Rows in batches: a fair sample is kept, and the model is fitted when it is asked for."""

import sys
from abc import abstractmethod
from dataclasses import dataclass, field
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from maxmargin._runtime.context import all_or_nothing, forget_fit
from maxmargin._runtime.generators import with_generator, with_plain_generator
from maxmargin._runtime.validation import validate_data

#: What is known without a fit.
KNOWN_WITHOUT_FIT = ("n_features_in_", "feature_names_in_", "reservoir_", "n_samples_seen_")


@dataclass(frozen=True, eq=False)
class Reservoir:
    """At most ``size`` rows, each that ever came with the same chance (Algorithm R).

    Parameters
    ----------
    size : int
    rng : Generator
    rows : array of shape (m, d)
        The sample.
    n_seen : int
        The rows that came.

    Examples
    --------
    >>> import numpy as np
    >>> from maxmargin.estimators.streaming import Reservoir
    >>> empty = Reservoir(3, np.random.default_rng(0))
    >>> sample = empty.grown(np.arange(8.0).reshape(4, 2))
    >>> sample.rows.shape, sample.n_seen
    ((3, 2), 4)
    """

    size: int
    rng: np.random.Generator
    rows: NDArray[np.floating] = field(default_factory=lambda: np.empty((0, 0)))
    n_seen: int = 0

    def grown(self, X: NDArray[np.floating]) -> "Reservoir":
        """The sample after more rows; this one keeps its rows."""
        first = X[: max(0, self.size - self.n_seen)]
        rows = np.concatenate([self.rows, first]) if self.n_seen else first.copy()
        rest = X[len(first) :]
        # the t-th row that came takes one of t places, if that is one of those kept
        places = self.rng.integers(self.n_seen + len(first) + 1 + np.arange(len(rest)))
        kept = places < self.size
        rows[places[kept]] = rest[kept]  # of two rows for one place the later one stays
        return Reservoir(self.size, self.rng, rows, self.n_seen + len(X))

    @property
    def known(self) -> tuple[Any, ...]:
        """What a fit should know of the rows besides: nothing."""
        return ()

    def __getstate__(self) -> dict[str, Any]:
        return with_plain_generator(vars(self))

    def __setstate__(self, state: dict[str, Any]) -> None:
        vars(self).update(with_generator(state))


class ReservoirMixin:
    """``partial_fit`` for an estimator that is fitted to at most ``n_landmarks`` rows."""

    n_landmarks: int | None

    @abstractmethod
    def _parts(self) -> Any:
        """Check that the parameters fit each other."""

    @abstractmethod
    def _generator(self) -> np.random.Generator: ...

    @abstractmethod
    def _fit_rows(self, X: NDArray[np.floating], y: ArrayLike | None = None, *known: Any) -> None:
        """Fit the model to rows, with what is known of them."""

    def _empty_reservoir(self, X: NDArray[np.floating]) -> Any:
        """What keeps rows, before the first of them, which are X."""
        return Reservoir(self.n_landmarks or sys.maxsize, self._generator())

    @all_or_nothing
    def partial_fit(self, X: Any, y: ArrayLike | None = None) -> Self:
        """Look at more rows: a fair sample of all that came is kept.

        ``predict`` and ``decision_function`` fit the model to that sample if rows came since
        the last fit; until then there is no ``labels_``, nor anything else of a fit. The order
        of the rows does not matter. Clusters are numbered anew, by their sizes. ``fit`` starts
        anew, and so does the first batch after it; the size of the sample is that of
        ``n_landmarks`` at the first batch.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            A batch of rows.
        y : None
            Ignored.

        Returns
        -------
        self : object
        """
        self._parts()
        first = "_reservoir" not in vars(self)
        X = validate_data(self, X, dtype=[np.float64, np.float32], reset=first)
        if first:
            self._reservoir = self._empty_reservoir(X)
        forget_fit(self, KNOWN_WITHOUT_FIT)
        self._reservoir = self._reservoir.grown(X)
        self.reservoir_ = self._reservoir.rows
        self.n_samples_seen_ = self._reservoir.n_seen
        return self

    def __getattr__(self, name: str) -> Any:
        # called for what is not there
        message = f"{type(self).__name__!r} object has no attribute {name!r}"
        if name.endswith("_") and not name.startswith("_") and self._is_due():
            message += (
                ": the rows of partial_fit are not fitted yet. Call predict or decision_function, "
                "which fit them; predict(model.reservoir_) returns the labels of the rows kept."
            )
        raise AttributeError(message)

    def _fit_if_due(self) -> None:
        """Fit the model to the reservoir, unless nothing came since."""
        if self._is_due():
            self._refit()

    def _is_due(self) -> bool:
        # a callback that looks at the model during its fit must not begin another one
        fitting = "_callback_fit_ctx" in vars(self)
        return "reservoir_" in vars(self) and "labels_" not in vars(self) and not fitting

    @all_or_nothing
    def _refit(self) -> None:
        if len(self.reservoir_) < 2:
            raise ValueError(
                f"{type(self).__name__} needs at least 2 rows; partial_fit has seen "
                f"{len(self.reservoir_)} so far."
            )
        self._fit_rows(self.reservoir_, None, *self._reservoir.known)
        self.n_samples_seen_ = self._reservoir.n_seen
