"""What is compared on many rows: a function from rows to labels, or to None."""

from collections.abc import Callable
from typing import Any

from sklearn.cluster import HDBSCAN, KMeans, MiniBatchKMeans
from sklearn.utils import gen_batches

from maxmargin import CuttingPlaneClustering, MaxMarginClustering
from maxmargin.spaces.metric import gaussian, squared_distances

N_LANDMARKS, BLOCK = 1000, 1024
OURS, LIMIT = "MaxMarginClustering", "one kernel block"
#: Methods that are left out with more rows: they would take hours.
MOST_ROWS = {"HDBSCAN": 30_000}
#: Methods that are left out where rows are sparse.
DENSE = ("HDBSCAN", LIMIT)
#: Methods that draw nothing.
SEEDLESS = ("HDBSCAN", LIMIT)


def kernel_block(X: Any) -> None:
    """The limit: form the kernel of all rows with the landmarks once, and use it for nothing."""
    for block in gen_batches(len(X), BLOCK):
        gaussian(squared_distances(X[block], X[:N_LANDMARKS], tol=1.0), 0.01)


METHODS: dict[str, Callable[[int, int], Callable[[Any], Any]]] = {
    "KMeans(n_init=1)": lambda k, seed: KMeans(k, n_init=1, random_state=seed).fit_predict,
    "MiniBatchKMeans": lambda k, seed: MiniBatchKMeans(k, random_state=seed).fit_predict,
    "MiniBatchKMeans(batch_size=10240)": lambda k, seed: (
        MiniBatchKMeans(k, batch_size=10_240, random_state=seed).fit_predict
    ),
    "HDBSCAN": lambda k, seed: HDBSCAN(copy=True).fit_predict,
    LIMIT: lambda k, seed: kernel_block,
    "CuttingPlaneClustering": lambda k, seed: (
        CuttingPlaneClustering(k, random_state=seed).fit_predict
    ),
    OURS: lambda k, seed: MaxMarginClustering(k, random_state=seed).fit_predict,
}
