"""The inverse of a symmetric positive definite matrix, in place, by the block sweep."""
from libc.string cimport memset
from scipy.linalg.cython_blas cimport dgemm, dsyrk, dtrsm
from scipy.linalg.cython_lapack cimport dpotrf, dpotri

from maxmargin._core._interrupt cimport check_interrupt

import numpy as np

# Rows that are updated at a time: enough to keep BLAS busy, and to look for Ctrl-C between.
cdef Py_ssize_t ROWS = 1024


cdef int _pivot(double[:, ::1] a, double[:, ::1] panel, Py_ssize_t p, Py_ssize_t b) noexcept nogil:
    """Sweep the pivot block's own rows and columns; Y = X L⁻ᵀ stays in the panel.

    LAPACK counts by columns, so our lower triangle is its upper one.
    """
    cdef int n = <int> a.shape[0], lda = n, width = <int> b, info = 0
    cdef int ld_panel = <int> panel.shape[1]
    cdef double one = 1
    cdef Py_ssize_t i, j
    cdef char* upper = b"U"
    dpotrf(upper, &width, &a[p, p], &lda, &info)
    if info != 0:
        return info
    for i in range(p):  # above the pivot the block is stored as its transpose
        for j in range(b):
            panel[i, j] = a[p + j, i]
    for i in range(p, p + b):
        memset(&panel[i, 0], 0, b * sizeof(double))
    for i in range(p + b, n):
        for j in range(b):
            panel[i, j] = a[i, p + j]
    dtrsm(b"L", upper, b"T", b"N", &width, &n, &one, &a[p, p], &lda, &panel[0, 0], &ld_panel)
    return 0


cdef void _update(
    double[:, ::1] a, double[:, ::1] panel, Py_ssize_t start, Py_ssize_t rows, Py_ssize_t b
) noexcept nogil:
    """A_ij −= Y_i Y_jᵀ for the rows start … start + rows, up to the diagonal."""
    cdef int n = <int> a.shape[0], m = <int> start, height = <int> rows, width = <int> b
    cdef int ld_panel = <int> panel.shape[1]
    cdef double minus = -1, one = 1
    dgemm(b"T", b"N", &m, &height, &width, &minus, &panel[0, 0], &ld_panel,
          &panel[start, 0], &ld_panel, &one, &a[start, 0], &n)
    dsyrk(b"U", b"T", &height, &width, &minus, &panel[start, 0], &ld_panel, &one,
          &a[start, start], &n)


cdef void _finish(double[:, ::1] a, double[:, ::1] panel, Py_ssize_t p, Py_ssize_t b) noexcept nogil:
    """A_ip ← Y L⁻¹ = X A_pp⁻¹ and A_pp ← −A_pp⁻¹."""
    cdef int n = <int> a.shape[0], lda = n, width = <int> b, info = 0
    cdef int ld_panel = <int> panel.shape[1]
    cdef double one = 1
    cdef Py_ssize_t i, j
    cdef char* upper = b"U"
    dtrsm(b"L", upper, b"N", b"N", &width, &n, &one, &a[p, p], &lda, &panel[0, 0], &ld_panel)
    dpotri(upper, &width, &a[p, p], &lda, &info)
    for i in range(p):
        for j in range(b):
            a[p + j, i] = panel[i, j]
    for i in range(b):
        for j in range(i + 1):
            a[p + i, p + j] = -a[p + i, p + j]
    for i in range(p + b, n):
        for j in range(b):
            a[i, p + j] = panel[i, j]


def sweep(double[:, ::1] a, Py_ssize_t block=192):
    """Replace a symmetric positive definite matrix by minus its inverse.

    Reads and writes the lower triangle only. The flops are those of a Cholesky inverse
    (n³), the extra memory is n × block, and Ctrl-C is answered between row panels,
    which LAPACK's own inverse cannot do.

    Returns
    -------
    int
        0, or the number of the first row at which the matrix is not positive definite.
    """
    cdef Py_ssize_t n = a.shape[0], p, start, b
    cdef int info
    cdef double[:, ::1] panel = np.empty((n, min(block, n)))
    for p in range(0, n, block):
        b = min(block, n - p)
        with nogil:
            info = _pivot(a, panel, p, b)
        if info != 0:
            return p + info
        for start in range(0, n, ROWS):
            with nogil:
                _update(a, panel, start, min(ROWS, n - start), b)
            check_interrupt()
        with nogil:
            _finish(a, panel, p, b)
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
