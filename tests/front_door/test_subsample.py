"""What the rows that are looked at stand for."""

from dataclasses import replace

import numpy as np
import pytest
from scipy.sparse import csr_array

from maxmargin.front_door.subsample import Subsample
from maxmargin.sizes import read_pins, read_sizes
from maxmargin.spaces.metric import Metric
from maxmargin.weights import WeightedSizes


def looked_at(X, seen, weights=None):
    metric = Metric(standardize=False).fit(X)
    sizes = read_sizes(len(X), 2, None, None, None, read_pins(None, len(X), 2))
    if weights is not None:
        given = (sizes.quota, sizes.lower, sizes.upper, sizes.pins, sizes.free, weights)
        sizes = WeightedSizes(*given)
    rows = metric.prepare(X)
    return Subsample(metric, sizes, seen, rows[seen]), rows


@pytest.fixture
def noisy(rng):
    """Two clusters that touch."""
    return rng.normal(size=(600, 10)) + 3 * np.repeat([0, 1], 300)[:, None]


def test_a_row_is_the_mean_of_those_next_to_it(noisy):
    seen = np.arange(0, 600, 4)
    subsample, rows = looked_at(noisy, seen)
    means = subsample.local_means(rows)
    distances = np.square(rows[seen][:, None] - rows).sum(axis=-1)
    near = np.argsort(distances, axis=1)[:, :4]
    np.testing.assert_allclose(means, rows[near].mean(axis=1), rtol=1e-12, atol=1e-12)
    assert subsample.distances(rows).rows is not subsample.rows
    weights = np.arange(600) % 3 + 1
    subsample, _ = looked_at(noisy, seen, weights)
    shares = (weights[near] / weights[near].sum(axis=1, keepdims=True))[..., None]
    np.testing.assert_allclose(subsample.local_means(rows), (shares * rows[near]).sum(axis=1))


def test_rows_stay_where_means_would_tell_nothing(noisy, rng):
    seen = np.arange(0, 600, 4)
    for X in (
        rng.normal(size=(600, 20)),  # neighbours are hardly nearer than others
        np.column_stack([np.cos(np.arange(600)), np.sin(np.arange(600))]),  # no noise
    ):
        subsample, rows = looked_at(X, seen)
        assert subsample.local_means(rows) is None
        assert subsample.distances(rows).rows is subsample.rows
    subsample, rows = looked_at(noisy, np.arange(0, 600))  # each stands for itself
    assert subsample.local_means(rows) is None
    subsample, rows = looked_at(noisy, seen)
    sparse = replace(subsample, rows=csr_array(subsample.rows))
    assert sparse.local_means(csr_array(rows)) is None
