import itertools

import numpy as np
import pytest
from sklearn.metrics.pairwise import rbf_kernel

from maxmargin.front_door import partition


def exemplars(K, n):
    """Of rows with these affinities."""
    with np.errstate(divide="ignore"):
        squared = -np.log(K)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(partition, "N_EXEMPLARS", n)
        return partition.exemplars(squared, 1.0)


def covered(K, chosen):
    return float(K[:, list(chosen)].max(axis=1).sum())


def test_the_first_covers_most(rng):
    K = rbf_kernel(rng.normal(size=(30, 2)))
    assert exemplars(K, 1).tolist() == [int(np.argmax(K.sum(axis=1)))]


def test_each_one_raises_the_cover_most(rng):
    K = rbf_kernel(rng.normal(size=(30, 2)))
    chosen = exemplars(K, 5).tolist()
    assert len(set(chosen)) == 5
    for m in range(1, 5):
        before = chosen[:m]
        values = [covered(K, [*before, j]) for j in range(30)]
        assert values[chosen[m]] == pytest.approx(max(values))


def test_greed_is_near_the_best(rng):
    """Facility location is submodular: at least 1 − 1/e of the best three."""
    K = rbf_kernel(rng.normal(size=(14, 2)))
    best = max(covered(K, three) for three in itertools.combinations(range(14), 3))
    assert covered(K, exemplars(K, 3)) >= (1 - 1 / np.e) * best


def test_one_for_each_group():
    X = np.array([[0.0], [0.1], [0.2], [9.0], [9.1], [9.2], [20.0], [20.1], [20.2]])
    assert sorted(exemplars(rbf_kernel(X, gamma=1.0), 3)) == [1, 4, 7]


@pytest.mark.parametrize("n", [1, 2])
def test_no_more_than_there_are_rows(n):
    chosen = exemplars(np.ones((n, n)), 3)
    assert sorted(chosen) == list(range(n))
    assert chosen.dtype == np.intp


def test_copies_and_rows_that_are_alone():
    assert len(set(exemplars(np.ones((5, 5)), 3))) == 3
    assert exemplars(np.eye(4), 3).tolist() == [0, 1, 2]


def test_the_affinity_is_not_changed(rng):
    K = rbf_kernel(rng.normal(size=(10, 2)))
    before = K.copy()
    exemplars(K, 3)
    np.testing.assert_array_equal(K, before)
