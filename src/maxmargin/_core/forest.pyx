"""Edges that join pieces, taken in an order, and the peaks of heights that meet as they do."""
import numpy as np

from maxmargin._core._interrupt cimport check_interrupt


cdef inline Py_ssize_t _root(Py_ssize_t[::1] parent, Py_ssize_t i) noexcept nogil:
    while parent[i] != i:
        parent[i] = parent[parent[i]]
        i = parent[i]
    return i


def kruskal(
    Py_ssize_t n, const Py_ssize_t[::1] start, const Py_ssize_t[::1] stop,
    const Py_ssize_t[::1] order
):
    """Which of the edges, taken in this order, join two pieces; in that order."""
    cdef Py_ssize_t at, edge, a, b, kept = 0
    cdef Py_ssize_t[::1] parent = np.arange(n), size = np.ones(n, np.intp)
    found = np.empty(max(n - 1, 0), np.intp)
    cdef Py_ssize_t[::1] joining = found
    check_interrupt()
    with nogil:
        for at in range(order.shape[0]):
            edge = order[at]
            a = _root(parent, start[edge])
            b = _root(parent, stop[edge])
            if a != b:
                if size[a] < size[b]:
                    a, b = b, a
                parent[b] = a
                size[a] += size[b]
                joining[kept] = edge
                kept += 1
                if kept == n - 1:
                    break
    return found[:kept]


def prominences(
    const double[::1] heights, const Py_ssize_t[::1] start, const Py_ssize_t[::1] stop,
    const double[::1] levels
):
    """How far each peak rises above the level at which it meets a higher one.

    The edges of a forest appear one by one as the level falls. Returns the prominences, and the
    edges at which peaks meet; an edge by which rows join a slope as they appear is none of these.
    """
    cdef Py_ssize_t m = start.shape[0], at, a, b, ended = 0
    cdef Py_ssize_t[::1] parent = np.arange(heights.shape[0])
    found, edges = np.empty(m), np.empty(m, np.intp)
    cdef double[::1] prominence = found
    cdef Py_ssize_t[::1] met = edges
    check_interrupt()
    with nogil:
        for at in range(m):
            a = _root(parent, start[at])
            b = _root(parent, stop[at])
            if heights[a] < heights[b]:
                a, b = b, a
            if heights[b] > levels[at]:
                prominence[ended] = heights[b] - levels[at]
                met[ended] = at
                ended += 1
            parent[b] = a
    return found[:ended], edges[:ended]
