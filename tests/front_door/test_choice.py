import itertools

import numpy as np
import pytest
from sklearn.datasets import make_moons
from sklearn.metrics import adjusted_rand_score

from maxmargin import MaxMarginClustering
from maxmargin.front_door.candidates import Candidate
from maxmargin.front_door.choice import (
    SAME_PARTITION,
    VOTE_SCALE,
    Ranking,
    pairwise_agreement,
    rank,
    standing,
)
from maxmargin.front_door.effort import GRAPHS
from maxmargin.objectives.leave_one_out import SMALLEST_ERROR, LeaveOneOut
from maxmargin.sizes import read_sizes
from maxmargin.spaces.pairwise import GAUSSIANS, PairwiseDistances


class Fixed:
    """A criterion with given scores."""

    def __init__(self, scores):
        self.given = np.array(scores, dtype=float)

    def scores(self, partitions):
        assert len(partitions) == len(self.given)
        return self.given


@pytest.mark.parametrize("n", [2, 3, 10, 200])
def test_agreement_is_the_adjusted_rand_index(n, rng):
    partitions = [rng.integers(k, size=n) for k in (1, 2, 3, 3, 7) for _ in range(3)]
    partitions += [np.zeros(n, int), np.arange(n), np.full(n, 4)]  # also names without rows
    found = pairwise_agreement(partitions)
    expected = [[adjusted_rand_score(a, b) for b in partitions] for a in partitions]
    np.testing.assert_allclose(found, expected, atol=1e-12)
    np.testing.assert_array_equal(found, found.T)


def test_agreement_does_not_see_names(rng):
    labels = rng.integers(4, size=60)
    renamed = rng.permutation(4)[labels]
    np.testing.assert_allclose(pairwise_agreement([labels, renamed]), np.ones((2, 2)))


def test_one_row():
    assert pairwise_agreement([np.zeros(1, int), np.zeros(1, int)]).tolist() == [[1, 1], [1, 1]]


def test_scores_by_hand():
    """Errors .5 and .02 in two cells: log(.1); what is below the floor counts as the floor."""
    partitions = [np.array([0, 0, 1, 1]), np.array([0, 1, 0, 1])]
    found = rank(partitions, [Fixed([0.5, 1.0]), Fixed([0.98, 0.5])])
    np.testing.assert_allclose(found.errors, [[0.5, 0.02], [0, 0.5]])
    expected = -0.5 * np.log([0.5 * 0.02, SMALLEST_ERROR * 0.5])
    np.testing.assert_allclose(found.scores, expected)
    np.testing.assert_allclose(found.fit, 1 - np.sqrt([0.01, SMALLEST_ERROR * 0.5]))


def test_votes_by_hand():
    """The ARI of the two is −.5, which counts as 0: each gets its own weight only."""
    a, b = np.array([0, 0, 1, 1]), np.array([0, 1, 0, 1])
    found = rank([a, b, b], [Fixed([0.9, 0.89, 0.89])])
    weights = np.exp((found.scores - found.scores.max()) / VOTE_SCALE)
    shares = weights / weights.sum()
    np.testing.assert_allclose(found.votes, [shares[0], *[shares[1] + shares[2]] * 2])
    assert weights[1] == pytest.approx((0.1 / 0.11) ** (1 / VOTE_SCALE))


def test_many_that_agree_beat_one_with_a_slightly_better_score():
    a, b = np.repeat([0, 1], 5), np.tile([0, 1], 5)
    assert rank([a, b, b, b], [Fixed([0.9, 0.899, 0.899, 0.899])]).best == 1
    assert rank([a, b, b, b], [Fixed([0.9, 0.5, 0.5, 0.5])]).best == 0


def test_distinct_ones_differ_from_the_first_and_from_each_other(rng):
    partitions = [rng.integers(2, size=30) for _ in range(6)]
    partitions += [p.copy() for p in partitions] + [1 - p for p in partitions]
    found = rank(partitions, [Fixed(rng.random(18))])
    for first, n in itertools.product(range(18), (0, 1, 3, 10)):
        chosen = found.distinct(first, n)
        assert len(chosen) <= n
        assert len(chosen) == min(n, 5)
        for i, j in itertools.combinations([first, *chosen], 2):
            assert found.agreement[i, j] < SAME_PARTITION
        assert np.all(np.diff(found.scores[chosen]) <= 0)


def test_distinct_leaves_out_what_is_the_same():
    agreement = np.array([[1, 0.9, 0.1], [0.9, 1, 0.1], [0.1, 0.1, 1.0]])
    ranking = Ranking(
        np.zeros((3, 1)), np.array([1.0, 3.0, 2.0]), np.zeros(3), np.ones(3), agreement
    )
    assert ranking.distinct(0, 3) == [2]
    assert ranking.distinct(2, 3) == [1]
    assert ranking.distinct(2, 0) == []


def test_the_truth_is_ranked_first_among_random_labels(rng):
    y = np.repeat([0, 1, 2], 20)
    X = rng.normal(size=(60, 2)) + 10 * np.column_stack([y == 1, y == 2])
    distances = PairwiseDistances(X)
    criteria = [LeaveOneOut.in_space(distances, space) for space in (*GAUSSIANS[1::2], GRAPHS[0])]
    partitions = [rng.integers(3, size=60) for _ in range(9)] + [y]
    found = rank(partitions, criteria)
    assert found.best == 9
    assert np.argmax(found.scores) == 9
    for j, criterion in enumerate(criteria):
        np.testing.assert_allclose(1 - found.errors[:, j], criterion.scores(partitions))
    assert np.all(np.isfinite(found.scores))


def test_one_cluster_has_the_score_zero(rng):
    distances = PairwiseDistances(rng.normal(size=(20, 2)))
    found = rank([np.zeros(20, int)], [LeaveOneOut.in_space(distances, GAUSSIANS[0])])
    assert found.scores.tolist() == [0]
    assert found.best == 0
    assert found.distinct(0, 3) == []


def test_an_answer_that_the_bound_made_is_none_where_there_is_another():
    n, k = 120, 10
    free = np.full(n, -1, np.int32)
    sizes = read_sizes(n, k, None, 0.25, None, free)  # at least 3 rows
    even = Candidate(np.arange(n, dtype=np.int32) % k, "even", "")
    counts = [n - 3 * 7 - 2 * 6, *[3] * 7, 6, 6]
    propped = Candidate(np.repeat(np.arange(k), counts).astype(np.int32), "propped up", "")
    assert standing([propped, even], sizes) == [even]
    assert standing([propped], sizes) == [propped]
    few = Candidate(np.repeat(np.arange(k), [60, 3, 3, 3, *[8] * 5, 11]).astype(np.int32), "", "")
    assert standing([few, even], sizes) == [few, even]
    fixed = read_sizes(n, k, np.array(counts) / n, None, None, free)
    assert standing([propped, even], fixed) == [propped, even]


def test_columns_of_noise_are_left_out_and_said(rng):
    X, y = make_moons(300, noise=0.05, random_state=int(rng.integers(1000)))
    wide = np.hstack([rng.normal(size=(300, 3)), X])
    model = MaxMarginClustering(2, random_state=0).fit(wide)
    left_out = model.chosen_["left_out"]
    assert len(left_out) >= 2
    assert set(left_out) <= {0, 1, 2}
    assert adjusted_rand_score(y, model.labels_) > 0.9
    assert (
        f"Columns left out (counted from 0): {', '.join(map(str, left_out))};"
        in (model.chosen_["why"])
    )
    other = wide.copy()
    other[:, left_out] = rng.permutation(wide[:, left_out])
    np.testing.assert_array_equal(model.predict(other), model.predict(wide))
    assert MaxMarginClustering(2, random_state=0).fit(X).chosen_["left_out"] == []


@pytest.mark.parametrize("draw", range(3))
def test_a_mixture_far_worse_than_margins_is_not_believed_in_many_columns(draw):
    """Of heavy tails a wide Gaussian gathers all tails: the ARI was .4."""
    rng = np.random.default_rng(draw)
    y = np.repeat([0, 1, 2], [150, 150, 130])
    far = np.sqrt(3 / rng.chisquare(3, size=(430, 1)))
    X = 2.5 * rng.normal(size=(3, 8))[y] + far * rng.normal(size=(430, 8))
    model = MaxMarginClustering(3, random_state=0).fit(X)
    assert model.chosen_["start"] != "mixture"
    assert adjusted_rand_score(y, model.labels_) > 0.75


def test_a_mixture_is_believed_where_one_cluster_lies_inside_another_in_the_plane(rng):
    y = np.repeat([0, 1], [260, 120])
    X = np.where(y[:, None], 0.08, 1.0) * rng.normal(size=(380, 2))
    model = MaxMarginClustering(2, random_state=0).fit(X)
    assert model.chosen_["source"] == "gaussian mixture"
    assert adjusted_rand_score(y, model.labels_) > 0.6
