"""One candidate of a search: fitted, and scored without true labels."""

import time
from collections.abc import Callable, Mapping
from contextlib import nullcontext
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.pipeline import Pipeline

from maxmargin._runtime.handing_on import Part
from maxmargin._runtime.parallel import one_thread
from maxmargin.estimators.kernel_path import KernelPath

Score = Callable[[Any, NDArray[Any]], float]


@dataclass
class ScoredFit:
    """What became of one candidate."""

    fitted: tuple[Any, NDArray[Any]] | None = None  # the estimator and its labels
    score: float = np.nan
    n_clusters: int = 0
    n_noise: int = 0
    fit_time: float = 0.0
    score_time: float = 0.0
    failed: str = ""  # "fit" or "score"
    error: str = ""
    enough: bool | None = None  # whether a callback wants no more; None if it was not told yet

    def __str__(self) -> str:
        return f"{self.n_clusters} clusters, score {self.score:.6g}"


def fit_and_score(
    estimator: Any,
    X: Any,
    pins: Any,
    score: Score,
    raising: bool,
    part: Part | None = None,
    path: KernelPath | None = None,
    told: Mapping[str, Any] | None = None,
) -> ScoredFit:
    """Fit and score one candidate, which is handed the callbacks of the search.

    ``told`` are further arguments of its ``fit``; a ``path`` is what it shares with other alphas.
    """
    outcome, part = ScoredFit(), part or Part()
    step, start = "fit", time.perf_counter()
    # Sums in BLAS depend on the number of threads, and that on the number of jobs.
    with one_thread():
        try:
            lent = nullcontext() if path is None else path.lent_to(estimator)
            with part.done_by(estimator, X, pins), lent:
                estimator.fit(X, *([] if pins is None else [pins]), **(told or {}))
            labels = _labels_of(estimator, X)
            outcome.n_noise = int(np.sum(labels == -1))
            outcome.n_clusters = len(np.unique(labels)) - (outcome.n_noise > 0)
            outcome.fit_time = time.perf_counter() - start
            step, start = "score", time.perf_counter()
            outcome.score = float(score(X, labels))
            outcome.score_time = time.perf_counter() - start
            outcome.fitted = estimator, labels
        except Exception as error:
            if raising:
                raise
            setattr(outcome, f"{step}_time", time.perf_counter() - start)
            outcome.failed, outcome.error = step, f"{type(error).__name__}: {error}"
    if part.away:  # callbacks that were handed on have told of it here
        outcome.enough = part.end()
    return outcome


def _labels_of(estimator: Any, X: Any) -> NDArray[Any]:
    """``labels_`` of the estimator or of the last step of a pipeline, else ``predict``."""
    last = estimator
    while isinstance(last, Pipeline):
        last = last.steps[-1][1]
    if hasattr(last, "labels_"):
        labels = np.asarray(last.labels_)
    elif hasattr(estimator, "predict"):
        labels = np.asarray(estimator.predict(X))
    else:
        raise TypeError(
            f"estimator must have labels_ after fit, or predict; {type(last).__name__} has neither."
        )
    n = X.shape[0] if hasattr(X, "shape") else len(X)
    if labels.shape != (n,):
        raise ValueError(
            f"estimator must label each of the {n} rows; {type(last).__name__} gave labels of "
            f"shape {labels.shape}."
        )
    return labels
