"""Stochastic gradient descent for the one-class margin: Algorithm 1 of SGD-LMSVC."""
from libc.math cimport exp, fmax, fmin, sqrt

from maxmargin._core._interrupt cimport check_interrupt
from maxmargin._core.one_class cimport RowCache


def descend(
    RowCache rows, double C, double nu, double most, const Py_ssize_t[::1] draws, Py_ssize_t t,
    double squared_norm, double theta, Py_ssize_t first_end, double[::1] sums,
    double[::1] counts, double[::1] moments
):
    """Go on for one round for each draw, from round t; w_t = C/(t − 1) · Σ_i counts_i φ(x_i).

    Equation (2): w_{t+1} = (1 − 1/t) w_t + (C/t) [w_t·φ(x) < 1] φ(x), so that every violation
    weighs the same whenever it happened: only their numbers are stored, and a round without one
    costs nothing. C is a factor of all of w: where a share ν of the rounds is to violate
    (which is Σα/(N · bound), what ν stands for), log C follows it with steps of 1/√t.

    Parameters
    ----------
    rows : RowCache
        The kernel.
    C : float
        The C of Equation (1), which is N times the bound on a weight.
    nu : float
        The share of rounds that is to violate; 0 leaves C as it is.
    most : float
        The largest C.
    draws : array
        The row that each round looks at.
    squared_norm : float
        ‖w_t / C‖².
    theta : float
        Ends when ‖w_{t+1} − w_t‖ is at most this, not before round ``first_end``.
    sums : array of shape (n,)
        Σ_i counts_i k(x_i, x) at every row, overwritten.
    counts, moments : arrays of shape (n,)
        How often each row violated, and the sum of t (t + 1) (t + 2) over the rounds in which it
        did; overwritten.

    Returns
    -------
    t, squared_norm, C, ended
    """
    cdef Py_ssize_t n = sums.shape[0], i, j, k
    cdef double value, step
    cdef bint violates, ended = False
    cdef const double[::1] row
    for j in range(draws.shape[0]):
        i = draws[j]
        value = sums[i] / (t - 1) if t > 1 else 0  # w_t·φ(x) / C
        violates = C * value < 1
        # ‖w_{t+1} − w_t‖² = ‖w_t − C [violates] φ(x)‖² / t²
        step = squared_norm + (1 - 2 * value if violates else 0)
        squared_norm *= (1 - 1.0 / t) * (1 - 1.0 / t)
        if violates:
            squared_norm += (2 * (1 - 1.0 / t) * value + 1.0 / t) / t
            counts[i] += 1
            moments[i] += <double> t * (t + 1) * (t + 2)
            row = rows.row(i)
            with nogil:
                for k in range(n):
                    sums[k] += row[k]
        ended = t >= first_end and C * sqrt(fmax(step, 0)) <= theta * t
        if nu > 0:
            C = fmin(most, C * exp((violates - nu) / sqrt(t)))
        t += 1
        if ended:
            break
        if j % 256 == 255:
            check_interrupt()
    return t, squared_norm, C, ended
