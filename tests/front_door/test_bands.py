"""Long bands are one cluster: the spectrum of their graph is that of a string."""

import numpy as np
import pytest
from sklearn.datasets import make_moons

from maxmargin import MaxMarginClustering
from maxmargin.front_door.bands import CLOSED, OPEN, is_band, lowest_eigenvalues
from maxmargin.front_door.number import Evidence
from maxmargin.spaces.neighbors import Neighbors


def bent(rng, length, n=400, noise=0.1):
    """An arc of a circle of that many radians, evenly full."""
    angle = length * (np.arange(n) + rng.random(n)) / n
    return np.column_stack([np.cos(angle), np.sin(angle)]) + noise * rng.normal(size=(n, 2))


def evidence_of(X):
    return Evidence(X, Neighbors.of_rows(X, 15))


def row_of_clusters(rng, k=4):
    return rng.normal(size=(k * 80, 2)) + np.repeat([[5.0 * c, 0] for c in range(k)], 80, axis=0)


def test_eigenvalues_are_those_of_the_dense_laplacian(rng):
    graph = Neighbors.of_rows(bent(rng, 3), 10).graph(10)
    W = graph.matrix.toarray()
    roots = 1 / np.sqrt(W.sum(axis=1))
    values = np.linalg.eigvalsh(np.eye(len(W)) - W * np.outer(roots, roots))
    np.testing.assert_allclose(lowest_eigenvalues(graph), values[1:8], atol=1e-8)


@pytest.mark.parametrize(("closed", "squares"), [(True, CLOSED), (False, OPEN)])
def test_a_string_swings_in_squares_of_whole_numbers(closed, squares, rng):
    """Rows in a line that are joined to the ten nearest, its ends to each other or not."""
    place = np.arange(400.0) + 0.1 * rng.normal(size=400)
    X = np.column_stack([np.cos(place * np.pi / 200), np.sin(place * np.pi / 200)])
    X = X if closed else np.column_stack([place, np.zeros(400)])
    values = lowest_eigenvalues(Neighbors.of_rows(X, 10).graph(10))
    np.testing.assert_allclose(values[: len(squares)] / values[0], squares, rtol=0.05)


@pytest.mark.parametrize("length", [2.5, 2 * np.pi])
def test_a_bow_and_a_ring_are_one(length, rng):
    X = bent(rng, length)
    evidence = evidence_of(X)
    place = (np.arctan2(X[:, 1], X[:, 0]) + np.pi) / 6.3
    for k in (2, 3, 4):
        evidence.add((k * place).astype(int))
    assert evidence.conclude().k == 1
    assert MaxMarginClustering(random_state=0).fit(X).n_clusters_ == 1


def test_clusters_are_no_band(rng):
    moons = make_moons(300, noise=0.1, random_state=int(rng.integers(1000)))[0]
    two = rng.normal(size=(300, 2)) + np.repeat([[0.0, 0], [3.5, 0]], 150, axis=0)
    for X in (moons, two, row_of_clusters(rng), rng.normal(size=(300, 2))):
        evidence = evidence_of(X)
        share = evidence.own_split(np.arange(len(X))) * float(evidence.blob_share(len(X)))
        assert not is_band(Neighbors.of_rows(X, 10).graph(10), share)


def test_few_rows_are_no_band(rng):
    assert not is_band(Neighbors.of_rows(bent(rng, 3, 8), 3).graph(3), 0.5)
