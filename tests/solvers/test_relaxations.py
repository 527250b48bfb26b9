"""Relaxations against all labellings of a few rows, the other solver, and their duals."""

from itertools import product

import numpy as np
import pytest
from scipy.optimize import minimize
from sklearn.datasets import make_blobs
from sklearn.metrics.pairwise import rbf_kernel
from sklearn.svm import LinearSVC

from maxmargin.solvers.conic import matrix_of
from maxmargin.solvers.relaxations import (
    cost_of,
    features_of,
    gmmc,
    mmc,
    multiclass,
    orders_of,
    relaxed,
)

CENTRES = [[0, 0], [8, 0]]


def centred(K):
    return K - K.mean(axis=0) - K.mean(axis=1)[:, None] + K.mean()


@pytest.fixture
def rows(global_random_seed):
    X, y = make_blobs([4, 3], centers=CENTRES, random_state=global_random_seed)
    return X - X.mean(axis=0), y


def labellings(n, most_apart):
    """All labels ±1 within the balance, up to the sign."""
    for rest in product([-1.0, 1.0], repeat=n - 1):
        y = np.array([1.0, *rest])
        if abs(y.sum()) <= most_apart:
            yield y


def hinge_objective(K, y, C):
    """‖w‖² + 2 C Σ loss without a bias, by the dual."""
    H = K * np.outer(y, y)

    def dual(a):
        return a @ H @ a - 2 * a.sum(), 2 * H @ a - 2

    return -minimize(dual, np.zeros(len(y)), jac=True, bounds=[(0, C)] * len(y)).fun


def margins_objective(P, y):
    """Min zᵀPz with y_i z_i ≥ 1."""

    def value(u):
        return u @ (P * np.outer(y, y)) @ u, 2 * (P * np.outer(y, y)) @ u

    return minimize(value, np.ones(len(y)), jac=True, bounds=[(1, None)] * len(y)).fun


def test_mmc_is_below_all_labellings_and_near_the_best(rows):
    X, truth = rows
    K = X @ X.T / np.mean(X**2) / 2
    together, found = relaxed("mmc", K, 1.0, 3 / 7, 2, "clarabel")
    objectives = {tuple(y): hinge_objective(K, y, 1.0) for y in labellings(7, 3)}
    best = min(objectives, key=objectives.get)
    assert found.objective <= objectives[best] + 1e-6
    assert found.objective >= 0.5 * objectives[best]
    np.testing.assert_allclose(together.diagonal(), 1)
    assert np.linalg.eigvalsh(together)[0] >= -1e-7
    assert np.all(np.abs(together.sum(axis=1)) <= 3 + 1e-6)
    signs = np.linalg.eigh(together)[1][:, -1] > 0
    assert np.mean(signs == truth) in (0, 1)


def test_gmmc_is_below_all_labellings_and_finds_the_best(rows):
    X, truth = rows
    K = centred(rbf_kernel(X, gamma=0.1))
    program = gmmc(K, 2.0, 0.1)
    ((_, _, constant),) = program.matrices
    together, found = relaxed("gmmc", K, 2.0, 0.1, 2, "clarabel")
    P = matrix_of(constant, 7)
    objectives = {tuple(y): margins_objective(P, y) for y in labellings(7, 7)}
    best = min(objectives, key=objectives.get)
    assert -found.objective <= objectives[best] + 1e-6
    assert -found.objective >= 0.5 * objectives[best]
    assert np.all(found.duals[0].diagonal() >= 1 - 1e-5)  # z_i² ≥ 1
    assert np.sum(P * found.duals[0]) == pytest.approx(-found.objective, rel=1e-4)
    signs = np.linalg.eigh(together)[1][:, -1] > 0
    assert np.mean(signs == truth) in (0, 1)


def test_multiclass_with_labels_is_the_machine_of_crammer_and_singer(global_random_seed):
    X, y = make_blobs(9, centers=3, cluster_std=2.0, random_state=global_random_seed)
    X = (X - X.mean(axis=0)) / 5
    C = 0.5
    machine = LinearSVC(
        C=C, multi_class="crammer_singer", fit_intercept=False, tol=1e-8, max_iter=100_000
    )
    values = machine.fit(X, y).decision_function(X)
    own = values[np.arange(9), y]
    margins = 1 + values - own[:, None]
    margins[np.arange(9), y] = 0
    expected = 0.5 * np.sum(machine.coef_**2) + C * np.sum(margins.max(axis=1))
    program = multiclass(X @ X.T, C, 3.0, 3)
    i, j = np.triu_indices(9, 1)
    same = (y[i] == y[j]).astype(float)
    fixed = np.eye(len(i), len(program.cost))
    program.at_most(fixed, same + 1e-7)
    program.at_most(-fixed, -same + 1e-7)
    assert program.solve("clarabel").objective == pytest.approx(expected, rel=1e-3)


def test_multiclass_is_below_all_labellings(global_random_seed):
    X, y = make_blobs([3, 2], centers=CENTRES, random_state=global_random_seed)
    X = (X - X.mean(axis=0)) / 2
    together, found = relaxed("multiclass", X @ X.T, 1.0, 1.0, 2, "clarabel")
    objectives = []
    for labels in labellings(5, 4.5):
        machine = LinearSVC(C=2.0, loss="hinge", fit_intercept=False, max_iter=100_000)
        w = machine.fit(X, labels).coef_[0]
        # two planes ±w/2: ½ Σ ‖w_p‖² = ¼ ‖w‖², with the same loss
        loss = np.maximum(0, 1 - labels * (X @ w)).sum()
        objectives.append(0.25 * w @ w + loss)
    assert found.objective <= min(objectives) * (1 + 1e-3)
    assert together[0, np.flatnonzero(y == y[0])[-1]] > together[0, np.argmax(y != y[0])]


@pytest.mark.parametrize("relaxation", ["mmc", "gmmc", "multiclass"])
def test_the_other_solver_and_the_dual_agree(relaxation, global_random_seed):
    X, _ = make_blobs(10, centers=2, random_state=global_random_seed)
    K = centred(rbf_kernel(X, gamma=0.05))
    _, found = relaxed(relaxation, K, 1.0, 0.2, 2, "clarabel")
    assert found.solved
    assert abs(found.objective - found.dual_objective) <= 1e-5 * (1 + abs(found.objective))
    pytest.importorskip("scs")
    _, again = relaxed(relaxation, K, 1.0, 0.2, 2, "scs")  # the matrix may not be the only one
    assert again.objective == pytest.approx(found.objective, rel=1e-2)


def test_features_have_the_products_of_the_kernel(rng):
    X = rng.normal(size=(8, 3))
    found = features_of(X @ X.T, 1 - 1e-12)
    assert found.shape == (8, 3)
    np.testing.assert_allclose(found @ found.T, X @ X.T, atol=1e-8)
    assert features_of(X @ X.T, 0.5).shape[1] < 3


def test_costs_grow_with_the_orders_and_are_those_of_the_programs():
    K = np.eye(6)
    assert mmc(K, 1.0, 0.1).orders == orders_of("mmc", 6, 0)
    assert gmmc(K, 1.0, 0.1).orders == orders_of("gmmc", 6, 0)
    n_features = features_of(K).shape[1]
    assert multiclass(K, 1.0, 0.1, 2).orders == orders_of("multiclass", 6, n_features)
    for solver in ("clarabel", "scs"):
        small, large = cost_of([10], solver), cost_of([100], solver)
        assert small[0] < large[0]
        assert small[1] < large[1]
