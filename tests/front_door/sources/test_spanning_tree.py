"""The rows as sources see them: without copies, and without the grid of their columns."""

import numpy as np
import pytest
from scipy.sparse.csgraph import minimum_spanning_tree
from scipy.spatial.distance import pdist, squareform

from maxmargin.front_door.sources.spanning_tree import (
    RootedTree,
    SpanningTree,
    spread_within_resolution,
)


def test_the_tree_is_the_shortest_one_of_all_distances(rng):
    X = rng.normal(size=(120, 3)) + np.repeat([[0], [40], [90]], 40, axis=0)  # bridges are needed
    tree = SpanningTree.of(X)
    exact = minimum_spanning_tree(squareform(pdist(tree.rows)))
    np.testing.assert_allclose(np.sort(tree.edges[2]), np.sort(exact.data))


def test_copies_are_one_row(rng):
    X = rng.normal(size=(30, 2))
    tree = SpanningTree.of(np.repeat(X, 12, axis=0))
    assert tree.m == 30
    assert np.all(tree.counts == 12)
    assert tree.spacing(7).min() > 0.01
    assert tree.labels(np.arange(30)).shape == (360,)
    assert SpanningTree.of(np.repeat(X[:, :1], 12, axis=0)).m == 30  # fine values are no grid


def test_rows_on_a_coarse_grid_have_places_of_their_own(rng):
    X = np.round(rng.normal(size=(600, 2)) * 1.5)
    tree = SpanningTree.of(X)
    assert tree.m == 600
    assert tree.n_different == len(np.unique(X, axis=0)) < 150
    assert np.abs(tree.rows[tree.inverse] - X).max() <= 0.5
    half = (tree.rows[:, 0] > 0.2).astype(int)  # through the middle of cells
    labels = tree.labels(half)
    for cell in range(tree.n_different):  # copies stay together, as most of them say
        own = tree.cells == cell
        assert len(np.unique(labels[own])) == 1
        assert abs(half[tree.inverse[own]].mean() - labels[own][0]) <= 0.5


def test_rooted_by_hand():
    """A chain 0 - 1 - 2 - 3 rooted at 1, with two copies of row 3."""
    edges = np.array([0, 1, 2]), np.array([1, 2, 3]), np.array([5.0, 1.0, 3.0])
    rooted = RootedTree.at(1, *edges, np.array([1, 1, 1, 2]))
    at = {row: place for place, row in enumerate(rooted.order.tolist())}
    assert [rooted.size[at[row]] for row in range(4)] == [1, 5, 3, 2]
    assert [rooted.longest[at[row]] for row in range(4)] == [0, 5, 3, 0]
    lengths = np.append(edges[2], 0)[rooted.edge]
    labels, cuts = rooted.cut(lengths, 2, smallest=1)
    assert cuts == [5, 3]
    assert labels[0] != labels[1] == labels[2] == labels[3]
    labels, cuts = rooted.cut(lengths, 2, smallest=2)  # row 0 alone is too small
    assert cuts == [3]
    assert labels[0] == labels[1] == labels[2] != labels[3]
    assert rooted.cut(lengths, 4, smallest=1)[1] == [5, 3, 1]


def test_cuts_are_those_of_a_plain_search(rng):
    X = rng.normal(size=(60, 2))
    tree = SpanningTree.of(X)
    start, stop, lengths = tree.edges
    labels, cuts = tree.rooted.cut(np.append(lengths, 0)[tree.rooted.edge], 4, smallest=5)
    left = list(range(59))

    def pieces(kept):
        label = np.arange(60)
        for e in kept:
            label[label == label[stop[e]]] = label[start[e]]
        return label

    for _ in range(3):
        for e in sorted(left, key=lambda e: -lengths[e]):
            now = pieces([other for other in left if other != e])
            if np.unique(now, return_counts=True)[1].min() >= 5:
                left.remove(e)
                break
    expected = pieces(left)
    assert len(cuts) == 4 or len(cuts) == 3
    np.testing.assert_array_equal(labels[:, None] == labels, expected[:, None] == expected)


def test_flags_leave_no_gap_and_real_gaps_stay(rng):
    X = np.column_stack([np.repeat([0.0, 50.0], 300) + rng.normal(size=600), rng.random(600) < 0.5])
    spread = spread_within_resolution(X)
    assert np.diff(np.sort(spread[:, 1])).max() < 0.05
    np.testing.assert_allclose(spread[:, 0], X[:, 0], atol=0.5)
    assert np.diff(np.sort(spread[:, 0])).max() > 30


@pytest.mark.parametrize("digits", [0, 1])
def test_rounded_values_go_within_their_step(digits, rng):
    X = np.round(rng.normal(size=(500, 1)) * 20, digits)
    spread = spread_within_resolution(X)
    assert len(np.unique(spread)) == 500
    assert np.abs(spread - X).max() <= 0.5 * 10.0**-digits + 1e-9


def test_zeros_in_many_rows_do_not_blow_a_column_up(rng):
    X = np.where(rng.random((400, 1)) < 0.7, 0.0, np.exp(rng.normal(size=(400, 1)) * 3))
    assert np.abs(spread_within_resolution(X) - X).max() < 0.1 * X.std()
