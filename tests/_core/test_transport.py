"""Labels within bounds cost as little as any: all labellings and a linear program agree."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from oracles import hinge as oracle

from maxmargin._core.transport import assign_rows
from maxmargin.size_repair import cheapest_labels
from maxmargin.sizes import Sizes


def assign(losses, lower, upper, pins=None):
    """Labels from the smallest losses on, or None if the bounds cannot be met."""
    n, k = losses.shape
    pins = np.full(n, -1) if pins is None else np.asarray(pins)
    labels = np.where(pins >= 0, pins, np.argmin(losses, axis=1)).astype(np.int32)
    counts = np.bincount(labels, minlength=k)
    met = assign_rows(
        losses.astype(np.float32), (pins < 0).astype(np.uint8), labels, counts,
        np.asarray(lower, np.intp), np.asarray(upper, np.intp),
    )  # fmt: skip
    np.testing.assert_array_equal(counts, np.bincount(labels, minlength=k))
    np.testing.assert_array_equal(labels[pins >= 0], pins[pins >= 0])
    return labels if met else None


def random_case(rng, n, k, whole=False):
    """Losses (with many ties if whole), bounds and pins that often are in the way."""
    losses = rng.integers(4, size=(n, k)) if whole else rng.exponential(size=(n, k))
    lower = rng.integers(0, n // k + 2, size=k)
    upper = lower + rng.integers(0, n, size=k)
    pins = np.where(rng.random(n) < rng.random() / 2, rng.integers(k, size=n), -1)
    return losses.astype(np.float32), lower, upper, pins


def check(losses, lower, upper, pins, best):
    labels = assign(losses, lower, upper, pins)
    if not np.isfinite(best):
        assert labels is None
        return
    sizes = np.bincount(labels, minlength=losses.shape[1])
    assert np.all((sizes >= lower) & (sizes <= upper))
    assert oracle.total(losses, labels) == pytest.approx(best, abs=1e-6)


@settings(max_examples=150, deadline=None)
@given(
    seed=st.integers(0, 2**32 - 1), n=st.integers(1, 8), k=st.integers(1, 3), whole=st.booleans()
)
def test_no_labelling_is_cheaper(seed, n, k, whole):
    case = random_case(np.random.default_rng(seed), n, k, whole)
    check(*case, oracle.cheapest_by_trying(*case))


@settings(max_examples=100, deadline=None)
@given(
    seed=st.integers(0, 2**32 - 1), n=st.integers(4, 40), k=st.integers(2, 6), whole=st.booleans()
)
def test_it_is_the_linear_program(seed, n, k, whole):
    case = random_case(np.random.default_rng(seed), n, k, whole)
    check(*case, oracle.cheapest_by_lp(*case))


def test_two_cheap_moves_are_better_than_one_that_mends_two_bounds():
    """Cluster 0 has one too many and 1 one too few; from 0 to 1 it costs 10.

    From 0 to 2 and from 3 to 1 it costs 1 each.
    """
    losses = np.array([[0, 10, 1, 9], [0, 10, 1, 9], [9, 9, 0, 9], [9, 1, 9, 0], [9, 1, 9, 0]])
    labels = assign(losses, [0, 1, 0, 0], [1, 5, 5, 5])
    assert oracle.total(losses, labels) == 2


@pytest.mark.parametrize("bounds", ["lower", "upper", "exact", "both"])
def test_many_rows(bounds, rng):
    n, k = 300, 5
    losses = rng.exponential(size=(n, k)).astype(np.float32)
    losses[:, 0] /= 5
    equal = np.full(k, n // k)
    lower = {"lower": equal - 5, "exact": equal, "both": equal - 9}.get(bounds, 0 * equal)
    upper = {"upper": equal + 5, "exact": equal, "both": equal + 4}.get(bounds, n + 0 * equal)
    pins = np.where(rng.random(n) < 0.1, rng.integers(k, size=n), -1)
    check(losses, lower, upper, pins, oracle.cheapest_by_lp(losses, lower, upper, pins))


def test_rows_pass_through_clusters_that_are_full():
    """From 0 to 2 it costs 9; by way of 1, which gives up another row, it costs 2."""
    losses = np.array([[0, 1, 9], [0, 1, 9], [9, 0, 1]])
    assert assign(losses, [1, 1, 1], [1, 1, 1]).tolist() in ([0, 1, 2], [1, 0, 2])


def test_bounds_that_hold_leave_every_row_its_smallest_loss(rng):
    losses = rng.random((50, 4))
    np.testing.assert_array_equal(assign(losses, [0] * 4, [50] * 4), losses.argmin(axis=1))


def test_ties_cost_nothing():
    labels = assign(np.zeros((12, 3)), [4] * 3, [4] * 3)
    np.testing.assert_array_equal(np.bincount(labels), [4, 4, 4])


@pytest.mark.parametrize(
    ("lower", "upper", "pins"),
    [
        ([0, 0], [1, 4], [0, 0, -1, -1]),  # more pins than room
        ([0, 3], [4, 4], [0, 0, -1, -1]),  # too few rows that may move
        ([3, 3], [4, 4], [-1] * 4),  # too few rows
        ([0, 0], [1, 1], [-1] * 4),  # too little room
    ],
)
def test_bounds_that_cannot_be_met(lower, upper, pins, rng):
    losses = rng.random((4, 2)).astype(np.float32)
    assert assign(losses, lower, upper, pins) is None
    sizes = Sizes(np.full(2, 2.0), np.array(lower), np.array(upper), np.array(pins, np.int32))
    with pytest.raises(ValueError, match="size limits cannot be met"):
        cheapest_labels(losses, sizes)


def test_sizes_and_pins_of_a_user_are_bounds(rng):
    losses = rng.random((30, 3)).astype(np.float32)
    pins = np.where(np.arange(30) < 4, 2, -1).astype(np.int32)
    sizes = Sizes(np.full(3, 10.0), np.full(3, 8), np.full(3, 11), pins)
    labels = cheapest_labels(losses, sizes)
    assert labels.dtype == np.int16
    assert sizes.hold(labels)
    np.testing.assert_array_equal(labels, assign(losses, sizes.lower, sizes.upper, pins))


@pytest.mark.usefixtures("stopped")
def test_the_flag_ends_a_long_way():
    losses = np.tile([0.0, 1.0], (2000, 1))
    with pytest.raises(KeyboardInterrupt):
        assign(losses, [0, 1500], [2000, 2000])
