"""Label moves that look at all rows: claims, steepest moves and swaps.

``scores`` is T = RH without the rows' own votes (k × n), ``own`` its entry for each row's
own cluster. A move of row j from a to d costs O(n) with R at hand, O(nr) with a factor.
``mass`` is what each row counts for in the sizes: 1 where rows have no weights.
"""
from maxmargin._core._form cimport add_row, hollow_row, real
from maxmargin._core._interrupt cimport check_interrupt, steps_between_checks

import numpy as np

cdef enum:
    BLOCK = 512

# Larger than any gain, and finite: this file is compiled for finite numbers, so that maxima
# are vectorised. ``barrier`` holds it for the rows that must not move.
cdef double FAR = 1e300


cdef inline double _maximum(const double* x, Py_ssize_t n) noexcept nogil:
    """Eight maxima at a time: a single one would wait for itself."""
    cdef double m[8]
    cdef Py_ssize_t i, lane, whole = n - n % 8
    for lane in range(8):
        m[lane] = -FAR
    for i in range(0, whole, 8):
        for lane in range(8):
            m[lane] = x[i + lane] if x[i + lane] > m[lane] else m[lane]
    for i in range(whole, n):
        m[0] = x[i] if x[i] > m[0] else m[0]
    for lane in range(1, 8):
        m[0] = m[lane] if m[lane] > m[0] else m[0]
    return m[0]


cdef inline Py_ssize_t _locate(
    const int* labels, const double* wanted, const double* own, const double* barrier,
    int d, double top, Py_ssize_t start, Py_ssize_t end
) noexcept nogil:
    """The first row of a block whose gain is the block's largest."""
    cdef Py_ssize_t i
    for i in range(start, end):
        if labels[i] != d and wanted[i] - own[i] - barrier[i] == top:
            return i
    return -1


cdef Py_ssize_t _dearest(
    const int* labels, const double* wanted, const double* own, const double* barrier,
    Py_ssize_t n, int d, double* gain
) noexcept nogil:
    """The row whose move to cluster d gains most; −1 if none may move."""
    cdef Py_ssize_t i, start = 0, end, best = -1
    cdef double m, top = -FAR / 2
    cdef double gains[BLOCK]
    while start < n:
        end = min(start + BLOCK, n)
        for i in range(start, end):
            gains[i - start] = wanted[i] - own[i] - barrier[i] - FAR * <int> (labels[i] == d)
        m = _maximum(gains, end - start)
        if m > top:
            top = m
            best = start
        start = end
    if best < 0:
        return -1
    gain[0] = top
    return _locate(labels, wanted, own, barrier, d, top, best, min(best + BLOCK, n))


cdef Py_ssize_t _move(
    const real* row, int* labels, double* left, double* joined, double* own,
    const double* barrier, Py_ssize_t n, Py_ssize_t j, int a, int d, double* gain
) noexcept nogil:
    """Give row j to cluster d; returns the row that d would like next, as ``_dearest``.

    One pass brings T[a], T[d] and the own entries up to date and looks for the next row.
    """
    cdef Py_ssize_t i, start = 0, end, best = -1
    cdef double r, t, o, m, top = -FAR / 2
    cdef double gains[BLOCK]
    labels[j] = d
    own[j] = joined[j]
    while start < n:
        end = min(start + BLOCK, n)
        for i in range(start, end):
            r = row[i]
            left[i] -= r
            t = joined[i] + r
            joined[i] = t
            o = own[i] + r * (<int> (labels[i] == d) - <int> (labels[i] == a))
            own[i] = o
            gains[i - start] = t - o - barrier[i] - FAR * <int> (labels[i] == d)
        m = _maximum(gains, end - start)
        if m > top:
            top = m
            best = start
        start = end
    if best < 0:
        return -1
    gain[0] = top
    return _locate(labels, joined, own, barrier, d, top, best, min(best + BLOCK, n))


cdef struct Arrays:
    # The labelling as plain pointers: what every loop below reads and writes.
    int* labels
    double* scores
    double* own
    Py_ssize_t* counts
    const Py_ssize_t* mass
    double* barrier
    Py_ssize_t n
    int k


cdef Py_ssize_t _give(Arrays* x, const real* row, Py_ssize_t j, int d, double* gain) noexcept nogil:
    cdef int a = x.labels[j]
    x.counts[a] -= x.mass[j]
    x.counts[d] += x.mass[j]
    return _move(row, x.labels, x.scores + a * x.n, x.scores + d * x.n, x.own, x.barrier,
                 x.n, j, a, d, gain)


cdef Arrays _arrays(
    int[::1] labels, double[:, ::1] scores, double[::1] own, Py_ssize_t[::1] counts,
    const Py_ssize_t[::1] mass, double[::1] barrier
) noexcept nogil:
    cdef Arrays x
    x.labels, x.scores, x.own = &labels[0], &scores[0, 0], &own[0]
    x.counts, x.mass, x.barrier = &counts[0], &mass[0], &barrier[0]
    x.n, x.k = labels.shape[0], <int> counts.shape[0]
    return x


def _room_for_a_row(matrix):
    return np.empty(matrix.shape[0], np.asarray(matrix).dtype)


cdef Py_ssize_t _claim(
    Arrays* x, const real[:, ::1] matrix, bint factored, int d, Py_ssize_t steps,
    Py_ssize_t* quota, real* buffer, double* gained
) noexcept nogil:
    cdef Py_ssize_t done, j
    cdef double gain = 0, now
    j = _dearest(x.labels, x.scores + d * x.n, x.own, x.barrier, x.n, d, &gain)
    for done in range(steps):
        if j < 0 or x.mass[j] > 2 * quota[0]:
            return done
        now = gain
        quota[0] -= x.mass[j]
        j = _give(x, hollow_row(matrix, factored, j, buffer), j, d, &gain)
        gained[0] += 2 * now
    return steps


def claim(
    const real[:, ::1] matrix, bint factored, int[::1] labels, double[:, ::1] scores,
    double[::1] own, Py_ssize_t[::1] counts, const Py_ssize_t[::1] mass, double[::1] barrier,
    int d, Py_ssize_t quota
):
    """Cluster d takes rows, each time the one that raises f most (or lowers it least).

    It takes ``quota`` of them by their mass, up to half a row. The inner loop of Algorithm 3 of
    UMC-RLS. Returns (rows taken, change of f).
    """
    cdef Arrays x = _arrays(labels, scores, own, counts, mass, barrier)
    cdef Py_ssize_t n = labels.shape[0], done = 0, taken
    cdef Py_ssize_t chunk = steps_between_checks(3 * n + (n * matrix.shape[1] if factored else 0))
    cdef double gained = 0
    cdef real[::1] buffer = _room_for_a_row(matrix)
    while quota > 0:
        with nogil:
            taken = _claim(&x, matrix, factored, d, chunk, &quota, &buffer[0], &gained)
        done += taken
        check_interrupt()
        if taken < chunk:
            break
    return done, gained


cdef Py_ssize_t _dearest_light(Arrays* x, int d, Py_ssize_t room, double* gain) noexcept nogil:
    """As ``_dearest``, of the rows with a mass that there is room for."""
    cdef Py_ssize_t i, best = -1
    cdef double g, top = -FAR / 2
    for i in range(x.n):
        g = x.scores[d * x.n + i] - x.own[i] - x.barrier[i]
        if x.labels[i] != d and x.mass[i] <= room and g > top:
            top = g
            best = i
    gain[0] = top
    return best


cdef Py_ssize_t _descend(
    Arrays* x, const real[:, ::1] matrix, bint factored, const unsigned char[::1] movable,
    const Py_ssize_t[::1] lower, const Py_ssize_t[::1] upper, double tol, Py_ssize_t quota,
    Py_ssize_t heaviest, real* buffer, Py_ssize_t* spare, double* gained
) noexcept nogil:
    cdef Py_ssize_t done, i, j, best_row, room
    cdef int c, best_cluster
    cdef bint changed = True
    cdef double gain = 0, best
    for done in range(quota):
        for c in range(x.k):  # what a row may weigh at most to leave c
            room = max(0, min(x.counts[c] - lower[c], heaviest))
            if done == 0 or spare[c] != room:
                spare[c] = room
                changed = True
        if changed:
            for i in range(x.n):
                x.barrier[i] = 0.0 if movable[i] and x.mass[i] <= spare[x.labels[i]] else FAR
            changed = False
        best_row = -1
        best = tol
        best_cluster = 0
        for c in range(x.k):
            room = upper[c] - x.counts[c]
            if room <= 0:
                continue
            if room >= heaviest:
                j = _dearest(x.labels, x.scores + c * x.n, x.own, x.barrier, x.n, c, &gain)
            else:
                j = _dearest_light(x, c, room, &gain)
            if j >= 0 and gain > best:
                best = gain
                best_row = j
                best_cluster = c
        if best_row < 0:
            return done
        if x.mass[best_row] > spare[best_cluster]:
            x.barrier[best_row] = FAR
        _give(x, hollow_row(matrix, factored, best_row, buffer), best_row, best_cluster, &gain)
        gained[0] += 2 * best
    return quota


def descend(
    const real[:, ::1] matrix, bint factored, int[::1] labels, double[:, ::1] scores,
    double[::1] own, Py_ssize_t[::1] counts, const Py_ssize_t[::1] mass, double[::1] barrier,
    const unsigned char[::1] movable, const Py_ssize_t[::1] lower, const Py_ssize_t[::1] upper,
    double tol, Py_ssize_t max_moves
):
    """Take the best single move while it gains more than ``tol`` and keeps lower ≤ size ≤ upper.

    Algorithm 2 of UMC-RLS. With tol = −1e300 the best allowed move is taken whatever it
    gains, which is how limits that do not hold yet are repaired. ``barrier`` is scratch.
    Returns (moves, change of f).
    """
    cdef Arrays x = _arrays(labels, scores, own, counts, mass, barrier)
    cdef Py_ssize_t n = labels.shape[0], k = counts.shape[0], moves = 0, taken, portion
    cdef Py_ssize_t heaviest = np.max(mass)
    cdef Py_ssize_t chunk = steps_between_checks(
        (k + 2) * n + (n * matrix.shape[1] if factored else 0))
    cdef double gained = 0
    cdef real[::1] buffer = _room_for_a_row(matrix)
    cdef Py_ssize_t[::1] spare = np.empty(k, np.intp)
    while moves < max_moves:
        portion = min(chunk, max_moves - moves)
        with nogil:
            taken = _descend(&x, matrix, factored, movable, lower, upper, tol, portion,
                             heaviest, &buffer[0], &spare[0], &gained)
        moves += taken
        check_interrupt()
        if taken < portion:
            break
    return moves, gained


cdef inline bint _may_swap(
    const Arrays* x, const Py_ssize_t[::1] lower, const Py_ssize_t[::1] upper, Py_ssize_t i,
    Py_ssize_t j
) noexcept nogil:
    """Whether the sizes stay within their limits when rows i and j change places."""
    cdef int a = x.labels[i], d = x.labels[j]
    cdef Py_ssize_t more = x.mass[j] - x.mass[i]
    return more == 0 or (
        lower[a] <= x.counts[a] + more <= upper[a] and lower[d] <= x.counts[d] - more <= upper[d]
    )


cdef Py_ssize_t _partner(
    const Arrays* x, const Py_ssize_t[::1] lower, const Py_ssize_t[::1] upper,
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
        if labels[j] == a or not movable[j] or not _may_swap(x, lower, upper, i, j):
            continue
        coupling = -reach[i] * reach[j] if row is NULL else <double> row[j]
        g = (scores[labels[j], i] - own[i]) + (back[j] - own[j]) - 2 * coupling
        if g > top:
            top = g
            best = j
    gain[0] = top
    return best


cdef Py_ssize_t _swap(
    Arrays* x, const Py_ssize_t[::1] lower, const Py_ssize_t[::1] upper,
    const real[:, ::1] matrix, bint factored, const int[::1] labels,
    const double[:, ::1] scores, const double[::1] own, const unsigned char[::1] movable,
    const double* reach, double tol, Py_ssize_t i, real* buffer, double* gained
) noexcept nogil:
    """Swap row i with its best partner if that gains more than tol."""
    cdef const real* row = NULL
    cdef double gain = tol, unused = 0
    cdef Py_ssize_t j
    cdef int a = labels[i], d
    if factored:
        j = _partner(x, lower, upper, labels, scores, own, movable, reach, row, i, &gain)
        if j < 0:
            return 0  # not even the bound on R_ij allows a gain: no need for the row
    gain = tol
    row = hollow_row(matrix, factored, i, buffer)
    j = _partner(x, lower, upper, labels, scores, own, movable, reach, row, i, &gain)
    if j < 0:
        return 0
    d = labels[j]
    _give(x, row, i, d, &unused)
    _give(x, hollow_row(matrix, factored, j, buffer), j, a, &unused)
    gained[0] += 2 * gain
    return 1


def swap_sweep(
    const real[:, ::1] matrix, bint factored, int[::1] labels, double[:, ::1] scores,
    double[::1] own, Py_ssize_t[::1] counts, const Py_ssize_t[::1] mass, double[::1] barrier,
    const unsigned char[::1] movable, const Py_ssize_t[::1] lower, const Py_ssize_t[::1] upper,
    const double[::1] diagonal, double tol
):
    """Offer every row its best swap once; rows of the same mass leave the sizes as they are.

    Returns (swaps, change of f): no swaps means that no pair of rows gains by changing places.
    """
    cdef Arrays x = _arrays(labels, scores, own, counts, mass, barrier)
    cdef Py_ssize_t n = labels.shape[0], i, start, swaps = 0
    cdef Py_ssize_t chunk = steps_between_checks(2 * n + (n * matrix.shape[1] if factored else 0))
    cdef double gained = 0
    cdef real[::1] buffer = _room_for_a_row(matrix)
    cdef double[::1] reach = np.sqrt(np.maximum(diagonal, 0.0))
    for start in range(0, n, chunk):
        with nogil:
            for i in range(start, min(start + chunk, n)):
                if movable[i]:
                    swaps += _swap(&x, lower, upper, matrix, factored, labels, scores, own,
                                   movable, &reach[0], tol, i, &buffer[0], &gained)
        check_interrupt()
    return swaps, gained


def fill_scores(
    const real[:, ::1] matrix, const int[::1] labels, double[:, ::1] scores
):
    """T = RH from the labels and the hollow R, summed in double precision."""
    cdef Py_ssize_t n = labels.shape[0], i, start
    cdef Py_ssize_t chunk = steps_between_checks(n)
    scores[:, :] = 0
    for start in range(0, n, chunk):
        with nogil:
            for i in range(start, min(start + chunk, n)):
                add_row(&matrix[i, 0], 1.0, &scores[labels[i], 0], n)
        check_interrupt()
