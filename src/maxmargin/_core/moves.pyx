"""Label moves that look at all rows: claims, steepest moves and swaps.

``scores`` is T = RH without the rows' own votes (k × n), ``own`` its entry for each row's
own cluster. A move of row j from a to d costs O(n) with R at hand, O(nr) with a factor.
"""
from libc.math cimport INFINITY, sqrt
from libc.stdlib cimport free, malloc

from maxmargin._core._form cimport add_row, hollow_row, real
from maxmargin._core._interrupt cimport check_interrupt, steps_between_checks


cdef inline void _move(
    const real* row, int[::1] labels, double[:, ::1] scores, double[::1] own,
    Py_ssize_t[::1] counts, Py_ssize_t j, int d
) noexcept nogil:
    """Give row j to cluster d and bring T and its own entries up to date."""
    cdef Py_ssize_t n = labels.shape[0], i
    cdef int a = labels[j]
    cdef double r
    cdef double* left = &scores[a, 0]
    cdef double* joined = &scores[d, 0]
    for i in range(n):
        r = row[i]
        left[i] -= r
        joined[i] += r
        own[i] += r * ((labels[i] == d) - (labels[i] == a))
    labels[j] = d
    own[j] = joined[j]
    counts[a] -= 1
    counts[d] += 1


cdef inline Py_ssize_t _dearest(
    const int[::1] labels, const double* wanted, const double[::1] own,
    const unsigned char* may_leave, const unsigned char[::1] movable, int d, double* gain
) noexcept nogil:
    """The row whose move to cluster d gains most; −1 if none may move."""
    cdef Py_ssize_t n = labels.shape[0], i, best = -1
    cdef double g, top = -INFINITY
    for i in range(n):
        g = wanted[i] - own[i]
        if g > top and labels[i] != d and movable[i] and may_leave[labels[i]]:
            top = g
            best = i
    gain[0] = top
    return best


cdef Py_ssize_t _claim(
    const real[:, ::1] matrix, bint factored, int[::1] labels, double[:, ::1] scores,
    double[::1] own, Py_ssize_t[::1] counts, const unsigned char[::1] movable,
    const unsigned char[::1] all_may_leave, int d, Py_ssize_t quota, real* buffer, double* gained
) noexcept nogil:
    cdef Py_ssize_t done, j
    cdef double gain = 0
    for done in range(quota):
        j = _dearest(labels, &scores[d, 0], own, &all_may_leave[0], movable, d, &gain)
        if j < 0:
            return done
        _move(hollow_row(matrix, factored, j, buffer), labels, scores, own, counts, j, d)
        gained[0] += 2 * gain
    return quota


def claim(
    const real[:, ::1] matrix, bint factored, int[::1] labels, double[:, ::1] scores,
    double[::1] own, Py_ssize_t[::1] counts, const unsigned char[::1] movable,
    const unsigned char[::1] may_leave, int d, Py_ssize_t quota, int[::1] stop
):
    """Cluster d takes ``quota`` rows, each time the one that raises f most (or lowers it least).

    The inner loop of Algorithm 3 of UMC-RLS. Returns (rows taken, change of f).
    """
    cdef Py_ssize_t n = labels.shape[0], done = 0, taken, portion
    cdef Py_ssize_t chunk = steps_between_checks(3 * n + (n * matrix.shape[1] if factored else 0))
    cdef double gained = 0
    cdef real* buffer = <real*> malloc(n * sizeof(real))
    if buffer is NULL:
        raise MemoryError
    try:
        while done < quota:
            portion = min(chunk, quota - done)
            with nogil:
                taken = _claim(matrix, factored, labels, scores, own, counts, movable,
                               may_leave, d, portion, buffer, &gained)
            done += taken
            check_interrupt(stop)
            if taken < portion:
                break
    finally:
        free(buffer)
    return done, gained


cdef Py_ssize_t _descend(
    const real[:, ::1] matrix, bint factored, int[::1] labels, double[:, ::1] scores,
    double[::1] own, Py_ssize_t[::1] counts, const unsigned char[::1] movable,
    const Py_ssize_t[::1] lower, const Py_ssize_t[::1] upper, double tol, Py_ssize_t quota,
    real* buffer, unsigned char* may_leave, double* gained
) noexcept nogil:
    cdef Py_ssize_t done, j, best_row
    cdef int c, k = <int> counts.shape[0], best_cluster
    cdef double gain, best
    for done in range(quota):
        for c in range(k):
            may_leave[c] = counts[c] > lower[c]
        best_row = -1
        best = tol
        best_cluster = 0
        for c in range(k):
            if counts[c] >= upper[c]:
                continue
            gain = 0
            j = _dearest(labels, &scores[c, 0], own, may_leave, movable, c, &gain)
            if j >= 0 and gain > best:
                best = gain
                best_row = j
                best_cluster = c
        if best_row < 0:
            return done
        _move(hollow_row(matrix, factored, best_row, buffer), labels, scores, own, counts,
              best_row, best_cluster)
        gained[0] += 2 * best
    return quota


def descend(
    const real[:, ::1] matrix, bint factored, int[::1] labels, double[:, ::1] scores,
    double[::1] own, Py_ssize_t[::1] counts, const unsigned char[::1] movable,
    const Py_ssize_t[::1] lower, const Py_ssize_t[::1] upper, double tol,
    Py_ssize_t max_moves, int[::1] stop
):
    """Take the best single move while it gains more than ``tol`` and keeps lower ≤ size ≤ upper.

    Algorithm 2 of UMC-RLS. With tol = −∞ the best allowed move is taken whatever it
    gains, which is how limits that do not hold yet are repaired.
    Returns (moves, change of f).
    """
    cdef Py_ssize_t n = labels.shape[0], k = counts.shape[0], moves = 0, taken, portion
    cdef Py_ssize_t chunk = steps_between_checks(
        (k + 2) * n + (n * matrix.shape[1] if factored else 0))
    cdef double gained = 0
    cdef real* buffer = <real*> malloc(n * sizeof(real))
    cdef unsigned char* may_leave = <unsigned char*> malloc(k)
    if buffer is NULL or may_leave is NULL:
        free(buffer)
        free(may_leave)
        raise MemoryError
    try:
        while moves < max_moves:
            portion = min(chunk, max_moves - moves)
            with nogil:
                taken = _descend(matrix, factored, labels, scores, own, counts, movable,
                                 lower, upper, tol, portion, buffer, may_leave, &gained)
            moves += taken
            check_interrupt(stop)
            if taken < portion:
                break
    finally:
        free(buffer)
        free(may_leave)
    return moves, gained


cdef Py_ssize_t _partner(
    const int[::1] labels, const double[:, ::1] scores, const double[::1] own,
    const unsigned char[::1] movable, const double* reach, const real* row, Py_ssize_t i, double* gain
) noexcept nogil:
    """The best row to change places with row i, or −1.

    Swapping i (in a) and j (in d) changes f by twice
    (T[d, i] − T[a, i]) + (T[a, j] − T[d, j]) − 2 R_ij. Without a row of R, its entry is
    replaced by the bound R_ij ≥ −√(R_ii R_jj).
    """
    cdef Py_ssize_t n = labels.shape[0], j, best = -1
    cdef int a = labels[i]
    cdef const double* back = &scores[a, 0]
    cdef double g, top = gain[0], coupling
    for j in range(n):
        if labels[j] == a or not movable[j]:
            continue
        coupling = -reach[i] * reach[j] if row is NULL else <double> row[j]
        g = (scores[labels[j], i] - own[i]) + (back[j] - own[j]) - 2 * coupling
        if g > top:
            top = g
            best = j
    gain[0] = top
    return best


cdef Py_ssize_t _swap(
    const real[:, ::1] matrix, bint factored, int[::1] labels, double[:, ::1] scores,
    double[::1] own, Py_ssize_t[::1] counts, const unsigned char[::1] movable,
    const double* reach, double tol, Py_ssize_t i, real* buffer, double* gained
) noexcept nogil:
    """Swap row i with its best partner if that gains more than tol."""
    cdef const real* row = NULL
    cdef double gain = tol
    cdef Py_ssize_t j
    cdef int a = labels[i], d
    if factored and _partner(labels, scores, own, movable, reach, row, i, &gain) < 0:
        return 0  # not even the bound on R_ij allows a gain: no need for the row
    gain = tol
    row = hollow_row(matrix, factored, i, buffer)
    j = _partner(labels, scores, own, movable, reach, row, i, &gain)
    if j < 0:
        return 0
    d = labels[j]
    _move(row, labels, scores, own, counts, i, d)
    _move(hollow_row(matrix, factored, j, buffer), labels, scores, own, counts, j, a)
    gained[0] += 2 * gain
    return 1


def swap_sweep(
    const real[:, ::1] matrix, bint factored, int[::1] labels, double[:, ::1] scores,
    double[::1] own, Py_ssize_t[::1] counts, const unsigned char[::1] movable,
    const double[::1] diagonal, double tol, int[::1] stop
):
    """Offer every row its best swap once; sizes do not change.

    Returns (swaps, change of f): no swaps means that no pair of rows gains by changing places.
    """
    cdef Py_ssize_t n = labels.shape[0], i, start, swaps = 0
    cdef Py_ssize_t chunk = steps_between_checks(2 * n + (n * matrix.shape[1] if factored else 0))
    cdef double gained = 0
    cdef real* buffer = <real*> malloc(n * sizeof(real))
    cdef double* reach = <double*> malloc(n * sizeof(double))
    if buffer is NULL or reach is NULL:
        free(buffer)
        free(reach)
        raise MemoryError
    try:
        for i in range(n):
            reach[i] = sqrt(max(diagonal[i], 0.0))
        for start in range(0, n, chunk):
            with nogil:
                for i in range(start, min(start + chunk, n)):
                    if movable[i]:
                        swaps += _swap(matrix, factored, labels, scores, own, counts, movable,
                                       reach, tol, i, buffer, &gained)
            check_interrupt(stop)
    finally:
        free(buffer)
        free(reach)
    return swaps, gained


def fill_scores(
    const real[:, ::1] matrix, const int[::1] labels, double[:, ::1] scores, int[::1] stop
):
    """T = RH from the labels and the hollow R, summed in double precision."""
    cdef Py_ssize_t n = labels.shape[0], i, start
    cdef Py_ssize_t chunk = steps_between_checks(n)
    scores[:, :] = 0
    for start in range(0, n, chunk):
        with nogil:
            for i in range(start, min(start + chunk, n)):
                add_row(&matrix[i, 0], 1.0, &scores[labels[i], 0], n)
        check_interrupt(stop)
