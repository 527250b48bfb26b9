"""Labels of the smallest total loss within bounds on the sizes: a transport problem."""
import numpy as np

from libc.stdlib cimport free, malloc, realloc

from maxmargin._core._interrupt cimport check_interrupt


cdef struct Heap:
    int* rows
    Py_ssize_t size
    Py_ssize_t room


cdef class _Transport:
    """The rows of each cluster, ordered by what a move to each other cluster costs.

    A heap for each pair (a, b) of clusters keeps the rows of a with the cheapest move to b on
    top. Rows that have left a stay in it until they come up.
    """

    cdef const float[:, ::1] losses
    cdef int[::1] labels
    cdef Py_ssize_t k
    cdef Heap* heaps

    def __cinit__(self, const float[:, ::1] losses, int[::1] labels):
        self.losses, self.labels, self.k = losses, labels, losses.shape[1]
        self.heaps = <Heap*> malloc(self.k * self.k * sizeof(Heap))
        if self.heaps == NULL:
            raise MemoryError
        cdef Py_ssize_t i
        for i in range(self.k * self.k):
            self.heaps[i].rows = NULL
            self.heaps[i].size = self.heaps[i].room = 0

    def __dealloc__(self):
        cdef Py_ssize_t i
        if self.heaps != NULL:
            for i in range(self.k * self.k):
                free(self.heaps[i].rows)
            free(self.heaps)

    cdef inline double cost(self, int row, Py_ssize_t a, Py_ssize_t b) noexcept nogil:
        return <double> self.losses[row, b] - <double> self.losses[row, a]

    cdef int push(self, Py_ssize_t a, Py_ssize_t b, int row) except -1 nogil:
        cdef Heap* heap = &self.heaps[a * self.k + b]
        cdef Py_ssize_t at, up
        cdef double own = self.cost(row, a, b)
        cdef int* more
        if heap.size == heap.room:
            heap.room = 2 * heap.room + 16
            more = <int*> realloc(heap.rows, heap.room * sizeof(int))
            if more == NULL:
                with gil:
                    raise MemoryError
            heap.rows = more
        at = heap.size
        heap.size += 1
        while at > 0:
            up = (at - 1) // 2
            if self.cost(heap.rows[up], a, b) <= own:
                break
            heap.rows[at] = heap.rows[up]
            at = up
        heap.rows[at] = row
        return 0

    cdef int top(self, Py_ssize_t a, Py_ssize_t b) noexcept nogil:
        """The row of a with the cheapest move to b, −1 if a has none that may move."""
        cdef Heap* heap = &self.heaps[a * self.k + b]
        while heap.size > 0 and self.labels[heap.rows[0]] != a:
            self.pop(heap, a, b)
        return heap.rows[0] if heap.size > 0 else -1

    cdef void pop(self, Heap* heap, Py_ssize_t a, Py_ssize_t b) noexcept nogil:
        cdef Py_ssize_t at = 0, down
        cdef int last
        heap.size -= 1
        last = heap.rows[heap.size]
        while True:
            down = 2 * at + 1
            if down >= heap.size:
                break
            if down + 1 < heap.size and (self.cost(heap.rows[down + 1], a, b)
                                         < self.cost(heap.rows[down], a, b)):
                down += 1
            if self.cost(heap.rows[down], a, b) >= self.cost(last, a, b):
                break
            heap.rows[at] = heap.rows[down]
            at = down
        heap.rows[at] = last


cdef Py_ssize_t _cheapest(
    _Transport rows, const unsigned char[::1] source, const unsigned char[::1] target,
    double[::1] distance, Py_ssize_t[::1] before
) noexcept nogil:
    """Bellman and Ford from all sources; the nearest target, −1 if none can be reached."""
    cdef Py_ssize_t k = rows.k, a, b, best = -1
    cdef int row
    cdef double through
    cdef bint changed = True
    for a in range(k):
        distance[a] = 0 if source[a] else 1e300
        before[a] = -1
    while changed:
        changed = False
        for a in range(k):
            if distance[a] >= 1e300:
                continue
            for b in range(k):
                if b == a:
                    continue
                row = rows.top(a, b)
                if row < 0:
                    continue
                through = distance[a] + rows.cost(row, a, b)
                # Rounding must not make a circle look like a gain.
                if through < distance[b] - 1e-9 * (1 + abs(distance[b])):
                    distance[b], before[b] = through, a
                    changed = True
    for b in range(k):
        if target[b] and distance[b] < 1e300 and (best < 0 or distance[b] < distance[best]):
            best = b
    return best


def assign_rows(
    const float[:, ::1] losses, const unsigned char[::1] movable, int[::1] labels,
    Py_ssize_t[::1] counts, const Py_ssize_t[::1] lower, const Py_ssize_t[::1] upper
):
    """Bring the counts within their bounds at the smallest cost, by successive shortest paths.

    ``labels`` must have the smallest loss of each movable row; it and ``counts`` are changed
    in place. Returns False if the rows that may move are too few.
    """
    cdef _Transport rows = _Transport(losses, labels)
    cdef Py_ssize_t n = losses.shape[0], k = losses.shape[1], i, a, b, steps = 0
    cdef int row
    cdef bint over, under
    cdef unsigned char[::1] is_source = np.empty(k, np.uint8), is_target = np.empty(k, np.uint8)
    cdef double[::1] distance = np.empty(k)
    cdef Py_ssize_t[::1] before = np.empty(k, np.intp)
    with nogil:
        for i in range(n):
            if movable[i]:
                for b in range(k):
                    if b != labels[i]:
                        rows.push(labels[i], b, <int> i)
    while True:
        over = under = False
        for a in range(k):
            over = over or counts[a] > upper[a]
            under = under or counts[a] < lower[a]
        if not over and not under:
            return True
        # First the upper bounds, as if there were no others, then the lower ones.
        for a in range(k):
            is_source[a] = counts[a] > upper[a] if over else counts[a] > lower[a]
            is_target[a] = counts[a] < upper[a] if over else counts[a] < lower[a]
        b = _cheapest(rows, is_source, is_target, distance, before)
        if b < 0:
            return False
        counts[b] += 1
        while before[b] >= 0:
            a = before[b]
            row = rows.top(a, b)
            labels[row] = <int> b
            for i in range(k):
                if i != b:
                    rows.push(b, i, row)
            b = a
        counts[b] -= 1
        steps += 1
        if steps % 1024 == 0:
            check_interrupt()
