"""The multi-class hinge loss, its cuts and their problem: by definition, and by other solvers."""

import itertools

import clarabel
import numpy as np
from scipy import sparse
from scipy.optimize import linprog


def scaling(X):
    """The mean row, and the scale of the columns that gives a mean squared length of 1."""
    X = np.asarray(X, float)
    mean = X.mean(axis=0)
    return mean, np.full(len(mean), 1 / np.sqrt(np.mean(np.sum((X - mean) ** 2, axis=1))))


def values(X, mean, scale, weights, bias):
    """f_p(x) = w_pᵀ s(x − m) + b_p, n × k."""
    return scale * (np.asarray(X, float) - mean) @ weights.T + bias


def losses(values):
    """max(0, max_{q≠p} 1 + f_q − f_p) of each row under each label p, n × k."""
    n, k = values.shape
    out = np.zeros((n, k))
    for i, p in itertools.product(range(n), range(k)):
        others = np.delete(values[i], p)
        out[i, p] = max(0.0, np.max(1 + others - values[i, p], initial=0.0))
    return out


def objective(model, X):
    """The objective by its definition, from what a fitted model shows."""
    X = np.asarray(X, float)
    _, scale = scaling(X)
    each = losses(X @ model.coef_.T + model.intercept_)
    loss = each[np.arange(len(X)), model.labels_].mean()
    return 0.5 * model.alpha_ * np.sum((model.coef_ / scale) ** 2) + loss


def rank(values, held):
    """Labels, rivals (−1 where the margin is 1 or more) and the sum of the losses."""
    labels = np.where(held >= 0, held, np.argmax(values, axis=1))
    rows = np.arange(len(values))
    own = values[rows, labels]
    rest = values.copy()
    rest[rows, labels] = -np.inf
    margin = own - np.max(rest, axis=1)
    rivals = np.where(margin < 1, np.argmax(rest, axis=1), -1)
    return labels, rivals, float(np.maximum(0, 1 - margin).sum())


def cut(X, labels, rivals, k):
    """Σ x by label minus Σ x by rival, the same of ones, and the number of rows that count.

    A row whose label is its own rival adds nothing (eq. 19 of CPM3C: c_ip z_ip = 1).
    """
    gradient, counts, active = np.zeros((k, X.shape[1])), np.zeros(k, int), 0
    for x, z, r in zip(np.asarray(X, float), labels, rivals, strict=True):
        if r not in (-1, z):
            gradient[z] += x
            gradient[r] -= x
            counts[z] += 1
            counts[r] -= 1
            active += 1
    return gradient, counts, active


def relink(rivals, old, new, swap):
    """The rivals of a cut after rows have moved: label and rival trade places, or nothing."""
    traded = (rivals >= 0) & (rivals == new) & (old != new)
    return np.where(traded, old, rivals) if swap else rivals


def small_problem(cuts, counts, constants, alpha, balance):
    """Problem (20) of CPM3C by Clarabel, with |b_p − b_q| ≤ balance for each pair.

    min ½ α ‖W‖² + ξ  s.t.  ξ ≥ c_j − ⟨A_j, W⟩ − a_jᵀb, ξ ≥ 0. Returns the objective. Clarabel
    gives up now and then, but never in both units of W and with both tolerances.
    """
    m, k, d = cuts.shape
    pairs = np.array([np.eye(k)[p] - np.eye(k)[q] for p, q in itertools.permutations(range(k), 2)])
    pairs = pairs[-(k - 1) :] if balance == 0 else pairs  # equal to the last one
    equal = clarabel.ZeroConeT if balance == 0 else clarabel.NonnegativeConeT
    cones = [equal(len(pairs)), clarabel.NonnegativeConeT(m + 1)]
    q = np.r_[np.zeros(k * d + k), 1.0]
    b = np.r_[np.full(len(pairs), balance), -constants, 0.0]
    settings = clarabel.DefaultSettings()
    settings.verbose = False
    for unit, tol in itertools.product((1, np.sqrt(alpha)), (1e-12, 1e-10)):
        settings.tol_gap_abs = settings.tol_gap_rel = settings.tol_feas = tol
        P = sparse.diags(np.r_[np.full(k * d, alpha / unit**2), np.zeros(k + 1)], format="csc")
        A = np.vstack([
            np.c_[np.zeros((len(pairs), k * d)), pairs, np.zeros(len(pairs))],
            -np.c_[cuts.reshape(m, -1) / unit, counts, np.ones(m)],
            -q,
        ])  # fmt: skip
        found = clarabel.DefaultSolver(P, q, sparse.csc_matrix(A), b, cones, settings).solve()
        if found.status == clarabel.SolverStatus.Solved:
            return found.obj_val
    raise AssertionError(found.status)


def total(losses, labels):
    return float(np.asarray(losses, float)[np.arange(len(labels)), labels].sum())


def cheapest_by_trying(losses, lower, upper, pins):
    """The smallest total loss over all labellings within bounds and pins, inf if none (n ≤ 8)."""
    n, k = losses.shape
    assert n <= 8
    best = np.inf
    for labels in itertools.product(*(range(k) if pin < 0 else [pin] for pin in pins)):
        sizes = np.bincount(labels, minlength=k)
        if np.all(sizes >= lower) and np.all(sizes <= upper):
            best = min(best, total(losses, labels))
    return best


def cheapest_by_lp(losses, lower, upper, pins):
    """The same as a linear program: the vertices of a transport problem are whole numbers."""
    n, k = losses.shape
    row = np.kron(np.eye(n), np.ones(k))
    sizes = np.kron(np.ones(n), np.eye(k))
    open_ = (pins[:, None] < 0) | (pins[:, None] == np.arange(k))
    found = linprog(
        np.asarray(losses, float).ravel(),
        A_ub=np.vstack([sizes, -sizes]), b_ub=np.r_[upper, -np.asarray(lower)],
        A_eq=row, b_eq=np.ones(n),
        bounds=np.c_[np.zeros(n * k), open_.ravel()],
    )  # fmt: skip
    return found.fun if found.success else np.inf
