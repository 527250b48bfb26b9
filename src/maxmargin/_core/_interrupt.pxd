from cpython.exc cimport PyErr_CheckSignals


cdef inline int check_interrupt(int[::1] stop) except -1:
    """Answer Ctrl-C here, and in the other threads once ``stop`` is set.

    Signals reach the main thread only; a worker thread learns of them through the flag.
    """
    PyErr_CheckSignals()
    if stop[0]:
        raise KeyboardInterrupt
    return 0


cdef inline Py_ssize_t steps_between_checks(Py_ssize_t work_per_step) noexcept nogil:
    """How many steps take about ten milliseconds."""
    return max(1, 10_000_000 // max(1, work_per_step))
