from itertools import permutations

import numpy as np
import pytest
from sklearn.cluster import AgglomerativeClustering

from maxmargin.front_door.choice import rank
from maxmargin.front_door.effort import JUDGES
from maxmargin.objectives.leave_one_out import LeaveOneOut
from maxmargin.selection.dip import pairwise_dips
from maxmargin.selection.number import (
    NUMBER_VALLEY_WEIGHT,
    SMALLEST_DIP,
    count_clusters,
    predictability,
    steepest_drop,
    vote,
)
from maxmargin.selection.split_gap import SplitGap
from maxmargin.spaces.neighbors import Neighbors
from maxmargin.spaces.pairwise import PairwiseDistances


def ward(X):
    return lambda k: AgglomerativeClustering(k).fit_predict(X)


def groups(rng, k, size, distance=9.0, d=3):
    centres = distance * np.array([np.cos(np.arange(k)), np.sin(np.arange(k)), np.arange(k)]).T
    return rng.normal(size=(k * size, d)) + np.repeat(centres[:, :d], size, axis=0)


@pytest.mark.parametrize("k", [2, 3, 5, 8])
def test_separated_groups_are_counted(k, rng):
    X = groups(rng, k, 60)
    found = count_clusters(X, Neighbors.of_rows(X, 15), ward(X), k_max=10)
    assert found.k == found.k_gap == k
    assert not found.maybe_one


@pytest.mark.parametrize(
    ("said", "k", "agreement"),
    [
        ((3, 3, 3), 3, 3),
        ((3, 4, 4), 4, 2),
        ((3, 3, 4), 3, 2),
        ((3, 4, 3), 3, 2),
        ((3, 4, 5), 4, 1),
        ((17, 3, 5), 5, 1),  # one that is far off changes nothing
        ((2, 1, 1), 2, 3),  # one cluster counts as two
        ((2, 1, 4), 2, 2),
        ((5, 1, 2), 2, 2),
        ((5, 1, 4), 4, 1),
    ],
)
def test_the_vote_is_the_median(said, k, agreement):
    for order in permutations(said):
        assert vote(*order) == (k, agreement)


@pytest.mark.parametrize(
    ("tried", "predicted", "k"),
    [
        ([2, 3, 4], [1.0, 3.0, 2.0], 3),
        ([2, 3, 4], [3.0, 2.0, 1.5], 2),
        ([2, 3, 4], [1.0, 2.0, 3.0], 2),  # never falls: the first of the smallest rises
        ([3, 5, 6], [1.0, 2.0, 0.0], 5),
        ([4], [1.0], 4),
        ([], [], 1),
    ],
)
def test_the_steepest_drop(tried, predicted, k):
    assert steepest_drop(tried, predicted) == k


def criteria(X):
    distances = PairwiseDistances(X)
    return [LeaveOneOut.in_space(distances, space) for space in JUDGES]


@pytest.mark.parametrize("k", [2, 3, 6])
def test_with_criteria_predictability_has_the_third_vote(k, rng):
    X = groups(rng, k, 40, 6.0)
    near, judges = Neighbors.of_rows(X, 15), criteria(X)
    found = count_clusters(X, near, ward(X), k_max=9, criteria=judges)
    curve = found.curve
    assert found.k == found.k_drop == k
    assert (found.k, found.agreement) == vote(found.k_gap, found.k_dip, found.k_drop)
    assert found.k_drop == steepest_drop(curve["k"].tolist(), curve["predictability"])
    for i, number in enumerate(curve["k"]):
        labels = ward(X)(number)
        assert curve["predictability"][i] == pytest.approx(rank([labels], judges).scores[0])
        assert predictability(7 * labels - 3, judges) == curve["predictability"][i]
    without = count_clusters(X, near, ward(X), k_max=9)
    assert without.k_drop is None
    assert "predictability" not in without.curve
    assert (without.k, without.agreement) == vote(without.k_gap, without.k_dip, without.k_mode)


def test_the_answer_has_a_partition(rng):
    X = groups(rng, 6, 30)
    near = Neighbors.of_rows(X, 15)
    few = count_clusters(X, near, {k: ward(X)(k) for k in (2, 3)}, k_max=3)
    assert few.k_mode == 6
    assert few.k in (2, 3)
    many = count_clusters(X, near, {k: ward(X)(k) for k in (9, 10)}, k_max=10)
    assert many.k in (9, 10)


def test_the_curve_holds_what_each_partition_has(rng):
    X = groups(rng, 3, 40, 4)
    near = Neighbors.of_rows(X, 15)
    found = count_clusters(X, near, ward(X), k_max=6)
    curve = found.curve
    assert curve["k"].tolist() == [2, 3, 4, 5, 6]
    gap = SplitGap(near, NUMBER_VALLEY_WEIGHT)
    for i, k in enumerate(curve["k"]):
        labels = ward(X)(k)
        details = gap.details(labels)
        assert curve["split_gap"][i] == details.gap
        assert curve["split_weakness"][i] == details.split_weakness
        assert curve["pair_weakness"][i] == details.pair_weakness
        assert curve["splits_cluster"][i] == details.split_cluster
        assert curve["smallest_dip"][i] == pairwise_dips(X, labels, gap.graph).smallest
    assert found.k_gap == curve["k"][np.argmax(curve["split_gap"])]
    above = curve["k"][curve["smallest_dip"] > SMALLEST_DIP]
    assert found.k_dip == (above.max() if len(above) else 1)


def test_one_group_may_be_one(rng):
    X = rng.normal(size=(400, 2))
    found = count_clusters(X, Neighbors.of_rows(X, 15), ward(X), k_max=6)
    assert found.maybe_one == (found.k_dip == 1 and found.k_mode == 1)
    assert found.k_dip == 1
    assert found.k >= 2


def test_partitions_can_be_a_mapping_with_gaps(rng):
    X = groups(rng, 3, 40)
    near = Neighbors.of_rows(X, 15)
    some = {k: ward(X)(k) for k in (3, 5)}
    found = count_clusters(X, near, some, k_max=8)
    assert found.curve["k"].tolist() == [3, 5]
    assert found.k == 3
    some[4] = some[3]  # not 4 clusters: not an answer
    assert count_clusters(X, near, some, k_max=8).curve["k"].tolist() == [3, 5]


def test_neither_names_nor_the_order_of_rows_matter(rng):
    X = groups(rng, 4, 30, 4)
    order = rng.permutation(len(X))
    parts = {k: ward(X)(k) for k in range(2, 9)}
    moved = {k: 10 - labels[order] for k, labels in parts.items()}
    one = count_clusters(X, Neighbors.of_rows(X, 15), parts, k_max=8)
    other = count_clusters(X[order], Neighbors.of_rows(X[order], 15), moved, k_max=8)
    for name in ("k", "k_gap", "k_dip", "k_mode", "agreement", "maybe_one"):
        assert getattr(one, name) == getattr(other, name)
    for name in ("k", "split_gap", "smallest_dip"):
        np.testing.assert_allclose(one.curve[name], other.curve[name], atol=1e-10)


@pytest.mark.parametrize(
    "X",
    [
        np.zeros((1, 2)),
        np.arange(2.0)[:, np.newaxis],
        np.arange(3.0)[:, np.newaxis],
        np.array([[0.0], [1], [2], [10], [11]]),
        np.zeros((5, 2)),
        np.zeros((40, 3)),
        np.arange(11.0)[:, np.newaxis],
        np.repeat([[0.0, 1], [5, 5]], 20, axis=0),
        np.repeat(np.arange(4.0), [30, 1, 1, 30])[:, np.newaxis],
        np.eye(25),
        np.append(np.zeros(60), 1e150)[:, np.newaxis],
    ],
    ids=str,
)
@pytest.mark.parametrize("labels", ["by row", "by order", "one"])
def test_degenerate_data(X, labels):
    n = len(X)
    partition = {
        "by row": lambda k: np.arange(n) % k,
        "by order": lambda k: np.arange(n) * k // n,
        "one": lambda k: np.zeros(n, int),
    }[labels]
    found = count_clusters(X, Neighbors.of_rows(X, 15), partition, k_max=20)
    assert found.k == (1 if labels == "one" or n < 3 else max(2, found.k))
    assert 1 <= found.agreement <= 3
    assert all(not np.isnan(values).any() for values in found.curve.values())
    assert found.curve["k"].tolist() == ([] if labels == "one" else [*range(2, min(21, n))])


def test_wrong_arguments_are_named(rng):
    X = rng.normal(size=(20, 2))
    near = Neighbors.of_rows(X, 15)
    with pytest.raises(ValueError, match="k_max must be an int >= 2; got 1"):
        count_clusters(X, near, ward(X), k_max=1)
    with pytest.raises(ValueError, match="X has 19 rows, but neighbors are those of 20"):
        count_clusters(X[:19], near, ward(X))
