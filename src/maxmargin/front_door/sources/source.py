"""What a source of candidates is: a way to look at rows that is not the search's."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from maxmargin.front_door.sources.neighbors_graph import NeighborsGraph
from maxmargin.front_door.sources.spanning_tree import SpanningTree


@dataclass(frozen=True, eq=False)
class Proposal:
    """A labelling that a source found, and whether it is sure of it.

    Attributes
    ----------
    labels : ndarray of shape (n,)
    source : str
        The name of the source: those of one name are one voice.
    setting : str
        What it was found with.
    why : str
        Why it is the answer, in plain words; empty where the source is not sure.
    gap : bool
        Whether ``why`` is a clean gap, which clusters may be smaller for than ``"auto"`` lets them.
    few : bool
        Whether one of these is smaller than what other sources look for.
    columns : str
        ``"standardised"`` or ``"raw"``: what the rows were compared by.
    graph : NeighborsGraph or None
        The rows that are near each other in these columns.
    """

    labels: NDArray[np.int32]
    source: str
    setting: str
    why: str = ""
    gap: bool = False
    few: bool = False
    columns: str = ""
    graph: NeighborsGraph | None = None


class CandidateSource(Protocol):
    """One way to find k clusters, cheap and not polished.

    A new source is a file with a class like this, and its place in ``SOURCES``.
    """

    def propose(self, tree: SpanningTree, k: int) -> Iterator[Proposal]:
        """Find k clusters, in one way or several; nothing where the rows have no k."""
        ...
