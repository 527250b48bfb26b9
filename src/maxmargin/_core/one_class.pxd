cdef class RowCache:
    cdef object fetch
    cdef list kept
    cdef Py_ssize_t[::1] slot_of, owner, newer, older
    cdef Py_ssize_t newest, oldest
    cdef readonly Py_ssize_t misses
    cdef void _unlink(self, Py_ssize_t slot) noexcept
    cdef void _link_as_newest(self, Py_ssize_t slot) noexcept
    cdef const double[::1] row(self, Py_ssize_t i)
