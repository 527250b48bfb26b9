import numpy as np
import pytest
from oracles import dip as oracle
from scipy.sparse import csr_matrix

from maxmargin.selection.dip import dip, pairwise_dips
from maxmargin.spaces.neighbors import Neighbors

SAMPLES = {
    "normal": lambda rng, n: rng.normal(size=n),
    "heavy tails": lambda rng, n: rng.standard_cauchy(size=n),
    "atoms": lambda rng, n: rng.integers(4, size=n).astype(float),
    "lattice": lambda rng, n: np.cumsum(rng.integers(3, size=n)).astype(float),
    "two groups": lambda rng, n: rng.normal(size=n) + 4 * rng.integers(2, size=n),
}


@pytest.mark.parametrize("kind", SAMPLES)
def test_it_is_the_distance_to_the_nearest_unimodal_distribution(kind, rng):
    for n in [*range(1, 8)] * 5 + [15, 25]:
        values = SAMPLES[kind](rng, n)
        assert dip(values) == pytest.approx(oracle.dip(values), abs=1e-9)


@pytest.mark.parametrize("n", [2, 3, 10, 101])
def test_even_samples_have_the_smallest_dip(n):
    assert dip(np.arange(n)) == pytest.approx(1 / (2 * n))


def test_cases_computed_by_hand():
    assert dip(np.array([3.0])) == 0  # one atom is unimodal
    assert dip(np.full(6, 3.0)) == 0
    assert dip(np.array([0, 1])) == pytest.approx(1 / 4)
    assert dip(np.array([0, 0, 1, 1])) == pytest.approx(1 / 4)
    # the mode is the larger atom; half of the smaller one is what remains
    assert dip(np.array([0, 0, 0, 1])) == pytest.approx(1 / 8)
    assert dip(np.repeat([0, 1], [3, 7])) == pytest.approx(0.3 / 2)
    # three atoms of 1/3 side by side: any of them is the mode, the others need 1/6
    assert dip(np.array([0, 1, 2])) == pytest.approx(1 / 6)


def test_bounds(rng):
    for kind in SAMPLES.values():
        for n in (2, 5, 40, 300):
            values = kind(rng, n)
            if np.ptp(values) > 0:
                assert 1 / (2 * n) - 1e-12 <= dip(values) <= 1 / 4 + 1e-12


@pytest.mark.parametrize("kind", SAMPLES)
def test_shift_scale_and_reflection_do_not_matter(kind, rng):
    values = SAMPLES[kind](rng, 80)
    expected = dip(values)
    for other in (values[::-1], -values, 3 * values + 5, 1e-200 * values, 1e200 * values):
        assert dip(other) == pytest.approx(expected, rel=1e-9)
    assert dip(np.repeat(values, 3)) == pytest.approx(expected) or kind != "atoms"


def test_two_groups_have_a_larger_dip_than_one(rng):
    one = rng.normal(size=200)
    assert dip(np.append(one, one + 6)) > 3 * dip(np.append(one, rng.normal(size=200)))


def test_the_dip_of_a_pair_is_that_of_its_projection(rng):
    """In one column the direction is a factor; in two it is Fisher's, with the ridge."""
    X = np.append(rng.normal(size=40), 5 + rng.normal(size=60))[:, np.newaxis]
    labels = np.repeat([0, 1], [40, 60])
    everything = csr_matrix(np.ones((100, 100)))
    found = pairwise_dips(X, labels, everything)
    assert found.pairs.tolist() == [[0, 1]]
    assert found.values[0] == pytest.approx(10 * dip(X[:, 0]))

    X = np.column_stack([X[:, 0], 3 * rng.normal(size=100) + X[:, 0]])
    a, b = X[:40], X[40:]
    S = (40 * np.cov(a.T, bias=True) + 60 * np.cov(b.T, bias=True)) / 100
    w = np.linalg.inv(S + 0.1 * np.trace(S) / 2 * np.eye(2)) @ (b.mean(axis=0) - a.mean(axis=0))
    assert pairwise_dips(X, labels, everything).values[0] == pytest.approx(10 * dip(X @ w))


def test_only_pairs_with_an_edge_are_compared(rng):
    X = rng.normal(size=(90, 2)) + np.repeat([[0, 0], [3, 0], [60, 0]], 30, axis=0)
    labels = np.repeat([7, 2, 5], 30)  # in sorted order: the second, the far one, the first
    found = pairwise_dips(X, labels, Neighbors.of_rows(X, 10).graph(10))
    assert found.pairs.tolist() == [[0, 2]]
    assert found.smallest == found.values[0]
    alone = pairwise_dips(X, np.zeros(90, int), csr_matrix((90, 90)))
    assert alone.pairs.shape == (0, 2)
    assert alone.smallest == np.inf


def test_neither_names_nor_the_order_of_rows_matter(rng):
    X = rng.normal(size=(120, 3))
    labels = rng.integers(4, size=120)
    graph = Neighbors.of_rows(X, 10).graph(10)
    expected = np.sort(pairwise_dips(X, labels, graph).values)
    order = rng.permutation(120)
    shuffled = pairwise_dips(X[order], labels[order], graph[order][:, order])
    np.testing.assert_allclose(np.sort(shuffled.values), expected)
    renamed = pairwise_dips(X, np.array([9, -1, 4, 0])[labels], graph)
    np.testing.assert_allclose(np.sort(renamed.values), expected)


@pytest.mark.parametrize("X", [np.zeros((6, 2)), np.repeat([[0.0, 0], [1, 0]], 3, axis=0)])
def test_clusters_of_equal_rows(X):
    found = pairwise_dips(X, np.repeat([0, 1], 3), csr_matrix(np.ones((6, 6))))
    assert found.values[0] == pytest.approx(np.sqrt(6) / 4 if X.any() else 0)
