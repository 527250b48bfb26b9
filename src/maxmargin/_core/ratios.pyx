"""A quadratic form of labels, and moves that lower it relative to the spread of the labels."""
import numpy as np

from maxmargin._core._form cimport add_row, hollow_row, real
from maxmargin._core._interrupt cimport check_interrupt, steps_between_checks


cdef bint _settle(
    const real[:, ::1] matrix, bint factored, real* buffer, int[::1] labels,
    double[:, ::1] scores, Py_ssize_t[::1] counts, const Py_ssize_t[::1] mass,
    const Py_ssize_t[::1] lower, const Py_ssize_t[::1] upper, Py_ssize_t total, Py_ssize_t least,
    double tol, Py_ssize_t j, double* error, double* spread
) noexcept nogil:
    """Move row j to the cluster with the smallest ratio error / spread, if that is smaller."""
    cdef Py_ssize_t n = labels.shape[0]
    cdef int a = labels[j], c, best = -1, k = <int> counts.shape[0]
    cdef Py_ssize_t m = mass[j]
    cdef double top, ratio, e, s, best_e = 0, best_s = 0, unit = <double> n / total
    cdef const real* row
    if counts[a] - m < lower[a]:
        return False
    # One cluster has no spread (two have 2(n − 1)/n at least), and the ratio 1 by definition.
    top = (error[0] / spread[0] if spread[0] > 0.5 * unit * least else 1.0) * (1 - tol)
    for c in range(k):
        if c == a or counts[c] + m > upper[c]:
            continue
        if counts[a] == m and counts[c] == total - m:
            continue  # one cluster would be left: no spread, and no ratio
        s = spread[0] - 2.0 * (counts[c] - counts[a] + m) / total * m * unit
        e = error[0] + 2 * (scores[c, j] - scores[a, j])
        ratio = e / s
        if ratio < top:
            top, best, best_e, best_s = ratio, c, e, s
    if best < 0:
        return False
    row = hollow_row(matrix, factored, j, buffer)
    add_row(row, -1.0, &scores[a, 0], n)
    add_row(row, 1.0, &scores[best, 0], n)
    labels[j] = best
    counts[a] -= m
    counts[best] += m
    error[0], spread[0] = best_e, best_s
    return True


def settle_ratios(
    const real[:, ::1] matrix, bint factored, int[::1] labels, double[:, ::1] scores,
    Py_ssize_t[::1] counts, const Py_ssize_t[::1] mass, const Py_ssize_t[::1] lower,
    const Py_ssize_t[::1] upper, const Py_ssize_t[::1] order, double tol, double error,
    double spread, Py_ssize_t most_moves
):
    """One pass over the rows in ``order``; each takes its best move if the ratio falls.

    ``matrix`` is a symmetric form B without its diagonal, or a factor Z with B = ZZᵀ; ``scores`` =
    BH without the rows' own votes (k × n), ``error`` = Σ_c h_cᵀ B h_c with the diagonal and
    ``spread`` = n − Σ_c n_c²/n, for counts that are sums of masses relative to the mean one. The
    pass ends after so many moves. Returns (moves, rows that were looked at, error, spread).
    """
    cdef Py_ssize_t m = order.shape[0], n = labels.shape[0], i = 0, stop, moves = 0
    cdef Py_ssize_t chunk = steps_between_checks(n * (n if factored else counts.shape[0]))
    cdef Py_ssize_t total = np.sum(mass), least = np.min(mass)
    room = np.empty(n if factored else 1, np.asarray(matrix).dtype)
    cdef real[::1] buffer = room
    while i < m and moves < most_moves:
        stop = min(i + chunk, m)
        with nogil:
            while i < stop and moves < most_moves:
                moves += _settle(matrix, factored, &buffer[0], labels, scores, counts, mass,
                                 lower, upper, total, least, tol, order[i], &error, &spread)
                i += 1
        check_interrupt()
    return moves, i, error, spread


def value_inside(
    const real[:, ::1] matrix, const Py_ssize_t[::1] members, const Py_ssize_t[::1] stops
):
    """Σ_c h_cᵀ B h_c without the diagonal of a symmetric B, in Σ n_c²/2 steps.

    ``members`` are the rows of one cluster after the other, which end at the ``stops``.
    """
    cdef Py_ssize_t c, i, j, row, start = 0
    cdef double total = 0, part
    with nogil:
        for c in range(stops.shape[0]):
            for i in range(start, stops[c]):
                row, part = members[i], 0
                for j in range(start, i):
                    part += matrix[row, members[j]]
                total += part
            start = stops[c]
    check_interrupt()
    return 2 * total
