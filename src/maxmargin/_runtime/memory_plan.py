"""What a fit to rows in memory will take at its peak, said before anything is allocated.

The figures are bytes above the data. They are laws with constants that were measured
(``benchmarks/studies/robustness/memory.py``): peaks are mostly .6 to 1.2 times what is said here,
also in runs that gave no constant.
"""

from collections.abc import Callable
from typing import Any

from maxmargin._runtime.memory import require_memory

#: Blocks of rows at work.
WORK = 16 * 2**20
#: So many clusters in fewer columns are seen by a Gaussian kernel (``many_in_few_columns``).
MANY_CLUSTERS = 10
#: Entries of blocks of a kernel at work.
KERNEL_WORK = 3 * 2**20
#: The landmarks of the front door and the moments of their kernel,
CARRY_OVER = 125_000_000
#: and blocks of it in double precision, up to so many rows.
EXACT_BLOCKS, EXACT_ROWS = 65_000_000, 20_000
#: The rows that the front door looks at by effort, and bytes for each pair of them.
LOOKED_AT = {"fast": (1000, 50), "normal": (2000, 66), "thorough": (4000, 66)}
IN_BLOCKS = "Give the rows as a file: it is read in blocks."


def planned_memory(estimator: Any, n: int, d: int, itemsize: int) -> int:
    """The bytes that a fit to n dense rows will take; 0 for estimators that have no law.

    Examples
    --------
    >>> from maxmargin import CuttingPlaneClustering
    >>> from maxmargin._runtime.memory_plan import planned_memory
    >>> planned_memory(CuttingPlaneClustering(2), 1_000_000, 50, 8)
    64000000
    """
    law, _ = PLANS.get(type(estimator).__name__, (None, ""))
    return 0 if law is None else int(law(estimator, n, d, itemsize))


def require_plan(estimator: Any, n: int, d: int, itemsize: int) -> None:
    """Raise a MemoryError with the figure and the way out if a fit would not fit."""
    needed = planned_memory(estimator, n, d, itemsize)
    if needed:
        _, instead = PLANS[type(estimator).__name__]
        require_memory(needed, f"{type(estimator).__name__} on {n} rows", instead)


def _planes(estimator: Any, n: int, d: int, itemsize: int) -> float:
    """Features of a kernel; values of all clusters, labels and rivals, or a start by RLS.

    Features are there before the start.
    """
    k = estimator.n_clusters
    rows = n * (21 * k + 22)
    some = min(n, estimator.init_size or 4096, 4096)
    start = 12 * some**2 if k > 4 else 0  # alternation starts by least squares
    rank = min(n, estimator.n_components)
    gaussian = estimator.kernel is None and k > max(MANY_CLUSTERS, d + 1)  # hyperplanes are too few
    if estimator.kernel in (None, "linear") and not gaussian:
        return max(rows, start)
    return n * rank * itemsize + max(rows + KERNEL_WORK * itemsize, start)


def _kernels(estimator: Any, n: int, d: int, itemsize: int) -> float:
    """The features of all kernels, and once more side by side where there are several."""
    given = estimator.kernels
    names = ["linear", *4 * ["rbf"]] if given is None else [_name(item) for item in given]
    rank = min(n, estimator.n_components)
    width = sum(d if name == "linear" else rank for name in names)
    return (1 if len(names) == 1 else 2) * n * width * itemsize + WORK


def _least_squares(estimator: Any, n: int, d: int, itemsize: int) -> float:
    """R, or the features of the Nyström map, a copy and one in float64."""
    if estimator.approximation is None:
        few = estimator.kernel in ("linear", "cosine") and 4 * d <= n
        return 4 * n * d * 8 if few else 8 * n**2 + WORK
    rank = min(n, estimator.n_components)
    return 3 * (n * rank * itemsize + 24 * rank**2) + WORK


def _domain(estimator: Any, n: int, d: int, itemsize: int) -> float:
    """Distances and the kernel between landmarks, copies of the rows, and labels."""
    m = min(n, estimator.n_landmarks or n)
    return 17.5 * m**2 + (16 + 1.7 * d * itemsize) * n


def _front_door(estimator: Any, n: int, d: int, itemsize: int) -> float:
    """Pairs of the rows that are looked at, a copy of all rows, and values of all clusters.

    Above ``EXACT_ROWS`` rows are prepared block by block.
    """
    most, pair = LOOKED_AT[estimator.effort]
    m = min(n, most)
    pairs = pair * m**2
    if n <= most:
        return pairs
    k = estimator.n_clusters or 2
    if n > EXACT_ROWS:
        return max(pairs, CARRY_OVER) + n * (4 * k + 24)
    return max(pairs, CARRY_OVER) + n * (min(d, 100) * itemsize + 12 * k + 24) + EXACT_BLOCKS


def _name(item: Any) -> str:
    """The kernel of an item of ``kernels``."""
    return str(item.get("kernel", "") if isinstance(item, dict) else item)


Law = Callable[[Any, int, int, int], float]
#: The law of each estimator, and what to do where it asks for too much.
PLANS: dict[str, tuple[Law, str]] = {
    "CuttingPlaneClustering": (_planes, f"Use fewer n_components. {IN_BLOCKS}"),
    "MultipleKernelClustering": (_kernels, f"Use fewer n_components or kernels. {IN_BLOCKS}"),
    "RLSClustering": (
        _least_squares,
        'Use approximation="nystroem" with a few hundred n_components.',
    ),
    "SupportVectorClustering": (_domain, f"Use fewer n_landmarks. {IN_BLOCKS}"),
    "MaxMarginClustering": (_front_door, f'Use effort="fast". {IN_BLOCKS}'),
}
