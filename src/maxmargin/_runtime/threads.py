"""BLAS and OpenMP with one thread, for as long as anybody asks for it."""

from collections.abc import Iterator
from contextlib import contextmanager
from threading import Lock

from threadpoolctl import threadpool_limits

_lock = Lock()
_users = 0
_limits: threadpool_limits | None = None


@contextmanager
def one_thread() -> Iterator[None]:
    """Limit BLAS and OpenMP (k-means) to one thread inside the block.

    The number of threads belongs to the whole process. Blocks that overlap in several
    threads count themselves: the first one sets the limit, the last one lifts it.
    """
    global _users, _limits
    with _lock:
        if _users == 0:
            _limits = threadpool_limits(limits=1)
        _users += 1
    try:
        yield
    finally:
        with _lock:
            _users -= 1
            if _users == 0 and _limits is not None:
                _limits.restore_original_limits()
                _limits = None
