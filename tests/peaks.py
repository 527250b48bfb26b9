"""How much memory a call takes at its peak."""

import tracemalloc


def peak_of(function):
    """Bytes that Python and NumPy had at most while ``function`` ran."""
    tracemalloc.start()
    try:
        function()
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
