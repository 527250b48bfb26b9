"""The rows that contracts are about."""

import pytest
from sklearn.datasets import make_blobs

#: Around the origin, so that linear kernels without a bias can tell them apart as well.
CENTERS = [[12, 0], [-6, 10], [-6, -10]]


@pytest.fixture
def blobs(global_random_seed):
    """Rows of three clusters that every estimator finds; y is numbered by their sizes."""
    return make_blobs([23, 20, 17], centers=CENTERS, random_state=global_random_seed)
