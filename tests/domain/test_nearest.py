import pickle

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import adjusted_rand_score, pairwise_distances

from maxmargin.domain.nearest import NearestRow, numbers_by_size, without_small


@pytest.mark.parametrize("d", [1, 2, 40])
def test_the_nearest_row_by_brute_force(d, rng):
    rows, labels = rng.normal(size=(60, d)), rng.integers(4, size=60)
    points = rng.normal(size=(100, d))
    expected = labels[pairwise_distances(points, rows).argmin(axis=1)]
    nearest = NearestRow(rows, labels)
    np.testing.assert_array_equal(nearest.labels_of(points), expected)
    np.testing.assert_array_equal(nearest.labels_of(rows), labels)


def test_one_row_is_nearest_to_all(rng):
    assert NearestRow(np.zeros((1, 2)), np.array([3])).labels_of(rng.normal(size=(5, 2))).tolist()
    assert (NearestRow(np.zeros((1, 2)), np.array([3])).labels_of(np.ones((5, 2))) == 3).all()


@pytest.mark.parametrize(
    ("labels", "numbers"),
    [
        ([0], [0]),
        ([0, 1, 1], [1, 0]),
        ([1, 0, 2, 2, 1], [2, 0, 1]),  # 1 and 2 have two rows; 1 comes first
        ([2, 2, 1, 1, 0, 0], [2, 1, 0]),  # all the same size: in order of appearance
        ([0, 0, 1, 1, 2, 2, 2], [1, 2, 0]),
    ],
)
def test_numbers_by_hand(labels, numbers):
    assert numbers_by_size(np.array(labels), len(numbers)).tolist() == numbers


@given(st.lists(st.integers(0, 6), min_size=1, max_size=60))
def test_clusters_are_numbered_by_size_then_by_first_row(labels):
    _, labels = np.unique(labels, return_inverse=True)
    renamed = numbers_by_size(labels, labels.max() + 1)[labels]
    assert adjusted_rand_score(labels, renamed) == 1
    sizes = np.bincount(renamed)
    first = [int(np.flatnonzero(renamed == c)[0]) for c in range(len(sizes))]
    assert [*zip(-sizes, first, strict=True)] == sorted(zip(-sizes, first, strict=True))
    np.testing.assert_array_equal(numbers_by_size(renamed, len(sizes)), np.arange(len(sizes)))


@pytest.mark.parametrize(
    ("labels", "smallest", "expected"),
    [
        ([0, 1, 2, 2, -1, 0], 2, [0, -1, 1, 1, -1, 0]),
        ([0, 1, 2, 2, -1, 0], 1, [0, 1, 2, 2, -1, 0]),
        ([0, 1, 2, 2, -1, 0], 3, [-1] * 6),
        ([-1, -1], 1, [-1, -1]),
        ([], 2, []),
    ],
)
def test_small_clusters_are_dropped(labels, smallest, expected):
    assert without_small(np.array(labels, dtype=int), smallest).tolist() == expected


@given(st.lists(st.integers(-1, 6), min_size=1, max_size=60), st.integers(1, 20))
def test_what_is_kept_is_what_was(labels, smallest):
    labels = np.array(labels)
    kept = without_small(labels, smallest)
    sizes = np.bincount(labels[labels >= 0], minlength=7)
    np.testing.assert_array_equal(kept >= 0, (labels >= 0) & (sizes[labels] >= smallest))
    inside = kept >= 0
    assert adjusted_rand_score(labels[inside], kept[inside]) == 1
    assert set(kept[inside]) == set(range(kept.max(initial=-1) + 1))


def test_a_copy_grows_its_own_search_tree(rng):
    rows, points = rng.normal(size=(80, 2)), rng.normal(size=(300, 2))
    nearest = NearestRow(rows, np.arange(80))
    state = nearest.__getstate__()
    assert set(state) == {"labels", "_center", "_rows"}
    copied = pickle.loads(pickle.dumps(nearest))
    np.testing.assert_array_equal(copied.labels_of(points), nearest.labels_of(points))
