"""A fit with everything that a command adds to it: progress, warnings and Ctrl-C."""

import time
import warnings
from dataclasses import dataclass
from typing import Any

from scipy.sparse import issparse
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from maxmargin import MaxMarginClustering, MaxMarginWarning
from maxmargin.cli.console import progress_bar
from maxmargin.cli.methods import Method


@dataclass(frozen=True)
class Fit:
    """A fitted estimator, and how it went.

    Attributes
    ----------
    estimator : object
    seconds : float
    notes : list of str
        What was warned of.
    interrupted : bool
        Whether Ctrl-C ended it early.
    """

    estimator: Any
    seconds: float
    notes: list[str]
    interrupted: bool


def make_estimator(
    method: Method,
    X: Any,
    *,
    n_clusters: int | None,
    standardize: bool,
    seed: int | None,
    jobs: int | None,
    settings: dict[str, Any],
) -> Any:
    """The estimator as it was asked for; the columns of dense rows get the same weight first.

    The front door standardises by itself. ``n_clusters`` is None for a method that finds it.
    """
    given: dict[str, Any] = {"random_state": seed, "n_jobs": jobs, "on_interrupt": "keep"}
    if n_clusters is not None:
        given["n_clusters"] = n_clusters
    own = "standardize" in method.takes
    if own:
        given["standardize"] = standardize
    estimator = method.make(**{**given, **settings})
    if own or not standardize or issparse(X):
        return estimator
    return make_pipeline(StandardScaler(), estimator)


def choose_number(X: Any, *, standardize: bool, seed: int | None, quiet: bool) -> tuple[int, str]:
    """The number of clusters by the front door, for methods that must be told, and why."""
    door = MaxMarginClustering(standardize=standardize, effort="fast", random_state=seed)
    fitted = fit(door, X, quiet=quiet).estimator
    number = fitted.chosen_["why"].rpartition("The number of clusters ")[2]
    k = fitted.n_clusters_
    return k, f"{k} clusters, as MaxMarginClustering finds them: the number {number}"


def fit(estimator: Any, X: Any, *, quiet: bool) -> Fit:
    """Fit, with a progress bar on a terminal, and keep the warnings."""
    began = time.perf_counter()
    with progress_bar(quiet), warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("ignore")
        warnings.simplefilter("always", MaxMarginWarning)
        estimator.fit(X)
    notes = list(dict.fromkeys(str(warning.message) for warning in caught))
    interrupted = any(note.startswith("the fit was interrupted") for note in notes)
    return Fit(estimator, time.perf_counter() - began, notes, interrupted)
