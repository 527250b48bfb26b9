# The quadratic form R, hollow (n × n) or as a factor (n × r), seen by rows.
from scipy.linalg.cython_blas cimport dgemv, sgemv

ctypedef fused real:
    float
    double


cdef inline const real* hollow_row(
    const real[:, ::1] matrix, bint factored, Py_ssize_t j, real* buffer
) noexcept nogil:
    """Row j of R with a zero on the diagonal: a pointer into R, or Z z_j in the buffer."""
    cdef int n = <int> matrix.shape[0], r = <int> matrix.shape[1], one = 1
    cdef real unit = 1, zero = 0
    cdef char* transposed = b"T"
    if not factored:
        return &matrix[j, 0]
    if real is float:
        sgemv(transposed, &r, &n, &unit, <float*> &matrix[0, 0], &r,
              <float*> &matrix[j, 0], &one, &zero, buffer, &one)
    else:
        dgemv(transposed, &r, &n, &unit, <double*> &matrix[0, 0], &r,
              <double*> &matrix[j, 0], &one, &zero, buffer, &one)
    buffer[j] = 0
    return buffer


cdef inline void add_row(
    const real* row, double weight, double* target, Py_ssize_t n
) noexcept nogil:
    cdef Py_ssize_t i
    for i in range(n):
        target[i] += weight * row[i]


cdef inline double dot(const real* a, const double* b, Py_ssize_t n) noexcept nogil:
    """Four sums in a fixed order: as quick as the adder allows, the same everywhere."""
    cdef double s0 = 0, s1 = 0, s2 = 0, s3 = 0
    cdef Py_ssize_t i, whole = n - n % 4
    for i in range(0, whole, 4):
        s0 += a[i] * b[i]
        s1 += a[i + 1] * b[i + 1]
        s2 += a[i + 2] * b[i + 2]
        s3 += a[i + 3] * b[i + 3]
    for i in range(whole, n):
        s0 += a[i] * b[i]
    return (s0 + s1) + (s2 + s3)


# One row at a time. ``state`` is T = RH, hollow (k × n), where R is at hand, and
# U = (ZᵀH)ᵀ (k × r) where only the factor is: then a score costs O(r), a move O(r).

cdef inline double score(
    const real[:, ::1] matrix, bint factored, const double[::1] diagonal,
    const double* state, Py_ssize_t width, Py_ssize_t j, int own, int c
) noexcept nogil:
    """T[c, j] without the row's own vote; ``own`` is the cluster of row j."""
    if not factored:
        return state[c * width + j]
    return dot(&matrix[j, 0], state + c * width, width) - (diagonal[j] if c == own else 0.0)


cdef inline void shift(
    const real[:, ::1] matrix, double* state, Py_ssize_t width,
    Py_ssize_t j, int source, int target
) noexcept nogil:
    """Bring the state up to date after row j went from source to target."""
    add_row(&matrix[j, 0], -1.0, state + source * width, width)
    add_row(&matrix[j, 0], 1.0, state + target * width, width)
