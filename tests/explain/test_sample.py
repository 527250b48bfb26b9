"""Some of many rows."""

import numpy as np
import pytest

from maxmargin.explain.sample import sample_of


def test_all_rows_if_they_are_few():
    rows, _ = sample_of(np.array([1, 0, -1]), 3)
    assert rows.tolist() == [0, 1, 2]


@pytest.mark.parametrize("most", [10, 100, 999])
def test_every_cluster_has_its_least_or_all_that_it_has(rng, most):
    labels = rng.permutation(np.repeat(np.arange(-1, 4), [3, 1000, 500, 40, 1]))
    rows, least = sample_of(labels, most)
    assert np.array_equal(rows, sample_of(labels, most)[0])  # the same ones each time
    assert len(rows) == len(np.unique(rows)) == most
    for cluster in range(-1, 4):
        drawn, size = np.sum(labels[rows] == cluster), np.sum(labels == cluster)
        assert min(least, size) <= drawn <= size


def test_more_clusters_than_points_leave_some_out():
    rows, least = sample_of(np.arange(50).repeat(2), 20)
    assert least == 0
    assert len(rows) == 20


def test_the_rest_by_size():
    labels = np.repeat([0, 1], [80_000, 20_000])
    rows, _ = sample_of(labels, 1000)
    assert np.bincount(labels[rows]).tolist() == [651, 349]  # 250 each, and 500 by what is left
