import numpy as np
import pytest
from oracles import domain as oracle
from sklearn.metrics import adjusted_rand_score

from maxmargin.domain import equilibria as module
from maxmargin.domain.domain import Domain
from maxmargin.domain.equilibria import find_equilibria
from maxmargin.solvers import SMO, OneClassProblem
from maxmargin.spaces.pairwise import PairwiseDistances


def fitted(X, gamma, nu=0.3):
    found = SMO(tol=1e-8).solve(OneClassProblem(PairwiseDistances.of_rows(X), gamma, nu=nu))
    support = np.flatnonzero(found.alpha)
    return Domain(X[support], found.alpha[support], gamma), found.heights


def run(X, domain, heights, **how):
    return find_equilibria(domain, X, heights, **how)


@pytest.fixture
def blobs(rng):
    return rng.normal(size=(80, 2)) + np.repeat([[0, 0], [12, 0]], 40, axis=0)


@pytest.mark.parametrize("gamma", [0.1, 0.2])
def test_two_blobs(blobs, gamma):
    domain, heights = fitted(blobs, gamma)
    found = run(blobs, domain, heights)
    assert not found.empty_boundary
    assert found.n_open == 0
    np.testing.assert_array_equal(found.starts, np.flatnonzero(np.abs(heights - 1) <= 0.01))
    clusters = found.clusters[found.ends]
    assert clusters.max() == 1
    assert adjusted_rand_score(found.starts >= 40, clusters) == 1


@pytest.mark.parametrize("gamma", [0.2, 2.0, 10.0])
def test_equilibria_have_no_slope_and_are_apart(blobs, gamma):
    domain, heights = fitted(blobs, gamma)
    found = run(blobs, domain, heights)
    width = 1 / np.sqrt(gamma)
    assert found.ends.max() + 1 == len(found.points) == len(found.clusters)
    for x in found.points:
        step = oracle.uphill(x, domain.support, domain.weights, gamma) - x
        assert np.linalg.norm(step) <= 0.1 * width
    distances = np.linalg.norm(found.points[:, np.newaxis] - found.points, axis=-1)
    np.fill_diagonal(distances, np.inf)
    assert distances.min() > 0.05 * width
    # and nobody went downhill
    reached = domain.heights(found.points)[found.ends]
    assert (reached >= heights[found.starts] - 0.01).all()


@pytest.mark.parametrize("gamma", [0.2, 2.0, 10.0])
def test_clusters_are_components_of_the_segment_test(blobs, gamma):
    """All pairs, at 20 points inside and at both ends."""
    domain, heights = fitted(blobs, gamma)
    found = run(blobs, domain, heights)
    m = len(found.points)
    pairs = [
        (i, j)
        for i in range(m)
        for j in range(i)
        if oracle.lowest(
            *(found.points[i], found.points[j], domain.support, domain.weights, gamma, 20)
        )
        >= 1
    ]
    start, stop = np.array(pairs, dtype=int).reshape(-1, 2).T
    truth = oracle.components(m, start, stop)
    assert adjusted_rand_score(truth, found.clusters) == 1
    assert set(found.clusters) == set(range(found.clusters.max() + 1))


@pytest.mark.parametrize("batch", [1, 3, 50])
def test_batches_do_not_matter(blobs, batch, monkeypatch):
    domain, heights = fitted(blobs, 3.0)
    expected = run(blobs, domain, heights)
    assert len(expected.points) > 10
    monkeypatch.setattr(module, "SEGMENT_BATCH", batch)
    np.testing.assert_array_equal(run(blobs, domain, heights).clusters, expected.clusters)


def test_an_empty_boundary_has_a_stand_in(blobs):
    domain, heights = fitted(blobs, 0.2)
    depth = np.abs(heights - 1)
    found = run(blobs, domain, heights, epsilon=depth.min() / 2 if depth.min() > 0 else 1e-300)
    if depth.min() > 0:
        assert found.empty_boundary
        assert len(found.starts) == 8  # a tenth
        assert depth[found.starts].max() <= np.sort(depth)[7]
    moved = run(blobs, domain, heights + 0.5)  # nobody is near the boundary
    assert moved.empty_boundary
    assert len(moved.starts) == 8
    assert (np.diff(moved.starts) > 0).all()


def test_epsilon_widens_the_boundary(blobs):
    domain, heights = fitted(blobs, 0.2)
    narrow, wide = (run(blobs, domain, heights, epsilon=e) for e in (0.001, 0.3))
    assert set(narrow.starts) < set(wide.starts)
    everybody = run(blobs, domain, heights, epsilon=100.0)
    assert len(everybody.starts) == len(blobs)


def test_a_cap_of_steps_is_counted(blobs, monkeypatch):
    monkeypatch.setattr(module, "MAX_CLIMB_STEPS", 1)
    domain, heights = fitted(blobs, 0.2)
    assert run(blobs, domain, heights).n_open > 0


def test_one_row_on_the_boundary():
    X = np.array([[0.0], [0.1]])
    domain = Domain(X, np.array([0.9, 0.6]), 1.0)
    heights = np.array([1.0, 1.4])
    found = run(X, domain, heights)
    assert found.starts.tolist() == [0]
    assert found.clusters.tolist() == [0]
    assert found.points.shape == (1, 1)
