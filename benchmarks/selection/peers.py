"""The peers on the sets of this study: columns of unit variance, or raw; text of unit length."""

import sys
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

HERE = Path(__file__).parent
sys.path[:0] = [path for path in (str(HERE), str(HERE.parent)) if path not in sys.path]

from sets import Set
from shared import peers
from shared.peers import Labels


def dense(data: Set, seed: int) -> NDArray[np.floating]:
    """The rows as the peers see them that take dense rows only."""
    return peers.dense(peers.prepared(data.X), seed)


COLUMNS = ("raw", "standardised")
PEERS = peers.peers()


def cluster(name: str, data: Set, seed: int, columns: str = "standardised") -> Labels:
    """The labels of a peer."""
    return peers.run(name, PEERS[name], data.X, data.k, seed, columns)
