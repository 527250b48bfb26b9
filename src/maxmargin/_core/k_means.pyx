"""k-means for many small starts: rows of a few columns, cut hundreds of times in one fit."""
import numpy as np
from scipy.linalg.cython_blas cimport dgemm

from maxmargin._core._interrupt cimport check_interrupt

MAX_STEPS = 300


cdef Py_ssize_t _assign(
    const double[:, ::1] X, const double[::1] squares, const double[:, ::1] centers,
    double[:, ::1] products, double[::1] lengths, int[::1] labels, double[::1] nearest
) noexcept nogil:
    """Give each row x to the centre c of least c² − 2cᵀx; count the rows that moved."""
    cdef int n = <int> X.shape[0], d = <int> X.shape[1], k = <int> centers.shape[0], i, j, c, best
    cdef double minus = -2, zero = 0, least, value
    cdef Py_ssize_t moved = 0
    for c in range(k):
        lengths[c] = 0
        for j in range(d):
            lengths[c] += centers[c, j] * centers[c, j]
    dgemm(b"T", b"N", &k, &n, &d, &minus, <double*> &centers[0, 0], &d, <double*> &X[0, 0], &d,
          &zero, &products[0, 0], &k)
    for i in range(n):
        best, least = 0, products[i, 0] + lengths[0]
        for c in range(1, k):
            value = products[i, c] + lengths[c]
            if value < least:
                best, least = c, value
        moved += labels[i] != best
        labels[i] = best
        nearest[i] = max(0.0, least + squares[i])
    return moved


cdef void _means(
    const double[:, ::1] X, int[::1] labels, double[::1] nearest, Py_ssize_t[::1] counts,
    double[:, ::1] centers
) noexcept nogil:
    """The means of the clusters; one without rows takes the row that is farthest from its own."""
    cdef Py_ssize_t n = X.shape[0], d = X.shape[1], k = centers.shape[0], i, j, c, far
    counts[:] = 0
    for i in range(n):
        counts[labels[i]] += 1
    for c in range(k):
        if counts[c] == 0:
            far = 0
            for i in range(1, n):
                if nearest[i] > nearest[far]:
                    far = i
            if nearest[far] == 0:
                break  # fewer different rows than clusters
            counts[labels[far]] -= 1
            counts[c] = 1
            labels[far] = <int> c
            nearest[far] = 0
    for c in range(k):
        if counts[c]:
            for j in range(d):
                centers[c, j] = 0
    for i in range(n):
        c = labels[i]
        for j in range(d):
            centers[c, j] += X[i, j]
    for c in range(k):
        if counts[c]:
            for j in range(d):
                centers[c, j] /= counts[c]


def lloyd(const double[:, ::1] X, const double[:, ::1] centers, Py_ssize_t max_iter):
    """Move centres to the means of their rows until no row changes its own.

    Returns the labels and the sum of squared distances to the centres.
    """
    cdef Py_ssize_t n = X.shape[0], k = centers.shape[0], it, moved
    cdef double[:, ::1] means = np.array(centers), products = np.empty((n, k))
    cdef double[::1] squares = np.einsum("ij,ij->i", X, X)
    cdef double[::1] lengths = np.empty(k), nearest = np.empty(n)
    cdef Py_ssize_t[::1] counts = np.empty(k, np.intp)
    found = np.full(n, -1, np.int32)
    cdef int[::1] labels = found
    for it in range(max_iter + 1):
        check_interrupt()
        with nogil:
            moved = _assign(X, squares, means, products, lengths, labels, nearest)
            if moved and it < max_iter:
                _means(X, labels, nearest, counts, means)
        if moved == 0:
            break
    return found, float(np.sum(nearest))


def k_means(X, int k, int seed, int n_init=1):
    """The labels with the least inertia of several starts.

    What scikit-learn's does without its checks of each call, which take three times as long for
    rows of a few columns. Fewer than k labels are used where fewer rows differ.
    """
    X = np.ascontiguousarray(X, dtype=np.float64)
    random_state = np.random.RandomState(seed)
    runs = [lloyd(X, _careful_seeds(X, k, random_state), MAX_STEPS) for _ in range(n_init)]
    return min(runs, key=_inertia)[0]


def _inertia(run):
    return run[1]


def _careful_seeds(X, k, random_state):
    """k-means++ (Arthur and Vassilvitskii, 2007), the best of 2 + log k draws for each seed."""
    norms, trials = np.einsum("ij,ij->i", X, X), 2 + int(np.log(k))
    chosen = [int(random_state.randint(len(X)))]
    closest = np.maximum(norms[chosen] + norms - 2 * (X[chosen] @ X.T), 0)[0]
    for _ in range(1, k):
        places = random_state.uniform(size=trials) * closest.sum()
        drawn = np.minimum(np.searchsorted(np.cumsum(closest), places), len(X) - 1)
        distances = norms[drawn, None] + norms - 2 * (X[drawn] @ X.T)
        distances = np.minimum(closest, np.maximum(distances, 0, out=distances), out=distances)
        best = int(np.argmin(distances.sum(axis=1)))
        chosen.append(int(drawn[best]))
        closest = distances[best]
    return X[chosen]
