"""A fit with everything that a command adds to it: progress, warnings and Ctrl-C."""

import sys
import time
import warnings
from contextlib import redirect_stdout
from dataclasses import dataclass
from typing import Any

from sklearn.pipeline import make_pipeline
from sklearn.utils import get_tags

from maxmargin import MaxMarginClustering, MaxMarginWarning
from maxmargin._runtime.warnings import InterruptedWarning
from maxmargin.cli.comparison import to_standardize
from maxmargin.cli.console import progress_bar
from maxmargin.cli.errors import UserError
from maxmargin.cli.methods import Method
from maxmargin.cli.told import for_fit
from maxmargin.explain.formatting import count
from maxmargin.preprocessing import TableScaler


@dataclass(frozen=True)
class Fit:
    """A fitted estimator; ``notes`` are its warnings, ``interrupted`` is by Ctrl-C."""

    estimator: Any
    seconds: float
    notes: list[str]
    interrupted: bool


def make_estimator(
    method: Method,
    X: Any,
    *,
    n_clusters: int | None,
    standardize: bool | None,
    seed: int | None,
    jobs: int | None,
    settings: dict[str, Any],
) -> Any:
    """The estimator that was asked for, after a scaler where columns are to count alike.

    The front door scales by itself. ``n_clusters`` is None for a method that finds it.
    """
    given: dict[str, Any] = {"random_state": seed, "n_jobs": jobs, "on_interrupt": "keep"}
    if n_clusters is not None:  # else the method finds it
        given["n_clusters"] = n_clusters
    own = "standardize" in method.takes
    if own:
        given["standardize"] = "auto" if standardize is None else standardize
    estimator = method.make(**{**given, **settings})
    pairs = get_tags(estimator).input_tags.pairwise
    if own or pairs or not to_standardize(X, standardize):  # pairs have no columns
        return estimator
    return make_pipeline(TableScaler(), estimator)


def choose_number(
    X: Any, *, standardize: bool | None, seed: int | None, quiet: bool
) -> tuple[int, str]:
    """The number of clusters that the front door finds, for methods that need one, and why."""
    columns = "auto" if standardize is None else standardize
    door = MaxMarginClustering(standardize=columns, effort="fast", random_state=seed)
    fitted = fit(door, X, quiet=quiet).estimator
    k = fitted.n_clusters_
    why = fitted.chosen_.get("number", "There are too few rows to choose it.")
    return k, f"{count(k, 'cluster')}, as MaxMarginClustering finds them. {why}"


def fit(estimator: Any, X: Any, *, quiet: bool, **told: Any) -> Fit:
    """Fit, with a progress bar on a terminal, and keep the warnings.

    ``told`` is what ``fit`` may take besides the rows, None where there is nothing.
    Standard output is for results: what a verbose estimator prints goes to standard error.
    """
    began, told = time.perf_counter(), for_fit(estimator, told)
    with (
        redirect_stdout(sys.stderr),
        progress_bar(quiet),
        warnings.catch_warnings(record=True) as caught,
    ):
        warnings.simplefilter("ignore")
        warnings.simplefilter("always", MaxMarginWarning)
        try:
            estimator.fit(X, **told)
        except (TypeError, OverflowError) as error:  # scikit-learn's and joblib's own checks
            raise UserError(f"a value of --set does not fit its parameter: {error}.") from error
    notes = list(dict.fromkeys(str(warning.message) for warning in caught))
    interrupted = any(issubclass(warning.category, InterruptedWarning) for warning in caught)
    return Fit(estimator, time.perf_counter() - began, notes, interrupted)
