import numpy as np
import pytest
from oracles import split_gap as oracle

from maxmargin.selection.split_gap import SplitGap, split_gap
from maxmargin.spaces.neighbors import Neighbors


def blobs(rng, sizes, distance=9.0, d=2):
    centres = distance * np.arange(len(sizes))[:, np.newaxis] * np.eye(1, d)
    return rng.normal(size=(sum(sizes), d)) + np.repeat(centres, sizes, axis=0)


def test_the_density_follows_its_formulas(rng):
    near = Neighbors.of_rows(rng.normal(size=(50, 3)), 15)
    for first, last in ((5, 10), (7, 15)):
        levels, dimension = near.log_density(first, last)
        expected = oracle.density(near.distances, first, last)
        np.testing.assert_allclose(levels, expected[0])
        assert dimension == pytest.approx(expected[1])


@pytest.mark.parametrize("d", [1, 2, 4])
def test_the_dimension_is_that_of_the_data(d, rng):
    X = rng.uniform(size=(1500, d)) @ np.eye(d, 6)
    assert Neighbors.of_rows(X, 15).log_density(7, 15)[1] == pytest.approx(d, rel=0.2)


def test_weakness_follows_its_formula(rng):
    X = blobs(rng, (30, 30, 30), 2.5)
    near = Neighbors.of_rows(X, 10)
    gap = SplitGap(near)
    labels = np.repeat([0, 1, 2], 30)
    W = near.graph(10).matrix.toarray()
    levels, dimension = near.log_density(5, 10)
    found = gap.weakness(labels)
    for a in range(3):
        for b in range(a + 1, 3):
            sides = np.flatnonzero(labels == a), np.flatnonzero(labels == b)
            if W[np.ix_(*sides)].any():
                expected = oracle.weakness(W, levels, dimension, *sides)
                assert found[a, b] == pytest.approx(expected)
            else:
                assert found[a, b] == -np.inf
    assert (found[np.tril_indices(3)] == -np.inf).all()


def test_the_gap_is_that_of_its_parts(rng):
    near = Neighbors.of_rows(blobs(rng, (40, 40, 40), 3), 10)
    labels = np.repeat([0, 1], [80, 40])
    gap, details = split_gap(near, labels)
    W, (levels, dimension) = near.graph(10).matrix.toarray(), near.log_density(5, 10)
    splits = [SplitGap(near).split2(np.flatnonzero(labels == c)) for c in (0, 1)]
    for split in splits:
        assert split.weakness == pytest.approx(oracle.weakness(W, levels, dimension, *split.sides))
    assert details.split_weakness == min(split.weakness for split in splits)
    assert details.split_cluster == np.argmin([split.weakness for split in splits])
    assert details.pair_weakness == SplitGap(near).weakness(labels)[0, 1]
    assert details.pair == (0, 1)
    assert gap == details.gap == details.split_weakness - details.pair_weakness


def test_the_right_number_of_clusters_has_the_largest_gap(rng):
    gap = SplitGap(Neighbors.of_rows(blobs(rng, (60, 60, 60), 5), 10))
    three = np.repeat([0, 1, 2], 60)
    joined, halved = np.minimum(three, 1), np.repeat([0, 1, 2, 3], [60, 60, 30, 30])
    assert gap.score(three) > max(gap.score(joined), gap.score(halved))
    assert gap.details(joined).split_cluster == 1
    assert gap.details(halved).pair == (2, 3)


def test_two_groups_with_a_bridge_are_split_at_the_bridge(rng):
    """Against all bipartitions: two groups of 7 rows, each row joined to most of its group."""
    X = blobs(rng, (7, 7), 4)
    near = Neighbors.of_rows(X, 4)
    split = SplitGap(near).split2(np.arange(14))
    sides = oracle.best_split(near.graph(4).matrix.toarray())
    assert {frozenset(side.tolist()) for side in split.sides} == {
        frozenset(side.tolist()) for side in sides
    }


@pytest.mark.parametrize("n", [100, 400])  # all eigenvectors, and Lanczos
def test_a_chain_is_split_in_the_middle(n):
    """On a line the Fiedler vector is monotone, and equal halves have the smallest cut."""
    near = Neighbors.of_rows(np.arange(n)[:, np.newaxis].astype(float), 2)
    first, second = SplitGap(near).split2(np.arange(n)).sides
    assert sorted([first[0], second[0]]) == [0, n // 2]
    assert len(first) == len(second) == n // 2


def test_pieces_are_the_natural_split(rng):
    X = blobs(rng, (20, 40, 15), 100)
    gap = SplitGap(Neighbors.of_rows(X, 10))
    split = gap.split2(np.arange(75))
    assert split.weakness == -0.03
    assert sorted(len(side) for side in split.sides) == [35, 40]
    assert gap.score(np.repeat([0, 1], [20, 55])) == 0  # no pair touches, the second is in two


def test_strays_are_no_side_of_a_split(rng):
    """11 rows far away are less than 10 % and left out; the rest is split as without them."""
    core = blobs(rng, (100, 100), 3)
    X = np.concatenate([core, blobs(rng, (11,)) + 1000])
    alone = SplitGap(Neighbors.of_rows(core, 10)).split2(np.arange(200))
    split = SplitGap(Neighbors.of_rows(X, 10)).split2(np.arange(211))
    assert {side.tobytes() for side in split.sides} == {side.tobytes() for side in alone.sides}


def test_neither_names_nor_the_order_of_rows_matter(rng):
    X = blobs(rng, (50, 70, 200), 3, d=3)
    labels = np.repeat([0, 1, 2], [50, 70, 200])
    expected = split_gap(Neighbors.of_rows(X, 10), labels)[0]
    order = rng.permutation(len(X))
    assert split_gap(Neighbors.of_rows(X[order], 10), labels[order])[0] == pytest.approx(expected)
    renamed = np.array([5, -3, 8])[labels]
    assert split_gap(Neighbors.of_rows(X, 10), renamed)[0] == pytest.approx(expected)


def test_a_partition_scored_twice_has_the_same_gap(rng):
    gap = SplitGap(Neighbors.of_rows(rng.normal(size=(400, 5)), 10))
    labels = rng.integers(2, size=400)
    assert gap.score(labels) == gap.score(labels) == split_gap(gap.neighbors, labels)[0]


def test_small_clusters_and_pairs_that_do_not_touch_have_fixed_values(rng):
    X = blobs(rng, (11, 11), 1000)
    gap, details = split_gap(Neighbors.of_rows(X, 10), np.repeat([0, 1], 11))
    assert (details.split_weakness, details.split_cluster) == (0.5, -1)
    assert (details.pair_weakness, details.pair) == (-0.03, (-1, -1))
    assert gap == 0.53


@pytest.mark.parametrize("valley", [0.0, 0.2])
def test_the_valley_counts_as_much_as_asked(valley, rng):
    near = Neighbors.of_rows(blobs(rng, (30, 30), 2.5), 10)
    labels = np.repeat([0, 1], 30)
    W, (levels, dimension) = near.graph(10).matrix.toarray(), near.log_density(5, 10)
    expected = oracle.weakness(W, levels, dimension, np.arange(30), np.arange(30, 60), valley)
    assert SplitGap(near, valley).weakness(labels)[0, 1] == pytest.approx(expected)


@pytest.mark.parametrize(
    "X",
    [
        np.zeros((1, 1)),
        np.zeros((2, 1)),
        np.zeros((30, 2)),
        np.repeat([[0.0], [1.0]], 20, axis=0),
        np.eye(30),
        np.arange(5.0)[:, np.newaxis],
        np.append(np.zeros(25), np.arange(25))[:, np.newaxis],
    ],
    ids=["one row", "two rows", "equal", "two atoms", "simplex", "five rows", "atom and line"],
)
def test_degenerate_data(X):
    n = len(X)
    for labels in (np.zeros(n, int), np.arange(n) % 2, np.arange(n)):
        gap, details = split_gap(Neighbors.of_rows(X, 15), labels)
        assert np.isfinite([gap, details.split_weakness, details.pair_weakness]).all()


@pytest.mark.parametrize("n", range(4, 12))
def test_rows_that_are_all_neighbours_have_a_split(n, rng):
    """All eigenvalues but one are equal: some solvers for a single one find none."""
    split = SplitGap(Neighbors.of_rows(rng.normal(size=(n, 3)), 10)).split2(np.arange(n))
    a, b = map(len, split.sides)
    assert a + b == n
    assert min(a, b) >= 2
