import numpy as np
import pytest
from oracles import forest as oracle
from scipy.sparse import csr_matrix
from scipy.sparse.csgraph import connected_components

from maxmargin._core.forest import kruskal, prominences


def graph(rng, n, edges):
    start, stop = rng.integers(n, size=(2, edges))
    return start[start != stop], stop[start != stop]


@pytest.mark.parametrize(("n", "edges"), [(1, 0), (2, 5), (20, 15), (20, 60), (60, 200)])
def test_the_edges_that_join_are_those_that_lower_the_number_of_pieces(n, edges, rng):
    start, stop = graph(rng, n, edges)
    order = rng.permutation(len(start))
    pieces, expected = n, []
    for at in range(len(order)):
        some = order[: at + 1]
        joined = csr_matrix((np.ones(at + 1), (start[some], stop[some])), shape=(n, n))
        now = connected_components(joined, directed=False)[0]
        if now < pieces:
            expected.append(int(order[at]))
        pieces = now
    assert kruskal(n, start, stop, order).tolist() == expected


@pytest.mark.parametrize("seed", range(5))
def test_peaks_meet_as_in_plain_python(seed):
    rng = np.random.default_rng(seed)
    heights = rng.normal(size=40)
    start, stop = graph(rng, 40, 120)
    low = np.minimum(heights[start], heights[stop])
    joining = kruskal(40, start, stop, np.argsort(-low, kind="stable"))
    start, stop, levels = start[joining], stop[joining], low[joining]
    found, met = prominences(heights, start, stop, levels)
    expected = oracle.prominences(heights, start, stop, levels)
    np.testing.assert_allclose(found, [prominence for prominence, _ in expected])
    assert met.tolist() == [at for _, at in expected]
    assert len(found) > 1


def test_two_hills_by_hand():
    """Heights 3 1 2: the hill of 2 ends where it meets that of 3, at 1."""
    found, met = prominences(
        np.array([3.0, 1.0, 2.0]), np.array([0, 1]), np.array([1, 2]), np.array([1.0, 1.0])
    )
    assert (found.tolist(), met.tolist()) == ([1.0], [1])
