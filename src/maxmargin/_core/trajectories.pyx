"""Uphill to where a sum of Gaussians has no slope."""
from libc.math cimport exp, INFINITY

from maxmargin._core._interrupt cimport check_interrupt

#: exp(−40) = 4e-18: what is so much further than the nearest one does not count.
cdef double FAR = 40.0


def climb(
    double[:, ::1] points, const double[:, ::1] support, const double[::1] weights,
    double gamma, double tol, Py_ssize_t max_iter, double[::1] squared, double[::1] mean
):
    """Repeat x ← Σ_s w_s k(s, x) s / Σ_s w_s k(s, x), the map P of Section 3, for each point.

    Parameters
    ----------
    points : array of shape (p, d)
        Starts, overwritten with the ends of their trajectories.
    support, weights : arrays of shape (s, d) and (s,)
    tol : float
        A trajectory ends with a step below this share of the width 1/√γ.
    squared, mean : arrays of shape (s,) and (d,)
        Room to work in.

    Returns
    -------
    longest : int
        The steps of the longest trajectory.
    n_open : int
        Trajectories that did not end within ``max_iter`` steps.
    """
    cdef Py_ssize_t d = points.shape[1], p, step, s, c, longest = 0, n_open = 0
    cdef double nearest, weight, total, difference, moved = 0
    cdef double enough = tol * tol / gamma
    for p in range(points.shape[0]):
        with nogil:
            for step in range(1, max_iter + 1):
                nearest = INFINITY
                for s in range(support.shape[0]):
                    total = 0
                    for c in range(d):
                        difference = points[p, c] - support[s, c]
                        total += difference * difference
                    squared[s] = total
                    nearest = min(nearest, total)
                for c in range(d):
                    mean[c] = 0
                total = 0
                for s in range(support.shape[0]):
                    # relative to the nearest one: far from all of them nothing underflows
                    weight = gamma * (squared[s] - nearest)
                    if weight > FAR:
                        continue
                    weight = weights[s] * exp(-weight)
                    total += weight
                    for c in range(d):
                        mean[c] += weight * support[s, c]
                moved = 0
                for c in range(d):
                    difference = mean[c] / total - points[p, c]
                    moved += difference * difference
                    points[p, c] += difference
                if moved <= enough:
                    break
            longest = max(longest, step)
            n_open += moved > enough
        check_interrupt()
    return longest, n_open
