"""One fit: its CPU seconds, the memory it takes at its peak, and what came of it."""

import time
from collections.abc import Callable, Iterable, Mapping
from inspect import signature
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import linear_sum_assignment
from sklearn.metrics import adjusted_rand_score, rand_score
from sklearn.metrics.cluster import contingency_matrix

from benchmarks.runner.memory import peak_memory, reset_peak

Row = dict[str, Any]
Score = Callable[[NDArray, NDArray], Row]
#: Parameters that every study sets, and says once.
USUAL = ("n_clusters", "random_state")


def timed(work: Callable[..., Any], *args: Any) -> tuple[Any, Row]:
    """What a call returns, its CPU seconds, and its peak of memory above what was there before."""
    reset_peak()
    before, began = peak_memory(), time.process_time()
    found = work(*args)
    seconds, after = time.process_time() - began, peak_memory()
    peak = None if before is None or after is None else max(after - before, 0)
    return found, {"cpu_seconds": seconds, "peak_bytes": peak}


def fastest(work: Callable[[], Any], rounds: int = 3, enough: float = 12.0) -> tuple[Any, Row]:
    """The fastest of some repetitions, fewer where they take long; the first one tells the peak."""
    seconds: list[float] = []
    peak = found = None
    while len(seconds) < rounds and sum(seconds) < enough:
        found, taken = timed(work)
        seconds.append(taken["cpu_seconds"])
        peak = taken["peak_bytes"] if len(seconds) == 1 else peak
    return found, {"cpu_seconds": min(seconds), "peak_bytes": peak}


def fit(model: Any, X: Any, y: NDArray, score: Score | None = None) -> Row:
    """Fit a model; only ``fit`` is timed."""
    _, taken = timed(model.fit, X)
    return (score or scores)(y, model.labels_) | taken | {"parameters": parameters(model)}


def scores(y: NDArray, labels: NDArray) -> Row:
    """Majority and one-to-one accuracy in %, Rand index and ARI; rows of −1 belong nowhere."""
    known = np.asarray(y) >= 0
    y, labels = np.asarray(y)[known], np.asarray(labels)[known]
    counts = contingency_matrix(y, labels)
    matched = counts[linear_sum_assignment(-counts)].sum()
    return {
        "majority": 100 * counts.max(axis=0).sum() / len(y),
        "rand": rand_score(y, labels),
        "ari": adjusted_rand_score(y, labels),
        "one_to_one": 100 * matched / len(y),
    }


def only_ari(y: NDArray, labels: NDArray) -> Row:
    """The adjusted Rand index, and the number of clusters found."""
    return {"ari": scores(y, labels)["ari"], "k": len(np.unique(labels[labels >= 0]))}


def facts(X: Any, y: NDArray) -> Row:
    """The size of a set: rows, columns, classes and the share of the largest class in %."""
    kept = y[y >= 0]
    sizes = np.bincount(kept)
    n, d = X.shape
    return {
        "n": n,
        "d": d,
        "k": int((sizes > 0).sum()),
        "largest_class": 100 * sizes.max() / len(kept),
    }


def parameters(model: Any) -> str:
    """What is not the default of a model, besides the number of clusters and the seed."""
    if not hasattr(model, "get_params"):
        return ""
    defaults = {name: p.default for name, p in signature(type(model)).parameters.items()}
    return ", ".join(
        f"{name}={_short(value)}"
        for name, value in model.get_params(deep=False).items()
        if name not in USUAL and repr(value) != repr(defaults.get(name))
    )


def _short(value: Any, most: int = 60) -> str:
    """A value in a line."""
    text = " ".join(repr(value).split())
    return text if len(text) <= most else text[: most - 1] + "…"


def over(runs: Iterable[Mapping[str, Any]]) -> Row:
    """The means of figures over runs, their standard deviations, and words that do not change."""
    rows = list(runs)
    words = {name: value for name, value in rows[0].items() if isinstance(value, str)}
    found: Row = {n: v for n, v in words.items() if all(row[n] == v for row in rows)}
    names = [n for n, v in rows[0].items() if isinstance(v, float | int | np.number)]
    for name in names:
        values = [row[name] for row in rows if row[name] is not None]
        found[name] = float(np.nanmean(values)) if values else None
    if len(rows) > 1:
        found |= {f"{n}_sd": float(np.nanstd([row[n] for row in rows])) for n in names}
    return found | {"seeds": len(rows)}
