"""The rows' share in a cut: who is second, what a new label changes, what a cut sums up.

Where rows have weights, each counts as often as it weighs; without weights they count once.
"""
import numpy as np

from cython cimport floating
from libc.math cimport INFINITY

ctypedef fused column:
    int
    long long


cdef inline void _shift(
    double* to, double* source, const floating* values, const column* columns, Py_ssize_t length,
    double weight
) noexcept nogil:
    """Add weight · x to one place and take it from another; a dense row has no columns."""
    cdef Py_ssize_t t
    cdef double part
    if columns == NULL:
        for t in range(length):
            part = weight * values[t]
            to[t] += part
            source[t] -= part
    else:
        for t in range(length):
            part = weight * values[t]
            to[columns[t]] += part
            source[columns[t]] -= part


def rank_rows(
    const floating[:, ::1] scores, const double[::1] offsets, const short[::1] held,
    short[::1] labels, short[::1] rivals, const double[::1] weights, Py_ssize_t[::1] counts
):
    """Find the cluster of each row and its strongest rival (eq. 14 of CPM3C).

    The cluster is ``held`` where that is not negative, else the one with the largest value;
    ties go to the lowest index. The rival is −1 where the margin is 1 or more. ``counts`` takes
    the rows of each cluster. Returns the sum of the hinge losses.
    """
    cdef Py_ssize_t n = scores.shape[0], k = scores.shape[1], i
    cdef short p, z, r
    cdef double value, best, second, missing, loss = 0
    cdef bint weighted = weights.shape[0] > 0
    with nogil:
        for i in range(n):
            z = held[i]
            if z < 0:
                z = 0
                best = scores[i, 0] + offsets[0]
                for p in range(1, <short> k):
                    value = scores[i, p] + offsets[p]
                    if value > best:
                        best, z = value, p
            else:
                best = scores[i, z] + offsets[z]
            r = -1
            second = -INFINITY
            for p in range(<short> k):
                if p != z:
                    value = scores[i, p] + offsets[p]
                    if value > second:
                        second, r = value, p
            labels[i] = z
            counts[z] += 1
            if best - second < 1:
                missing = 1 - (best - second)
                loss += missing * weights[i] if weighted else missing
                rivals[i] = r
            else:
                rivals[i] = -1
    return loss


def label_losses(const floating[:, ::1] scores, const double[::1] offsets, float[:, ::1] losses):
    """The hinge loss of each row under each label, max(0, 1 + max_{q≠p} f_q − f_p)."""
    cdef Py_ssize_t n = scores.shape[0], k = scores.shape[1], i, p, top
    cdef double value, best, second, loss
    with nogil:
        for i in range(n):
            top = 0
            best = scores[i, 0] + offsets[0]
            second = best
            for p in range(1, k):
                value = scores[i, p] + offsets[p]
                if value > best:
                    second = best
                    best, top = value, p
                elif p == 1 or value > second:
                    second = value
            for p in range(k):
                loss = 1 + (second if p == top else best) - (scores[i, p] + offsets[p])
                losses[i, p] = <float> max(0.0, loss) if k > 1 else 0


def sum_cut(
    const floating[::1] values, const column[::1] ends, const column[::1] columns,
    Py_ssize_t width, const short[::1] labels, const short[::1] rivals,
    const double[::1] weights, double[:, ::1] gradient, double[::1] counts
):
    """Add x to the row of its label and −x to that of its rival, for rows with a rival.

    Rows are ``values`` in a line: of a CSR matrix, where ``ends`` has the n + 1 places
    between them and ``columns`` their columns, or of a dense one with ``width`` columns,
    where both are empty. ``counts`` takes the same sums of ones. Returns the number of rows
    with a rival.
    """
    cdef Py_ssize_t n = labels.shape[0], i, start, length
    cdef bint dense = ends.shape[0] == 0, weighted = weights.shape[0] > 0
    cdef double weight, active = 0
    cdef const column* where = NULL
    if values.shape[0] == 0:
        for i in range(n):
            if rivals[i] >= 0:
                weight = weights[i] if weighted else 1
                active += weight
                counts[labels[i]] += weight
                counts[rivals[i]] -= weight
        return active
    with nogil:
        for i in range(n):
            if rivals[i] < 0:
                continue
            start = i * width if dense else ends[i]
            length = width if dense else ends[i + 1] - start
            weight = weights[i] if weighted else 1
            active += weight
            counts[labels[i]] += weight
            counts[rivals[i]] -= weight
            if length == 0:
                continue
            if not dense:
                where = &columns[start]
            _shift(
                &gradient[labels[i], 0], &gradient[rivals[i], 0], &values[start], where, length,
                weight,
            )
    return active


def add_centred(
    double[:, ::1] out, const double[:, ::1] sums, const double[::1] counts,
    const double[::1] mean, const double[::1] factor
):
    """Add factor · (sums − counts · meanᵀ) to ``out``, row by row; each column has a factor."""
    cdef Py_ssize_t r, t, d = mean.shape[0]
    cdef double count
    with nogil:
        for r in range(out.shape[0]):
            count = counts[r]
            for t in range(d):
                out[r, t] += factor[t] * (sums[r, t] - count * mean[t])


def relink_cuts(
    const floating[::1] values, const column[::1] ends, const column[::1] columns,
    Py_ssize_t width, const Py_ssize_t[::1] moved, const short[::1] old, const short[::1] new,
    short[:, ::1] rivals, bint swap, const double[::1] weights, double[:, :, ::1] gradients,
    double[:, ::1] counts, double[::1] active
):
    """Linearise all cuts again at rows whose label went from ``old`` to ``new``.

    In a cut where its rival is the new label, the old label becomes the rival if ``swap``:
    the constraint is then the binary one, 1 − |f_a − f_b|, and cannot rise. Without it the
    rival stays, as eqs. 18–19 of CPM3C have it, and the row counts for nothing where label
    and rival are the same. The sums take what changes; ``rivals`` has the moved rows only.
    """
    cdef Py_ssize_t m = rivals.shape[0], t, i, j, start, length
    cdef bint dense = ends.shape[0] == 0, weighted = weights.shape[0] > 0
    cdef short a, b
    cdef double own, weight
    cdef const column* where = NULL
    with nogil:
        for t in range(moved.shape[0]):
            i = moved[t]
            a, b = old[i], new[i]
            own = weights[i] if weighted else 1
            start = i * width if dense else ends[i]
            length = width if dense else ends[i + 1] - start
            if not dense and length > 0:
                where = &columns[start]
            for j in range(m):
                if rivals[j, t] < 0:
                    continue
                weight = own
                if swap:
                    if rivals[j, t] == b:
                        rivals[j, t] = a
                        weight = 2 * own
                elif rivals[j, t] == a:
                    active[j] += own
                elif rivals[j, t] == b:
                    active[j] -= own
                counts[j, b] += weight
                counts[j, a] -= weight
                if length > 0:
                    _shift(
                        &gradients[j, b, 0], &gradients[j, a, 0], &values[start], where, length,
                        weight,
                    )
