"""Empty space between clusters, and what looks like it."""

import numpy as np
import pytest
from sklearn.metrics import adjusted_rand_score

from maxmargin.front_door.sources.gap_tree import GapTree, relative_gaps
from maxmargin.front_door.sources.reach_tree import ReachTree
from maxmargin.front_door.sources.spanning_tree import SpanningTree


def proposals(X, k):
    return list(GapTree().propose(SpanningTree.of(X), k))


def clean(X, k):
    return [p for p in proposals(X, k) if p.gap]


def test_a_gap_is_relative_to_the_spacing_of_the_looser_side():
    """Places nearly 1 apart, then a gap of 20, then places 2 apart: the 7th of them is at 14."""
    X = np.concatenate([np.arange(30), 49 + 2.0 * np.arange(30)])[:, None]
    tree = SpanningTree.of(X * 1000 + np.random.default_rng(0).integers(0, 5, X.shape))
    gap = int(np.argmax(np.append(tree.edges[2], 0)[tree.rooted.edge]))
    assert np.exp(relative_gaps(tree)[gap]) == pytest.approx(20 / 14, rel=0.1)


@pytest.mark.parametrize("n_small", [4, 20, 200])
def test_a_small_cluster_far_away(n_small, rng):
    X = np.concatenate([rng.normal(size=(600, 2)), 0.5 * rng.normal(size=(n_small, 2)) + [12, 0]])
    (found,) = clean(X, 2)
    assert adjusted_rand_score(np.arange(len(X)) < 600, found.labels) == 1
    assert found.why.startswith("2 groups with empty space ")


def test_few_rows_in_many_columns(rng):
    """Rows of a small cluster are nearly as far from each other as from the large one."""
    X = rng.normal(size=(1006, 6))
    X[-6:-3, 0] += 14
    X[-3:, 1] += 14
    (found,) = clean(X, 3)
    assert found.few
    assert np.bincount(found.labels).tolist() == [1000, 3, 3]


@pytest.mark.parametrize("k", [2, 3, 5])
def test_no_clean_gap_where_there_is_none(k, rng):
    noise = rng.normal(size=(400, 2)), rng.random((400, 3)), rng.standard_t(2, size=(400, 2))
    assert not any(clean(X, k) for X in noise)
    assert not clean(rng.normal(size=(400, 2)) + np.repeat([[0], [12]], 200, axis=0), k + 1)


def test_columns_of_a_few_values_make_no_gap(rng):
    flags = (rng.random((400, 3)) < [0.5, 0.3, 0.1]).astype(float)
    table = np.column_stack([rng.normal(size=(400, 2)), 5 * flags])
    ratings = rng.integers(1, 6, size=(400, 4)).astype(float)
    for X in (table, ratings, np.round(rng.normal(size=(400, 2)), 1), np.repeat(table, 9, axis=0)):
        assert not any(clean(X, k) for k in (2, 3, 4))


def test_a_gap_stays_one_beside_flags_and_when_it_is_rounded(rng):
    y = np.repeat([0, 1], 200)
    X = np.column_stack([rng.normal(size=(400, 2)) + 25 * y[:, None], rng.random(400) < 0.5])
    for rows in (X, np.round(X), np.repeat(X, 3, axis=0)):
        (found,) = clean(rows, 2)
        assert adjusted_rand_score(np.resize(y, len(y)).repeat(len(rows) // 400), found.labels) == 1


def test_clusters_of_some_size_by_long_edges(rng):
    """Single outliers do not count as clusters, and a bridge of noise does not join two."""
    y = np.repeat([0, 1], 200)
    X = np.concatenate(
        [
            rng.normal(size=(400, 2)) + 9 * np.column_stack([y, y]),
            [[40.0, -40.0], [-40.0, 40.0]],
            np.linspace(1, 8, 7)[:, None] * [1, 1],
        ]
    )
    found = list(ReachTree().propose(SpanningTree.of(X), 2))
    assert [p.setting for p in found] == ["5 neighbours", "12 neighbours"]
    for p in found:
        assert adjusted_rand_score(y, p.labels[:400]) > 0.95


def test_nothing_to_cut():
    assert proposals(np.arange(4.0)[:, None], 5) == []


def test_outliers_are_no_group_because_all_other_rows_are_farther(rng):
    X = np.concatenate([rng.normal(size=(300, 2)), rng.normal([9, 0], size=(300, 2))])
    alone = [[100, 0], [108, 0], [100, 8]]  # as far from each other as a gap, but not as from all
    assert all(p.few for p in clean(np.concatenate([X, alone]), 2))
    scattered = [[100, 0], [170, 0], [100, 80]]
    assert not any(p.few for p in clean(np.concatenate([X, scattered]), 2))
