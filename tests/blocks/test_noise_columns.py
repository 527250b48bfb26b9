"""Which columns can part no clusters."""

import numpy as np
import pytest

from maxmargin.blocks.noise_columns import rows_apart, second_hills, telling_columns
from maxmargin.spaces.metric import Metric


def clusters(rng, n=400, d=2, apart=3.0):
    return rng.normal(size=(n, d)) + apart * np.repeat([[-1], [1]], n // 2, axis=0)


def asked(X, never=()):
    X = (X - X.mean(axis=0)) / X.std(axis=0)
    return telling_columns(X, np.isin(np.arange(X.shape[1]), never)).tolist()


@pytest.mark.parametrize("draw", ["normal", "uniform", "exponential", "laplace"])
def test_noise_beside_clusters_is_left_out(draw, rng):
    """One of three columns may look as if it were told a little by chance."""
    noise = getattr(rng, draw)(size=(400, 3))
    told = asked(np.hstack([clusters(rng), noise]))
    assert told[:2] == [True, True]
    assert sum(told[2:]) <= 1


def test_noise_that_hides_the_neighbours(rng):
    """Eight columns of noise: the first ones that go show what the others know of each other."""
    angle = rng.uniform(0, 2 * np.pi, 400)
    ring = np.column_stack([np.cos(angle), np.sin(angle)]) + 0.05 * rng.normal(size=(400, 2))
    told = asked(np.hstack([ring, rng.normal(size=(400, 8))]))
    assert told[:2] == [True, True]
    assert sum(told[2:]) <= 2


def test_the_place_of_a_column_does_not_matter(rng):
    X = np.hstack([rng.normal(size=(400, 2)), clusters(rng), rng.normal(size=(400, 1))])
    told = asked(X)
    assert told[2:4] == [True, True]
    assert asked(X[:, ::-1])[::-1][2:4] == told[2:4]
    assert sum(told) <= 3


def test_a_column_with_a_valley_may_be_a_cluster_by_itself(rng):
    X = np.hstack([rng.normal(size=(400, 2)), clusters(rng, d=1)])
    assert asked(X)[2]


def test_one_hill_in_all_columns_says_nothing_of_any(rng):
    assert all(asked(rng.normal(size=(400, 4))))


def test_many_columns_that_say_a_little_each_stay(rng):
    """Twenty columns, each of which is twice as wide in one of the classes."""
    X = rng.normal(size=(500, 20)) * np.repeat([[1], [2]], 250, axis=0)
    assert all(asked(X))


def test_columns_that_are_never_left_out(rng):
    X = np.hstack([clusters(rng), rng.normal(size=(400, 2))])
    assert asked(X, never=[2, 3]) == [True] * 4


@pytest.mark.parametrize("shape", [(400, 2), (10, 4), (1, 3), (60, 51)])
def test_too_few_to_tell(shape, rng):
    assert all(telling_columns(rng.normal(size=shape), np.zeros(shape[1], bool)))


def test_constant_columns_and_copies_are_no_trouble(rng):
    X = np.hstack([clusters(rng, 60), np.zeros((60, 1)), rng.normal(size=(60, 1))])
    assert telling_columns(X.repeat(4, axis=0), np.zeros(4, bool))[:2].all()


def test_a_column_that_bounds_empty_space_with_the_others_stays(rng):
    """The cells of a chessboard in space: a column's own values say nothing of the others'."""
    corners = np.array([[0, 0, 0], [1, 1, 0], [1, 0, 1], [0, 1, 1]])
    X = corners[rng.integers(4, size=600)] + rng.uniform(-0.45, 0.45, size=(600, 3))
    assert all(asked(X))
    assert not all(asked(np.hstack([X, rng.normal(size=(600, 1))])))


def test_copies_of_rows_make_no_column_known(rng):
    X = np.hstack([clusters(rng, 200), rng.normal(size=(200, 2))])
    assert not all(asked(X.repeat(3, axis=0)))


@pytest.mark.parametrize("n", [300, 3000])
def test_a_column_that_sets_a_few_rows_apart_stays(n, rng):
    # the rows that are asked hardly hold any of them
    X = rng.normal(size=(n, 4))
    X[: n // 30, :2] += 12
    X[-4:, 3] -= 9
    assert rows_apart(X).tolist() == [True, True, False, True]
    assert rows_apart(X[:-2]).tolist() == [True, True, False, False]  # two rows are outliers
    kept = Metric(standardize="auto").fit(X).columns_
    assert kept is None or 3 in kept


@pytest.mark.parametrize("share", [0.03, 0.05, 0.1, 0.2])
@pytest.mark.parametrize("apart", [6.0, 8.0, 50.0])
def test_a_small_cluster_of_a_column_is_no_noise(share, apart, rng):
    """Neither do other columns know of it, nor has the whole column a dip."""
    X = rng.normal(size=(1000, 3))
    X[::2, :2] += 8
    X[: int(share * len(X)), 2] += apart
    columns = Metric(standardize="auto").fit(X[rng.permutation(len(X))]).columns_
    assert columns is None


def test_one_hill_has_no_second_one(rng):
    for draw in (rng.normal, rng.uniform, rng.exponential, rng.laplace, rng.gumbel):
        for n in (20, 100, 1000):
            assert second_hills(draw(size=(n, 30))).sum() <= 1
    assert not second_hills(rng.normal(size=(2000, 5)).round(1)).any()
    assert not second_hills(np.array([[-1.7e308], [0.0], [1.0], [2.0], [1.7e308]])).any()
    assert not second_hills(np.ones((30, 2))).any()


def test_tails_are_not_apart(rng):
    assert not rows_apart(rng.normal(size=(2000, 20))).any()
    assert rows_apart(rng.exponential(size=(2000, 50))).sum() <= 2
    assert rows_apart(np.ones((5, 2))).tolist() == [False, False]
