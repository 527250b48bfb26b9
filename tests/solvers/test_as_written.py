"""Problem (17) of CPM3C as it is written: rows as they are, no biases, the balance of means."""

import numpy as np
import pytest
from scipy.optimize import minimize
from sklearn.datasets import make_blobs
from sklearn.metrics import adjusted_rand_score

from maxmargin import CuttingPlaneClustering, MultipleKernelClustering
from maxmargin.blocks import MemoryRows
from maxmargin.objectives.hinge import KernelNorm, Scaling
from maxmargin.sizes import read_sizes
from maxmargin.solvers import CPM3C, CPMMC
from maxmargin.solvers.cutting_plane import CuttingPlane, Limits
from maxmargin.solvers.kernel_weights import solve_kernel_weights, solve_tied_dual


def small_problem(rng, m=4, k=3, d=2):
    A = rng.normal(size=(m, k, d))
    A -= A.mean(axis=1, keepdims=True)
    means = np.eye(k)[:, :, None] * rng.normal(size=d)
    return A, means, rng.uniform(0.3, 1, size=m)


def by_a_general_solver(A, means, c, alpha, balance):
    """min ½ α ‖W‖² + ξ with ξ ≥ c − A·W and |w_p·m − w_q·m| ≤ balance."""
    m, size = len(A), A[0].size
    flat = A.reshape(m, size)
    B = means.reshape(len(means), size)
    pairs = np.array([p - q for p in B for q in B if p is not q])
    kind = "ineq"
    if balance == 0:  # inequalities that contradict each other but for rounding stall it
        pairs, kind = B[1:] - B[:-1], "eq"
    found = minimize(
        lambda v: alpha / 2 * v[:size] @ v[:size] + v[-1],
        np.r_[np.zeros(size), c.max()],
        jac=lambda v: np.r_[alpha * v[:size], 1.0],
        bounds=[(None, None)] * size + [(0, None)],
        constraints=[
            {"type": "ineq", "fun": lambda v: v[-1] - c + flat @ v[:size]},
            {"type": kind, "fun": lambda v: balance - pairs @ v[:size]},
        ],
        method="SLSQP",
        options={"ftol": 1e-14, "maxiter": 1000},
    )
    return found.fun


@pytest.mark.parametrize("balance", [0.0, 0.05, 5.0])
def test_the_small_problem_is_solved(balance, rng):
    for _ in range(5):
        A, means, c = small_problem(rng)
        every = np.concatenate([A, means])
        gram = np.einsum("ikd,jkd->ij", every, every)
        found = solve_tied_dual(gram, np.zeros((4, 3)), c, 0.3, balance)
        expected = by_a_general_solver(A, means, c, 0.3, balance)
        assert found.objective == pytest.approx(expected, abs=1e-6)
        assert abs(found.gap) < 1e-8
        W = np.tensordot(found.weights / 0.3, every, 1)
        heights = np.einsum("pkd,kd->p", means, W)
        assert np.ptp(heights) <= balance + 1e-7


def test_kernels_have_weights_without_biases_too(rng):
    A, means, c = small_problem(rng, d=4)
    every, norm = np.concatenate([A, means]), KernelNorm((slice(0, 2), slice(2, 4)), p=2)
    found = solve_kernel_weights(norm.grams(every), np.zeros((4, 3)), c, 0.3, 0.1, norm, tied=True)
    assert found.gap <= 1e-6 * max(1, found.objective)
    W = np.tensordot(found.weights / 0.3, every, 1)
    W = norm.scaled(W, found.factors)
    slack = max(0, float(np.max(c - np.einsum("jkd,kd->j", A, W))))
    assert 0.3 * norm.penalty(W) + slack == pytest.approx(found.objective, rel=1e-5)


def test_rows_are_where_they_are(rng):
    X = rng.normal(size=(40, 3)) + 5
    rows = MemoryRows(X)
    scaling = Scaling.of(rows).uncentred(KernelNorm((slice(0, 3),)))
    assert not scaling.mean.any()
    assert np.mean(np.sum((X * scaling.scale) ** 2, axis=1)) == pytest.approx(1)
    problem = CuttingPlane(
        rows, scaling, rng.integers(3, size=40), 3, 0.1, 0.2, swap=False, drop=False, tied=True
    )
    problem.begin()
    problem.solve()
    heights = (X * scaling.scale).mean(axis=0) @ problem.planes.weights.T
    assert np.ptp(heights) <= 0.2 + 1e-7
    assert not problem.planes.bias.any()


@pytest.mark.filterwarnings("ignore::maxmargin.MaxMarginWarning")
@pytest.mark.parametrize("balance", [0.0, 0.3])
def test_the_balance_holds_for_rows_as_they_are(balance, global_random_seed):
    X, _ = make_blobs(90, centers=3, cluster_std=1.5, random_state=global_random_seed)
    X = X + 20
    letter = {"optimizer": CPM3C(centred=False), "balance": balance, "random_state": 0}
    model = CuttingPlaneClustering(3, n_init=2, **letter).fit(X)
    assert not model.intercept_.any()
    sums = (X @ model.coef_.T).sum(axis=0)
    assert np.ptp(sums) <= balance * len(X) + 1e-5
    several = MultipleKernelClustering(3, kernels=["linear", "rbf"], n_init=1, **letter).fit(X)
    assert not several.intercept_.any()


def test_rows_around_the_origin_are_the_same_problem_without_a_balance():
    X, _ = make_blobs(60, centers=2, random_state=3)
    X -= X.mean(axis=0)
    models = [
        CuttingPlaneClustering(2, optimizer=CPM3C(centred=one), random_state=0).fit(X)
        for one in (True, False)
    ]
    np.testing.assert_array_equal(models[0].labels_, models[1].labels_)
    assert models[0].objective_ == pytest.approx(models[1].objective_, abs=1e-6)


@pytest.mark.filterwarnings("ignore::maxmargin.MaxMarginWarning")
def test_a_constant_start_is_the_authors_w0(rng):
    """All entries of w⁰ are equal, so that its labels are the sides of Σ_j x_j = 0."""
    X = rng.normal(size=(40, 3))
    rows = MemoryRows(X)
    scaling = Scaling.of(rows).uncentred(KernelNorm((slice(0, 3),)))
    labels = rng.integers(2, size=40)
    problem = CuttingPlane(rows, scaling, labels, 2, 0.1, 0.2, swap=False, drop=False, tied=True)
    limits = Limits(read_sizes(40, 2, None, None, None, np.full(40, -1, np.int32)), 0.01, 50)
    CPM3C(centred=False, constant_start=0.01).begin(problem, limits)
    np.testing.assert_array_equal(problem.labels, X.sum(axis=1) > 0)
    np.testing.assert_allclose(problem.planes.weights, [[-0.005] * 3, [0.005] * 3])
    assert problem.n_cuts == 1


@pytest.mark.filterwarnings("ignore::maxmargin.MaxMarginWarning")
@pytest.mark.parametrize("optimizer", [CPM3C(None, False, 0.01), CPMMC(constant_start=0.01)])
def test_seeds_do_not_matter_to_a_constant_start(optimizer):
    X, y = make_blobs([60, 60], centers=[[1.0, 2.0], [-2.0, -1.0]], random_state=1)
    fits = [
        CuttingPlaneClustering(2, optimizer=optimizer, balance=0.3, random_state=seed).fit(X)
        for seed in range(3)
    ]
    assert len({fit.objective_ for fit in fits}) == 1
    assert adjusted_rand_score(y, fits[0].labels_) > 0.85
    several = MultipleKernelClustering(
        2, kernels=["linear", "rbf"], optimizer=optimizer, balance=0.3, n_init=1, random_state=0
    )
    assert adjusted_rand_score(y, several.fit(X).labels_) > 0.85
