"""A small convex quadratic program, exact: the dual of a problem with few cuts.

min ½ xᵀQx − qᵀx  subject to  Ex = e, x ≥ 0, where Q may be singular and rows of E may repeat.

An active-set method inside a proximal one: each round minimises the objective plus
δ/2 ‖x − x̂‖² and lets the multipliers y move at the price δ/2 ‖y − ŷ‖², so that the linear
systems have a Cholesky factor whatever the rank of Q and E, and sets x̂ and ŷ to what it
found. The rounds end at the solution of the problem itself (Rockafellar 1976, the proximal
method of multipliers).
"""
import numpy as np

from libc.math cimport fabs, sqrt


cdef void _factor(double[:, ::1] M, Py_ssize_t n) noexcept nogil:
    """Cholesky in place, lower triangle."""
    cdef Py_ssize_t i, j, t
    cdef double s
    for j in range(n):
        s = M[j, j]
        for t in range(j):
            s -= M[j, t] * M[j, t]
        M[j, j] = sqrt(s) if s > 0 else 1e-150
        for i in range(j + 1, n):
            s = M[i, j]
            for t in range(j):
                s -= M[i, t] * M[j, t]
            M[i, j] = s / M[j, j]


cdef void _forward(double[:, ::1] L, Py_ssize_t n, double* x) noexcept nogil:
    cdef Py_ssize_t i, t
    for i in range(n):
        for t in range(i):
            x[i] -= L[i, t] * x[t]
        x[i] /= L[i, i]


cdef void _backward(double[:, ::1] L, Py_ssize_t n, double* x) noexcept nogil:
    cdef Py_ssize_t i, t
    for i in range(n - 1, -1, -1):
        for t in range(i + 1, n):
            x[i] -= L[t, i] * x[t]
        x[i] /= L[i, i]


cdef class _Program:
    """The data of the program, and room for its linear systems."""

    cdef const double[:, ::1] Q, E
    cdef const double[::1] q, e
    cdef double[:, ::1] L, V, S
    cdef double[::1] x, y, center, prices, target, aim, price
    cdef Py_ssize_t[::1] free
    cdef unsigned char[::1] is_free
    cdef double delta
    cdef Py_ssize_t n, m, n_free, steps_left

    def __init__(self, Q, E, q, e, x, delta):
        self.Q, self.E, self.q, self.e, self.delta = Q, E, q, e, delta
        n, m = len(q), len(e)
        self.n, self.m, self.n_free = n, m, 0
        # A few steps for each variable are enough; the gap tells where they were not.
        self.steps_left = 50 * n + 500
        self.x = x
        self.y, self.prices = np.zeros(m), np.zeros(m)
        self.center, self.target = np.empty(n), np.empty(n)
        self.aim, self.price = np.empty(n), np.empty(m)
        self.L, self.V, self.S = np.empty((n, n)), np.empty((m, n)), np.empty((m, m))
        self.free, self.is_free = np.empty(n, np.intp), np.zeros(n, np.uint8)

    cdef void _aim(self) noexcept nogil:
        """Solve the program of this round with all variables zero that are not free."""
        cdef Py_ssize_t f = 0, i, j, r, s, v
        cdef double value
        for i in range(self.n):
            if self.is_free[i]:
                self.free[f] = i
                f += 1
        self.n_free = f
        for i in range(f):
            for j in range(i + 1):
                self.L[i, j] = self.Q[self.free[i], self.free[j]]
            self.L[i, i] += self.delta
        _factor(self.L, f)
        for r in range(self.m):
            for i in range(f):
                self.V[r, i] = self.E[r, self.free[i]]
            _forward(self.L, f, &self.V[r, 0])
            for s in range(r + 1):
                value = self.delta if s == r else 0
                for i in range(f):
                    value += self.V[r, i] * self.V[s, i]
                self.S[r, s] = value
        _factor(self.S, self.m)
        for i in range(f):
            self.aim[i] = 0
        for r in range(self.m):
            self.price[r] = 0
        for _ in range(2):  # the second time for what rounding left over
            for i in range(f):
                v = self.free[i]
                value = self.q[v] + self.delta * (self.center[v] - self.aim[i])
                for j in range(f):
                    value -= self.Q[v, self.free[j]] * self.aim[j]
                for r in range(self.m):
                    value -= self.E[r, v] * self.price[r]
                self.target[i] = value
            for r in range(self.m):
                value = self.delta * (self.prices[r] - self.price[r]) - self.e[r]
                for i in range(f):
                    value += self.E[r, self.free[i]] * self.aim[i]
                self.y[r] = value
            _forward(self.L, f, &self.target[0])
            for r in range(self.m):
                for i in range(f):
                    self.y[r] += self.V[r, i] * self.target[i]
            _forward(self.S, self.m, &self.y[0])
            _backward(self.S, self.m, &self.y[0])
            for r in range(self.m):
                for i in range(f):
                    self.target[i] -= self.V[r, i] * self.y[r]
            _backward(self.L, f, &self.target[0])
            for i in range(f):
                self.aim[i] += self.target[i]
            for r in range(self.m):
                self.price[r] += self.y[r]
        self.target[:f] = self.aim[:f]
        self.y[:] = self.price

    cdef bint _move(self) noexcept nogil:
        """Go to the aim, or as far as the first variable that reaches zero; True if blocked."""
        cdef Py_ssize_t i, v, blocking = -1
        cdef double step = 1, ratio
        for i in range(self.n_free):
            v = self.free[i]
            if self.target[i] < 0:
                ratio = self.x[v] / (self.x[v] - self.target[i])
                if blocking < 0 or ratio < step:
                    step, blocking = ratio, v
        for i in range(self.n_free):
            v = self.free[i]
            self.x[v] = max(0.0, self.x[v] + step * (self.target[i] - self.x[v]))
        if blocking >= 0:
            self.x[blocking] = 0
            self.is_free[blocking] = False
        return blocking >= 0

    cdef Py_ssize_t _entering(self, double tol) noexcept nogil:
        """The variable at zero whose growth lowers the objective most, −1 for none."""
        cdef Py_ssize_t i, j, r, best = -1
        cdef double slope, steepest = -tol
        for i in range(self.n):
            if self.is_free[i]:
                continue
            slope = -self.q[i] - self.delta * self.center[i]
            for j in range(self.n_free):
                slope += self.Q[i, self.free[j]] * self.x[self.free[j]]
            for r in range(self.m):
                slope += self.E[r, i] * self.y[r]
            if slope < steepest:
                steepest, best = slope, i
        return best

    cdef void _round(self, double tol) noexcept nogil:
        """One proximal round: to the optimum, or until rounding is all that moves."""
        cdef Py_ssize_t entering = -1
        while self.steps_left > 0:
            self.steps_left -= 1
            self._aim()
            if self._move():
                if entering >= 0 and not self.is_free[entering]:
                    return  # it only seemed to gain: rounding
                entering = -1
                continue
            entering = self._entering(tol)
            if entering < 0:
                return
            self.is_free[entering] = True


def solve_small_qp(
    const double[:, ::1] Q, const double[::1] q, const double[:, ::1] E, const double[::1] e,
    double[::1] x, double delta, double tol, Py_ssize_t max_rounds
):
    """Solve the program from the feasible point ``x``, which is changed in place.

    Returns the multipliers y with Qx − q + Eᵀy ≥ 0.
    """
    cdef _Program program = _Program(Q, E, q, e, x, delta)
    cdef Py_ssize_t i, r
    cdef double moved
    for i in range(program.n):
        program.is_free[i] = x[i] > 0
    with nogil:
        for _ in range(max_rounds):
            program.center[:] = program.x
            program._round(tol)
            moved = 0
            for i in range(program.n):
                moved = max(moved, fabs(program.x[i] - program.center[i]))
            for r in range(program.m):
                moved = max(moved, program.delta * fabs(program.y[r] - program.prices[r]))
            program.prices[:] = program.y
            if moved <= tol or program.steps_left <= 0:
                break
    return np.asarray(program.y)
