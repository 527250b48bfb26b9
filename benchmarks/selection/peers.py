"""The peers on the sets of this study, each with its usual preparation of the data."""

import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from sklearn.decomposition import TruncatedSVD
from sklearn.preprocessing import StandardScaler, normalize

HERE = Path(__file__).parent
sys.path[:0] = [path for path in (str(HERE), str(HERE.parent)) if path not in sys.path]

from sets import Rows, Set
from shared.peers import TAKE_SPARSE, Labels, Peer, peers


def prepared(data: Set) -> Rows:
    """Columns of unit variance; rows of unit length for text."""
    return normalize(data.X) if data.sparse else StandardScaler().fit_transform(data.X)


def dense(data: Set, seed: int) -> NDArray[np.float64]:
    """The same; of text the first 50 singular directions."""
    X = prepared(data)
    return TruncatedSVD(50, random_state=seed).fit_transform(X) if data.sparse else X


def on_set(peer: Peer, sparse: bool, data: Set, seed: int) -> Labels:
    """A peer's labels of a set."""
    return peer(prepared(data) if sparse else dense(data, seed), data.k, seed)


PEERS: dict[str, Callable[[Set, int], Labels]] = {
    name: partial(on_set, peer, name in TAKE_SPARSE) for name, peer in peers().items()
}
