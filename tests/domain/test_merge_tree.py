"""The merge tree and its excess of mass against a slow search from the top."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from oracles import domain as oracle
from scipy.sparse import csr_matrix
from scipy.sparse.csgraph import connected_components
from sklearn.metrics import adjusted_rand_score

from maxmargin.domain.merge_tree import MergeTree


def random_graph(rng, n, extra, ties=False):
    """A random tree and some more edges, with levels."""
    start = np.array([rng.integers(i) for i in range(1, n)], dtype=np.intp)
    stop = np.arange(1, n)
    more = rng.integers(n, size=(2, extra))
    more = more[:, more[0] != more[1]]
    start, stop = np.append(start, more[0]), np.append(stop, more[1])
    levels = rng.integers(4, size=len(start)) / 2 if ties else rng.uniform(0, 3, size=len(start))
    return start.astype(np.intp), stop.astype(np.intp), levels


@settings(max_examples=150, deadline=None)
@given(
    seed=st.integers(0, 2**31 - 1),
    n=st.integers(2, 40),
    smallest=st.integers(2, 8),
    extra=st.integers(0, 30),
)
def test_clusters_are_those_found_from_the_top(seed, n, smallest, extra):
    start, stop, levels = random_graph(np.random.default_rng(seed), n, extra)
    tree = MergeTree.of_edges(n, start, stop, levels)
    labels, births = tree.clusters(smallest)
    clusters = oracle.condensed(n, tree.start, tree.stop, tree.levels, smallest)
    chosen = oracle.largest_excess(clusters)
    found = {frozenset(np.flatnonzero(labels == c).tolist()): births[c] for c in range(len(births))}
    truth = {clusters[c][0]: clusters[c][1] for c in chosen}
    assert found.keys() == truth.keys()
    for rows, birth in found.items():
        assert birth == pytest.approx(truth[rows])
        assert len(rows) >= smallest
    assert set(labels[labels >= 0]) == set(range(len(births)))
    assert len(births) != 1  # what comes off, comes off something


@settings(max_examples=25, deadline=None)
@given(seed=st.integers(0, 2**31 - 1), n=st.integers(2, 25), ties=st.booleans())
def test_the_tree_has_the_pieces_of_the_graph_at_every_level(seed, n, ties):
    start, stop, levels = random_graph(np.random.default_rng(seed), n, 15, ties)
    tree = MergeTree.of_edges(n, start, stop, levels)
    assert tree.n == n
    assert len(tree.start) == len(tree.stop) == n - 1
    assert (np.diff(tree.levels) <= 0).all()
    for level in np.unique(levels):
        whole = csr_matrix(
            (np.ones((levels >= level).sum()), (start[levels >= level], stop[levels >= level])),
            shape=(n, n),
        )
        kept = tree.levels >= level
        truth = connected_components(whole, directed=False)[1]
        found = oracle.components(n, tree.start[kept], tree.stop[kept])
        assert adjusted_rand_score(truth, found) == 1


@settings(max_examples=50, deadline=None)
@given(seed=st.integers(0, 2**31 - 1), n=st.integers(2, 40), smallest=st.integers(1, 50))
def test_ties_are_no_problem(seed, n, smallest):
    """Equal levels, even all of them: a partition with clusters that are large enough."""
    rng = np.random.default_rng(seed)
    for graph in (random_graph(rng, n, 10, ties=True), (*random_graph(rng, n, 10)[:2], None)):
        start, stop, levels = graph
        levels = np.ones(len(start)) if levels is None else levels
        labels, births = MergeTree.of_edges(n, start, stop, levels).clusters(smallest)
        assert labels.shape == (n,)
        assert labels.min() >= -1
        assert labels.max(initial=-1) + 1 == len(births)
        assert (np.bincount(labels[labels >= 0], minlength=1) >= min(smallest, 2)).all() or (
            len(births) == 0
        )


def test_the_excess_of_mass_by_hand():
    """Two hills of 3 rows; one of them is in two halves for a short while only."""
    #      0 -2.0- 1 -1.9- 2 -0.3- 3 -1.7- 4 -1.8- 5
    start, stop = np.arange(5), np.arange(1, 6)
    tree = MergeTree.of_edges(6, start, stop, np.array([2.0, 1.9, 0.3, 1.7, 1.8]))
    assert tree.levels.tolist() == [2.0, 1.9, 1.8, 1.7, 0.3]
    labels, births = tree.clusters(2)
    assert adjusted_rand_score(labels, [0, 0, 0, 1, 1, 1]) == 1
    assert births.tolist() == [0.3, 0.3]
    # too large a size leaves nothing that could come off
    labels, births = tree.clusters(4)
    assert labels.tolist() == [-1] * 6
    assert births.tolist() == []


def test_pieces_are_taken_if_they_have_more_together():
    """Four pairs in two pairs of pairs, joined at 1: high or low valleys between the halves."""
    start, stop = np.arange(7), np.arange(1, 8)

    def labels_with(valley):
        levels = np.array([5.0, valley, 5.0, 1.0, 5.0, valley, 5.0])
        return MergeTree.of_edges(8, start, stop, levels).clusters(2)

    # a half holds 4 (v − 1), its two pairs 2 · 2 (5 − v): equal at v = 3
    labels, births = labels_with(2.9)
    assert adjusted_rand_score(labels, [0, 0, 1, 1, 2, 2, 3, 3]) == 1
    assert births.tolist() == [2.9] * 4
    labels, births = labels_with(3.1)
    assert adjusted_rand_score(labels, [0, 0, 0, 0, 1, 1, 1, 1]) == 1
    assert births.tolist() == [1.0] * 2


def test_rows_that_come_late_belong_to_nobody_below_the_split():
    """Two pairs join at 1; the last row joins both at 0.5, as part of the root."""
    tree = MergeTree.of_edges(
        5, np.array([0, 2, 1, 3]), np.array([1, 3, 2, 4]), np.array([3.0, 3.0, 1.0, 0.5])
    )
    labels, births = tree.clusters(2)
    assert adjusted_rand_score(labels, [0, 0, 1, 1, -1]) == 1
    assert labels[4] == -1
    assert births.tolist() == [1, 1]


def test_two_rows():
    tree = MergeTree.of_edges(2, np.array([0]), np.array([1]), np.array([0.7]))
    labels, births = tree.clusters(2)
    assert (labels.tolist(), births.tolist()) == ([-1, -1], [])


def test_an_edge_given_from_both_ends(rng):
    start, stop, levels = random_graph(rng, 20, 10)
    once = MergeTree.of_edges(20, start, stop, levels)
    twice = MergeTree.of_edges(
        20, np.append(start, stop), np.append(stop, start), np.tile(levels, 2)
    )
    np.testing.assert_allclose(once.levels, twice.levels)
    np.testing.assert_array_equal(once.clusters(3)[0] >= 0, twice.clusters(3)[0] >= 0)
