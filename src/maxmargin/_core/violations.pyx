"""Stochastic gradient descent for the one-class margin: Algorithm 1 of SGD-LMSVC."""
from libc.math cimport exp, fmax, sqrt

from maxmargin._core._interrupt cimport check_interrupt


def descend(
    const double[:, ::1] X, double gamma, double C, const Py_ssize_t[::1] draws, Py_ssize_t t,
    double squared_norm, double theta, Py_ssize_t first_end, Py_ssize_t[::1] violators,
    Py_ssize_t n_violators, double[:, ::1] rows, double[::1] counts, double[::1] moments,
    int[::1] stop
):
    """Go on for one round for each draw, from round t; w_t = C/(t − 1) · Σ_i counts_i φ(x_i).

    Equation (2): w_{t+1} = (1 − 1/t) w_t + (C/t) [w_t·φ(x) < 1] φ(x), so that every violation
    weighs the same whenever it happened, and only their numbers are stored.

    Parameters
    ----------
    C : float
        The C of Equation (1), which is N times the bound on a weight.
    draws : array
        The row that each round looks at.
    squared_norm : float
        ‖w_t‖².
    theta : float
        Ends when ‖w_{t+1} − w_t‖ is at most this, not before round ``first_end``.
    violators : array of shape (n,)
        The rows that violated, in the order of their first time; ``n_violators`` of them.
        ``rows`` holds them, ``counts`` how often each did, and ``moments`` the sum of
        t (t + 1) (t + 2) over the rounds in which it did.

    Returns
    -------
    t, squared_norm, n_violators, ended
    """
    cdef Py_ssize_t d = X.shape[1], i, j, k, c, s
    cdef double value, distance, difference, step
    cdef bint violates, ended = False
    for j in range(draws.shape[0]):
        i = draws[j]
        with nogil:
            value = 0
            s = n_violators
            for c in range(n_violators):
                distance = 0
                for k in range(d):
                    difference = rows[c, k] - X[i, k]
                    distance += difference * difference
                if violators[c] == i:
                    s = c
                value += counts[c] * exp(-gamma * distance)
            value = C * value / (t - 1) if t > 1 else 0
            violates = value < 1
            # ‖w_{t+1} − w_t‖² = ‖w_t − C [violates] φ(x)‖² / t²
            step = squared_norm + (C * C - 2 * C * value if violates else 0)
            squared_norm *= (1 - 1.0 / t) * (1 - 1.0 / t)
            if violates:
                squared_norm += (2 * (1 - 1.0 / t) * value + C / t) * C / t
                if s == n_violators:
                    violators[s] = i
                    for k in range(d):
                        rows[s, k] = X[i, k]
                    n_violators += 1
                counts[s] += 1
                moments[s] += <double> t * (t + 1) * (t + 2)
            ended = t >= first_end and sqrt(fmax(step, 0)) <= theta * t
            t += 1
        if ended:
            break
        if j % 256 == 255:
            check_interrupt(stop)
    return t, squared_norm, n_violators, ended
