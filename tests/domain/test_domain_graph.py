"""Heights of a domain along edges, widths, and the split gap of a graph of rows."""

import pickle

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from oracles import domain as oracle
from sklearn.metrics import adjusted_rand_score, pairwise_distances

from maxmargin.domain.domain import Domain
from maxmargin.domain.domain_graph import DomainGraph, NearestRow, numbers_by_size, without_small
from maxmargin.solvers import OneClassSolution
from maxmargin.spaces import pairwise as pairwise_module


@pytest.fixture
def drawn(rng):
    rows = rng.normal(size=(60, 2))
    alpha = rng.uniform(size=60) * (rng.random(60) < 0.6)
    start, stop_at = rng.integers(60, size=(2, 200))
    start.sort()
    return rows, alpha, start, stop_at


def expected(drawn, gamma, steps):
    rows, alpha, start, stop_at = drawn
    return [
        oracle.lowest(rows[i], rows[j], rows, alpha, gamma, steps)
        for i, j in zip(start, stop_at, strict=True)
    ]


def levels_of(rows, alpha, heights, start, stop_at, gamma, steps):
    graph = DomainGraph(rows)
    graph.edges = start, stop_at  # instead of those between neighbours
    return graph.edge_levels(OneClassSolution(gamma, alpha, heights, 0.5, 1.0, 0.0, 0, True), steps)


def by_edges(drawn, gamma, steps):
    rows, alpha, start, stop_at = drawn
    g = oracle.heights(rows, rows, alpha, gamma)
    return levels_of(rows, alpha, g, start, stop_at, gamma, steps)


def by_segments(drawn, gamma, steps):
    rows, alpha, start, stop_at = drawn
    domain = Domain.of_weights(rows, alpha, gamma)
    return domain.lowest(rows, domain.heights(rows), start, stop_at, steps=steps)


@pytest.mark.parametrize("gamma", [0.1, 2.0, 50.0, 1e3])
@pytest.mark.parametrize("steps", [1, 5, 20])
def test_levels_by_brute_force(drawn, gamma, steps):
    truth = expected(drawn, gamma, steps)
    np.testing.assert_allclose(by_edges(drawn, gamma, steps), truth, atol=1e-6)
    np.testing.assert_allclose(by_segments(drawn, gamma, steps), truth, atol=1e-6)


@pytest.mark.parametrize("gamma", [0.1, 2.0, 50.0])
def test_without_all_distances_it_is_the_same(drawn, gamma, monkeypatch):
    whole = by_edges(drawn, gamma, 5)
    monkeypatch.setattr(pairwise_module, "MOST_KEPT_ROWS", 0)
    np.testing.assert_allclose(by_edges(drawn, gamma, 5), whole, atol=1e-7)
    monkeypatch.setattr("maxmargin._runtime.memory.BLOCK_BYTES", 8 * 40)
    np.testing.assert_allclose(by_edges(drawn, gamma, 5), whole, atol=1e-7)


def test_arguments_are_left_alone(drawn):
    rows, alpha, start, stop_at = drawn
    copies = [part.copy() for part in drawn]
    heights = oracle.heights(rows, rows, alpha, 1.0)
    kept = heights.copy()
    levels_of(rows, alpha, heights, start, stop_at, 1.0, 5)
    np.testing.assert_array_equal(heights, kept)
    for part, copy in zip(drawn, copies, strict=True):
        np.testing.assert_array_equal(part, copy)


def test_a_level_is_never_above_the_ends(drawn):
    rows, alpha, start, stop_at = drawn
    g = oracle.heights(rows, rows, alpha, 3.0)
    levels = by_edges(drawn, 3.0, 5)
    assert (levels <= np.minimum(g[start], g[stop_at]) + 1e-12).all()
    assert (levels >= 0).all()
    # more points inside see more: 11 of them include those 5
    assert (by_edges(drawn, 3.0, 11) <= levels + 1e-9).all()


def test_small_levels_keep_their_order():
    """Far below the boundary too, the shorter gap is crossed first."""
    rows, alpha = np.array([[0.0], [20.0], [41.0]]), np.ones(3)
    start, stop_at = np.array([0, 1]), np.array([1, 2])
    levels = levels_of(rows, alpha, np.ones(3), start, stop_at, 1.0, 5)
    np.testing.assert_allclose(levels, 2 * np.exp([-(10.0**2), -(10.5**2)]), rtol=1e-6)


def test_widths_are_in_units_of_the_7th_neighbour(rng):
    X = rng.normal(size=(60, 2))
    reach = np.sort(np.linalg.norm(X[:, np.newaxis] - X, axis=-1), axis=1)[:, 7]
    expected = [1 / (2 * (w * np.median(reach)) ** 2) for w in (0.5, 2.0)]
    np.testing.assert_allclose(DomainGraph(X).gammas((0.5, 2.0)), expected)
    # with fewer rows, the last neighbour there is; copies of a row tell nothing
    assert DomainGraph(np.array([[0.0], [2.0]])).gammas([1.0]) == pytest.approx([1 / 8])
    assert DomainGraph(np.zeros((20, 2))).gammas([1.0]) == [0.5]
    some_equal = np.append(np.zeros((9, 1)), [[3.0], [6.0]], axis=0)
    assert np.isfinite(DomainGraph(some_equal).gammas([1.0])).all()


def test_rows_of_none_go_to_the_nearest():
    graph = DomainGraph(np.array([[0.0], [1.0], [5.0], [4.0]]))
    assert graph.n == 4
    assert graph.complete(np.array([0, -1, 1, -1])).tolist() == [0, 0, 1, 1]
    assert graph.complete(np.array([1, 1, 0, 0])).tolist() == [1, 1, 0, 0]


# -- the split gap, given up early ---------------------------------------------------------


def blobs(rng):
    return rng.normal(size=(150, 2)) + np.repeat([[0, 0], [9, 0], [0, 9]], 50, axis=0)


@pytest.mark.parametrize("k", [2, 3, 5])
def test_a_gap_that_does_not_beat_is_no_more_than_that(k, rng):
    """And where it does, it is the gap."""
    X = blobs(rng)
    graph = DomainGraph(X)
    for _ in range(10):
        labels = rng.integers(k, size=150)
        labels[:50] = 0
        each = [[d.gap for d in gap.falling(labels)] for gap in graph.gaps]
        assert all((np.diff(gaps) <= 0).all() for gaps in each)
        assert [gaps[-1] for gaps in each] == [gap.score(labels) for gap in graph.gaps]
        truth = graph.split_gap(labels)
        assert truth == pytest.approx(np.mean([gaps[-1] for gaps in each]))
        for beat in (truth - 0.1, truth - 1e-9, truth, truth + 1e-9, truth + 0.3, np.inf, -np.inf):
            found = DomainGraph(X).split_gap(labels, beat=beat)
            if truth > beat:
                assert found == truth
            else:
                assert truth <= found <= beat


# -- the nearest row ------------------------------------------------------------------------


@pytest.mark.parametrize("d", [1, 2, 40])
def test_the_nearest_row_by_brute_force(d, rng):
    rows, labels = rng.normal(size=(60, d)), rng.integers(4, size=60)
    points = rng.normal(size=(100, d))
    expected = labels[pairwise_distances(points, rows).argmin(axis=1)]
    nearest = NearestRow(rows, labels)
    np.testing.assert_array_equal(nearest.labels_of(points), expected)
    np.testing.assert_array_equal(nearest.labels_of(rows), labels)


def test_one_row_is_nearest_to_all(rng):
    assert NearestRow(np.zeros((1, 2)), np.array([3])).labels_of(rng.normal(size=(5, 2))).tolist()
    assert (NearestRow(np.zeros((1, 2)), np.array([3])).labels_of(np.ones((5, 2))) == 3).all()


@pytest.mark.parametrize(
    ("labels", "numbers"),
    [
        ([0], [0]),
        ([0, 1, 1], [1, 0]),
        ([1, 0, 2, 2, 1], [2, 0, 1]),  # 1 and 2 have two rows; 1 comes first
        ([2, 2, 1, 1, 0, 0], [2, 1, 0]),  # all the same size: in order of appearance
        ([0, 0, 1, 1, 2, 2, 2], [1, 2, 0]),
    ],
)
def test_numbers_by_hand(labels, numbers):
    assert numbers_by_size(np.array(labels), len(numbers)).tolist() == numbers


@given(st.lists(st.integers(0, 6), min_size=1, max_size=60))
def test_clusters_are_numbered_by_size_then_by_first_row(labels):
    _, labels = np.unique(labels, return_inverse=True)
    renamed = numbers_by_size(labels, labels.max() + 1)[labels]
    assert adjusted_rand_score(labels, renamed) == 1
    sizes = np.bincount(renamed)
    first = [int(np.flatnonzero(renamed == c)[0]) for c in range(len(sizes))]
    assert [*zip(-sizes, first, strict=True)] == sorted(zip(-sizes, first, strict=True))
    np.testing.assert_array_equal(numbers_by_size(renamed, len(sizes)), np.arange(len(sizes)))


@pytest.mark.parametrize(
    ("labels", "smallest", "expected"),
    [
        ([0, 1, 2, 2, -1, 0], 2, [0, -1, 1, 1, -1, 0]),
        ([0, 1, 2, 2, -1, 0], 1, [0, 1, 2, 2, -1, 0]),
        ([0, 1, 2, 2, -1, 0], 3, [-1] * 6),
        ([-1, -1], 1, [-1, -1]),
        ([], 2, []),
    ],
)
def test_small_clusters_are_dropped(labels, smallest, expected):
    assert without_small(np.array(labels, dtype=int), smallest).tolist() == expected


@given(st.lists(st.integers(-1, 6), min_size=1, max_size=60), st.integers(1, 20))
def test_what_is_kept_is_what_was(labels, smallest):
    labels = np.array(labels)
    kept = without_small(labels, smallest)
    sizes = np.bincount(labels[labels >= 0], minlength=7)
    np.testing.assert_array_equal(kept >= 0, (labels >= 0) & (sizes[labels] >= smallest))
    inside = kept >= 0
    assert adjusted_rand_score(labels[inside], kept[inside]) == 1
    assert set(kept[inside]) == set(range(kept.max(initial=-1) + 1))


def test_a_copy_grows_its_own_search_tree(rng):
    rows, points = rng.normal(size=(80, 2)), rng.normal(size=(300, 2))
    nearest = NearestRow(rows, np.arange(80))
    state = nearest.__getstate__()
    assert set(state) == {"labels", "_center", "_rows"}
    copied = pickle.loads(pickle.dumps(nearest))
    np.testing.assert_array_equal(copied.labels_of(points), nearest.labels_of(points))
