"""Label moves that look at one row at a time, in a given order."""
from maxmargin._core._form cimport real, score, shift
from maxmargin._core._interrupt cimport check_interrupt, steps_between_checks


cdef double _settle(
    const real[:, ::1] matrix, bint factored, const double[::1] diagonal, int[::1] labels,
    double[:, ::1] state, Py_ssize_t[::1] counts, const Py_ssize_t[::1] mass,
    const Py_ssize_t[::1] lower, const Py_ssize_t[::1] upper, double tol, Py_ssize_t j
) noexcept nogil:
    """Move row j to its best allowed cluster; returns what f gained, 0 if it stays."""
    cdef int a = labels[j], c, best = -1, k = <int> counts.shape[0]
    cdef Py_ssize_t width = state.shape[1]
    cdef double here, gain, top = tol
    if counts[a] - mass[j] < lower[a]:
        return 0
    here = score(matrix, factored, diagonal, &state[0, 0], width, j, a, a)
    for c in range(k):
        if c == a or counts[c] + mass[j] > upper[c]:
            continue
        gain = score(matrix, factored, diagonal, &state[0, 0], width, j, a, c) - here
        if gain > top:
            top = gain
            best = c
    if best < 0:
        return 0
    shift(matrix, &state[0, 0], width, j, a, best)
    labels[j] = best
    counts[a] -= mass[j]
    counts[best] += mass[j]
    return 2 * top


def settle_rows(
    const real[:, ::1] matrix, bint factored, const double[::1] diagonal, int[::1] labels,
    double[:, ::1] state, Py_ssize_t[::1] counts, const Py_ssize_t[::1] mass,
    const Py_ssize_t[::1] lower, const Py_ssize_t[::1] upper, const Py_ssize_t[::1] order, double tol
):
    """One pass of Algorithm 1 of UMC-RLS over the rows in ``order``.

    ``state`` is T (hollow R) or U (factor), see ``_form.pxd``; ``mass`` is what each row counts for
    in the sizes. Returns (moves, change of f).
    """
    cdef Py_ssize_t n = order.shape[0], i, start, moves = 0
    cdef Py_ssize_t chunk = steps_between_checks(counts.shape[0] * state.shape[1])
    cdef double gained = 0, gain
    for start in range(0, n, chunk):
        with nogil:
            for i in range(start, min(start + chunk, n)):
                gain = _settle(matrix, factored, diagonal, labels, state, counts, mass,
                               lower, upper, tol, order[i])
                if gain > 0:
                    moves += 1
                    gained += gain
        check_interrupt()
    return moves, gained
