"""How low a sum of Gaussians falls on the way from one point to another."""
from libc.math cimport exp, fmax, fmin, sqrt

from maxmargin._core._interrupt cimport check_interrupt

#: exp(−20) = 2e-9: what is further away does not count.
cdef double FAR = 20.0
#: Squared lengths, in units of 1/γ, up to which exp(−γ‖a − s‖²) of all that count is no zero.
cdef double LONG = 100.0


cdef inline void _in_strides(
    double base, double ratio, double turn, double* heights, int steps
) noexcept nogil:
    """Add base · ratio^m · turn^(m (m − 1) / 2) for m = 1, …: two products each."""
    cdef int m
    for m in range(steps):
        base *= ratio
        ratio *= turn
        heights[m] += base


def lowest_on_segments(
    const double[:, ::1] squared, const Py_ssize_t[::1] start, const Py_ssize_t[::1] stop_at,
    const double[::1] lengths, const double[::1] weights, double gamma, int steps,
    Py_ssize_t[::1] near, double[::1] base, double[::1] work, double[::1] lowest
):
    """Lower each ``lowest`` to the least of g = Σ_s weights_s · exp(−γ ‖x − s‖²) on a segment.

    g is looked at in ``steps`` points inside the segment. Distances are all that is needed:
    ‖x − s‖² = (1 − t) ‖a − s‖² + t ‖b − s‖² − t (1 − t) ‖a − b‖² at x = (1 − t) a + t b.

    Parameters
    ----------
    squared : array of shape (p, s)
        Squared distances of the points to the support.
    start, stop_at : arrays of shape (e,)
        The ends of each segment, rows of ``squared``. Segments with the same start that
        follow each other share most of the work.
    lengths : array of shape (e,)
        Squared lengths of the segments.
    near, base, work : arrays of shape (s,), (s,) and (steps,)
        Room to work in.
    lowest : array of shape (e,)
        g at the lower end of each segment, overwritten.
    """
    cdef Py_ssize_t n_edges = start.shape[0], n_support = squared.shape[1]
    cdef Py_ssize_t e = 0, last, s, c, n_near
    cdef const double* a
    cdef const double* b
    cdef double longest, reach, length, ratio, turn, t, exponent, h = 1.0 / (steps + 1)
    cdef double width = sqrt(FAR / gamma)
    cdef int m
    while e < n_edges:
        with nogil:
            a = &squared[start[e], 0]
            longest = 0
            last = e
            while last < n_edges and start[last] == start[e]:
                longest = fmax(longest, lengths[last])
                last += 1
            # whoever is near a point of such a segment is this near to its start
            reach = width + sqrt(longest)
            n_near = 0
            for s in range(n_support):
                if a[s] <= reach * reach and weights[s] > 0:
                    near[n_near] = s
                    base[n_near] = weights[s] * exp(-gamma * a[s])
                    n_near += 1
            while e < last:
                b = &squared[stop_at[e], 0]
                length = lengths[e]
                turn = exp(-2 * gamma * h * h * length)
                # of this segment, not of the longest one: further away 0 · ∞ would be a NaN
                reach = (width + sqrt(length)) * (width + sqrt(length))
                for m in range(steps):
                    work[m] = 0
                for c in range(n_near):
                    s = near[c]
                    if a[s] > reach:
                        continue
                    if gamma * length <= LONG:
                        # the exponent is quadratic in t: its second difference is constant
                        ratio = exp(-gamma * h * (b[s] - a[s] - (1 - h) * length))
                        _in_strides(base[c], ratio, turn, &work[0], steps)
                        continue
                    for m in range(steps):
                        t = (m + 1) * h
                        exponent = gamma * ((1 - t) * a[s] + t * b[s] - t * (1 - t) * length)
                        # A long segment passes most of them by. The ends themselves count even in
                        # its middle: small levels have an order too.
                        if exponent <= FAR + 0.25 * gamma * length:
                            work[m] += weights[s] * exp(-exponent)
                for m in range(steps):
                    lowest[e] = fmin(lowest[e], work[m])
                e += 1
        check_interrupt()
