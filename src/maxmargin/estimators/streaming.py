"""Rows in batches: a fair sample is kept, and the model is fitted when it is asked for."""

import sys
from abc import abstractmethod
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.utils.validation import validate_data

from maxmargin._runtime.context import all_or_nothing
from maxmargin._runtime.reservoir import Reservoir
from maxmargin.spaces.kernel import require_squares

#: What is known without a fit.
KNOWN = ("n_features_in_", "feature_names_in_", "reservoir_", "n_samples_seen_")


class ReservoirMixin:
    """``partial_fit`` for an estimator that is fitted to at most ``n_landmarks`` rows."""

    n_landmarks: int | None

    @abstractmethod
    def _check_parameters(self) -> None: ...

    @abstractmethod
    def _generator(self) -> np.random.Generator: ...

    @abstractmethod
    def _fit_rows(self, X: NDArray[np.floating], y: ArrayLike | None = None) -> None: ...

    @all_or_nothing
    def partial_fit(self, X: Any, y: ArrayLike | None = None) -> Self:
        """Look at more rows: a fair sample of all that came is kept.

        The model is fitted to that sample when it is next asked for anything. The order of the
        rows does not matter. Clusters are numbered anew, by their sizes. ``fit`` starts anew,
        and so does the first batch after it; the size of the sample is that of
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
        self._check_parameters()
        first = "_reservoir" not in vars(self)
        X = validate_data(self, X, dtype=[np.float64, np.float32], reset=first)
        require_squares(X)
        if first:
            self._reservoir = Reservoir(self.n_landmarks or sys.maxsize, self._generator())
        self._forget()
        self._reservoir = self._reservoir.grown(X)
        self.reservoir_ = self._reservoir.rows
        self.n_samples_seen_ = self._reservoir.n_seen
        return self

    def __getattr__(self, name: str) -> Any:
        # called for what is not there: what a fit leaves behind is made now
        of_a_fit = name.endswith("_") and not name.startswith("_") and name not in KNOWN
        if of_a_fit and self._is_due() and len(self.reservoir_) >= 2:
            self._refit()
            if name in vars(self):
                return vars(self)[name]
        raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")

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
        self._check_parameters()
        self._fit_rows(self.reservoir_)
        self.n_samples_seen_ = self._reservoir.n_seen

    def _forget(self) -> None:
        """Drop what an earlier fit has left behind."""
        for name in list(vars(self)):
            if name.endswith("_") and name not in KNOWN:
                del vars(self)[name]
