"""Generations of mutated labellings: the inside of Algorithm 1 of EvoMMC.

A mutant is not a copy of its parent but a script of moves (row, source, target) and the
gain of f that they add up to. Only mutants that survive are carried out, so that a
rejected flip costs O(1) with R at hand and O(r) with a factor (the paper: O(n), O(r)).
"""
from libc.stdint cimport uint64_t
from libc.string cimport memcpy

from maxmargin._core._form cimport real, score, shift
from maxmargin._core._interrupt cimport check_interrupt, steps_between_checks
from maxmargin._core._random cimport below

import numpy as np

cdef enum:
    ROW = 0
    SOURCE = 1
    TARGET = 2


cdef Py_ssize_t _member(
    const int[::1] labels, const Py_ssize_t[::1] rows, int c, uint64_t* seed
) noexcept nogil:
    """A random movable row of cluster c, or −1: a few tries, then the next one in order."""
    cdef Py_ssize_t m = rows.shape[0], i, start
    for i in range(32):
        start = below(seed, m)
        if labels[rows[start]] == c:
            return rows[start]
    for i in range(m):
        if labels[rows[(start + i) % m]] == c:
            return rows[(start + i) % m]
    return -1


cdef inline void _relabel(
    int[::1] labels, Py_ssize_t[::1] counts, const Py_ssize_t[::1] mass, Py_ssize_t j, int source,
    int target
) noexcept nogil:
    labels[j] = target
    counts[source] -= mass[j]
    counts[target] += mass[j]


cdef Py_ssize_t _mutate(
    int[::1] labels, Py_ssize_t[::1] counts, const Py_ssize_t[::1] mass,
    const Py_ssize_t[::1] rows, const Py_ssize_t[::1] lower, const Py_ssize_t[::1] upper, Py_ssize_t flips,
    int[:, ::1] script, uint64_t* seed
) noexcept nogil:
    """Flip rows of the labelling and note it in the script; returns the number of moves.

    A flip that would break a size limit is repaired by a swap: a row of the target
    cluster goes the other way (footnote 2 of EvoMMC).
    """
    cdef Py_ssize_t j, i, flip, more, length = 0
    cdef int a, d, k = <int> counts.shape[0]
    for flip in range(flips):
        j = rows[below(seed, rows.shape[0])]
        a = labels[j]
        d = <int> below(seed, k - 1)
        d += d >= a
        i = -1
        if counts[a] - mass[j] < lower[a] or counts[d] + mass[j] > upper[d]:
            i = _member(labels, rows, d, seed)
            if i < 0:
                continue
            more = mass[i] - mass[j]
            if more != 0 and not (
                lower[a] <= counts[a] + more <= upper[a]
                and lower[d] <= counts[d] - more <= upper[d]
            ):
                continue
        script[ROW, length], script[SOURCE, length], script[TARGET, length] = <int> j, a, d
        length += 1
        _relabel(labels, counts, mass, j, a, d)
        if i >= 0:
            script[ROW, length], script[SOURCE, length], script[TARGET, length] = <int> i, d, a
            length += 1
            _relabel(labels, counts, mass, i, d, a)
    return length


cdef void _undo(
    int[::1] labels, Py_ssize_t[::1] counts, const Py_ssize_t[::1] mass,
    const int[:, ::1] script, Py_ssize_t length
) noexcept nogil:
    cdef Py_ssize_t m
    for m in range(length - 1, -1, -1):
        _relabel(labels, counts, mass, script[ROW, m], script[TARGET, m], script[SOURCE, m])


cdef double _gain(
    const real[:, ::1] matrix, bint factored, const double[::1] diagonal,
    double[:, ::1] state, const int[:, ::1] script, Py_ssize_t length
) noexcept nogil:
    """What the script adds to f; the state is left as it was."""
    cdef Py_ssize_t width = state.shape[1], m, l, j
    cdef double total = 0, step
    cdef double* s = &state[0, 0]
    cdef int a, d, a2, d2, sign
    for m in range(length):
        j, a, d = script[ROW, m], script[SOURCE, m], script[TARGET, m]
        step = (score(matrix, factored, diagonal, s, width, j, a, d)
                - score(matrix, factored, diagonal, s, width, j, a, a))
        if factored:
            if m + 1 < length:
                shift(matrix, s, width, j, a, d)
        else:
            for l in range(m):  # the moves before this one, seen through R
                a2, d2 = script[SOURCE, l], script[TARGET, l]
                sign = (d2 == d) - (a2 == d) - (d2 == a) + (a2 == a)
                if sign:
                    step += sign * matrix[script[ROW, l], j]
        total += 2 * step
    if factored:
        for m in range(length - 2, -1, -1):
            shift(matrix, s, width, script[ROW, m], script[TARGET, m], script[SOURCE, m])
    return total


cdef void _carry_out(
    const real[:, ::1] matrix, int[::1] labels, Py_ssize_t[::1] counts,
    const Py_ssize_t[::1] mass, double[:, ::1] state, const int[:, ::1] script, Py_ssize_t length
) noexcept nogil:
    cdef Py_ssize_t m
    for m in range(length):
        shift(matrix, &state[0, 0], state.shape[1],
              script[ROW, m], script[SOURCE, m], script[TARGET, m])
        _relabel(labels, counts, mass, script[ROW, m], script[SOURCE, m], script[TARGET, m])


cdef class Population:
    """μ labellings that live, and room for the mutants that survive a generation.

    Parameters
    ----------
    labels : int32 array (slots, n); counts : intp array (slots, k)
    mass : intp array (n,), what each row counts for in the sizes
    states : float64 array (slots, k, n) of T, or (slots, k, r) of U with a factor
    fitness : float64 array (slots,), the value f of each labelling
    n_parents : μ; slots must be at least μ + n_children
    n_children : ν
    rows : the rows that may move
    lower, upper : the size limits
    seed : uint64
    """

    cdef int[:, ::1] labels
    cdef Py_ssize_t[:, ::1] counts
    cdef double[:, :, ::1] states
    cdef double[::1] fitness
    cdef const Py_ssize_t[::1] mass, rows, lower, upper
    cdef const double[::1] diagonal
    cdef Py_ssize_t n_parents, n_children
    cdef Py_ssize_t[::1] living, child_parent, child_length, rank, next_living, heirs
    cdef double[::1] child_fitness
    cdef int[:, :, ::1] scripts
    cdef uint64_t seed
    cdef readonly Py_ssize_t generation
    cdef readonly Py_ssize_t quiet
    cdef readonly Py_ssize_t tests

    def __init__(
        self, int[:, ::1] labels, Py_ssize_t[:, ::1] counts, const Py_ssize_t[::1] mass,
        double[:, :, ::1] states, double[::1] fitness, const double[::1] diagonal, Py_ssize_t n_parents,
        Py_ssize_t n_children, const Py_ssize_t[::1] rows, const Py_ssize_t[::1] lower,
        const Py_ssize_t[::1] upper, uint64_t seed,
    ):
        self.labels, self.counts, self.states = labels, counts, states
        self.fitness, self.diagonal = fitness, diagonal
        self.mass, self.rows, self.lower, self.upper = mass, rows, lower, upper
        self.n_parents, self.n_children, self.seed = n_parents, n_children, seed
        self.living = np.argsort(-np.asarray(fitness)[:n_parents], kind="stable")
        self.next_living = np.empty(n_parents, np.intp)
        self.heirs = np.empty(labels.shape[0], np.intp)
        self.rank = np.empty(n_parents, np.intp)
        self.child_parent = np.empty(n_children, np.intp)
        self.child_length = np.empty(n_children, np.intp)
        self.child_fitness = np.empty(n_children)
        self.scripts = np.empty((n_children, 3, 2 * max(1, rows.shape[0])), np.intc)
        self.generation = self.quiet = self.tests = 0

    @property
    def best_labels(self):
        """A copy of the best labelling."""
        return np.array(self.labels[self.living[0]])

    @property
    def best_fitness(self):
        """The value f of the best labelling."""
        return self.fitness[self.living[0]]

    def run(self, const real[:, ::1] matrix, bint factored, Py_ssize_t patience,
            Py_ssize_t max_generations):
        """Go on until the best fitness has not changed in ``patience`` generations.

        ``quiet`` counts the generations since the last change, ``tests`` the mutants.
        """
        cdef Py_ssize_t chunk = steps_between_checks(
            self.n_children * (200 + (4 * matrix.shape[1] if factored else 0)))
        cdef Py_ssize_t done, flips
        while self.quiet < patience and self.generation < max_generations:
            with nogil:
                done = 0
                while (done < chunk and self.quiet < patience
                       and self.generation < max_generations):
                    flips = max(1, self.rows.shape[0] // (self.generation + 1))
                    _generation(self, matrix, factored, flips)
                    done += flips * flips  # the first generations flip many rows
            check_interrupt()


cdef void _generation(
    Population self, const real[:, ::1] matrix, bint factored, Py_ssize_t flips
) noexcept nogil:
    cdef Py_ssize_t child, p, length
    cdef double best = self.fitness[self.living[0]]
    for child in range(self.n_children):
        p = self.living[below(&self.seed, self.n_parents)]
        length = _mutate(self.labels[p], self.counts[p], self.mass, self.rows, self.lower,
                         self.upper, flips, self.scripts[child], &self.seed)
        _undo(self.labels[p], self.counts[p], self.mass, self.scripts[child], length)
        self.child_parent[child] = p
        self.child_length[child] = length
        self.child_fitness[child] = self.fitness[p] + _gain(
            matrix, factored, self.diagonal, self.states[p], self.scripts[child], length)
    _select(self, matrix)
    self.generation += 1
    self.tests += self.n_children
    self.quiet = 0 if self.fitness[self.living[0]] > best else self.quiet + 1


cdef void _select(Population self, const real[:, ::1] matrix) noexcept nogil:
    """Keep the best μ of parents and mutants; a mutant must be better to replace a parent."""
    cdef Py_ssize_t i, place, child, p, slot, mu = self.n_parents
    cdef Py_ssize_t slots = self.labels.shape[0], k = self.states.shape[1]
    cdef double f
    # rank[place]: a slot of a parent, or −1 − child
    for i in range(mu):
        self.rank[i] = self.living[i]
    for child in range(self.n_children):
        f = self.child_fitness[child]
        place = mu
        while place > 0 and f > _fitness_of(self, self.rank[place - 1]):
            place -= 1
        if place < mu and self.child_length[child] > 0:
            for i in range(mu - 1, place, -1):
                self.rank[i] = self.rank[i - 1]
            self.rank[place] = -1 - child
    # heirs[slot]: how many survivors need this slot: itself, and mutants not carried out yet
    for slot in range(slots):
        self.heirs[slot] = 0
    for place in range(mu):
        if self.rank[place] >= 0:
            self.heirs[self.rank[place]] += 1
        else:
            self.heirs[self.child_parent[-1 - self.rank[place]]] += 1
    for place in range(mu):
        if self.rank[place] >= 0:
            self.next_living[place] = self.rank[place]
            continue
        child = -1 - self.rank[place]
        p = self.child_parent[child]
        slot = p
        if self.heirs[p] > 1:
            slot = 0
            while self.heirs[slot] > 0:
                slot += 1
            self.heirs[p] -= 1
            self.heirs[slot] = 1
            memcpy(&self.labels[slot, 0], &self.labels[p, 0],
                   self.labels.shape[1] * sizeof(int))
            memcpy(&self.counts[slot, 0], &self.counts[p, 0], k * sizeof(Py_ssize_t))
            memcpy(&self.states[slot, 0, 0], &self.states[p, 0, 0],
                   k * self.states.shape[2] * sizeof(double))
        _carry_out(matrix, self.labels[slot], self.counts[slot], self.mass, self.states[slot],
                   self.scripts[child], self.child_length[child])
        self.fitness[slot] = self.child_fitness[child]
        self.next_living[place] = slot
    for place in range(mu):
        self.living[place] = self.next_living[place]


cdef inline double _fitness_of(Population self, Py_ssize_t entry) noexcept nogil:
    return self.fitness[entry] if entry >= 0 else self.child_fitness[-1 - entry]
