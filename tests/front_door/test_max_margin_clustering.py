"""What a user sees of MaxMarginClustering: groups, models, sizes, pins, their number."""

import warnings

import numpy as np
import pytest
from clusterings import CENTERS, cluster
from oracles import leave_one_out as oracle
from scipy.optimize import linear_sum_assignment
from scipy.special import softmax
from sklearn.datasets import make_blobs, make_circles, make_moons
from sklearn.metrics import adjusted_rand_score, confusion_matrix
from sklearn.metrics.pairwise import rbf_kernel
from sklearn.preprocessing import StandardScaler

from maxmargin import MaxMarginWarning
from maxmargin.front_door.effort import EFFORTS
from maxmargin.front_door.partition import OUTSIDE
from maxmargin.objectives.leave_one_out import LeaveOneOut
from maxmargin.spaces.pairwise import GAUSSIANS, PairwiseDistances


def prepared(X):
    return np.clip(StandardScaler().fit_transform(X), -3, 3)


def accuracy(truth, labels):
    """The share of rows that agree under the best naming of the clusters."""
    counts = confusion_matrix(truth, labels)
    return counts[linear_sum_assignment(-counts)].sum() / len(truth)


@pytest.fixture
def moons(global_random_seed):
    return make_moons(150, noise=0.05, random_state=global_random_seed)


# Groups


@pytest.mark.parametrize("effort", EFFORTS)
def test_moons_circles_and_blobs_are_found(effort, moons, blobs, global_random_seed):
    circles = make_circles(150, noise=0.03, factor=0.3, random_state=global_random_seed)
    for (X, y), k in ((moons, 2), (circles, 2), (blobs, 3)):
        assert adjusted_rand_score(y, cluster(k, effort=effort).fit_predict(X)) == 1


@pytest.mark.parametrize("trial", range(6))
def test_rings_are_not_taken_for_gaussians(trial):
    """The grouping along the gap predicts itself best by far; no other judge overrules that."""
    X, y = make_circles(150, noise=0.03, factor=0.3, random_state=trial)
    assert adjusted_rand_score(y, cluster(2).fit_predict(X)) == 1


@pytest.mark.parametrize("kernel", ["gaussian", "graph"])
def test_one_kind_of_space_is_enough_for_blobs(kernel, blobs):
    X, y = blobs
    model = cluster(3, kernels=[kernel]).fit(X)
    assert adjusted_rand_score(y, model.labels_) == 1
    sources = set(model.selection_["source"]) - {"gaussian mixture"}
    assert all(source.startswith(kernel) for source in sources)


def test_one_cluster_by_hand(blobs):
    X, _ = blobs
    model = cluster(1).fit(X)
    assert np.all(model.labels_ == 0)
    assert np.all(model.predict(X) == 0)
    assert np.all(model.predict_proba(X) == 1)
    assert model.decision_function(X).shape == (150, 1)
    np.testing.assert_allclose(model.decision_function(X), 1, atol=1e-5)
    assert model.loo_score_ == 0
    assert model.n_clusters_ == 1
    assert model.n_disagreements_ == 0
    assert model.alternatives_ == []
    assert not model.uncertain_.any()
    assert len(model.exemplars_) == 1
    assert model.complete_


# The model


def test_new_rows_are_predicted(global_random_seed):
    for (X, y), k in (
        (make_moons(300, noise=0.05, random_state=global_random_seed), 2),
        (make_blobs(300, centers=CENTERS, cluster_std=0.7, random_state=global_random_seed), 3),
    ):
        model = cluster(k, effort="normal").fit(X[::2])
        assert adjusted_rand_score(y[::2], model.labels_) == 1
        new = model.predict(X[1::2])
        assert new.dtype == np.int32
        assert adjusted_rand_score(y, np.ravel(np.column_stack([model.labels_, new]))) > 0.95


@pytest.mark.parametrize("standardize", [True, False])
@pytest.mark.parametrize("far", [10, 100, 1e4])
def test_outliers_go_to_the_nearest_cluster_and_not_to_the_largest(
    standardize, far, global_random_seed
):
    X, y = make_blobs(
        [110, 20, 20],
        centers=[[0, 0], [10, 0], [0, 10]],
        cluster_std=0.5,
        random_state=global_random_seed,
    )
    model = cluster(3, standardize=standardize).fit(X)
    np.testing.assert_array_equal(model.labels_ == 0, y == 0)
    names = [model.labels_[y == c][0] for c in range(3)]
    outliers = np.array([[-far, -far], [10 + far, 0], [0, 10 + far]])
    assert model.predict(outliers).tolist() == names
    assert np.all(np.isfinite(model.decision_function(outliers)))


def test_decision_values_are_those_of_kernel_ridge_with_a_bias(blobs, rng):
    X, _ = blobs
    for k in (2, 3):
        model = cluster(k).fit(X)
        gamma, alpha = model.chosen_["gamma"], model.chosen_["alpha"]
        scaler = StandardScaler().fit(X)
        rows = np.clip(scaler.transform(X), -3, 3)
        a, b = oracle.bordered(
            rbf_kernel(rows, gamma=gamma), alpha * len(X), np.eye(k)[model.labels_]
        )
        # between the fitted rows, where the kernel has not died out
        pairs = rng.integers(150, size=(40, 2))
        new = 0.97 * X[pairs[:, 0]] + 0.03 * X[pairs[:, 1]]
        K = rbf_kernel(np.clip(scaler.transform(new), -3, 3), rows, gamma=gamma)
        inside = np.max(K, axis=1) > np.exp(-OUTSIDE)
        assert inside.sum() > 20
        expected = K @ a + b
        if k == 2:
            expected = expected[:, 1] - expected[:, 0]
        found = model.decision_function(new)
        np.testing.assert_allclose(found[inside], expected[inside], atol=1e-4)


@pytest.mark.parametrize("k", [2, 3])
def test_memberships_are_a_softmax_of_the_decision_values(k, blobs, rng):
    X, _ = blobs
    model = cluster(k).fit(X)
    new = np.vstack([X, rng.normal(size=(200, 2)) * 8])
    P = model.predict_proba(new)
    values = model.decision_function(new)
    if k == 2:  # a softmax sees differences only
        values = np.column_stack([np.zeros(350), values])
    np.testing.assert_allclose(P, softmax(model._partition.classifier.sharpness * values, axis=1))


def test_memberships_of_new_rows_mean_what_they_say(global_random_seed):
    """The mean of the largest membership is the share of new rows that are where they belong."""
    centers = [[0, 0], [4, 0], [0, 4]]
    X, _ = make_blobs([150, 100, 50], centers=centers, random_state=global_random_seed)
    model = cluster(3).fit(X)
    new, truth = make_blobs([300, 200, 100], centers=centers, random_state=global_random_seed + 500)
    sure = model.predict_proba(new).max(axis=1)
    assert sure.min() < 0.8  # the blobs overlap, and it says so
    right = accuracy(truth, model.predict(new))
    assert right < 0.99
    assert abs(sure.mean() - right) < 0.1


@pytest.mark.parametrize("k", [2, 3])
def test_margins_are_those_of_refits_without_each_row(k, rng):
    X = rng.normal(size=(40, 2))  # one cloud: some margins are small
    model = cluster(k).fit(X)
    assert model.chosen_["kernel"] == "gaussian"
    K = rbf_kernel(prepared(X), gamma=model.chosen_["gamma"])
    missed = oracle.errors(K, model.chosen_["alpha"] * 40, model.labels_, k)
    left_out = np.eye(k)[model.labels_] - missed
    own = left_out[np.arange(40), model.labels_]
    others = np.where(np.eye(k, dtype=bool)[model.labels_], -np.inf, left_out)
    np.testing.assert_allclose(model.margin_, own - others.max(axis=1), atol=1e-4)
    np.testing.assert_array_equal(model.uncertain_, model.margin_ < 0)
    r2 = 1 - np.sum(missed**2) / oracle.spread(model.labels_, k)
    assert model.loo_score_ == pytest.approx(r2, abs=1e-4)


def test_gamma_is_the_width_of_its_cell_times_the_scale(blobs):
    X, _ = blobs
    model = cluster(3).fit(X)
    distances = PairwiseDistances(prepared(X))
    gammas = [s.space(distances).gamma for s in EFFORTS["fast"].spaces if s.kernel == "gaussian"]
    assert np.min(np.abs(np.array(gammas) / model.chosen_["gamma"] - 1)) < 1e-8


def test_the_loo_score_is_that_of_the_criterion(blobs):
    """And the model's space is the Gaussian one with the largest."""
    X, _ = blobs
    model = cluster(3, effort="normal").fit(X)
    distances = PairwiseDistances(prepared(X))
    judges = [LeaveOneOut.in_space(distances, space) for space in GAUSSIANS]
    scores = [judge.scores([model.labels_])[0] for judge in judges]
    assert model.loo_score_ == pytest.approx(max(scores), abs=1e-4)


def test_a_row_between_two_clusters_is_uncertain(rng):
    """A row of one blob that its pin puts into the other is predicted elsewhere."""
    X, y = make_blobs([50, 50], centers=[[0, 0], [8, 0]], random_state=int(rng.integers(100)))
    pins = np.full(100, -1)
    wrong = np.flatnonzero(y == 0)[3]
    pins[[wrong, *np.flatnonzero(y == 0)[:3], *np.flatnonzero(y == 1)[:3]]] = [1, 0, 0, 0, 1, 1, 1]
    model = cluster(2).fit(X, pins)
    assert model.labels_[wrong] == 1
    assert np.flatnonzero(model.uncertain_).tolist() == [wrong]
    assert model.margin_[wrong] < -0.5


# What must not matter


def test_shifts_and_scales_of_columns_do_not_matter(moons):
    X, _ = moons
    expected = cluster(2).fit(X)
    model = cluster(2).fit(X * [1e-3, 1e4] + [5.0, -1e5])
    np.testing.assert_array_equal(model.labels_, expected.labels_)
    np.testing.assert_allclose(model.margin_, expected.margin_, atol=1e-5)
    assert model.chosen_["gamma"] == pytest.approx(expected.chosen_["gamma"], rel=1e-6)


def test_units_do_not_matter_without_standardising(moons):
    X, _ = moons
    expected = cluster(2, standardize=False).fit(X)
    model = cluster(2, standardize=False).fit(1e3 * X + 7)
    np.testing.assert_array_equal(model.labels_, expected.labels_)
    assert model.chosen_["gamma"] == pytest.approx(1e-6 * expected.chosen_["gamma"], rel=1e-6)


def test_the_order_of_rows_does_not_matter(blobs, moons, rng):
    for (X, _), k in ((blobs, 3), (moons, 2)):
        labels = cluster(k).fit_predict(X)
        order = rng.permutation(len(X))
        assert adjusted_rand_score(cluster(k).fit_predict(X[order]), labels[order]) == 1


def test_copies_of_rows_stay_with_them(blobs):
    X, y = blobs
    labels = cluster(3).fit_predict(np.repeat(X, 2, axis=0))
    np.testing.assert_array_equal(labels, np.repeat(y, 2))
    labels = cluster(3).fit_predict(np.vstack([X, np.repeat(X[:1], 150, axis=0)]))
    np.testing.assert_array_equal(labels[:150] == labels[0], y == y[0])
    assert adjusted_rand_score(y, labels[:150]) == 1
    assert np.all(labels[150:] == labels[0])


# Pins and sizes


def test_pins_never_move(blobs, rng):
    X, y = blobs
    pins = np.full(150, -1)
    some = rng.choice(150, 30, replace=False)
    pins[some] = rng.permutation(y[some])  # many of them wrong: they must stay all the same
    model = cluster(3).fit(X, pins)
    np.testing.assert_array_equal(model.labels_[some], pins[some])
    assert model.n_pinned_ == 30
    for alternative in model.alternatives_:
        np.testing.assert_array_equal(alternative.labels[some], pins[some])


def test_a_handful_of_pins_decides_between_two_groupings(global_random_seed):
    """Four blobs on a square: pairs by row and pairs by column are as good."""
    centers = np.array([[0, 0], [6, 0], [0, 6], [6, 6]])
    X, corner = make_blobs(120, centers=centers, random_state=global_random_seed)
    for truth in (corner % 2, corner // 2):
        pins = np.full(120, -1)
        for c in range(4):
            some = np.flatnonzero(corner == c)[:2]
            pins[some] = truth[some]
        labels = cluster(2).fit_predict(X, pins)
        assert np.mean(labels == truth) > 0.96  # the other pairs agree in half of the rows


@pytest.mark.parametrize("shares", [[0.2, 0.5, 0.3], [0.98, 0.01, 0.01], [1 / 3] * 3])
def test_proportions_are_exact_and_keep_their_order(shares, blobs):
    X, _ = blobs
    model = cluster(3, proportions=shares).fit(X)
    expected = np.maximum(np.round(np.array(shares) * 150), 1)
    assert np.all(np.abs(np.bincount(model.labels_) - expected) <= 1)
    assert len(model.labels_) == 150
    for alternative in model.alternatives_:
        np.testing.assert_array_equal(alternative.sizes, np.bincount(model.labels_))


def test_true_proportions_find_the_blobs_in_any_order(blobs):
    X, y = blobs
    labels = cluster(3, proportions=[40 / 150, 60 / 150, 50 / 150]).fit_predict(X)
    np.testing.assert_array_equal(labels, np.array([1, 2, 0])[y])


def test_balanced_is_a_wish_and_finds_equal_blobs(global_random_seed):
    X, y = make_blobs(120, centers=CENTERS, random_state=global_random_seed)
    model = cluster(3, proportions="balanced").fit(X)
    assert adjusted_rand_score(y, model.labels_) == 1


@pytest.mark.filterwarnings("ignore:min_size = .* decided:maxmargin.MaxMarginWarning")
@pytest.mark.parametrize(
    ("lower", "upper"), [(45, None), (None, 52), (45, 52), ([20, 45, 45], [60, 60, 52])]
)
def test_bounds_hold_for_the_partition_and_for_the_alternatives(lower, upper, blobs):
    X, _ = blobs
    model = cluster(3, min_size=lower, max_size=upper).fit(X)
    for labels in (model.labels_, *(a.labels for a in model.alternatives_)):
        counts = np.bincount(labels, minlength=3)
        assert np.all(counts >= (0 if lower is None else lower))
        assert np.all(counts <= (150 if upper is None else upper))


def test_a_small_cluster_is_found_and_can_be_ruled_out(global_random_seed):
    X, y = make_blobs([140, 10], centers=[[0, 0], [9, 0]], random_state=global_random_seed)
    assert adjusted_rand_score(y, cluster(2).fit_predict(X)) == 1
    with pytest.warns(MaxMarginWarning, match="min_size = 60 decided: .* has 10 rows"):
        assert np.bincount(cluster(2, min_size=60).fit_predict(X)).min() >= 60


# Their number


def test_the_number_of_clear_blobs_is_found(blobs):
    X, y = blobs
    model = cluster(None).fit(X)
    assert model.n_clusters_ == 3
    assert adjusted_rand_score(y, model.labels_) == 1
    assert 0.5 < model.k_confidence_ < 1
    assert model.k_curve_["k"].tolist() == list(range(1, 21))
    assert {len(column) for column in model.k_curve_.values()} == {20}
    assert model.k_curve_["k"][np.argmax(model.k_curve_["evidence"])] == 3


def test_one_cloud_is_one_cluster(rng):
    X = rng.normal(size=(200, 2))
    model = cluster(None).fit(X)
    assert model.n_clusters_ == 1
    assert not model.labels_.any()
    assert 0.5 < model.k_confidence_ < 1
    assert "nothing shows more" in model.chosen_["why"]
    # bounds that one cluster would break forbid it
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", MaxMarginWarning)
        assert cluster(None, max_size=150).fit(X).n_clusters_ > 1


def test_weak_evidence_is_told(rng):
    X = rng.uniform(size=(25, 2))
    with pytest.warns(MaxMarginWarning, match=r"evidence for n_clusters = \d+ is weak: .* prob"):
        model = cluster(None).fit(X)
    assert model.k_confidence_ < 0.3


@pytest.mark.filterwarnings("ignore::maxmargin.MaxMarginWarning")
def test_pins_are_clusters_that_must_be_there(blobs):
    X, _ = blobs
    pins = np.full(150, -1)
    pins[[0, 1]] = [0, 4]  # clusters 0 and 4: five at least
    model = cluster(None).fit(X, pins)
    assert model.n_clusters_ >= 5
    assert model.labels_[[0, 1]].tolist() == [0, 4]


@pytest.mark.parametrize("bounds", [{"min_size": 10}, {"max_size": 35}])
@pytest.mark.filterwarnings("ignore::maxmargin.MaxMarginWarning")
def test_bounds_in_rows_rule_out_numbers_of_clusters(bounds, blobs):
    """With 75 rows, 10 in each cluster leave 2 to 7 of them; at most 35 leave 3 and more."""
    X, y = blobs[0][::2], blobs[1][::2]
    model = cluster(None, **bounds).fit(X)
    assert adjusted_rand_score(y, model.labels_) == 1
