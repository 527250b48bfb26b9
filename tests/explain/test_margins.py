"""The margins of each cluster as a histogram."""

import numpy as np
import pytest

from maxmargin.explain.margins import FULLEST, MarginHistogram


def test_by_hand():
    found = MarginHistogram.of(np.array([-1.0, 0.0, 1.0, 1.0]), np.array([0, 0, 1, -1]), bins=2)
    np.testing.assert_allclose(found.edges, [-2, -1, 0, 1, 2])
    assert found.clusters.tolist() == [0, 1, -1]
    assert found.sizes.tolist() == [2, 1, 1]
    assert found.counts.tolist() == [[0, 1, 1, 0], [0, 0, 0, 1], [0, 0, 0, 1]]
    assert found.n_negative.tolist() == [1, 0, 0]
    np.testing.assert_allclose(found.heights.max(axis=1), FULLEST)


@pytest.mark.parametrize("shift", [-9.0, -0.3, 0.0, 0.3, 9.0])
@pytest.mark.parametrize("unit", [1e-200, 1.0, 1e200])
def test_every_row_is_in_a_bin_and_none_is_on_both_sides_of_0(rng, shift, unit):
    margin, labels = unit * (rng.normal(size=300) + shift), rng.integers(-1, 3, size=300)
    found = MarginHistogram.of(margin, labels)
    assert 0.0 in found.edges
    assert 40 <= len(found.edges) - 1 <= 44
    np.testing.assert_array_equal(found.counts.sum(axis=1), found.sizes)
    below = found.counts[:, found.edges[:-1] < 0].sum(axis=1)
    np.testing.assert_array_equal(below, found.n_negative)
    assert found.n_negative.sum() == np.sum(margin < 0)


@pytest.mark.parametrize("margin", [0.0, 1.0, -3.0])
def test_margins_that_are_all_the_same(margin):
    found = MarginHistogram.of(np.full(5, margin), np.zeros(5, int))
    assert found.counts.sum() == found.counts.max() == 5


def test_lists_are_taken():
    assert MarginHistogram.of([0.5, -0.5], [0, 1]).n_negative.tolist() == [0, 1]
