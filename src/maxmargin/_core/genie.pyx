"""Genie: merges along the shortest tree, the smallest clusters first where sizes are unequal."""
import numpy as np

from maxmargin._core._interrupt cimport check_interrupt, steps_between_checks


cdef Py_ssize_t _root(Py_ssize_t[::1] parent, Py_ssize_t i) noexcept nogil:
    while parent[i] != i:
        parent[i] = parent[parent[i]]
        i = parent[i]
    return i


cdef class _Sizes:
    """How many clusters there are of each size, and Σ |s_i − s_j| over all pairs of them."""

    cdef Py_ssize_t[::1] many, different, place
    cdef Py_ssize_t n_different
    cdef long long differences

    def __init__(self, Py_ssize_t n):
        self.many, self.different, self.place = np.zeros((3, n + 1), np.intp)
        self.n_different, self.differences = 0, 0
        self.add(1)
        self.many[1] = n

    cdef long long away(self, Py_ssize_t s) noexcept nogil:
        cdef long long total = 0
        cdef Py_ssize_t j, other
        for j in range(self.n_different):
            other = self.different[j]
            total += self.many[other] * (s - other if s > other else other - s)
        return total

    cdef Py_ssize_t smallest(self) noexcept nogil:
        cdef Py_ssize_t j, least = self.different[0]
        for j in range(1, self.n_different):
            least = min(least, self.different[j])
        return least

    cdef void add(self, Py_ssize_t s) noexcept nogil:
        self.differences += self.away(s)
        if self.many[s] == 0:
            self.place[s] = self.n_different
            self.different[self.n_different] = s
            self.n_different += 1
        self.many[s] += 1

    cdef void remove(self, Py_ssize_t s) noexcept nogil:
        cdef Py_ssize_t last
        self.many[s] -= 1
        if self.many[s] == 0:
            self.n_different -= 1
            last = self.different[self.n_different]
            self.different[self.place[s]] = last
            self.place[last] = self.place[s]
        self.differences -= self.away(s)


def merge(const Py_ssize_t[::1] start, const Py_ssize_t[::1] stop, Py_ssize_t k, double threshold):
    """Merge the ends of the edges of a tree, given shortest first, down to k clusters.

    While the Gini index of the sizes, Σ_{i<j} |s_i − s_j| / ((m − 1) Σ s_i) for m clusters, is
    above the threshold, the shortest edge that touches a cluster of the smallest size is taken
    instead. Returns for each row the row that stands for its cluster.
    """
    cdef Py_ssize_t n = start.shape[0] + 1, left = n, first = 0, resume = 0, at, a, b, i
    cdef Py_ssize_t smallest = 1, between = steps_between_checks(1000)
    cdef _Sizes sizes = _Sizes(n)
    parent_array = np.arange(n)
    cdef Py_ssize_t[::1] parent = parent_array, size = np.ones(n, np.intp)
    cdef char[::1] taken = np.zeros(n, np.int8)
    while left > k:
        if left % between == 0:
            check_interrupt()
        with nogil:
            while taken[first]:
                first += 1
            at = first
            if sizes.differences > threshold * (left - 1) * n:
                if sizes.many[smallest] == 0:  # an edge passed over may touch a larger one
                    smallest = sizes.smallest()
                    resume = first
                at = max(resume, first)
                while taken[at] or (
                    size[_root(parent, start[at])] != smallest
                    and size[_root(parent, stop[at])] != smallest
                ):
                    at += 1
                resume = at
            taken[at] = True
            a = _root(parent, start[at])
            b = _root(parent, stop[at])
            if size[a] < size[b]:
                a, b = b, a
            sizes.remove(size[a])
            sizes.remove(size[b])
            size[a] += size[b]
            parent[b] = a
            sizes.add(size[a])
            left -= 1
    for i in range(n):
        parent[i] = _root(parent, i)
    return parent_array
