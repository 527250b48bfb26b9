from itertools import pairwise

import numpy as np
import pytest
from oracles import domain as oracle

from maxmargin._core.one_class import RowCache, solve_box, solve_pairs


def start_of(solve, n):
    """A feasible start."""
    return np.zeros(n) if solve is solve_box else np.eye(1, n)[0]


@pytest.fixture
def K(rng):
    return np.ascontiguousarray(oracle.kernel(*[rng.normal(size=(40, 2))] * 2, 2.0))


def run(solve, K, n_slots, max_iter=100_000, upper=0.2, tol=1e-10):
    n, fetched = len(K), []

    def fetch(i):
        fetched.append(i)
        return K[i]

    cache = RowCache(fetch, n, n_slots)
    alpha = start_of(solve, n)
    if solve is solve_pairs:
        alpha[:] = 1 / n
    values = K @ alpha
    n_iter, violation = solve(cache, alpha, values, upper, tol, max_iter)
    assert cache.misses == len(fetched)
    return alpha, values, n_iter, violation, fetched


@pytest.mark.parametrize("solve", [solve_pairs, solve_box])
def test_values_follow_the_weights(solve, K):
    for max_iter in (1, 2, 10, 100_000):
        alpha, values, n_iter, violation, _ = run(solve, K, 100, max_iter)
        np.testing.assert_allclose(values, K @ alpha, atol=1e-12)
        assert alpha.min() >= 0
        assert alpha.max() <= 0.2
        assert n_iter <= max_iter
    assert violation <= 1e-10
    if solve is solve_pairs:
        assert alpha.sum() == pytest.approx(1)


@pytest.mark.parametrize("solve", [solve_pairs, solve_box])
def test_every_step_lowers_the_objective(solve, K):
    def objective(alpha):
        return 0.5 * alpha @ K @ alpha - (alpha.sum() if solve is solve_box else 0)

    values = [objective(run(solve, K, 100, max_iter)[0]) for max_iter in range(1, 60)]
    assert (np.diff(values) <= 1e-14).all()
    assert values[-1] < values[0]


@pytest.mark.parametrize("solve", [solve_pairs, solve_box])
def test_slots_change_the_work_and_nothing_else(solve, K):
    """The same steps to the last bit; a row that is kept is not fetched again."""
    all_kept = run(solve, K, len(K))
    assert len(set(all_kept[4])) == len(all_kept[4])
    for n_slots in (-3, 0, 2, 5):
        few = run(solve, K, n_slots)
        np.testing.assert_array_equal(few[0], all_kept[0])
        assert few[2] == all_kept[2]
        assert len(few[4]) >= len(all_kept[4])
        assert list(dict.fromkeys(few[4])) == all_kept[4]


def test_the_last_row_is_kept(K):
    """With two slots, at least: the row that was fetched last is there for the next pair."""
    for solve in (solve_pairs, solve_box):
        fetched = run(solve, K, 0)[4]
        assert len(fetched) > len(set(fetched))
        assert all(i != j for i, j in pairwise(fetched))


@pytest.mark.parametrize("solve", [solve_pairs, solve_box])
def test_weights_arrive_at_their_bounds_exactly(solve, K):
    alpha = run(solve, K, 100, upper=0.05)[0]
    assert (alpha == 0.05).sum() > 3
    assert (np.abs(alpha - 0.05) < 1e-12).sum() == (alpha == 0.05).sum()
    assert (np.abs(alpha) < 1e-12).sum() == (alpha == 0).sum()


@pytest.mark.parametrize("solve", [solve_pairs, solve_box])
def test_a_solution_is_left_alone(solve, K):
    alpha, values, *_ = run(solve, K, 100)
    before = alpha.copy()
    cache = RowCache(K.__getitem__, len(K), 100)
    n_iter, _ = solve(cache, alpha, values, 0.2, 1e-6, 1000)
    assert n_iter == 0
    np.testing.assert_array_equal(alpha, before)


def test_one_step_by_hand():
    """Two rows, K = 1 and 1/2: all weight on one; half of it moves."""
    K = np.array([[1.0, 0.5], [0.5, 1.0]])
    alpha = np.array([1.0, 0.0])
    cache = RowCache(K.__getitem__, 2, 2)
    n_iter, violation = solve_pairs(cache, alpha, K @ alpha, 1.0, 1e-9, 10)
    np.testing.assert_allclose(alpha, 0.5)
    assert (n_iter, violation) == (1, 0)
    # all weights at their bound: nothing can move
    alpha = np.array([0.5, 0.5])
    assert solve_pairs(cache, alpha, K @ alpha, 0.5, 1e-9, 10) == (0, 0.0)
    # single coordinates: the first step takes α_1 to its bound
    alpha = np.zeros(2)
    n_iter, violation = solve_box(cache, alpha, K @ alpha, 0.25, 1e-9, 1)
    assert n_iter == 1
    assert violation > 1e-9
    assert alpha.tolist() == [0.25, 0]


@pytest.mark.parametrize("solve", [solve_pairs, solve_box])
@pytest.mark.usefixtures("stopped")
def test_a_flag_stops_it(solve, rng):
    """With so many rows the flag is looked at before the end."""
    X = rng.normal(size=(2000, 2))
    n = len(X)
    alpha = start_of(solve, n)
    cache = RowCache(lambda i: oracle.kernel(X[i : i + 1], X, 5.0)[0], n, n)
    values = oracle.kernel(X, X, 5.0) @ alpha
    with pytest.raises(KeyboardInterrupt):
        solve(cache, alpha, values, 1.0, 1e-12, 10_000_000)
