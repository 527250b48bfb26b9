"""Methods for mixed tables: peers on one-hot and on our columns, and ways to scale columns."""

import importlib
from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
from sklearn.cluster import AgglomerativeClustering, KMeans, SpectralClustering
from sklearn.mixture import GaussianMixture
from sklearn.preprocessing import StandardScaler

from benchmarks.methods.geometries import WAYS, scaled
from maxmargin import MaxMarginClustering, TableEncoder
from maxmargin.front_door.latent_classes import latent_classes
from maxmargin.front_door.one_column import Variables

Labels = np.ndarray
Answer = Callable[[pd.DataFrame, int], Labels]


def one_hot(frame: pd.DataFrame) -> np.ndarray:
    """Numbers with medians in the gaps, zeros and ones for categories, all standardised."""
    return StandardScaler().fit_transform(TableEncoder(standardize=False).fit_transform(frame))


def ours(frame: pd.DataFrame) -> np.ndarray:
    """The columns of TableEncoder."""
    return TableEncoder().fit_transform(frame)


def by_latent_classes(frame: pd.DataFrame, k: int) -> Labels:
    """Our own EM."""
    plain = TableEncoder(standardize=False).fit_transform(frame)
    return np.argmax(latent_classes(Variables(plain), k, [], 0), axis=1)


MODELS: dict[str, Callable[[int], Any]] = {
    "k-means": lambda k: KMeans(k, n_init=10, random_state=0),
    "Ward": AgglomerativeClustering,
    "GMM": lambda k: GaussianMixture(k, n_init=3, random_state=0, reg_covar=1e-3),
    "spectral": lambda k: SpectralClustering(k, affinity="nearest_neighbors", random_state=0),
}
if importlib.util.find_spec("genieclust"):
    MODELS["Genie"] = lambda k: importlib.import_module("genieclust").Genie(k)
#: The front door beside its peers, each in both kinds of columns.
PEERS: dict[str, Answer] = {
    **{
        f"{name}, {kind}": lambda frame, k, m=model, e=encode: m(k).fit_predict(e(frame))
        for kind, encode in (("one-hot", one_hot), ("ours", ours))
        for name, model in MODELS.items()
    },
    "latent classes": by_latent_classes,
    "MaxMarginClustering": lambda frame, k: (
        MaxMarginClustering(k, random_state=0).fit(frame).labels_
    ),
    "MaxMarginClustering, one-hot": lambda frame, k: (
        MaxMarginClustering(k, random_state=0).fit(one_hot(frame)).labels_
    ),
}


def in_columns(frame: pd.DataFrame, way: str) -> np.ndarray:
    """Columns that are scaled in one of the ways."""
    return scaled(TableEncoder(standardize=False).fit_transform(frame), *WAYS[way])


def kmeans(frame: pd.DataFrame, k: int, way: str) -> Labels:
    """k-means in such columns."""
    return KMeans(k, n_init=5, random_state=0).fit_predict(in_columns(frame, way))


def margins(frame: pd.DataFrame, k: int, way: str) -> Labels:
    """The front door's search in such columns."""
    Z = in_columns(frame, way)
    # a little noise: no column has few values, so margins alone decide
    Z = Z + 1e-3 * np.random.default_rng(0).normal(size=Z.shape)
    return MaxMarginClustering(k, standardize=False, random_state=0).fit(Z).labels_


GEOMETRIES: dict[str, Answer] = {
    f"{name}; {way}": lambda frame, k, a=answer, w=way: a(frame, k, w)
    for way in WAYS
    for name, answer in (("k-means", kmeans), ("margins", margins))
}
