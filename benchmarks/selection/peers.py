"""The peers on the sets of this study: columns of unit variance, text of unit length."""

import sys
from collections.abc import Callable
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


PEERS: dict[str, Callable[[Set, int], Labels]] = {
    name: lambda data, seed, name=name, peer=peer: peers.run(name, peer, data.X, data.k, seed)
    for name, peer in peers.peers().items()
}
