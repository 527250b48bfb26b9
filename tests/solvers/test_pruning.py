"""Kernels that hardly count leave the hyperplanes, and the labels keep their limits."""

import numpy as np
import pytest

from maxmargin.blocks import MemoryRows
from maxmargin.objectives.hinge import Hyperplanes, KernelNorm, Scaling
from maxmargin.sizes import read_sizes
from maxmargin.solvers import Alternation
from maxmargin.solvers.cutting_plane import CuttingPlane, Limits
from maxmargin.solvers.multistart import NEGLIGIBLE_WEIGHT, pruned

SLICES = (slice(0, 2), slice(2, 4), slice(4, 6))


def result_of(rng, p=1.25, pins=None, **limits):
    """A run with three kernels, the last of which knows nothing."""
    n = 60
    y = np.arange(n) % 3
    X = rng.normal(size=(n, 6))
    X[:, :2] += 3 * np.eye(3)[y][:, :2]
    X[:, 2:4] += 3 * np.eye(3)[y][:, 1:]
    given = {"proportions": None, "min_size": 0.5, "max_size": None, **limits}
    pins = np.full(n, -1, np.int32) if pins is None else pins
    bounds = Limits(read_sizes(n, 3, pins=pins, **given), 0.01, 200)
    rows, norm = MemoryRows(X), KernelNorm(SLICES, p)
    start = bounds.sizes.pinned(y)
    problem = CuttingPlane(rows, Scaling.of(rows, norm), start, 3, 0.02, 0.0, norm)
    problem.begin()
    return Alternation().run(problem, bounds), bounds


def with_length(result, kernel, share):
    """The same run, with a kernel of which so much is left."""
    planes = result.planes
    factors = np.ones(len(SLICES))
    factors[kernel] = share
    weights = result.problem.norm.scaled(planes.weights.copy(), factors)
    result.problem.planes = Hyperplanes(weights, planes.bias)
    object.__setattr__(result, "planes", result.problem.planes)
    return result


def test_a_run_with_kernels_that_count_is_left_alone(rng):
    result, limits = result_of(rng, p=2)
    assert pruned(result, limits) is result


@pytest.mark.parametrize("p", [1, 1.25, 2])
def test_kernels_that_hardly_count_are_gone(p, rng):
    result, limits = result_of(rng, p)
    result = with_length(result, 2, 1e-9)
    before = result.planes.weights.copy()
    left = pruned(result, limits)
    assert not left.planes.weights[:, SLICES[2]].any()
    np.testing.assert_array_equal(left.planes.weights[:, :4], before[:, :4])
    np.testing.assert_array_equal(result.planes.weights, before)
    norm = result.problem.norm
    weights = norm.kernel_weights(norm.lengths(left.planes.weights))
    assert weights[2] == 0
    assert weights[:2].min() > NEGLIGIBLE_WEIGHT * weights.sum()
    assert np.linalg.norm(weights, ord=p) == pytest.approx(1)


@pytest.mark.parametrize(
    "limits",
    [
        {"proportions": [0.5, 0.3, 0.2]},
        {"min_size": 1.0, "max_size": 1.0},
        {"min_size": [25, 10, 10], "max_size": 30},
    ],
)
@pytest.mark.parametrize("n_pinned", [0, 9])
def test_labels_keep_their_limits(limits, n_pinned, rng):
    pins = np.full(60, -1, np.int32)
    pins[:n_pinned] = rng.permutation(np.arange(n_pinned) % 3)
    result, bounds = result_of(rng, pins=pins, **limits)
    for kernel in range(3):
        left = pruned(with_length(result, kernel, 1e-9), bounds)
        assert bounds.sizes.hold(left.labels)


def test_the_objective_is_that_of_what_is_left(rng):
    result, limits = result_of(rng)
    left = pruned(with_length(result, 2, 1e-9), limits)
    problem = left.problem
    losses = problem.hinge.losses(left.planes)
    loss = losses[np.arange(60), left.labels].mean()
    penalty = problem.alpha * problem.norm.penalty(left.planes.weights)
    assert left.objective == pytest.approx(penalty + loss, abs=1e-6)
    assert problem.planes is left.planes
    np.testing.assert_array_equal(losses.argmin(axis=1), left.labels)
    assert pruned(left, limits).objective == left.objective
