"""Several methods on the same rows, and what each of their answers is worth."""

import time
import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import issparse
from sklearn.base import clone
from sklearn.cluster import HDBSCAN, KMeans, SpectralClustering
from sklearn.metrics import adjusted_rand_score, silhouette_score
from sklearn.mixture import GaussianMixture
from sklearn.utils import get_tags

import maxmargin
from maxmargin._runtime.progress import Step, tell
from maxmargin._runtime.units import share_a_unit
from maxmargin.cli.console import progress_bar
from maxmargin.cli.errors import UserError
from maxmargin.metrics import matched_accuracy_score
from maxmargin.preprocessing import TableScaler
from maxmargin.selection import LeaveOneOutCriterion, SplitGapCriterion

#: Methods that keep n × n numbers are left out where there are more rows.
FEW_ROWS = 5000
#: Rows on which the silhouette is measured at most.
SILHOUETTE_ROWS = 2000


@dataclass(frozen=True)
class ComparedMethod:
    """A clusterer to compare, with the parameters that are not its defaults."""

    estimator: Any
    max_rows: float = np.inf

    @property
    def name(self) -> str:
        """The name of its class."""
        return type(self.estimator).__name__

    def make(self, k: int, seed: int) -> Any:
        """The clusterer, with the number of clusters if it takes one."""
        takes = self.estimator.get_params()
        given = {"n_clusters": k, "random_state": seed, "standardize": False}
        if "n_clusters" not in takes:
            given["n_components"] = k  # of a mixture
        known = {name: value for name, value in given.items() if name in takes}
        return clone(self.estimator).set_params(**known)


#: Ours, then the peers as the literature runs them.
COMPARED_METHODS = (
    ComparedMethod(maxmargin.MaxMarginClustering()),
    ComparedMethod(maxmargin.CuttingPlaneClustering()),
    ComparedMethod(maxmargin.RLSClustering(), max_rows=FEW_ROWS),
    ComparedMethod(maxmargin.MultipleKernelClustering()),
    ComparedMethod(maxmargin.SupportVectorClustering()),
    ComparedMethod(KMeans(n_init=10)),
    ComparedMethod(GaussianMixture(n_init=5)),
    ComparedMethod(SpectralClustering(affinity="nearest_neighbors"), max_rows=FEW_ROWS),
    ComparedMethod(HDBSCAN(copy=True), max_rows=10 * FEW_ROWS),
)


@dataclass(frozen=True, eq=False)
class MethodResult:
    """What a method answered; ``problem`` says why there is no answer."""

    name: str
    seconds: float
    labels: NDArray[np.intp] | None
    problem: str = ""


def to_standardize(X: Any, standardize: bool | None) -> bool:
    """Whether columns are to count alike: as the user says, or unless they share a unit."""
    if issparse(X):
        return False
    return not share_a_unit(X) if standardize is None else standardize


def standardized(X: Any, standardize: bool | None) -> Any:
    """The rows as all methods get them."""
    return TableScaler().fit_transform(X) if to_standardize(X, standardize) else X


def methods_named(names: Sequence[str]) -> list[ComparedMethod]:
    """The methods of these names; all of them if no name is given."""
    known = {method.name.lower(): method for method in COMPARED_METHODS}
    wanted = dict.fromkeys(name.strip().lower() for name in names)
    for name in wanted:
        if name not in known:
            raise UserError(
                f"--methods must be of {', '.join(c.name for c in COMPARED_METHODS)}; got {name!r}."
            )
    return [known[name] for name in wanted] or list(COMPARED_METHODS)


def run_methods(
    chosen: Sequence[ComparedMethod], X: Any, k: int, seed: int, *, quiet: bool
) -> list[MethodResult]:
    """Let every method cluster the rows; Ctrl-C leaves out those that are not done yet.

    Without any answer there is nothing to compare: that is an error.
    """
    results: list[MethodResult] = []
    with progress_bar(quiet):
        for turn, method in enumerate(chosen):
            tell(Step(method.name, "method", turn, len(chosen)))
            try:
                results.append(_run(method, X, k, seed))
            except KeyboardInterrupt:
                if all(result.labels is None for result in results):
                    raise
                results.append(MethodResult(method.name, 0.0, None, "interrupted"))
                break
    if all(result.labels is None for result in results):
        problems = "; ".join(f"{result.name}: {result.problem}" for result in results)
        raise UserError(f"no method has an answer. {problems}")
    return results


def _run(method: ComparedMethod, X: Any, k: int, seed: int) -> MethodResult:
    estimator = method.make(k, seed)
    problem = ""
    if X.shape[0] > method.max_rows:
        problem = f"left out: too slow for more than {method.max_rows:,} rows"
    elif issparse(X) and not get_tags(estimator).input_tags.sparse:
        problem = "left out: it takes no sparse rows"
    if problem:
        return MethodResult(method.name, 0.0, None, problem)
    began = time.perf_counter()
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            labels = estimator.fit_predict(X)
    except Exception as error:  # the failure of one method is part of the comparison
        return MethodResult(method.name, 0.0, None, f"{type(error).__name__}: {_first_line(error)}")
    return MethodResult(method.name, time.perf_counter() - began, np.asarray(labels, dtype=np.intp))


def _first_line(error: Exception) -> str:
    return next(iter(str(error).splitlines()), "")


def score_results(
    results: Sequence[MethodResult], X: Any, truth: Any, seed: int
) -> list[dict[str, Any]]:
    """Score each answer, without labels and by the known ones; ``truth`` has None for unknown."""
    truth = truth or [None] * X.shape[0]
    known = np.array([label is not None for label in truth])
    classes = np.array([str(label) for label in truth])[known]
    answers = [result.labels for result in results if result.labels is not None]
    criteria = {
        "loo": LeaveOneOutCriterion(standardize=False, random_state=seed).fit(X),
        "split_gap": SplitGapCriterion(standardize=False, random_state=seed).fit(X),
    }
    rows = []
    for result in results:
        row: dict[str, Any] = {"method": result.name, "problem": result.problem}
        if result.labels is not None:
            labels = result.labels
            n_clusters = len(np.unique(labels[labels >= 0]))
            row |= {
                "clusters": n_clusters,
                "outliers": int(np.sum(labels < 0)),
                "agreement": _mean(
                    adjusted_rand_score(labels, other) for other in answers if other is not labels
                ),
                **{name: float(rule.score(labels)) for name, rule in criteria.items()},
                "silhouette": _silhouette(X, labels, seed),
                "seconds": round(result.seconds, 3),
            }
            if known.any():
                row["ari"] = float(adjusted_rand_score(classes, labels[known]))
                row["accuracy"] = matched_accuracy_score(classes, labels[known])
        rows.append(row)
    return rows


def _mean(values: Any) -> float | None:
    values = list(values)
    return float(np.mean(values)) if values else None


def _silhouette(X: Any, labels: NDArray[np.intp], seed: int) -> float | None:
    """The silhouette, of a sample if there are many rows; None where it is not defined."""
    inside = labels >= 0
    try:
        size = min(SILHOUETTE_ROWS, int(inside.sum()))
        return float(
            silhouette_score(X[inside], labels[inside], sample_size=size, random_state=seed)
        )
    except ValueError:  # one cluster, or each row is one
        return None
