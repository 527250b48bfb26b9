"""One-class support vector machines, exact: the domain of rows under a kernel with k(x, x) = 1.

The solvers ask for rows of the kernel matrix and never see the kernel.
"""
import numpy as np

from libc.math cimport fabs, fmax, fmin, INFINITY

from maxmargin._core._interrupt cimport check_interrupt, steps_between_checks


cdef class RowCache:
    """Rows of the kernel matrix, made when they are asked for; the least recent ones go.

    Parameters
    ----------
    fetch : callable
        The number of a row → the row, an array of n float64. The array is kept, not copied.
    n : int
        The number of rows.
    n_slots : int
        How many are kept, at least 2.
    """

    def __init__(self, fetch, Py_ssize_t n, Py_ssize_t n_slots):
        n_slots = max(2, min(n_slots, n))
        self.fetch = fetch
        self.kept = []
        self.slot_of = np.full(n, -1, dtype=np.intp)
        self.owner = np.full(n_slots, -1, dtype=np.intp)
        self.newer = np.full(n_slots, -1, dtype=np.intp)
        self.older = np.full(n_slots, -1, dtype=np.intp)
        self.newest = self.oldest = -1
        self.misses = 0

    cdef void _unlink(self, Py_ssize_t slot) noexcept:
        if self.newer[slot] >= 0:
            self.older[self.newer[slot]] = self.older[slot]
        else:
            self.newest = self.older[slot]
        if self.older[slot] >= 0:
            self.newer[self.older[slot]] = self.newer[slot]
        else:
            self.oldest = self.newer[slot]

    cdef void _link_as_newest(self, Py_ssize_t slot) noexcept:
        self.newer[slot] = -1
        self.older[slot] = self.newest
        if self.newest >= 0:
            self.newer[self.newest] = slot
        else:
            self.oldest = slot
        self.newest = slot

    cdef const double[::1] row(self, Py_ssize_t i):
        """Row i."""
        cdef Py_ssize_t slot = self.slot_of[i]
        if slot < 0:
            values = self.fetch(i)
            self.misses += 1
            if len(self.kept) < self.owner.shape[0]:
                slot = len(self.kept)
                self.kept.append(values)
            else:
                slot = self.oldest
                self._unlink(slot)
                self.slot_of[self.owner[slot]] = -1
                self.kept[slot] = values
            self.owner[slot] = i
            self.slot_of[i] = slot
            self._link_as_newest(slot)
        elif slot != self.newest:
            self._unlink(slot)
            self._link_as_newest(slot)
        return self.kept[slot]


def solve_pairs(
    RowCache rows, double[::1] alpha, double[::1] values, upper, double tol,
    Py_ssize_t max_iter
):
    """min ½ αᵀKα subject to Σα fixed, 0 ≤ α ≤ upper: sequential minimal optimisation.

    Each step moves weight from j to i, the pair that lowers the objective most among those
    with the i of the smallest value (second-order selection of Fan, Chen and Lin, 2005).

    Parameters
    ----------
    rows : RowCache
    alpha : array of shape (n,)
        A feasible start; overwritten with the solution.
    values : array of shape (n,)
        Kα at the start, overwritten with Kα at the end.
    upper : float or array of shape (n,)
        The bound of all weights, or of each.
    tol : float
        Ends when no pair differs by more than this share of its value.

    Returns
    -------
    n_iter : int
    violation : float
        The difference of the last pair, as a share of its value.
    """
    cdef Py_ssize_t n = alpha.shape[0], i, j, t, step
    cdef const double[::1] bound = np.full(n, upper, dtype=np.float64)
    cdef Py_ssize_t chunk = steps_between_checks(8 * n)
    cdef double low, high, gain, best, curvature, moved, violation = INFINITY
    cdef const double[::1] row_i, row_j
    for step in range(max_iter):
        i = -1
        low = INFINITY
        with nogil:
            for t in range(n):
                if alpha[t] < bound[t] and values[t] < low:
                    low = values[t]
                    i = t
        if i < 0:
            return step, 0.0
        row_i = rows.row(i)
        j = -1
        best = 0
        high = -INFINITY
        with nogil:
            for t in range(n):
                if alpha[t] > 0 and values[t] > low:
                    high = fmax(high, values[t])
                    gain = values[t] - low
                    # K_ii + K_tt − 2K_it; copies of a row have none
                    gain = gain * gain / fmax(2 - 2 * row_i[t], 1e-12)
                    if gain > best:
                        best = gain
                        j = t
        violation = (high - low) / high if j >= 0 and high > 0 else 0.0
        if j < 0 or violation <= tol:
            return step, violation
        row_j = rows.row(j)
        curvature = fmax(2 - 2 * row_i[j], 1e-12)
        moved = fmin((values[j] - low) / curvature, fmin(bound[i] - alpha[i], alpha[j]))
        # a weight that arrives at a bound is exactly there
        alpha[i] = bound[i] if moved == bound[i] - alpha[i] else alpha[i] + moved
        alpha[j] = 0 if moved == alpha[j] else alpha[j] - moved
        with nogil:
            for t in range(n):
                values[t] += moved * (row_i[t] - row_j[t])
        if step % chunk == chunk - 1:
            check_interrupt()
    return max_iter, violation


def solve_box(
    RowCache rows, double[::1] alpha, double[::1] values, upper, double tol,
    Py_ssize_t max_iter
):
    """max Σα − ½ αᵀKα subject to 0 ≤ α ≤ upper: the coordinate that gains most, again and again.

    Where shifting weight from one row to another gains more than the best single coordinate,
    that is done instead: single steps alone need up to a hundred times as many once the
    weights are about right in sum and wrong in their places.

    Parameters and returns are those of :func:`solve_pairs`; here every value aims at 1, and
    ``violation`` is the largest step that a single weight could still make, as a share of
    ``upper``: of a small bound any step would be small.
    """
    cdef Py_ssize_t n = alpha.shape[0], i, j, low, t, step
    cdef const double[::1] bound = np.full(n, upper, dtype=np.float64)
    cdef Py_ssize_t chunk = steps_between_checks(12 * n)
    cdef double move, gain, best, shift, moved = 0, violation = INFINITY
    cdef const double[::1] row, other
    for step in range(max_iter):
        i = low = -1
        best = 0
        violation = 0
        with nogil:
            for t in range(n):
                move = fmin(fmax(alpha[t] + 1 - values[t], 0), bound[t]) - alpha[t]
                violation = fmax(violation, fabs(move) / fmin(bound[t], 1))
                gain = move * (1 - values[t]) - 0.5 * move * move
                if gain > best:
                    best = gain
                    moved = move
                    i = t
                if alpha[t] < bound[t] and (low < 0 or values[t] < values[low]):
                    low = t
        if i < 0 or violation <= tol:
            return step, violation
        j = -1
        if low >= 0:
            row = rows.row(low)
            with nogil:
                for t in range(n):
                    shift = values[t] - values[low]
                    if alpha[t] > 0 and shift > 0:
                        # what a step without bounds would gain; cut at the bounds below
                        gain = 0.5 * shift * shift / fmax(2 - 2 * row[t], 1e-12)
                        if gain > best:
                            best = gain
                            j = t
        if j >= 0:
            shift = values[j] - values[low]
            move = fmin(shift / fmax(2 - 2 * row[j], 1e-12), fmin(bound[low] - alpha[low], alpha[j]))
            alpha[low] = bound[low] if move == bound[low] - alpha[low] else alpha[low] + move
            alpha[j] = 0 if move == alpha[j] else alpha[j] - move
            other = rows.row(j)
            with nogil:
                for t in range(n):
                    values[t] += move * (row[t] - other[t])
        else:
            alpha[i] = fmin(fmax(alpha[i] + 1 - values[i], 0), bound[i])
            row = rows.row(i)
            with nogil:
                for t in range(n):
                    values[t] += moved * row[t]
        if step % chunk == chunk - 1:
            check_interrupt()
    return max_iter, violation
