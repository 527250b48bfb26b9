"""Clusters of two labellings get the same numbers."""

import numpy as np

from maxmargin.explain.matching import match_labels


def test_matching_takes_the_largest_total():
    first = np.array([0, 0, 0, 1, 1, 1])
    assert match_labels(first, np.array([1, 1, 1, 0, 0, 0])).tolist() == first.tolist()
    assert match_labels(first, np.array([0, 0, 1, 1, 2, 2])).tolist() in (
        [0, 0, 2, 2, 1, 1],
        [0, 0, 1, 1, 2, 2],
    )
    assert match_labels(first, np.array([-1, 5, 5, -1, 9, 9])).tolist() == [-1, 0, 0, -1, 1, 1]
    assert match_labels(first, np.full(6, -1)).tolist() == [-1] * 6
    assert match_labels(np.full(6, -1), first).tolist() == first.tolist()
    assert match_labels(np.array([4, 4, 7, 7]), np.array([0, 0, 1, 2])).tolist() == [4, 4, 7, 8]


def test_matching_gives_each_cluster_its_own_number(rng):
    first, other = rng.integers(0, 4, size=100), rng.integers(-1, 9, size=100)
    numbers = match_labels(first, other)
    np.testing.assert_array_equal(numbers < 0, other < 0)
    assert len(np.unique(numbers)) == len(np.unique(other))
    assert len({*zip(numbers, other, strict=True)}) == len(np.unique(other))
