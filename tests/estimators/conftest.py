"""Data that several test modules of an estimator share."""

import pytest
from sklearn.datasets import make_blobs, make_moons

CENTERS = [[0, 0], [9, 0], [0, 9]]


@pytest.fixture
def moons(global_random_seed):
    return make_moons(300, noise=0.05, random_state=global_random_seed)


@pytest.fixture
def blobs(global_random_seed):
    return make_blobs([120, 90, 60], centers=CENTERS, random_state=global_random_seed)
