"""How labels move: one file for each search.

``engine.py``
    Start → search → polish → best of the runs: what every least-squares method calls.
``starts.py``
    Where runs begin.
``pinned.py``
    Runs where rows are pinned.
``consensus.py``
    Labels that several kernels agree on.
``shaking.py``
    Clusters claim rows by turns, fewer in each round (UMC-RLS).
``steepest.py``
    The best single move, as long as there is one (Steep-RLS).
``stochastic.py``
    Row after row takes its best cluster (Stoc-RLS).
``evolutionary.py``
    Mutation and selection (EvoMMC, FastEvoMMC).
``sweeps.py``
    Many rows by a few landmarks, block after block.
"""

from maxmargin.search.engine import Found, Problem, Search, Start
from maxmargin.search.evolutionary import Evolutionary
from maxmargin.search.shaking import Shaking
from maxmargin.search.steepest import Steepest
from maxmargin.search.stochastic import Stochastic

#: The searches by the name that ``RLSClustering(search=...)`` takes.
SEARCHES: dict[str, type[Search]] = {
    "shaking": Shaking,
    "steepest": Steepest,
    "stochastic": Stochastic,
    "evolutionary": Evolutionary,
}

__all__ = [
    "SEARCHES",
    "Evolutionary",
    "Found",
    "Problem",
    "Search",
    "Shaking",
    "Start",
    "Steepest",
    "Stochastic",
]
