import numpy as np
import pytest
from scipy.linalg import block_diag
from sklearn.datasets import make_circles
from sklearn.metrics import adjusted_rand_score
from sklearn.metrics.pairwise import rbf_kernel
from sklearn.neighbors import kneighbors_graph

from maxmargin.front_door import candidates as spectral
from maxmargin.front_door.candidates import leading_vectors, spectral_labels


def graph(X, neighbors=6):
    W = kneighbors_graph(X, neighbors).toarray()
    return np.maximum(W, W.T)


def normalised(W):
    degrees = np.maximum(W.sum(axis=1), 1e-12)
    return W / np.sqrt(np.outer(degrees, degrees))


@pytest.mark.parametrize("n", [30, 260])
@pytest.mark.parametrize("kind", ["gaussian", "graph"])
def test_vectors_are_those_of_the_dense_solver(n, kind, rng):
    X = rng.normal(size=(n, 2)) + 4 * (np.arange(n) % 3)[:, None]
    W = rbf_kernel(X, gamma=0.3) if kind == "gaussian" else graph(X, 15)
    V = leading_vectors(W, 3, rng)
    assert V.shape == (n, 3)
    A = normalised(W)
    np.testing.assert_allclose(V.T @ V, np.eye(3), atol=1e-3)
    largest = np.linalg.eigvalsh(A)[::-1][:3]
    np.testing.assert_allclose(np.diag(V.T @ A @ V), largest, atol=1e-3)


@pytest.mark.parametrize("n", [30, 240])
def test_parts_that_are_not_joined_are_the_clusters(n, rng):
    """Equal eigenvalues 1 and rows that take three values up to a rotation."""
    part = n // 3
    W = block_diag(*[graph(rng.normal(size=(part, 2)), 4) + np.eye(part) for _ in range(3)])
    # the parts themselves hang together
    W += block_diag(*[np.full((part, part), 0.05)] * 3)
    V = leading_vectors(W, 3, rng)
    np.testing.assert_allclose(np.linalg.norm(V, axis=0), 1, atol=1e-4)
    labels = spectral_labels(V, 3, 0)
    assert adjusted_rand_score(np.repeat([0, 1, 2], part), labels) == 1
    assert labels.dtype == np.int32


@pytest.mark.parametrize("n", [30, 240])
@pytest.mark.parametrize("isolated", [1, 5, 20])
def test_isolated_rows_do_no_harm(n, isolated, rng):
    W = np.zeros((n, n))
    W[isolated:, isolated:] = graph(rng.normal(size=(n - isolated, 2)), 5)
    for k in (2, 4):
        V = leading_vectors(W, k, rng)
        assert np.all(np.isfinite(V))
        labels = spectral_labels(V, k, 0)
        assert labels.shape == (n,)
        assert labels.min() >= 0
        assert labels.max() < k


@pytest.mark.parametrize("k", [2, 3, 7, 30])
@pytest.mark.parametrize("distinct", [1, 2, 3])
def test_copies_are_cut_without_a_warning(k, distinct, rng):
    X = np.repeat(rng.normal(size=(distinct, 2)), 30, axis=0)[:30]
    W = rbf_kernel(X, gamma=1.0)
    labels = spectral_labels(leading_vectors(W, k, rng), k, 0)
    assert labels.shape == (30,)
    assert labels.max() < k
    W = np.ones((30, 30))
    assert spectral_labels(leading_vectors(W, k, rng), k, 0).shape == (30,)


@pytest.mark.parametrize("spread", 10.0 ** np.arange(-14, -4))
@pytest.mark.parametrize("k", [3, 6])
def test_rows_that_are_nearly_equal_are_cut(spread, k, rng):
    """k-means cannot tell rows apart whose distance squared is below its precision."""
    V = np.tile([1.0] + [0.0] * (k - 1), (40, 1)) + spread * rng.normal(size=(40, k))
    V[:20, 1] += 1
    assert spectral_labels(V, k, 0).shape == (40,)


@pytest.mark.parametrize("n", [1, 2, 5])
def test_as_many_vectors_as_rows(n, rng):
    W = rbf_kernel(rng.normal(size=(n, 2)))
    V = leading_vectors(W, n + 3, rng)
    assert V.shape == (n, n)
    assert sorted(spectral_labels(V, n, 0)) == list(range(n))


def test_a_graph_without_edges(rng):
    V = leading_vectors(np.zeros((20, 20)), 3, rng)
    assert np.all(np.isfinite(V))
    assert spectral_labels(V, 3, 0).shape == (20,)


def test_rings_are_cut_along_the_gap(global_random_seed):
    X, y = make_circles(240, factor=0.4, noise=0.03, random_state=global_random_seed)
    V = leading_vectors(graph(X), 2, np.random.default_rng(0))
    assert adjusted_rand_score(y, spectral_labels(V, 2, 0)) == 1


def test_the_same_seed_gives_the_same(rng):
    W = graph(rng.normal(size=(260, 3)))
    one, two = (leading_vectors(W, 4, np.random.default_rng(5)) for _ in range(2))
    np.testing.assert_array_equal(one, two)
    np.testing.assert_array_equal(spectral_labels(one, 4, 3), spectral_labels(two, 4, 3))


def test_where_lanczos_gives_up_the_dense_solver_answers(rng, monkeypatch):
    W = graph(rng.normal(size=(260, 2)))

    def give_up(*args, **kwargs):
        raise spectral.ArpackError(-9999)

    monkeypatch.setattr(spectral, "eigsh", give_up)
    V = leading_vectors(W, 3, rng)
    values = np.linalg.eigvalsh(normalised(W))[::-1][:3]
    np.testing.assert_allclose(np.diag(V.T @ normalised(W) @ V), values, atol=1e-10)


def test_eigenvectors_where_lapack_fails_at_a_few_of_them(rng, monkeypatch):
    """Many equal eigenvalues make its way to some of them fail."""
    from maxmargin.front_door import candidates

    def failing(matrix, subset_by_index=None, **how):
        if subset_by_index is not None:
            raise np.linalg.LinAlgError("Internal Error.")
        return np.linalg.eigh(matrix)

    affinity = np.exp(-np.square(np.subtract.outer(*2 * [rng.normal(size=20)])))
    expected = candidates.leading_vectors(affinity, 3, rng)
    monkeypatch.setattr(candidates, "eigh", failing)
    found = candidates.leading_vectors(affinity, 3, rng)
    np.testing.assert_allclose(np.abs(found), np.abs(expected), atol=1e-8)
