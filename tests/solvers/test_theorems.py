"""What the papers prove, held against the code: with their own algorithms, and caps lifted."""

from itertools import product

import numpy as np
import pytest
from oracles import domain as oracle
from sklearn.datasets import make_blobs

from maxmargin.blocks import MemoryRows
from maxmargin.objectives.hinge import Scaling
from maxmargin.sizes import read_sizes
from maxmargin.solvers import CPM3C, CPMMC, SMO, OneClassProblem
from maxmargin.solvers.cutting_plane import CuttingPlane, Limits
from maxmargin.spaces.pairwise import PairwiseDistances

GAMMA = 1.5
LIFTED = 100_000  # cuts


def run(X, k, tol, alpha=0.05, balance=0.1, optimizer=None, seed=0):
    """Rows as the machine sees them, and the end of its run from random labels."""
    n, optimizer = len(X), optimizer or CPM3C()
    scaling = Scaling.of(MemoryRows(X))
    labels = np.random.default_rng(seed).integers(k, size=n)
    how = {"swap": optimizer.swap, "drop": optimizer.drops_cuts}
    problem = CuttingPlane(MemoryRows(X), scaling, labels, k, alpha, balance, **how)
    free = np.full(n, -1, np.int32)
    limits = Limits(read_sizes(n, k, None, None, None, free), tol, LIFTED)
    optimizer.begin(problem, limits)
    return (X - scaling.mean) * scaling.scale, optimizer.run(problem, limits)


def values(rows, found):
    return rows @ found.planes.weights.T + found.planes.bias


def violation(F, c):
    """By how much constraint c of problem (11) asks for more than 0 slack; c_i = k is e_0."""
    n, k = F.shape
    best, taken = F.argmax(axis=1), np.flatnonzero(c < k)
    # 1/n Σ_i [c_iᵀe max_p f_p + Σ_p c_ip (z_ip − f_p)] ≥ 1/n Σ_i c_iᵀe − ξ, z_ip = [p is best]
    margins = F[taken, best[taken]] - F[taken, c[taken]] + (c[taken] == best[taken])
    return float(np.sum(1 - margins)) / n


@pytest.mark.parametrize("k", [2, 3])
@pytest.mark.parametrize("tol", [0.3, 0.05, 0.001])
def test_theorem_4_all_constraints_hold_up_to_epsilon(k, tol, rng):
    """Each of the (k + 1)ⁿ constraints, and the balance: (W, ξ + ε) is feasible in problem (11)."""
    for seed in range(3):
        rows, found = run(rng.normal(size=(6, 2)), k, tol, seed=seed)
        assert found.converged
        F = values(rows, found)
        worst = max(violation(F, np.array(c)) for c in product(range(k + 1), repeat=6))
        slack = found.problem.solution.slack
        assert worst <= slack + tol + 1e-9
        sums = F.mean(axis=0)
        assert np.ptp(sums) <= 0.1 + 1e-7
        # Theorem 3: the most violated one is the sum of the hinge losses
        gaps = np.sort(F, axis=1)[:, -1] - np.sort(F, axis=1)[:, -2]
        assert worst == pytest.approx(np.maximum(1 - gaps, 0).mean(), abs=1e-9)


@pytest.mark.parametrize("k", [2, 3, 4])
def test_theorem_4_on_more_rows(k):
    """The relaxed objective, to which ε is added, is no less than that of the hyperplanes."""
    X, _ = make_blobs(300, 4, centers=k, cluster_std=2.0, random_state=k)
    for tol in (0.1, 0.01):
        rows, found = run(X, k, tol)
        assert found.converged
        F = np.sort(values(rows, found), axis=1)
        loss = np.maximum(1 - (F[:, -1] - F[:, -2]), 0).mean()
        solution, penalty = found.problem.solution, 0.025 * np.sum(found.planes.weights**2)
        assert loss <= solution.slack + tol + 1e-9
        assert penalty + loss <= solution.objective + tol + 1e-6


@pytest.mark.parametrize("optimizer", [CPM3C(), CPMMC()])
@pytest.mark.parametrize("tol", [0.2, 0.05, 0.01])
def test_theorems_6_and_7_cuts_do_not_grow_with_the_rows(optimizer, tol):
    """Two clusters: at most R/ε² cuts, R = 16 max ‖x‖²/α as for structural machines.

    So the passes over the rows, of O(sn) each, are as many for few rows as for many.
    """
    cuts = []
    for n in (100, 400, 1600):
        X, _ = make_blobs(n, 3, centers=2, cluster_std=3.0, random_state=1)
        rows, found = run(X, 2, tol, optimizer=optimizer)
        assert found.converged
        assert found.n_cuts <= max(2 / tol, 16 * np.max(np.sum(rows**2, axis=1)) / 0.05 / tol**2)
        cuts.append(found.n_cuts)
    assert max(cuts) <= 3 * min(cuts) + 5


def losses(steps, K, drawn, C, u):
    """Σ_t g_t(w_t) − g_t(u), g_t(w) = ½ ‖w‖² + C max(0, 1 − w·φ(x_t))."""
    regret, path = 0.0, []
    half = 0.5 * u @ K @ u
    w = np.zeros(len(K))
    for step, i in zip(steps, drawn, strict=True):
        at_w = 0.5 * w @ K @ w + C * max(0.0, 1 - K[i] @ w)
        regret += at_w - half - C * max(0.0, 1 - K[i] @ u)
        path.append(regret)
        w = step
    return np.array(path)


@pytest.mark.parametrize("C", [0.02, 0.3, 1.0])
def test_theorem_2_the_regret_is_logarithmic(C, rng):
    """At most 2R²C²(1 + log T) for every T and every u, with ‖φ(x)‖ = R = 1 and C for C · N."""
    X = rng.normal(size=(25, 2))
    K, drawn = oracle.kernel(X, X, GAMMA), rng.integers(25, size=1500)
    steps, *_ = oracle.algorithm_1(K, 25 * C, drawn, -1.0, 0)
    exact = SMO(tol=1e-8).solve(OneClassProblem(PairwiseDistances.of_rows(X), GAMMA, C=C)).alpha
    bound = 2 * (25 * C) ** 2 * (1 + np.log(np.arange(1, 1501)))
    for u in (exact, np.zeros(25), rng.uniform(0, C, size=25), steps[-1]):
        assert np.all(losses(steps, K, drawn, 25 * C, u) <= bound)
    # ‖λ_t‖² ≤ (2RC)², from which the bound comes, and J of a random w_t is near the optimum
    assert max(w @ K @ w for w in steps[::50]) <= (25 * C) ** 2 * (1 + 1e-9)
    J = [0.5 * w @ K @ w + 25 * C * np.maximum(0, 1 - K @ w).mean() for w in [0 * exact, *steps]]
    best = 0.5 * exact @ K @ exact + 25 * C * np.maximum(0, 1 - K @ exact).mean()
    assert np.mean(J[:-1]) - best <= bound[-1] / 1500
