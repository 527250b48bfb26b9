"""The dip of a sample: how far its distribution is from the nearest unimodal one."""
import numpy as np


cdef double _line(
    const double[::1] x, const double[::1] y, Py_ssize_t i, Py_ssize_t j, double at
) noexcept nogil:
    """The line through points i and j, at a place between them."""
    if i == j:
        return y[i]
    return y[i] + (y[j] - y[i]) * ((at - x[i]) / (x[j] - x[i]))


cdef void _hulls(
    const double[::1] x, const double[::1] below, const double[::1] above,
    Py_ssize_t[::1] back, Py_ssize_t[::1] ahead
) noexcept nogil:
    """Chains of vertices, by the usual stack.

    ``back[j]`` is the vertex before j on the greatest convex minorant of points 0..j of
    ``below``; ``ahead[j]`` the one after j on the least concave majorant of points j.. of
    ``above``. A part of a hull that ends at two of its vertices is the hull of that part, so
    these chains hold the hulls of every interval that is looked at.
    """
    cdef Py_ssize_t r = x.shape[0], j, i
    back[0] = 0
    for j in range(1, r):
        i = j - 1
        while i > 0 and below[i] >= _line(x, below, back[i], j, x[i]):
            i = back[i]
        back[j] = i
    ahead[r - 1] = r - 1
    for j in range(r - 2, -1, -1):
        i = j + 1
        while i < r - 1 and above[i] <= _line(x, above, j, ahead[i], x[i]):
            i = ahead[i]
        ahead[j] = i


cdef double _twice_dip(
    const double[::1] x, const double[::1] below, const double[::1] above,
    Py_ssize_t[::1] back, Py_ssize_t[::1] ahead, Py_ssize_t[::1] minorant
) noexcept nogil:
    """Shrink the interval that holds the mode as Hartigan & Hartigan (1985, section 4) do.

    F jumps at x[j] from below[j] to above[j]. Left of the mode the best unimodal function is
    the minorant g of F, right of it the majorant l, each moved by the dip towards the other;
    between them a line fits as soon as l − g is nowhere above twice the dip. A jump at the
    mode itself costs nothing: the ends of the interval are counted when it moves past them.
    """
    cdef Py_ssize_t low = 0, high = x.shape[0] - 1, new_low, new_high
    cdef Py_ssize_t count, v, i, j, k
    cdef double needed = 0, widest, width
    while low < high:
        # the vertices of the minorant, from left to right, and one walk along both hulls
        count = 1
        i = high
        while i > low:
            i = back[i]
            count += 1
        i = high
        for v in range(count - 1, -1, -1):
            minorant[v] = i
            i = back[i]
        widest = -1
        new_low = new_high = low
        j = low
        for v in range(count):
            i = minorant[v]
            while j < i:  # vertices of the majorant before i
                k = ahead[j]
                if k >= i:
                    break
                j = k
                width = above[j] - _line(x, below, minorant[v - 1], i, x[j])
                if width > widest:
                    widest = width
                    new_low = minorant[v - 1]
                    new_high = j
            k = j if j == i else ahead[j]
            width = _line(x, above, j, k, x[i]) - below[i]
            if width > widest:
                widest = width
                new_low = i
                new_high = k
            if k == i:
                j = i
                if width >= widest:  # a vertex of both hulls: a narrower interval
                    widest = width
                    new_low = new_high = i
        if widest <= needed:
            break
        i = low  # what the part left of the new interval needs
        v = 0
        while i < new_low:
            while minorant[v + 1] <= i:
                v += 1
            width = above[i] - _line(x, below, minorant[v], minorant[v + 1], x[i])
            if width > needed:
                needed = width
            i += 1
        j = new_high  # and the part right of it
        for i in range(new_high + 1, high + 1):
            while ahead[j] < i:
                j = ahead[j]
            width = _line(x, above, j, ahead[j], x[i]) - below[i]
            if width > needed:
                needed = width
        low = new_low
        high = new_high
    return needed


cdef double _dip_of_steps(const double[::1] x, const double[::1] above):
    """The dip of a distribution that jumps at ``x`` (ascending, distinct) up to ``above``."""
    cdef Py_ssize_t r = x.shape[0]
    cdef double[::1] below = np.zeros(r)
    cdef Py_ssize_t[::1] back = np.empty(r, np.intp)
    cdef Py_ssize_t[::1] ahead = np.empty(r, np.intp)
    cdef Py_ssize_t[::1] minorant = np.empty(r, np.intp)
    cdef double twice
    below[1:] = above[:r - 1]
    with nogil:
        _hulls(x, below, above, back, ahead)
        twice = _twice_dip(x, below, above, back, ahead, minorant)
    return twice / 2


def dip(values):
    """The dip of a sample: its distance from the nearest unimodal distribution.

    The largest difference between the empirical distribution function and the unimodal one
    (convex, then concave) that makes it smallest. Between 1/(2n) and 1/4; 0 if all values are
    equal, as one atom is unimodal.

    References
    ----------
    Hartigan and Hartigan (1985). "The dip test of unimodality". Annals of Statistics 13(1).
    """
    x = np.sort(np.asarray(values, dtype=np.float64))
    # The dip does not change with the scale, but products of extreme values overflow.
    x = x / max(float(np.abs(x).max()), np.finfo(np.float64).tiny)
    span = x[-1] - x[0]
    if not span > 0:
        return 0.0
    x = (x - x[0]) / span
    last = np.append(np.flatnonzero(x[1:] > x[:-1]), len(x) - 1)
    return _dip_of_steps(x[last], (last + 1) / len(x))
