"""The cone program of multiple kernel clustering, by an interior point method."""

import itertools

import clarabel
import numpy as np
from scipy import sparse


def cone_program(cuts, counts, constants, alpha, balance, views, p):
    """Problems (2.14) and (4.35) of MKC by Clarabel, for any norm p ≥ 1 of the weights.

    min ½ α Σ t_m + ξ  s.t.  ξ ≥ c_j − ⟨A_j, V⟩ − a_jᵀb, ξ ≥ 0, ‖(2v_m, t_m − β_m)‖ ≤ t_m + β_m,
    Σ r_m ≤ 1, r_m^{1/p} ≥ β_m, |b_p − b_q| ≤ balance. Returns the objective and β.
    """
    m, k, d = cuts.shape
    M = len(views)
    n_v = k * d
    bias, xi, beta, t, r, size = np.cumsum([n_v, k, 1, M, M, M])  # where each begins
    where = np.arange(n_v).reshape(k, d)
    lines, right, cones = [], [], []

    def add(cone, *rows):
        """Rows (coefficients, constant): constant + coefficients · x is in the cone."""
        for coefficients, constant in rows:
            line = np.zeros(size)
            for place, value in coefficients.items():
                line[place] = value
            lines.append(-line)
            right.append(constant)
        cones.append(cone)

    pairs = list(itertools.permutations(range(k), 2))
    if balance == 0:
        pairs = [(q, k - 1) for q in range(k - 1)]
    kind = clarabel.ZeroConeT if balance == 0 else clarabel.NonnegativeConeT
    add(kind(len(pairs)), *(({bias + a: -1, bias + b: 1}, balance) for a, b in pairs))
    cut_rows = []
    for A, a, c in zip(cuts, counts, constants, strict=True):
        line = dict(enumerate(A.ravel()))
        line |= {bias + i: value for i, value in enumerate(a)} | {xi: 1.0}
        cut_rows.append((line, -c))
    add(clarabel.NonnegativeConeT(m + 1), *cut_rows, ({xi: 1.0}, 0.0))
    for i, view in enumerate(views):
        block = where[:, view].ravel()
        add(
            clarabel.SecondOrderConeT(len(block) + 2),
            ({t + i: 1.0, beta + i: 1.0}, 0.0),
            *(({place: 2.0}, 0.0) for place in block),
            ({t + i: 1.0, beta + i: -1.0}, 0.0),
        )
        if p > 1:
            add(
                clarabel.PowerConeT(1 / p),
                ({r + i: 1.0}, 0.0), ({}, 1.0), ({beta + i: 1.0}, 0.0),
            )  # fmt: skip
    sums = r if p > 1 else beta
    add(
        clarabel.NonnegativeConeT(1 + M),
        ({sums + i: -1.0 for i in range(M)}, 1.0),
        *(({beta + i: 1.0}, 0.0) for i in range(M)),
    )
    q = np.zeros(size)
    q[xi] = 1
    q[t : t + M] = alpha / 2
    found = solved(q, np.array(lines), np.array(right), cones)
    return found.obj_val, np.array(found.x)[beta : beta + M]


def solved(q, lines, right, cones):
    """As exactly as Clarabel can."""
    settings = clarabel.DefaultSettings()
    settings.verbose = False
    for tol in (1e-10, 1e-8, 1e-7):
        settings.tol_gap_abs = settings.tol_gap_rel = settings.tol_feas = tol
        solver = clarabel.DefaultSolver(
            sparse.csc_matrix((len(q), len(q))), q, sparse.csc_matrix(lines), right, cones, settings
        )
        found = solver.solve()
        if found.status == clarabel.SolverStatus.Solved:
            return found
    raise AssertionError(found.status)
