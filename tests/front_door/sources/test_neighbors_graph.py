"""The near neighbours that a grouping parts."""

import numpy as np
import pytest

from maxmargin.front_door.sources.neighbors_graph import NeighborsGraph
from maxmargin.front_door.sources.spanning_tree import SpanningTree


@pytest.fixture
def two(rng):
    """Two squares with a gap, of unequal density."""
    wide, dense = rng.uniform(size=(100, 2)), 0.5 * rng.uniform(size=(100, 2)) + [1.3, 0]
    return np.concatenate([wide, dense]), np.repeat([0, 1], 100)


def test_by_hand():
    near = NeighborsGraph(
        np.array([0, 1, 1, 2]), np.array([0, 1]), np.array([1, 2]), np.array([0.5, 0.25])
    )
    # the first two rows are apart: all of the nearness of one, 2/3 of that of the others
    assert near.border(np.array([0, 1, 1, 1])) == pytest.approx(0.5 / 0.5 + 0.5 / 1.0)
    assert near.border(np.array([0, 0, 0, 0])) == 0
    assert near.border(np.array([0, 1]), np.array([0, 3])) == 0


def test_a_gap_parts_less_than_a_cut(two):
    X, y = two
    near = NeighborsGraph.of(SpanningTree.of(X))
    assert near.border(y) < 0.1 * near.border((X[:, 1] > 0.3).astype(int))


def test_units_shifts_and_names_do_not_matter(two):
    X, y = two
    border = NeighborsGraph.of(SpanningTree.of(X)).border(y)
    assert NeighborsGraph.of(SpanningTree.of(50 * X - 3)).border(1 - y) == pytest.approx(border)


def test_some_of_the_rows(two, rng):
    X, _ = two
    near = NeighborsGraph.of(SpanningTree.of(X))
    seen = np.sort(rng.permutation(200)[:150])
    cut = (X[:, 1] > 0.3).astype(int)
    assert 0 < near.border(cut[seen], seen) < 2
    assert near.border(cut[seen], seen) != near.border(cut)


def test_copies_weigh_nothing(two):
    X, y = two
    twice = NeighborsGraph.of(SpanningTree.of(np.repeat(X, 2, axis=0)))
    assert twice.border(np.repeat(y, 2)) == pytest.approx(
        NeighborsGraph.of(SpanningTree.of(X)).border(y)
    )
