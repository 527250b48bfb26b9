import numpy as np
import pytest
from scipy.sparse import csr_matrix
from sklearn.metrics import pairwise_distances

from maxmargin.spaces.neighbors import Neighbors


def by_sorting(X, m):
    """All distances, the diagonal left out, a stable sort."""
    D = np.linalg.norm(X[:, np.newaxis] - X, axis=2)
    np.fill_diagonal(D, np.inf)
    order = np.argsort(D, axis=1, kind="stable")[:, :m]
    return order, np.take_along_axis(D, order, axis=1)


def test_a_case_computed_by_hand():
    near = Neighbors.of_rows(np.array([[0.0], [1.0], [3.0], [7.0]]), 2)
    assert near.indices.tolist() == [[1, 2], [0, 2], [1, 0], [2, 1]]
    assert near.distances.tolist() == [[1, 3], [1, 2], [2, 3], [4, 6]]
    assert near.indices.dtype == np.intp
    assert (near.n, near.m) == (4, 2)
    # 0-1, 2-1, 3-2: the union of both directions
    assert near.graph(1).matrix.toarray().tolist() == [
        [0, 1, 0, 0],
        [1, 0, 1, 0],
        [0, 1, 0, 1],
        [0, 0, 1, 0],
    ]


@pytest.mark.parametrize("d", [1, 3, 40])  # a tree, and all pairs
@pytest.mark.parametrize("form", ["dense", "float32", "csr", "distances", "squared"])
def test_every_form_gives_the_sorted_distances(form, d, rng):
    X = rng.normal(size=(60, d)).astype(np.float32).astype(np.float64)
    order, distances = by_sorting(X, 12)
    near = {
        "dense": lambda: Neighbors.of_rows(X, 12),
        "float32": lambda: Neighbors.of_rows(X.astype(np.float32), 12),
        "csr": lambda: Neighbors.of_rows(csr_matrix(X), 12),
        "distances": lambda: Neighbors.of_distances(pairwise_distances(X), 12),
        "squared": lambda: Neighbors.of_distances(pairwise_distances(X) ** 2, 12, squared=True),
    }[form]()
    np.testing.assert_array_equal(near.indices, order)
    np.testing.assert_allclose(near.distances, distances, rtol=1e-6)


@pytest.mark.parametrize("m", [1, 4, 8])
@pytest.mark.parametrize("d", [2, 30])
@pytest.mark.parametrize("sparse", [False, True])
def test_only_the_row_itself_is_left_out_of_duplicates(sparse, d, m, rng):
    """Groups of 3 and of 20 equal rows, far from the origin: more and fewer than m."""
    X = np.repeat(1000 + rng.normal(size=(4, d)), [3, 20, 1, 20], axis=0)
    X = X[rng.permutation(len(X))]
    near = Neighbors.of_rows(csr_matrix(X) if sparse else X, m)
    _, distances = by_sorting(X, m)
    assert not (near.indices == np.arange(len(X))[:, np.newaxis]).any()
    assert all(len(set(row)) == m for row in near.indices.tolist())
    np.testing.assert_allclose(near.distances, distances, rtol=1e-9)
    assert ((near.distances == 0) == (distances == 0)).all()


def test_equal_rows():
    for near in (
        Neighbors.of_rows(np.ones((5, 2)), 2),
        Neighbors.of_distances(np.zeros((5, 5)), 2),
    ):
        assert (near.distances == 0).all()
        assert not (near.indices == np.arange(5)[:, np.newaxis]).any()
    assert near.indices.tolist() == [[1, 2], [0, 2], [0, 1], [0, 1], [0, 1]]


def test_ties_of_distances_go_to_the_first_rows():
    D = np.array(
        [[0, 2, 1, 2, 2], [2, 0, 2, 2, 2], [1, 2, 0, 1, 1], [2, 2, 1, 0, 5], [2] * 4 + [0]]
    )
    assert Neighbors.of_distances(D, 3).indices.tolist() == [
        [2, 1, 3],
        [0, 2, 3],
        [0, 3, 4],
        [2, 0, 1],
        [0, 1, 2],
    ]


@pytest.mark.parametrize("m", [1, 10])
def test_there_are_no_more_neighbours_than_other_rows(m):
    X = np.array([[0.0], [1.0], [5.0]])
    assert Neighbors.of_rows(X, m).m == min(m, 2)
    assert Neighbors.of_distances(abs(X - X.T), m).m == min(m, 2)
    for alone in (Neighbors.of_rows(X[:1], m), Neighbors.of_distances(np.zeros((1, 1)), m)):
        assert alone.indices.shape == (1, 0)
        assert len(alone.graph(3).start) == 0


def test_the_graph_is_symmetric_and_holds_the_union(rng):
    near = Neighbors.of_rows(rng.normal(size=(50, 2)), 8)
    for j in (1, 5, 8, 20):
        graph = near.graph(j).matrix
        expected = np.zeros((50, 50))
        for i, row in enumerate(near.indices[:, :j]):
            expected[i, row] = expected[row, i] = 1
        np.testing.assert_array_equal(graph.toarray(), expected)
        assert graph.has_sorted_indices


def test_the_order_of_rows_does_not_matter(rng):
    X = rng.normal(size=(80, 3))
    order = rng.permutation(80)
    one, other = Neighbors.of_rows(X, 7), Neighbors.of_rows(X[order], 7)
    np.testing.assert_array_equal(order[other.indices], one.indices[order])


def test_wrong_arguments_are_named():
    with pytest.raises(ValueError, match="m must be an int >= 1; got 0"):
        Neighbors.of_rows(np.ones((3, 1)), 0)
    with pytest.raises(ValueError, match=r"D must be a square matrix .* got shape \(3, 2\)"):
        Neighbors.of_distances(np.ones((3, 2)), 1)
