"""Several methods on the same rows, and what each of their answers is worth."""

import inspect
import time
import warnings
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import issparse
from sklearn.cluster import HDBSCAN, KMeans, SpectralClustering
from sklearn.metrics import adjusted_rand_score, silhouette_score
from sklearn.mixture import GaussianMixture
from sklearn.preprocessing import StandardScaler
from sklearn.utils import get_tags

import maxmargin
from maxmargin._runtime.progress import Step, tell
from maxmargin.cli.console import progress_bar
from maxmargin.cli.errors import UserError
from maxmargin.metrics import matched_accuracy_score
from maxmargin.selection import LeaveOneOutCriterion, SplitGapCriterion

#: Rows up to which methods with n × n numbers take part.
FEW_ROWS = 5000
#: Rows on which the silhouette is measured at most.
SILHOUETTE_ROWS = 2000


@dataclass(frozen=True)
class Contestant:
    """A clusterer that takes part, with parameters that are not its defaults."""

    type: Any
    parameters: dict[str, Any] = field(default_factory=dict)
    max_rows: float = np.inf

    @property
    def name(self) -> str:
        """Of its class."""
        return self.type.__name__

    def make(self, k: int, seed: int) -> Any:
        """The clusterer, told the number of clusters if it must be."""
        given = {"n_clusters": k, "n_components": k, "random_state": seed, "standardize": False}
        takes = inspect.signature(self.type).parameters
        if "n_clusters" in takes:
            del given["n_components"]  # of a map, not of a mixture
        known = {name: value for name, value in given.items() if name in takes}
        return self.type(**known, **self.parameters)


#: Ours, then the peers as the literature runs them.
CONTESTANTS = (
    Contestant(maxmargin.MaxMarginClustering),
    Contestant(maxmargin.CuttingPlaneClustering),
    Contestant(maxmargin.RLSClustering, max_rows=FEW_ROWS),
    Contestant(maxmargin.MultipleKernelClustering),
    Contestant(maxmargin.SupportVectorClustering),
    Contestant(KMeans, {"n_init": 10}),
    Contestant(GaussianMixture, {"n_init": 5}),
    Contestant(SpectralClustering, {"affinity": "nearest_neighbors"}, max_rows=FEW_ROWS),
    Contestant(HDBSCAN, {"copy": True}, max_rows=10 * FEW_ROWS),
)


@dataclass(frozen=True, eq=False)
class Result:
    """What a method answered; ``problem`` says why there is no answer."""

    name: str
    seconds: float
    labels: NDArray[np.intp] | None
    problem: str = ""


def scaled(X: Any, standardize: bool) -> Any:
    """The rows as all methods get them."""
    return X if issparse(X) or not standardize else StandardScaler().fit_transform(X)


def those_named(names: Sequence[str]) -> list[Contestant]:
    """The contestants of these names, all of them without any."""
    known = {contestant.name.lower(): contestant for contestant in CONTESTANTS}
    wanted = dict.fromkeys(name.strip().lower() for name in names)
    for name in wanted:
        if name not in known:
            raise UserError(
                f"--methods must be of {', '.join(c.name for c in CONTESTANTS)}; got {name!r}."
            )
    return [known[name] for name in wanted] or list(CONTESTANTS)


def contend(
    contestants: Sequence[Contestant], X: Any, k: int, seed: int, *, quiet: bool
) -> list[Result]:
    """Let every method cluster the rows; Ctrl-C leaves out those that are not done yet.

    Without any answer there is nothing to compare: that is an error.
    """
    results: list[Result] = []
    with progress_bar(quiet):
        for turn, contestant in enumerate(contestants):
            tell(Step(contestant.name, "method", turn, len(contestants)))
            try:
                results.append(_turn(contestant, X, k, seed))
            except KeyboardInterrupt:
                if all(result.labels is None for result in results):
                    raise
                results.append(Result(contestant.name, 0.0, None, "interrupted"))
                break
    if all(result.labels is None for result in results):
        problems = "; ".join(f"{result.name}: {result.problem}" for result in results)
        raise UserError(f"no method has an answer. {problems}")
    return results


def _turn(contestant: Contestant, X: Any, k: int, seed: int) -> Result:
    estimator = contestant.make(k, seed)
    problem = ""
    if X.shape[0] > contestant.max_rows:
        problem = f"left out: too slow for more than {contestant.max_rows:,} rows"
    elif issparse(X) and not get_tags(estimator).input_tags.sparse:
        problem = "left out: it takes no sparse rows"
    if problem:
        return Result(contestant.name, 0.0, None, problem)
    began = time.perf_counter()
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            labels = estimator.fit_predict(X)
    except Exception as error:  # the failure of one method is part of the comparison
        return Result(contestant.name, 0.0, None, f"{type(error).__name__}: {_first_line(error)}")
    return Result(contestant.name, time.perf_counter() - began, np.asarray(labels, dtype=np.intp))


def _first_line(error: Exception) -> str:
    return next(iter(str(error).splitlines()), "")


def score(results: Sequence[Result], X: Any, truth: Any, seed: int) -> list[dict[str, Any]]:
    """What each answer is worth: without labels, and by those that are known.

    ``truth`` has None where a label is not known.
    """
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
    """On a sample where there are many rows; None where it is not defined."""
    inside = labels >= 0
    try:
        size = min(SILHOUETTE_ROWS, int(inside.sum()))
        return float(
            silhouette_score(X[inside], labels[inside], sample_size=size, random_state=seed)
        )
    except ValueError:  # one cluster, or each row is one
        return None
