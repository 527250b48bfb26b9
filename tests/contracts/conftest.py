"""The rows that contracts are about."""

import pytest
from sklearn.datasets import make_blobs

#: Around the origin, so that linear kernels without a bias can tell them apart as well.
CENTERS = [[8, 0], [-4, 7], [-4, -7]]


@pytest.fixture
def blobs(global_random_seed):
    """Rows of three clusters that every estimator finds; y is numbered by their sizes."""
    return make_blobs([34, 30, 26], centers=CENTERS, random_state=global_random_seed)
