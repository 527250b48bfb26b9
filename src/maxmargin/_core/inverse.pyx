"""The inverse of a symmetric positive definite matrix, in place: LAPACK's, in steps of a block.

With A = UᵀU, the factor, its inverse and the product U⁻¹U⁻ᵀ = A⁻¹ are made one after the other in
the same triangle, a block of columns at a time: by LAPACK where it is on the diagonal, by BLAS
beside it.
"""
from scipy.linalg.cython_blas cimport dgemm, dsyrk, dtrmm, dtrsm
from scipy.linalg.cython_lapack cimport dlauum, dpotrf, dtrtri

from maxmargin._core._interrupt cimport check_interrupt

# Columns that are multiplied at a time: enough to keep BLAS busy, and to look for Ctrl-C between.
cdef int WIDTH = 1024

# Fortran counts by columns: our lower triangle is its upper one, and a[j, i] its entry (i, j).


cdef int _factorise(double[:, ::1] a, int p, int b) noexcept nogil:
    """The columns p … p + b of U, and nothing right of them: U_pp, as those above are known."""
    cdef int n = <int> a.shape[0], info = 0
    cdef double one = 1, minus = -1
    dsyrk(b"U", b"T", &b, &p, &minus, &a[p, 0], &n, &one, &a[p, p], &n)
    dpotrf(b"U", &b, &a[p, p], &n, &info)
    return info


cdef void _factorise_right(double[:, ::1] a, int p, int b, int start, int width) noexcept nogil:
    """The rows p … p + b of U in some columns right of the block."""
    cdef int n = <int> a.shape[0]
    cdef double one = 1, minus = -1
    dgemm(b"T", b"N", &b, &width, &p, &minus, &a[p, 0], &n, &a[start, 0], &n, &one,
          &a[start, p], &n)
    dtrsm(b"L", b"U", b"T", b"N", &b, &width, &one, &a[p, p], &n, &a[start, p], &n)


cdef void _invert_factor(double[:, ::1] a, int p, int b) noexcept nogil:
    """The columns p … p + b of U⁻¹, as those before them are known."""
    cdef int n = <int> a.shape[0], info = 0
    cdef double one = 1, minus = -1
    dtrmm(b"L", b"U", b"N", b"N", &p, &b, &one, &a[0, 0], &n, &a[p, 0], &n)
    dtrsm(b"R", b"U", b"N", b"N", &p, &b, &minus, &a[p, p], &n, &a[p, 0], &n)
    dtrtri(b"U", b"N", &b, &a[p, p], &n, &info)


cdef void _begin_product(double[:, ::1] a, int p, int b) noexcept nogil:
    """The columns p … p + b of U⁻¹U⁻ᵀ, but for what is right of the block in U⁻¹."""
    cdef int n = <int> a.shape[0], info = 0
    cdef double one = 1
    dtrmm(b"R", b"U", b"T", b"N", &p, &b, &one, &a[p, p], &n, &a[p, 0], &n)
    dlauum(b"U", &b, &a[p, p], &n, &info)


cdef void _add_product(double[:, ::1] a, int p, int b, int start, int width) noexcept nogil:
    """And what some columns of U⁻¹ right of it add."""
    cdef int n = <int> a.shape[0]
    cdef double one = 1
    dgemm(b"N", b"T", &p, &b, &width, &one, &a[start, 0], &n, &a[start, p], &n, &one,
          &a[p, 0], &n)
    dsyrk(b"U", b"N", &b, &width, &one, &a[start, p], &n, &one, &a[p, p], &n)


def invert(double[:, ::1] a, int block=512):
    """Replace a symmetric positive definite matrix by its inverse.

    Reads and writes the lower triangle only, needs no other memory, and answers Ctrl-C between two
    products, which LAPACK cannot do.

    Returns
    -------
    int
        0, or the number of the first row at which the matrix is not positive definite.
    """
    cdef int n = <int> a.shape[0], p, b, start, width, info
    for p in range(0, n, block):
        b = min(block, n - p)
        with nogil:
            info = _factorise(a, p, b)
        if info != 0:
            return p + info
        for start in range(p + b, n, WIDTH):
            width = min(WIDTH, n - start)
            with nogil:
                _factorise_right(a, p, b, start, width)
            check_interrupt()
    for p in range(0, n, block):
        b = min(block, n - p)
        with nogil:
            _invert_factor(a, p, b)
        check_interrupt()
    for p in range(0, n, block):
        b = min(block, n - p)
        with nogil:
            _begin_product(a, p, b)
        check_interrupt()
        for start in range(p + b, n, WIDTH):
            width = min(WIDTH, n - start)
            with nogil:
                _add_product(a, p, b, start, width)
            check_interrupt()
    return 0


def mirror(double[:, ::1] a):
    """Copy the lower triangle onto the upper one, tile by tile."""
    cdef Py_ssize_t n = a.shape[0], i, j, top, left
    with nogil:
        for top in range(0, n, 64):
            for left in range(0, top + 1, 64):
                for i in range(top, min(top + 64, n)):
                    for j in range(left, min(left + 64, i)):
                        a[j, i] = a[i, j]
