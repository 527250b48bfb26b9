"""Memory: whether something fits, asked before the work, and rows in blocks near the cache."""

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import issparse

BLOCK_BYTES = 8 * 2**20  # a block of rows that stays near the cache


#: What the user allows the process to take, in all.
_ALLOWED: ContextVar[int | None] = ContextVar("allowed", default=None)


@contextmanager
def limited_memory(allowed: int | None) -> Iterator[None]:
    """Plan with so many bytes for the whole process at most; None for all there are.

    Examples
    --------
    >>> from maxmargin._runtime.memory import available_memory, limited_memory
    >>> with limited_memory(1000):
    ...     available_memory()
    0
    """
    token = _ALLOWED.set(allowed)
    try:
        yield
    finally:
        _ALLOWED.reset(token)


def available_memory() -> int | None:
    """Return the bytes that this process may still take, or None where nobody can tell."""
    free = _left_by_limits()
    allowed = _ALLOWED.get()
    if allowed is not None:
        free.append(max(0, allowed - _resident()))
    try:
        for line in Path("/proc/meminfo").read_text().splitlines():
            if line.startswith("MemAvailable:"):
                free.append(int(line.split()[1]) * 1024)
    except (OSError, ValueError):
        with suppress(AttributeError, OSError, ValueError):
            free.append(os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE"))
    try:  # a container's limit, where there is one
        group = Path("/sys/fs/cgroup")
        limit = (group / "memory.max").read_text().strip()
        used = (group / "memory.current").read_text().strip()
        if limit != "max":
            free.append(int(limit) - int(used))
    except (OSError, ValueError):
        pass
    return min(free, default=None)


def _resident() -> int:
    """The bytes that the process has, as far as anybody can tell."""
    try:
        pages = int(Path("/proc/self/statm").read_text().split()[1])
        return pages * os.sysconf("SC_PAGE_SIZE")
    except (OSError, ValueError, AttributeError):
        return 0


def _left_by_limits() -> list[int]:
    """What the limits of the process (``ulimit -v``, ``ulimit -d``) leave of memory."""
    try:
        import resource

        pages = [int(word) for word in Path("/proc/self/statm").read_text().split()]
    except (ImportError, OSError, ValueError):
        return []
    taken = {resource.RLIMIT_AS: pages[0], resource.RLIMIT_DATA: pages[5]}
    return [
        max(0, limit - used * resource.getpagesize())
        for kind, used in taken.items()
        if (limit := resource.getrlimit(kind)[0]) != resource.RLIM_INFINITY
    ]


class TooLittleMemory(MemoryError):
    """What was asked for does not fit; the message says by how much, and what does."""


def require_memory(needed: int, what: str, instead: str) -> None:
    """Raise a MemoryError with the figures and the way out if ``needed`` bytes are not free."""
    free = available_memory()
    if free is not None and needed > free:
        raise TooLittleMemory(
            f"{what} needs {_gigabytes(needed)}, and {_gigabytes(free)} is free. {instead}"
        )


def filled(X: Any, instead: str) -> NDArray[Any]:
    """Rows as a dense array, where they fit; ``instead`` is what to do where they do not."""
    if not issparse(X):
        return np.asarray(X)
    require_memory(X.dtype.itemsize * X.shape[0] * X.shape[1], "the rows, filled,", instead)
    return np.asarray(X.toarray())


def row_blocks(n_rows: int, n_columns: int) -> Iterator[slice]:
    """Cut rows so that a float64 block of them stays small."""
    step = max(1, BLOCK_BYTES // (8 * max(1, n_columns)))
    for start in range(0, n_rows, step):
        yield slice(start, min(start + step, n_rows))


def aligned_rows(n_columns: int) -> int:
    """The rows of such a block as a power of two, so that it lies within every larger one."""
    return 1 << min(14, (BLOCK_BYTES // (8 * max(1, n_columns))).bit_length() - 1)


def _gigabytes(size: int) -> str:
    return f"{size / 2**30:.1f} GiB" if size >= 2**30 else f"{size / 2**20:.0f} MiB"
