"""More rows than are looked at: the model is carried over to all of them."""

from dataclasses import replace

import numpy as np
import pytest
from scipy.sparse import csr_array
from scipy.sparse import random as random_sparse
from scipy.spatial.distance import cdist, pdist, squareform
from sklearn.datasets import make_blobs, make_moons
from sklearn.metrics import adjusted_rand_score

from maxmargin import MaxMarginClustering
from maxmargin.blocks.samples import sample_rows
from maxmargin.front_door import effort as efforts
from maxmargin.front_door import transfer as transfers
from maxmargin.front_door.partition import FittedPartition, KernelClassifier
from maxmargin.front_door.subsample import Subsample
from maxmargin.front_door.transfer import carry_over
from maxmargin.search import sweeps
from maxmargin.sizes import read_sizes
from maxmargin.spaces.metric import Metric
from maxmargin.spaces.pairwise import GaussianSettings, GaussianSpace, PairwiseDistances

CENTERS = np.array([[0, 0], [8, 0], [0, 8]])
SEEN = 60


@pytest.fixture(autouse=True)
def few_rows(monkeypatch):
    """Look at 60 rows only."""
    monkeypatch.setitem(efforts.EFFORTS, "fast", replace(efforts.EFFORTS["fast"], max_rows=SEEN))


@pytest.fixture
def blobs(global_random_seed):
    return make_blobs(
        [120, 100, 80], centers=CENTERS, cluster_std=0.7, random_state=global_random_seed
    )


def cluster(k=3, **parameters):
    return MaxMarginClustering(k, **{"effort": "fast", "random_state": 0, **parameters})


def test_a_sample_is_random_distinct_and_begins_with_the_pins(rng):
    def sample(pins, rows):
        return sample_rows(pins, rows, rng)

    free = np.full(50, -1, np.int32)
    np.testing.assert_array_equal(sample(free, 50), np.arange(50))
    assert len(set(sample(free, 20))) == 20
    pins = free.copy()
    pins[[3, 30, 49]] = 1
    assert {3, 30, 49} <= set(sample(pins, 20))
    pins[:45] = 0  # half of the sample at most, and as evenly as can be
    few = sample(pins, 20)
    assert len(set(few)) == 20
    assert 49 in few
    assert np.count_nonzero(pins[few] < 0) == np.count_nonzero(pins < 0)


def test_all_rows_get_their_blob(blobs):
    X, y = blobs
    model = cluster().fit(X)
    assert len(model._sample.seen) == SEEN
    np.testing.assert_array_equal(model.labels_, y)
    np.testing.assert_array_equal(model.predict(X), y)
    assert model.n_disagreements_ == 0
    assert model.labels_.dtype == np.int32
    for c, rows in enumerate(model.exemplars_):
        assert np.all(model.labels_[rows] == c)


def test_moons_too(global_random_seed, monkeypatch):
    monkeypatch.setitem(efforts.EFFORTS, "fast", replace(efforts.EFFORTS["fast"], max_rows=200))
    X, y = make_moons(400, noise=0.05, random_state=global_random_seed)
    model = cluster(2).fit(X)
    assert adjusted_rand_score(y, model.labels_) > 0.95
    assert adjusted_rand_score(y, model.predict(X)) > 0.95


def test_numbers_predictions_and_margins_belong_together(global_random_seed):
    X, _ = make_blobs(300, centers=CENTERS / 3, random_state=global_random_seed)
    for k in (2, 3, 4):
        model = cluster(k).fit(X)
        assert np.sum(model.predict(X) != model.labels_) == model.n_disagreements_
        assert model.margin_.shape == (300,)
        assert np.all(np.isfinite(model.margin_))
        np.testing.assert_array_equal(model.uncertain_, model.margin_ < 0)
        assert np.isfinite(model.loo_score_)
        assert 0 < model.loo_score_ <= 1
        np.testing.assert_allclose(model.predict_proba(X).sum(axis=1), 1)


@pytest.mark.parametrize("trial", range(8))
def test_clusters_are_numbered_by_their_size_among_all_rows(trial, global_random_seed):
    """Of 60 rows the smaller of two blobs can hold more."""
    X, y = make_blobs(
        [153, 147],
        centers=[[0, 0], [8, 0]],
        cluster_std=0.5,
        random_state=global_random_seed + trial,
    )
    model = cluster(2, random_state=trial).fit(X)
    np.testing.assert_array_equal(model.labels_, y)
    np.testing.assert_array_equal(model.predict(X), y)


def test_pins_outside_of_the_subset_are_kept(blobs, rng):
    X, y = blobs
    some = rng.choice(300, 100, replace=False)  # more than the rows that are looked at
    pins = np.full(300, -1)
    pins[some] = np.array([2, 0, 1])[y[some]]
    wrong = some[:5]
    pins[wrong] = (pins[wrong] + 1) % 3
    model = cluster().fit(X, pins)
    assert len(np.setdiff1d(some, model._sample.seen)) >= 40
    np.testing.assert_array_equal(model.labels_[some], pins[some])
    assert model.n_pinned_ == 100
    free = pins < 0
    np.testing.assert_array_equal(model.labels_[free], np.array([2, 0, 1])[y[free]])


def test_many_pins_of_one_cluster_leave_room_for_the_others(blobs):
    """All rows that are looked at would be pinned to one cluster."""
    X, y = blobs
    pins = np.where((y == 0) & (np.arange(300) > 20), 0, -1)
    assert np.sum(pins == 0) > SEEN
    for more in ({}, {"proportions": [0.4, 1 / 3, 4 / 15]}, {"min_size": 30}):
        model = cluster(**more).fit(X, pins)
        np.testing.assert_array_equal(model.labels_[pins == 0], 0)
        # Exact shares may go to the wrong ones of the others: few of their rows are seen.
        assert adjusted_rand_score(y, model.labels_) > (0.8 if "proportions" in more else 0.999)


@pytest.mark.filterwarnings("ignore:min_size = .* decided:maxmargin.MaxMarginWarning")
@pytest.mark.parametrize(
    "limits",
    [
        {"proportions": [0.5, 0.3, 0.2]},
        {"proportions": [0.97, 0.02, 0.01]},
        {"min_size": 95},
        {"max_size": 105},
        {"min_size": [10, 10, 110], "max_size": [200, 90, 150]},
    ],
)
def test_sizes_are_kept_on_all_rows(limits, blobs):
    X, _ = blobs
    model = cluster(**limits).fit(X)
    counts = np.bincount(model.labels_, minlength=3)
    if "proportions" in limits:
        assert counts.tolist() == [round(300 * share) for share in limits["proportions"]]
    assert np.all(counts >= limits.get("min_size", 0))
    assert np.all(counts <= limits.get("max_size", 300))
    assert np.all(np.isfinite(model.margin_))


@pytest.mark.parametrize("kept", [np.float32, np.float64])
def test_precomputed_distances(kept, blobs, rng, monkeypatch):
    """The model is that of the rows.

    To single precision features may round to either side, by which values of both differ; in
    double precision nothing but the distances themselves does.
    """
    monkeypatch.setattr(transfers, "KEPT", kept)
    X, y = blobs
    new = rng.normal(size=(40, 2)) * 4
    expected = cluster(standardize=False).fit(X)
    model = cluster(metric="precomputed").fit(squareform(pdist(X)))
    np.testing.assert_array_equal(model.labels_, y)
    np.testing.assert_array_equal(expected.labels_, y)
    if kept is np.float64:
        np.testing.assert_allclose(model.margin_, expected.margin_, atol=1e-9)
        np.testing.assert_allclose(
            model.decision_function(cdist(new, X)), expected.decision_function(new), atol=1e-9
        )


def test_sparse_rows(rng):
    from scipy import sparse

    y = np.repeat([0, 1, 2], [70, 60, 50])
    X = rng.poisson(0.2 + 4 * np.eye(3)[y].repeat(5, axis=1)).astype(float)
    model = cluster().fit(sparse.csr_matrix(X))
    assert adjusted_rand_score(y, model.labels_) == 1
    dense = cluster(metric="cosine", standardize=False).fit(X)
    np.testing.assert_allclose(model.margin_, dense.margin_, atol=1e-6)


@pytest.mark.parametrize("rows", [13, 300])
def test_the_size_of_blocks_does_not_matter(rows, blobs, monkeypatch):
    X, _ = blobs
    expected = cluster().fit(X)
    monkeypatch.setattr("maxmargin._runtime.memory.BLOCK_BYTES", 8 * SEEN * rows)
    model = cluster().fit(X)
    np.testing.assert_array_equal(model.labels_, expected.labels_)
    np.testing.assert_allclose(model.margin_, expected.margin_, atol=1e-8)


@pytest.mark.parametrize("rows", [13, 300])
def test_the_size_of_blocks_does_not_matter_where_labels_are_in_doubt(
    rows, global_random_seed, monkeypatch
):
    X, _ = make_blobs(300, centers=CENTERS / 4, random_state=global_random_seed)
    expected = cluster().fit(X)
    monkeypatch.setattr("maxmargin._runtime.memory.BLOCK_BYTES", 8 * SEEN * rows)
    np.testing.assert_array_equal(cluster().fit(X).labels_, expected.labels_)


def test_n_jobs_and_the_seed(blobs):
    X, _ = blobs
    one, two = (cluster(random_state=5, n_jobs=n_jobs).fit(X) for n_jobs in (1, 2))
    np.testing.assert_array_equal(one.margin_, two.margin_)


def test_fewer_landmarks_than_rows_seen(blobs, monkeypatch):
    X, y = blobs
    monkeypatch.setattr(transfers, "N_LANDMARKS", 40)
    model = cluster().fit(X)
    np.testing.assert_array_equal(model.labels_, y)
    assert len(model._partition.classifier.coef) == 40


def test_moments_from_a_sample_are_nearly_those_of_all_rows(blobs, monkeypatch):
    X, y = blobs
    monkeypatch.setattr(transfers, "MOMENT_ROWS", 150)
    model = cluster().fit(X)
    np.testing.assert_array_equal(model.labels_, y)


def test_margins_are_those_of_refits_where_all_rows_are_landmarks(global_random_seed, monkeypatch):
    """The transfer of 60 rows to themselves, against the exact model with a bias."""
    from oracles import leave_one_out as oracle
    from sklearn.metrics.pairwise import rbf_kernel

    monkeypatch.setattr(sweeps, "JITTER", 0.0)
    monkeypatch.setattr(Subsample, "whole", False)
    X, y = make_blobs(40, centers=CENTERS / 3, random_state=global_random_seed)
    metric = Metric("euclidean", standardize=False).fit(X)
    rows = metric.prepare(X)
    K, alpha = rbf_kernel(rows, gamma=0.3), 0.01
    a, b = oracle.bordered(K, alpha * 40, np.eye(3)[y])
    space = GaussianSpace(0.3).fit(PairwiseDistances(rows, metric))
    start = KernelClassifier(space, a, b, K @ a + b)
    sizes = read_sizes(40, 3, None, None, None, np.full(40, -1, np.int32))
    subsample = Subsample(metric, sizes, np.arange(40), rows)
    exemplars = [np.flatnonzero(y == c)[:1] for c in range(3)]
    partition = FittedPartition(GaussianSettings(1.0, alpha), start, y, y, K @ a + b, exemplars)
    found = carry_over(partition, subsample, rows)
    model, labels, left_out = found.classifier, found.labels, found.left_out
    expected = np.eye(3)[labels] - oracle.errors(K, alpha * 40, labels, 3)
    np.testing.assert_allclose(left_out, expected, atol=1e-5)
    a, b = oracle.bordered(K, alpha * 40, np.eye(3)[labels])
    np.testing.assert_allclose(model.values(rows), K @ a + b, atol=1e-5)


def test_alternatives_need_the_rows(global_random_seed):
    centers = np.array([[0, 0], [5, 0], [0, 5], [5, 5]])
    X, _ = make_blobs(300, centers=centers, random_state=global_random_seed)
    model = cluster(2).fit(X)
    assert model.alternatives_
    taken = model.alternatives_[0]
    assert len(taken.labels) == len(taken.rows) == SEEN
    with pytest.raises(ValueError, match=r"X must be given: .* 60 of 300 rows; got None"):
        model.use_alternative(0)
    with pytest.raises(ValueError, match="X must hold the 300 rows of fit; got 299"):
        model.use_alternative(0, X[1:])
    other = model.use_alternative(0, X)
    assert other.labels_.shape == (300,)
    assert adjusted_rand_score(other.labels_[taken.rows], taken.labels) > 0.7
    assert np.sum(other.predict(X) != other.labels_) == other.n_disagreements_
    back = other.use_alternative(0, X)
    np.testing.assert_array_equal(back.labels_, model.labels_)


@pytest.mark.parametrize("k", [55, 70, 300])
def test_more_clusters_than_rows_that_are_looked_at(k, blobs):
    X, _ = blobs
    model, said = cluster(k), ""
    try:
        model.fit(X)
    except ValueError as error:
        said = str(error)
    # an answer, or what is too much and what helps
    assert ("n_clusters" in said and "effort" in said) or model.n_clusters_ == k


def test_one_cluster_of_many_rows(blobs):
    X, _ = blobs
    model = cluster(1).fit(X)
    assert model.labels_.tolist() == [0] * 300
    assert np.all(model.predict(X) == 0)
    assert model.margin_.shape == (300,)


def test_the_number_of_clusters_of_many_rows(blobs):
    X, y = blobs
    model = cluster(None).fit(X)
    assert model.n_clusters_ == 3
    np.testing.assert_array_equal(model.labels_, y)


def test_rare_clusters_are_not_lost(global_random_seed):
    """Where the subset misses a cluster, bounds still hold on all rows."""
    X, _ = make_blobs([295, 5], centers=[[0, 0], [30, 0]], random_state=global_random_seed)
    model = cluster(2, min_size=1).fit(X)
    assert np.bincount(model.labels_, minlength=2).min() >= 1


def test_copies_of_a_few_rows(rng):
    X = np.repeat(rng.normal(size=(4, 2)), 75, axis=0)
    model = cluster(4).fit(X)
    assert adjusted_rand_score(np.repeat(np.arange(4), 75), model.labels_) == 1
    assert np.all(np.isfinite(model.margin_))


def test_other_rows_are_not_those_of_the_fit(blobs):
    X, _ = blobs
    model = cluster(2).fit(X)
    with pytest.raises(ValueError, match="in their order"):
        model.use_alternative(0, X[::-1])


def test_taking_an_alternative_back_is_the_first_partition(blobs):
    X, _ = blobs
    model = cluster(2).fit(X)
    again = model.use_alternative(0, X).use_alternative(0, X)
    np.testing.assert_array_equal(again.labels_, model.labels_)


def test_more_rows_do_not_replace_the_partition(rng):
    """Rows with next to no structure: sweeps would end elsewhere."""
    S = csr_array(random_sparse(300, 60, density=0.03, random_state=rng))
    model = cluster(3).fit(S)
    for i, taken in enumerate(model.alternatives_):
        labels = model.use_alternative(i, S).labels_
        assert adjusted_rand_score(taken.labels, labels[taken.rows]) > 0.5


def test_clusters_that_no_row_was_seen_of_have_exemplars(rng):
    X = rng.normal(size=(500, 3))
    model = cluster(2, proportions=[0.996, 0.004]).fit(X)
    assert np.bincount(model.labels_).tolist() == [498, 2]
    assert all(len(rows) for rows in model.exemplars_)


# Very many rows: the labels of a sample are swept, one pass gives all rows theirs


@pytest.fixture
def few_swept(monkeypatch):
    monkeypatch.setattr(transfers, "SWEPT_ROWS", 90)


@pytest.mark.usefixtures("few_swept")
@pytest.mark.parametrize("storage", [np.asarray, csr_array])
def test_rows_that_are_not_swept_get_their_blob(storage, blobs):
    X, y = blobs
    X = X + 9.0
    by_angle = cluster(metric="cosine", standardize=False).fit(X).labels_
    model = cluster().fit(storage(X))
    assert adjusted_rand_score(y if storage is np.asarray else by_angle, model.labels_) > 0.9
    predicted = model.predict(storage(X))
    assert np.count_nonzero(predicted != model.labels_) == model.n_disagreements_
    assert model.left_out_.shape == (300, 3)
    assert np.all(np.isfinite(model.margin_))


@pytest.mark.usefixtures("few_swept")
def test_limits_and_pins_hold_for_rows_that_are_not_swept(blobs):
    X, y = blobs
    pins = np.full(300, -1)
    pins[:40] = (y[:40] + 1) % 3
    model = cluster(min_size=95, max_size=110).fit(X, pins)
    assert np.bincount(model.labels_).min() >= 95
    assert np.bincount(model.labels_).max() <= 110
    np.testing.assert_array_equal(model.labels_[:40], pins[:40])


@pytest.mark.usefixtures("few_swept")
def test_single_precision_of_the_kernel_does_not_change_clear_labels(blobs):
    """Far from the origin it would not be enough, and is not used."""
    X, y = blobs
    for rows in (X, X + 1e6, X * 1e-3):
        np.testing.assert_array_equal(cluster(standardize=False).fit(rows).labels_, y)
