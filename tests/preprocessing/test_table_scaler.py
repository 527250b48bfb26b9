"""What columns of zeros and ones are, and how much they count."""

import numpy as np
import pytest
from blocks.tables import MadeRows
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.preprocessing import StandardScaler

from maxmargin.blocks.indicators import indicator_blocks
from maxmargin.preprocessing import TableScaler
from maxmargin.spaces.metric import Metric


@pytest.fixture
def rows(rng):
    kind = np.eye(3)[rng.integers(0, 3, 50)]
    flag = rng.integers(0, 2, 50)
    coded = rng.integers(1, 3, 50)
    return np.column_stack([rng.normal(size=50), kind, flag, coded, rng.uniform(size=50)])


def test_neighbouring_zeros_and_ones_that_sum_to_1_are_one_category(rows):
    assert [block.tolist() for block in indicator_blocks(rows)] == [[1, 2, 3], [4], [5]]
    rows[7, 1:4] = rows[:, 1:4].mean(axis=0)  # a gap
    assert [block.tolist() for block in indicator_blocks(rows)] == [[1, 2, 3], [4], [5]]
    standard = (rows - rows.mean(axis=0)) / rows.std(axis=0)
    assert indicator_blocks(standard)[0].tolist() == [1, 2, 3]
    other = rows[:, [4, 1, 2, 0, 3]]
    assert [block.tolist() for block in indicator_blocks(other)] == [[0], [1], [2], [4]]


def test_two_values_are_as_far_apart_however_rare_they_are(rows):
    scaled = TableScaler().fit_transform(rows)
    for block in ([1, 2, 3], [4], [5]):
        distances = np.linalg.norm(scaled[:, None, block] - scaled[None, :, block], axis=2)
        differ = np.any(rows[:, None, block] != rows[None, :, block], axis=2)
        assert_allclose(distances, np.where(differ, np.sqrt(0.5), 0), atol=1e-12)


def test_the_metric_of_the_front_door_scales_alike(rows):
    scaled = np.clip(TableScaler().fit_transform(rows), -3, 3)
    assert_allclose(Metric("euclidean", True).fit(rows).prepare(rows), scaled)


def test_numbers_are_as_ever(rng):
    X = rng.normal(size=(40, 3))
    assert_array_equal(TableScaler().fit_transform(X), StandardScaler().fit_transform(X))


def test_rows_in_blocks_are_scaled_as_in_memory(rng):
    """One value of the category, and one of the flag, is in the last block alone."""
    n = 40_000
    city = rng.integers(0, 3, n)
    city[-5:] = 3
    flag = np.arange(n) > n - 9
    numbers = rng.normal([0, 1e3], [1, 10], (n, 2))
    X = np.column_stack([numbers[:, 0], np.eye(4)[city], flag, numbers[:, 1]])
    assert [block.tolist() for block in indicator_blocks(X)] == [[1, 2, 3, 4], [5]]
    X[7, 1:5] = 0.25  # a gap
    rows = MadeRows(X)
    assert [block.tolist() for block in indicator_blocks(rows)] == [[1, 2, 3, 4], [5]]
    whole, scaled = TableScaler().fit_transform(X), TableScaler().fit_transform(rows)
    assert_array_equal(scaled[:], whole)
    expected = StandardScaler().fit_transform(X[:, [0, 6]])
    assert_allclose(whole[:, [0, 6]], expected, atol=1e-9)
