import itertools

import numpy as np
import pytest

from maxmargin.sizes import Sizes, read_pins, read_sizes

FREE = np.full(10, -1, np.int32)


def read(n=10, k=3, proportions="balanced", min_size=None, max_size=None, pins=None):
    pins = np.full(n, -1, np.int32) if pins is None else np.asarray(pins, np.int32)
    return read_sizes(n, k, proportions, min_size, max_size, pins)


@pytest.mark.parametrize(
    ("proportions", "n", "expected"),
    [
        ([0.5, 0.3, 0.2], 10, [5, 3, 2]),
        ([1 / 3, 1 / 3, 1 / 3], 10, [4, 3, 3]),
        ([0.2, 0.5, 0.3], 11, [2, 6, 3]),
        ([0.001, 0.001, 0.998], 10, [1, 1, 8]),  # nobody gets nothing
    ],
)
def test_shares_become_rows_by_largest_remainder(proportions, n, expected):
    sizes = read(n, 3, proportions)
    assert sizes.lower.tolist() == sizes.upper.tolist() == expected
    assert np.all(np.abs(np.array(proportions) * n - expected) < 2)


def test_a_float_is_a_share_and_an_int_is_rows():
    sizes = read(100, 4, min_size=0.5, max_size=1.5)
    assert sizes.lower.tolist() == [13] * 4  # ceil(12.5)
    assert sizes.upper.tolist() == [37] * 4  # floor(37.5)
    sizes = read(100, 4, min_size=7, max_size=[30, 40, 50, 60])
    assert sizes.lower.tolist() == [7] * 4
    assert sizes.upper.tolist() == [30, 40, 50, 60]
    assert read(10, 3, min_size=1.0, max_size=1.0).lower.tolist() == [3] * 3
    assert read(10, 3, min_size=1.0, max_size=1.0).upper.tolist() == [4] * 3


def test_a_share_never_contradicts_proportions():
    assert read(100, 2, [0.99, 0.01], min_size=0.1).lower.tolist() == [99, 1]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"proportions": [0.5, 0.5]}, "proportions must be .* 3 shares"),
        ({"proportions": [0.5, 0.5, 0.5]}, "sum to 1"),
        ({"proportions": [1.2, -0.1, -0.1]}, "shares > 0"),
        ({"proportions": [1.0, 0.0, 0.0]}, "shares > 0"),
        ({"proportions": "equal"}, "'equal'"),
        ({"proportions": [[0.2, 0.3, 0.5]]}, "3 shares"),
        ({"proportions": [np.nan, 0.5, 0.5]}, "3 shares"),
        ({"min_size": 4}, "min_size asks for 12 rows"),
        ({"min_size": 1.2}, "min_size asks for"),
        ({"max_size": 3}, "max_size leaves room for 9 rows"),
        ({"max_size": 0.5}, "max_size leaves room"),
        ({"min_size": [1, 2]}, "one for each of the 3 clusters"),
        ({"min_size": -1}, "min_size must be an int >= 0"),
        ({"min_size": True}, "min_size must be"),
        ({"max_size": float("inf")}, "max_size must be an int >= 0"),
        ({"min_size": float("nan")}, "min_size must be"),
        ({"min_size": 3, "max_size": [10, 2, 10]}, "min_size must not exceed max_size"),
        ({"proportions": [0.8, 0.1, 0.1], "min_size": 2}, "proportions give cluster 1 1 of 10"),
        ({"proportions": [0.8, 0.1, 0.1], "max_size": 7}, "proportions give cluster 0 8 of 10"),
        ({"max_size": 4, "pins": [0] * 5 + [-1] * 5}, "y pins 5 rows to cluster 0"),
        ({"proportions": [0.2, 0.4, 0.4], "pins": [0] * 5 + [-1] * 5}, "pins 5 rows"),
        ({"min_size": 2, "pins": [0] * 7 + [-1] * 3}, "pins in y and min_size together"),
    ],
)
def test_what_cannot_be_met_is_said(arguments, message):
    with pytest.raises(ValueError, match=message):
        read(**arguments)


def test_y_is_read_as_pins_only_if_something_is_unknown():
    assert np.all(read_pins(None, 3, 2) == -1)
    assert np.all(read_pins([0, 1, 1], 3, 2) == -1)
    assert np.all(read_pins(["a", "b", "a"], 3, 2) == -1)
    assert np.all(read_pins([[0.0], [1.0], [2.0]], 3, 2) == -1)
    assert read_pins([0, -1, 1], 3, 2).tolist() == [0, -1, 1]
    assert read_pins([0.0, -1.0, 1.0], 3, 2).tolist() == [0, -1, 1]


@pytest.mark.parametrize("y", [[0, -1, 2], [-2, -1, 0], [0.5, -1, 1], [np.nan, -1, 7]])
def test_a_pin_outside_the_clusters_is_an_error(y):
    with pytest.raises(ValueError, match="from 0 to 1"):
        read_pins(y, 3, 2)


def test_pins_of_the_wrong_shape_are_an_error():
    with pytest.raises(ValueError, match=r"shape \(3,\); got shape \(2,\)"):
        read_pins([0, -1], 3, 2)


@pytest.mark.parametrize("trial", range(20))
def test_random_labels_keep_bounds_and_pins(trial, rng):
    rng = np.random.default_rng([trial, rng.integers(100)])
    n, k = int(rng.integers(10, 60)), int(rng.integers(1, 6))
    pins = np.where(rng.random(n) < 0.2, rng.integers(k, size=n), -1)
    lower = rng.integers(0, n // k + 1, size=k)
    pinned = np.bincount(pins[pins >= 0], minlength=k)
    if np.maximum(lower, pinned).sum() > n:
        lower = np.zeros(k, int)
    sizes = read(n, k, None, lower, None, pins)
    assert sizes.hold(sizes.random_labels(rng))


def test_clusters_are_numbered_by_size_then_by_first_row():
    sizes = read(7, 3)
    assert sizes.number(np.array([2, 1, 0, 1, 2, 1, 0])).tolist() == [1, 0, 2, 0, 1, 0, 2]


def test_clusters_that_the_user_named_keep_their_numbers():
    labels = np.array([0, 1, 1, 2, 2, 2, 2])
    pinned = read(7, 3, pins=[0, -1, -1, -1, -1, -1, -1])
    assert pinned.number(labels).tolist() == [0, 2, 2, 1, 1, 1, 1]
    shares = read(7, 3, [1 / 7, 2 / 7, 4 / 7])
    assert shares.number(labels).tolist() == labels.tolist()


def test_hold_sees_every_violation():
    sizes = Sizes(np.full(2, 5.0), np.array([4, 4]), np.array([6, 6]), FREE.copy())
    assert sizes.hold(np.repeat([0, 1], 5))
    assert not sizes.hold(np.repeat([0, 1], [3, 7]))
    sizes.pins[0] = 1
    assert not sizes.hold(np.repeat([0, 1], 5))


# Some of the rows


@pytest.mark.parametrize("trial", range(30))
def test_a_subset_has_limits_that_can_be_met(trial, rng):
    """Also with more pins than its share, which the rows that are looked at may have."""
    rng = np.random.default_rng([trial, rng.integers(100)])
    n, k = int(rng.integers(20, 80)), int(rng.integers(1, 6))
    pins = np.where(rng.random(n) < 0.3, rng.integers(k, size=n), -1)
    shares = rng.dirichlet(np.full(k, 5.0)) if trial % 2 else None
    try:
        sizes = read(n, k, shares, 1, None, pins)
    except ValueError:  # more pins than the shares allow
        pins = np.full(n, -1)
        sizes = read(n, k, shares, 1, None, pins)
    m = int(rng.integers(max(k, n // 3), n + 1))
    order = rng.permutation(n)
    pinned = pins[order] >= 0
    rows = np.concatenate([order[pinned], order[~pinned]])[:m]
    part = sizes.subset(rows)
    np.testing.assert_array_equal(part.pins, sizes.pins[rows])
    counts = np.bincount(part.pins[part.pins >= 0], minlength=k)
    assert np.all(part.lower <= part.upper)
    assert np.all(counts <= part.upper)
    assert part.upper.sum() >= m
    assert np.maximum(part.lower, counts).sum() <= m
    assert part.quota.sum() == pytest.approx(m)
    assert part.free == sizes.free
    assert part.hold(part.random_labels(rng))


def test_a_subset_of_all_rows_is_the_same():
    for sizes in (read(10, 3, [0.5, 0.3, 0.2]), read(10, 3, None, 2, 5, [0] + [-1] * 9)):
        part = sizes.subset(np.arange(10))
        for name in ("quota", "lower", "upper", "pins"):
            np.testing.assert_array_equal(getattr(part, name), getattr(sizes, name))


def test_a_subset_by_hand():
    exact = read(20, 2, [0.7, 0.3]).subset(np.arange(10))
    assert exact.lower.tolist() == exact.upper.tolist() == [7, 3]
    loose = read(20, 2, None, 5, 16).subset(np.arange(10))
    assert loose.lower.tolist() == [2, 2]  # rounded to the wider side
    assert loose.upper.tolist() == [8, 8]
    pins = [0] * 9 + [-1] * 11
    assert read(20, 2, None, None, 10, pins).subset(np.arange(10)).upper.tolist() == [9, 5]


# Rows to clusters by their values


def losses(values, labels):
    return float(np.sum(values.max(axis=1) - values[np.arange(len(values)), labels]))


def least_loss(values, sizes):
    n, k = values.shape
    every = itertools.product(range(k), repeat=n)
    return min(losses(values, np.array(c)) for c in every if sizes.hold(np.array(c)))


def test_within_the_bounds_the_largest_value_decides(rng):
    values = rng.normal(size=(30, 4))
    labels = read(30, 4, None).assign(values)
    np.testing.assert_array_equal(labels, values.argmax(axis=1))
    assert labels.dtype == np.int32
    counts = np.bincount(labels, minlength=4)
    np.testing.assert_array_equal(read(30, 4, None, counts, counts).assign(values), labels)


@pytest.mark.parametrize("trial", range(30))
def test_assigned_labels_keep_bounds_and_pins(trial, rng):
    rng = np.random.default_rng([trial, rng.integers(100)])
    n, k = int(rng.integers(8, 60)), int(rng.integers(2, 6))
    pins = np.where(rng.random(n) < 0.2, rng.integers(k, size=n), -1)
    pinned = np.bincount(pins[pins >= 0], minlength=k)
    if trial % 3 == 0:  # exact sizes
        counts = pinned + rng.multinomial(n - pinned.sum(), rng.dirichlet(np.ones(k)))
        lower = upper = counts
    else:
        lower = rng.integers(0, n // k + 1, size=k)
        lower = np.where(np.maximum(lower, pinned).sum() > n, 0, lower)
        upper = np.maximum(np.maximum(lower, pinned), rng.integers(n // k + 1, n + 1, size=k))
    sizes = read(n, k, None, lower, upper, pins)
    values = rng.normal(size=(n, k)) + 3 * np.eye(k)[rng.integers(2, size=n)]
    before = values.copy()
    assert sizes.hold(sizes.assign(values))
    np.testing.assert_array_equal(values, before)


@pytest.mark.parametrize("trial", range(20))
def test_two_clusters_are_assigned_at_the_least_loss(trial, rng):
    rng = np.random.default_rng([trial, rng.integers(100)])
    values = rng.normal(size=(8, 2))
    pins = np.where(rng.random(8) < 0.2, rng.integers(2, size=8), -1)
    lower = int(rng.integers(0, 5))
    try:
        sizes = read(8, 2, None, lower, 8 - lower, pins)
    except ValueError:
        sizes = read(8, 2, None, lower, 8 - lower)
    assert losses(values, sizes.assign(values)) == pytest.approx(least_loss(values, sizes))


@pytest.mark.parametrize("trial", range(20))
def test_three_clusters_are_assigned_near_the_least_loss(trial, rng):
    """Rows move once, the cheapest first: chains of moves may be cheaper, though not by much."""
    rng = np.random.default_rng([trial, rng.integers(100)])
    values = rng.normal(size=(7, 3))
    lower = rng.integers(0, 3, size=3)
    sizes = read(7, 3, None, lower, np.maximum(lower, 3))
    found = sizes.assign(values)
    assert sizes.hold(found)
    least = least_loss(values, sizes)
    assert least - 1e-9 <= losses(values, found) <= 2 * least + 0.5


def test_ties_and_equal_values_are_assigned():
    labels = read(9, 3, [1 / 3] * 3).assign(np.zeros((9, 3)))
    assert np.bincount(labels).tolist() == [3, 3, 3]
