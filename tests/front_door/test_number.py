"""The number of clusters: the evidence, and the choice by it."""

from types import SimpleNamespace

import numpy as np
import pytest
from oracles import evidence as oracle
from scipy.special import expit
from sklearn.cluster import AgglomerativeClustering
from sklearn.datasets import make_blobs
from sklearn.metrics.pairwise import euclidean_distances
from sklearn.mixture import GaussianMixture

from maxmargin import MaxMarginClustering
from maxmargin._core.dip import dip
from maxmargin.front_door.effort import JUDGES
from maxmargin.front_door.number import Evidence, NumberOfClusters, _dips
from maxmargin.front_door.sources.mixture import mixture_gain
from maxmargin.front_door.sources.spanning_tree import resolved_neighbors
from maxmargin.objectives.leave_one_out import LeaveOneOut, predictability
from maxmargin.spaces.metric import Metric
from maxmargin.spaces.neighbors import Neighbors
from maxmargin.spaces.pairwise import PairwiseDistances


def ward(X, k):
    return AgglomerativeClustering(k).fit_predict(X)


def groups(rng, k, size, distance=9.0, d=3):
    centres = distance * np.array([np.cos(np.arange(k)), np.sin(np.arange(k)), np.arange(k)]).T
    return rng.normal(size=(k * size, d)) + np.repeat(centres[:, :d], size, axis=0)


def evidence_of(X, numbers, criteria=(), **parameters):
    evidence = Evidence(X, Neighbors.of_rows(X, 15), **parameters)
    for k in numbers:
        evidence.add(ward(X, k), criteria)
    return evidence


@pytest.mark.parametrize("k", [2, 3, 5, 8])
def test_separated_groups_are_counted(k, rng):
    X = groups(rng, k, 60)
    found = evidence_of(X, range(2, 11)).conclude()
    assert found.k == k
    assert found.confidence > 0.25
    assert str(k) in found.why


@pytest.mark.parametrize("d", [2, 5])
def test_separation_is_that_of_the_pairs_one_by_one(d, rng):
    X = rng.normal(size=(160, d)) + 3 * rng.normal(size=(4, d))[np.repeat(range(4), 40)]
    evidence = evidence_of(X, ())
    W = evidence.neighbors.graph(10).matrix.toarray()
    clusters = ward(X, 6)
    members = [np.flatnonzero(clusters == c) for c in range(6)]
    own = [evidence.own_split(rows) for rows in members]
    Q = np.ones((6, 6))
    for i in range(6):
        for j in range(i + 1, 6):
            (value,) = _dips(X, members, np.array([i]), np.array([j]))
            Q[i, j] = Q[j, i] = oracle.border(
                *(W, members[i], members[j], own[i], own[j], value, evidence.dimension)
            )
    np.testing.assert_allclose(evidence.borders(clusters), Q)
    evidence.add(clusters)
    assert evidence.curve["separation"][-1] == pytest.approx(oracle.smallest_tree(Q))
    assert evidence.curve["weakest_border"][-1] == pytest.approx(Q.min())


def test_the_split_of_a_cluster(rng):
    X = np.concatenate([rng.normal(size=(60, 2)), 3.2 * np.eye(1, 2) + rng.normal(size=(60, 2))])
    evidence = evidence_of(X, ())
    W, two = evidence.neighbors.graph(10).matrix.toarray(), np.repeat([0, 1], 60)
    rows = [np.flatnonzero(two == c) for c in (0, 1)]
    relative = oracle.share(W, *rows) / oracle.blob_share(120, evidence.dimension)
    # no cut of the sweep is much worse than the one that is there
    assert evidence.own_split(np.arange(120)) <= 1.5 * relative
    assert evidence.own_split(np.arange(120)) < min(map(evidence.own_split, rows))
    assert evidence.own_split(np.arange(11)) == 1  # too small for halves
    far = np.concatenate([X, X + 100])
    assert evidence_of(far, ()).own_split(np.arange(240)) == 0
    alone = np.concatenate([X, [[500.0, 0], [501, 0]]])  # two rows are no half
    assert evidence_of(alone, ()).own_split(np.arange(122)) > 0


def test_the_evidence_is_the_separation_and_the_fall_of_the_fit(rng):
    X = groups(rng, 3, 40, 6.0)
    distances = PairwiseDistances(euclidean_distances(X, squared=True))
    judges = [LeaveOneOut.in_space(distances, space) for space in JUDGES]
    evidence = evidence_of(X, range(2, 8), judges, one=False)
    curve = evidence.curve
    fit = curve["predictability"]
    for i, k in enumerate(curve["k"]):
        errors = [1 - judge.scores([ward(X, k)])[0] for judge in judges]
        assert fit[i] == pytest.approx(-np.mean(np.log(np.add(errors, 0.005))))
        assert predictability(ward(X, k), judges) == fit[i]
    weight = 1 + 3 * (2 / evidence.dimension) ** 2
    falls = np.append(fit[:-1] - fit[1:], 0).clip(-1, 1)
    expected = weight * falls - 0.1 * np.log(curve["k"])
    for i, (k, separation) in enumerate(zip(curve["k"], curve["separation"], strict=True)):
        some, more = ward(X, k), ward(X, min(k + 1, 7))
        kept = sum(np.bincount(some[more == c]).max() for c in range(more.max() + 1)) / len(X)
        expected[i] += separation * (min(kept / 0.9, 1) if separation > 0 else 1)
    np.testing.assert_allclose(curve["evidence"], expected)
    assert evidence.conclude().k == 3


def test_the_confidence_grows_with_the_margin(rng):
    X = groups(rng, 4, 30, 5.0)
    found = evidence_of(X, range(2, 9)).conclude()
    tried, evidence = found.curve["k"], found.curve["evidence"]
    far = evidence[np.abs(tried - found.k) > 1].max()
    margin = min(3, evidence.max() - far)
    (weakest,) = found.curve["weakest_border"][tried == found.k]
    assert found.confidence == pytest.approx(expit(-1.37 + 0.32 * margin + 1.84 * weakest))
    assert evidence[tried == found.next_best] == far
    alone = NumberOfClusters(2, 0.5, {"k": np.array([2, 3]), "evidence": np.array([1.0, 0.5])})
    assert alone.next_best is None
    assert "1.00 for 2;" in alone.why


@pytest.mark.parametrize("d", [2, 3, 10])
@pytest.mark.parametrize("kind", ["normal", "uniform"])
def test_one_blob_is_one(kind, d, rng):
    X = getattr(rng, kind)(size=(300, d))
    one = evidence_of(X, range(2, 8))
    found = one.conclude()
    assert found.k == 1
    assert found.curve["k"][0] == 1
    assert found.curve["evidence"][0] == one.for_one() == 0.6
    assert evidence_of(X, range(2, 8), one=False).conclude().k > 1


def test_few_rows_are_not_said_to_be_one(rng):
    assert evidence_of(rng.normal(size=(29, 2)), (2, 3)).conclude().k > 1


def test_gaussians_that_overlap_are_not_one(rng):
    """In many dimensions no gap may be left between them, but a mixture describes them better."""
    clusters, blob = np.repeat(range(3), 100), rng.normal(size=(300, 6))
    X = blob + 2.5 * np.eye(6)[clusters]
    evidence = Evidence(X, Neighbors.of_rows(blob, 15))  # as if no gap were left
    assert evidence.dimension >= 3
    assert evidence.for_one() == 0.6
    evidence.add(clusters)
    gain = mixture_gain(X, clusters)
    assert gain > 0.1
    assert evidence.for_one() == pytest.approx(0.6 - 10 * (gain - 0.1))


def test_the_gain_is_that_of_gaussian_mixtures(rng):
    X = groups(rng, 3, 50, 5.0)
    clusters = np.repeat(range(3), 50)
    one = GaussianMixture(1).fit(X)
    many = GaussianMixture(3, covariance_type="tied", max_iter=1, random_state=0)
    many.weights_, many.means_ = (
        np.full(3, 1 / 3),
        np.stack([X[i::1][:50] for i in (0, 50, 100)]).mean(1),
    )
    inside = X - many.means_[clusters]
    many.covariances_ = inside.T @ inside / 150
    many.precisions_cholesky_ = np.linalg.cholesky(np.linalg.inv(many.covariances_))
    expected = many.score(X) - one.score(X) - 2 * 4 / 2 * np.log(150) / 150
    assert mixture_gain(X, clusters) == pytest.approx(expected, abs=0.01)
    assert mixture_gain(rng.normal(size=(200, 3)), rng.integers(2, size=200)) < 0
    assert np.isfinite(mixture_gain(np.zeros((20, 2)), np.repeat([0, 1], 10)))


def test_numbers_that_were_stepped_over_are_looked_at(rng):
    X = groups(rng, 6, 30)
    evidence = evidence_of(X, (2, 4, 7, 10))
    at = evidence.conclude().k
    assert at in (4, 7)
    assert evidence.between(9) == ([3, 5, 6] if at == 4 else [5, 6, 8, 9])
    for k in evidence.between(9):
        evidence.add(ward(X, k))
    assert evidence.conclude().k == 6


def test_large_numbers_are_hopeless_after_five_that_are_far_below(rng):
    X = groups(rng, 6, 40)
    assert not evidence_of(X, range(2, 8)).settled
    assert evidence_of(X, range(2, 21)).settled


def test_many_clusters_are_counted():
    X, _ = make_blobs(620, centers=np.array(divmod(np.arange(31), 6)).T * 9.0, random_state=0)
    model = MaxMarginClustering(effort="fast", random_state=0).fit(X)
    assert abs(model.n_clusters_ - 31) <= 1
    assert {29, 31} <= set(model.k_curve_["k"].tolist())


def test_a_partition_with_fewer_clusters_is_one_into_those(rng):
    X = groups(rng, 3, 20)
    evidence = evidence_of(X, (3,))
    evidence.add(np.zeros(60, int))
    assert evidence.curve["k"].tolist() == [1, 3]


def test_neither_names_nor_the_order_of_rows_matter(rng):
    X = groups(rng, 4, 30, 4)
    order = rng.permutation(len(X))
    one = evidence_of(X, ())
    other = evidence_of(X[order], ())
    for k in range(2, 9):
        one.add(ward(X, k))
        other.add(10 - ward(X, k)[order])
    np.testing.assert_allclose(one.curve["evidence"], other.curve["evidence"], atol=1e-9)


@pytest.mark.parametrize(
    "X",
    [
        np.arange(3.0)[:, np.newaxis],
        np.array([[0.0], [1], [2], [10], [11]]),
        np.zeros((5, 2)),
        np.zeros((40, 3)),
        np.arange(11.0)[:, np.newaxis],
        np.repeat([[0.0, 1], [5, 5]], 20, axis=0),
        np.repeat(np.arange(4.0), [30, 1, 1, 30])[:, np.newaxis],
        np.eye(35),
        np.append(np.zeros(60), 1e150)[:, np.newaxis],
    ],
    ids=str,
)
@pytest.mark.parametrize("labels", ["by row", "by order"])
def test_degenerate_data(X, labels):
    n = len(X)
    evidence = Evidence(X, Neighbors.of_rows(X, 15))
    for k in range(2, min(21, n)):
        evidence.add(np.arange(n) % k if labels == "by row" else np.arange(n) * k // n)
    found = evidence.conclude()
    assert found.k in found.curve["k"]
    assert 0 <= found.confidence <= 1
    assert all(np.isfinite(values).all() for values in found.curve.values())


@pytest.mark.parametrize("sizes", [(30, 20, 10), (12, 12, 12), (20, 8, 8, 8)])
def test_small_clusters_are_counted(sizes, rng):
    """Fewer neighbours are joined where a cluster may have no more than ten rows."""
    centres = 10 * np.array([[0, 0], [1, 0], [0, 1], [1, 1]])
    X = centres[np.repeat(range(len(sizes)), sizes)] + rng.normal(size=(sum(sizes), 2)) / 2
    assert evidence_of(X, range(2, 7)).conclude().k == len(sizes)


def test_the_dip_of_a_pair_is_that_of_its_projection(rng):
    """In one column the direction is a factor; in two it is Fisher's, with the ridge."""
    X = np.append(rng.normal(size=40), 5 + rng.normal(size=60))[:, np.newaxis]
    members, pair = [np.arange(40), np.arange(40, 100)], (np.array([0]), np.array([1]))
    assert _dips(X, members, *pair) == pytest.approx([10 * dip(X[:, 0])])

    X = np.column_stack([X[:, 0], 3 * rng.normal(size=100) + X[:, 0]])
    a, b = X[:40], X[40:]
    S = (40 * np.cov(a.T, bias=True) + 60 * np.cov(b.T, bias=True)) / 100
    w = np.linalg.inv(S + 0.1 * np.trace(S) / 2 * np.eye(2)) @ (b.mean(axis=0) - a.mean(axis=0))
    assert _dips(X, members, *pair) == pytest.approx([10 * dip(X @ w)])


@pytest.mark.parametrize("X", [np.zeros((6, 2)), np.repeat([[0.0, 0], [1, 0]], 3, axis=0)])
def test_clusters_of_equal_rows(X):
    found = _dips(X, [np.arange(3), np.arange(3, 6)], np.array([0]), np.array([1]))
    assert found[0] == pytest.approx(np.sqrt(6) / 4 if X.any() else 0)


def test_the_number_is_counted_in_all_columns(rng):
    """Noise beside a bow makes it the one cluster that it is; clusters beside noise stay."""
    y = np.repeat([0, 1, 2], 80)
    X = rng.normal(size=(240, 5))
    X[:, :2] += 9 * np.array([[0, 0], [1, 0], [0, 1]])[y]
    with_k = MaxMarginClustering(3, random_state=0).fit(X)
    without = MaxMarginClustering(random_state=0).fit(X)
    assert without.n_clusters_ == 3
    assert with_k.chosen_["left_out"] == without.chosen_["left_out"] != []
    np.testing.assert_array_equal(with_k.labels_, without.labels_)
    everything = MaxMarginClustering(standardize=True, random_state=0).fit(X)
    np.testing.assert_array_equal(without.k_curve_["evidence"], everything.k_curve_["evidence"])


def test_clusters_that_the_next_number_cuts_anew_count_less(rng):
    X = groups(rng, 4, 30)
    evidence = evidence_of(X, ())
    for labels in (ward(X, 4), np.arange(len(X)) % 5):
        evidence.add(labels)
    four, five = np.unique(ward(X, 4), return_inverse=True)[1], np.arange(len(X)) % 5
    kept = sum(np.bincount(four[five == c]).max() for c in range(5)) / len(X)
    counted = evidence.curve["separation"][1] * kept / 0.9 - 0.1 * np.log(4)
    assert evidence.curve["evidence"][1] == pytest.approx(counted)


def test_after_a_perfect_number_every_border_must_speak_for_two(rng):
    """Clusters with wide gaps, and some of them cut in two."""
    judge = SimpleNamespace(scores=lambda found: [1.0 if found[0].max() < 3 else 0.9])
    curve = evidence_of(groups(rng, 3, 60, 60.0), range(2, 7), [judge], one=False).curve
    more = (curve["k"] > 3) & (curve["weakest_border"] < 0) & (curve["separation"] > 0)
    assert more.any()
    assert curve["k"][np.argmax(curve["evidence"])] == 3
    np.testing.assert_allclose(curve["evidence"][more], -0.1 * np.log(curve["k"][more]))


def test_integers_make_no_clumps(rng):
    """A cloud of integers: neighbours are those of the values that were rounded."""
    X = np.round(4 * rng.normal(size=(400, 2)))
    metric = Metric(standardize=False).fit(X)
    rows = PairwiseDistances(metric.prepare(X), metric)
    assert np.mean(rows.neighbors.distances[:, 0] == 0) > 0.5
    found = resolved_neighbors(rows)
    assert np.all(found.distances > 0)
    assert found.log_density(1, 10)[1] == pytest.approx(2, abs=0.3)
    angles = PairwiseDistances(X, Metric("cosine", standardize=False).fit(X))
    assert resolved_neighbors(angles) is angles.neighbors
