"""Fixtures of the tests of the front door."""

import pytest
from clusterings import CENTERS
from sklearn.datasets import make_blobs


@pytest.fixture
def blobs(global_random_seed):
    return make_blobs(
        [60, 50, 40], centers=CENTERS, cluster_std=0.7, random_state=global_random_seed
    )
