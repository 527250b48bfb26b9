"""Starts that know something of the rows: seeds, and least squares."""

import numpy as np
import pytest
from oracles import rls as oracle
from scipy import sparse
from sklearn.datasets import make_blobs, make_moons
from sklearn.metrics import adjusted_rand_score
from sklearn.metrics.pairwise import pairwise_kernels

from maxmargin import RLSClustering
from maxmargin.search.starts import SEEDS, least_squares_labels, nearest_random_row, seeded_labels
from maxmargin.sizes import read_sizes
from maxmargin.spaces.kernel import Kernel


def sizes_of(n, k, pins=None, **sizes):
    pins = np.full(n, -1, np.int32) if pins is None else np.asarray(pins, np.int32)
    bounds = {"proportions": None, "min_size": None, "max_size": None, **sizes}
    return read_sizes(n, k, pins=pins, **bounds)


@pytest.fixture
def blobs(global_random_seed):
    return make_blobs(
        [40, 30, 20], centers=[[0, 0], [20, 0], [0, 20]], random_state=global_random_seed
    )


@pytest.mark.parametrize("form", [np.asarray, sparse.csr_matrix])
def test_seeds_by_k_means_find_blobs(form, blobs, rng):
    X, y = blobs
    for labels in seeded_labels("k-means++", form(X), sizes_of(90, 3), 3, rng):
        assert labels.dtype == np.int32
        assert adjusted_rand_score(y, labels) == 1


@pytest.mark.parametrize("form", [np.asarray, sparse.csr_matrix])
def test_rows_take_the_nearest_of_random_rows(form, rng):
    """Seeds are rows, each alone in its Voronoi cell: the labels are those of some k rows."""
    X = rng.normal(size=(50, 2))
    kernel = Kernel("linear").fit(X, rng)
    seeds = np.random.default_rng(5).permutation(50)[:4]
    labels = nearest_random_row(kernel, form(X), 4, np.random.default_rng(5))
    distances = ((X[:, None] - X[seeds]) ** 2).sum(axis=2)
    np.testing.assert_array_equal(labels, np.argmin(distances, axis=1))
    np.testing.assert_array_equal(labels[seeds], np.arange(4))


def test_kinds_of_seeds_come_by_turns(rng):
    """A far row is always drawn by k-means++, and hardly ever at random."""
    X = np.r_[rng.normal(size=(400, 2)), [[1e4, 0]]]
    sizes = sizes_of(401, 2)
    alone = {
        kind: [
            np.bincount(labels, minlength=2).min() == 1
            for labels in seeded_labels(kind, X, sizes, 8, np.random.default_rng(0))
        ]
        for kind in SEEDS
    }
    assert all(alone["k-means++"])
    assert sum(alone["random"]) <= 2
    assert all(alone["mixed"][::2])
    assert sum(alone["mixed"][1::2]) <= 2


def test_there_are_as_many_starts_as_asked_for_and_they_differ(rng):
    X = rng.normal(size=(60, 3))
    for kind in SEEDS:
        starts = seeded_labels(kind, X, sizes_of(60, 4), 5, np.random.default_rng(1))
        assert len(starts) == 5
        assert len({labels.tobytes() for labels in starts}) == 5
        again = seeded_labels(kind, X, sizes_of(60, 4), 5, np.random.default_rng(1))
        np.testing.assert_array_equal(starts, again)


def test_pins_and_proportions_name_the_clusters(blobs):
    _, y = blobs
    pins = np.full(90, -1)
    pins[np.flatnonzero(y == 2)[0]] = 0
    pins[np.flatnonzero(y == 0)[0]] = 2
    labels = sizes_of(90, 3, pins).adopted(y)
    np.testing.assert_array_equal(labels, np.array([2, 1, 0])[y])
    pins[np.flatnonzero(y == 1)[:2]] = 0  # wrong, but they stay
    assert np.all(sizes_of(90, 3, pins).adopted(y)[np.flatnonzero(y == 1)[:2]] == 0)
    shares = sizes_of(90, 3, proportions=[20 / 90, 40 / 90, 30 / 90])
    np.testing.assert_array_equal(shares.adopted(y), np.array([1, 2, 0])[y])


def test_labels_that_leave_clusters_out_can_be_named():
    pins = np.array([1, -1, -1, 2])
    labels = sizes_of(4, 3, pins).adopted(np.zeros(4, np.int32))
    assert labels[0] == 1
    assert labels[3] == 2


def test_least_squares_finds_moons():
    X, y = make_moons(200, noise=0.05, random_state=0)
    labels = least_squares_labels(X, sizes_of(200, 2), 3, np.random.default_rng(0))
    assert adjusted_rand_score(y, labels) == 1


def test_least_squares_is_as_good_as_its_estimator_and_keeps_the_limits(blobs):
    X, y = blobs
    pins = np.where(np.arange(90) < 5, y, -1)
    sizes = sizes_of(90, 3, pins, min_size=0.9)
    labels = least_squares_labels(X, sizes, 4, np.random.default_rng(0))
    assert sizes.hold(labels)
    model = RLSClustering(3, min_size=0.9, n_init=4, random_state=0).fit(X, pins)
    K = pairwise_kernels(X, metric="rbf", gamma=model.gamma_)
    value = oracle.value(K, 1e-4 * 90, labels, 3)
    assert value >= oracle.value(K, 1e-4 * 90, model.labels_, 3) - 0.03 * abs(value)


def test_least_squares_takes_sparse_rows(blobs):
    X, _ = blobs
    sizes = sizes_of(90, 3)
    dense, in_csr = (
        least_squares_labels(rows, sizes, 3, np.random.default_rng(0))
        for rows in (X, sparse.csr_matrix(X))
    )
    assert adjusted_rand_score(dense, in_csr) == 1


def test_least_squares_that_does_not_fit_in_memory_says_so(monkeypatch, blobs):
    """Its matrix is n × n, whatever the kernel of the estimator that asks for it."""
    X, _ = blobs
    monkeypatch.setattr("maxmargin._runtime.memory.available_memory", lambda: 1000)
    with pytest.raises(MemoryError, match="init"):
        least_squares_labels(X, sizes_of(90, 3), 1, np.random.default_rng(0))
