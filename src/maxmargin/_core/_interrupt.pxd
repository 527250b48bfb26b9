from cpython.exc cimport PyErr_CheckSignals


cdef inline int check_interrupt() except -1:
    """Let the handler of Ctrl-C run, and end here if that, or another thread, set the flag.

    Signals reach the main thread only; all threads of a fit see its flag (interrupts.py).
    """
    from maxmargin._core import interrupts
    PyErr_CheckSignals()
    interrupts.check_interrupt()
    return 0


cdef inline Py_ssize_t steps_between_checks(Py_ssize_t work_per_step) noexcept nogil:
    """How many steps take about ten milliseconds."""
    return max(1, 10_000_000 // max(1, work_per_step))
