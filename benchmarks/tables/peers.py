"""What others answer, on one-hot standardised columns and on those of TableEncoder."""

import contextlib
import importlib

import numpy as np
import pandas as pd
from sklearn.cluster import AgglomerativeClustering, KMeans, SpectralClustering
from sklearn.mixture import GaussianMixture
from sklearn.preprocessing import StandardScaler

from maxmargin import TableEncoder
from maxmargin.front_door.latent_classes import latent_classes
from maxmargin.front_door.one_column import Variables


def one_hot(frame: pd.DataFrame) -> np.ndarray:
    """Numbers with medians in the gaps, zeros and ones for categories, all standardised."""
    return StandardScaler().fit_transform(TableEncoder(standardize=False).fit_transform(frame))


def answers(frame: pd.DataFrame, k: int) -> dict[str, np.ndarray]:
    """The labels of each peer in each kind of columns; Genie where it is installed."""
    found = {}
    for name, X in (("one-hot", one_hot(frame)), ("ours", TableEncoder().fit_transform(frame))):
        peers = {
            "k-means": KMeans(k, n_init=10, random_state=0),
            "Ward": AgglomerativeClustering(k),
            "GMM": GaussianMixture(k, n_init=3, random_state=0, reg_covar=1e-3),
            "spectral": SpectralClustering(k, affinity="nearest_neighbors", random_state=0),
        }
        with contextlib.suppress(ImportError):
            peers["Genie"] = importlib.import_module("genieclust").Genie(k)
        for peer, model in peers.items():
            found[f"{peer}, {name}"] = model.fit_predict(X)
    plain = TableEncoder(standardize=False).fit_transform(frame)
    found["latent classes"] = np.argmax(latent_classes(Variables(plain), k, [], 0), axis=1)
    return found
