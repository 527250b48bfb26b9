"""CPMMC, the binary method, by its own formulas: one hyperplane, |f|, a general solver.

min (α/4) ‖w‖² + 1/n Σ max(0, 1 − |w·x + b|) with |b| ≤ balance, for rows that are centred. The
multi-class problem with two clusters is this one for w = w₁ − w₀: there ½ α (‖w₀‖² + ‖w₁‖²) is
smallest at w₁ = −w₀ = w/2.
"""

import numpy as np
from scipy.optimize import minimize

SETTLED = 0.01


def objective(X, w, b, alpha):
    """The value of a hyperplane, with the better label for each row."""
    return alpha / 4 * float(w @ w) + float(np.maximum(0, 1 - np.abs(X @ w + b)).mean())


def solve(cuts, alpha, balance, w, b):
    """min (α/4) ‖w‖² + ξ under ξ ≥ c_j − A_j·w − a_j b, ξ ≥ 0, from a point to begin with."""
    A, a, c = (np.array(part, float) for part in zip(*cuts, strict=True))
    d = len(w)
    slack = max(0.0, float(np.max(c - A @ w - a * b)))
    found = minimize(
        lambda v: alpha / 4 * v[:d] @ v[:d] + v[-1],
        np.r_[w, b, slack],
        jac=lambda v: np.r_[alpha / 2 * v[:d], 0.0, 1.0],
        bounds=[(None, None)] * d + [(-balance, balance), (0, None)],
        constraints={
            "type": "ineq",
            "fun": lambda v: v[-1] - (c - A @ v[:d] - a * v[d]),
            "jac": lambda v: np.c_[A, a, np.ones(len(c))],
        },
        method="SLSQP",
        options={"ftol": 1e-15, "maxiter": 500},
    )
    return found.x[:d], found.x[d], found.x[-1], found.fun


def linear(X, rows, signs):
    """1/n Σ (1 − s f) over rows, as a gradient in w, one in b, and a constant."""
    n = len(X)
    return (rows * signs) @ X / n, float((rows * signs).sum()) / n, float(rows.sum()) / n


def run(X, labels, alpha, balance, tol, max_steps=50, max_cuts=200):
    """CCCP inside cutting planes, from the means of two clusters. Returns w, b and the objectives.

    All constraints are linearised again at the signs of the current hyperplane; a row is in a
    constraint if its margin was below 1 when that was made. Each list of objectives is for one
    set of constraints.
    """
    signs = np.where(labels == 1, 1.0, -1.0)
    w, b = X[labels == 1].mean(axis=0) - X[labels == 0].mean(axis=0), 0.0
    members = [(signs * (X @ w) < 1).astype(float)]
    w, b, slack, value = solve([linear(X, rows, signs) for rows in members], alpha, balance, w, b)
    path = [[value]]
    while len(members) < max_cuts:
        for step in range(max_steps):
            values = X @ w + b
            new = np.where(values > 0, 1.0, -1.0)
            moved, signs = np.any(new != signs), new
            last = path[-1]
            settled = len(last) > 1 and last[-2] - last[-1] <= SETTLED * abs(last[-1])
            if not moved or settled or step == max_steps - 1:
                break
            cuts = [linear(X, rows, signs) for rows in members]
            w, b, slack, value = solve(cuts, alpha, balance, w, b)
            last.append(value)
        loss = np.maximum(0, 1 - np.abs(values)).mean()
        if loss - slack <= tol:
            break
        members.append((np.abs(values) < 1).astype(float))
        cuts = [linear(X, rows, signs) for rows in members]
        w, b, slack, value = solve(cuts, alpha, balance, w, b)
        path.append([value])
    return w, b, path
