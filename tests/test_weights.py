"""Weights against copies: the form, leave-one-out, sizes and searches, by brute force."""

import itertools
import warnings

import numpy as np
import pytest
from oracles import forms, moves
from oracles.rls import hat, indicators
from sklearn.base import clone

from maxmargin import RLSClustering, SupportVectorClustering
from maxmargin.domain.domain_graph import weights_of_kinds
from maxmargin.objectives.leave_one_out import loo_errors, loo_score
from maxmargin.search.exhaustive import all_labellings
from maxmargin.solvers import SMO
from maxmargin.spaces.quadratic_form import Labelling, QuadraticForm
from maxmargin.weights import WeightedSizes, weighted_sizes

LAM = 0.3


def problem(rng, n=9):
    """Weights that are copies, which row each copy is of, and their kernel."""
    K, copies = forms.random_gram(rng, n), rng.integers(1, 4, size=n)
    return K, copies, np.repeat(np.arange(n), copies)


def weighted(K, weights, dtype=np.float64):
    return QuadraticForm.from_gram(
        K.copy(), LAM, weights=np.asarray(weights, np.float64), dtype=dtype
    )


def sizes_of(weights, k=3, y=None, **limits):
    model = RLSClustering(k, **{"min_size": None, **limits})
    return weighted_sizes(model, k, y, np.asarray(weights, np.float64))


def test_the_form_is_that_of_copies(rng):
    K, copies, again = problem(rng)
    form, labels = weighted(K, copies), rng.integers(3, size=9).astype(np.int32)
    R = hat(K[np.ix_(again, again)], LAM)
    H = indicators(labels[again], 3)
    assert form.value(labels, 3) == pytest.approx(np.sum(H * (R @ H)), abs=1e-10)
    summed = indicators(again, 9)
    np.testing.assert_allclose(forms.dense(form), summed.T @ R @ summed, atol=1e-10)
    alpha = np.linalg.solve(K[np.ix_(again, again)] + LAM * np.eye(len(again)), H)
    found = form.coefficients(form.scores(labels, 3), labels)
    np.testing.assert_allclose(found, summed.T @ alpha, atol=1e-10)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_features_give_the_same_form_as_their_kernel(rng, dtype):
    Z, weights = rng.normal(size=(20, 3)).astype(dtype), rng.uniform(0.1, 3, size=20)
    labels = rng.integers(3, size=20).astype(np.int32)
    factored = QuadraticForm.from_features(Z, LAM, weights)
    full = weighted(Z.astype(np.float64) @ Z.T.astype(np.float64), weights)
    tol = 1e-5 if dtype == np.float32 else 1e-10
    np.testing.assert_allclose(forms.dense(factored), forms.dense(full), atol=tol)
    assert factored.value(labels, 3) == pytest.approx(full.value(labels, 3), rel=tol)
    assert factored.matrix.dtype == np.float64
    coef = factored.coefficients(factored.scores(labels, 3), labels)
    dual = full.coefficients(full.scores(labels, 3), labels)
    np.testing.assert_allclose(coef, Z.T @ dual, atol=10 * tol)


def test_leave_one_out_leaves_out_all_copies(rng):
    K, copies, again = problem(rng)
    form, labels = weighted(K, copies), np.array([0, 1, 2] * 3, np.int32)
    scores = form.scores(labels, 3)
    missed = np.empty((3, 9))
    for j in range(9):
        rest = again[again != j]
        m = len(rest)
        system = np.ones((m + 1, m + 1))  # a bias that is not penalised
        system[:m, :m] = K[np.ix_(rest, rest)] + LAM * np.eye(m)
        system[m, m] = 0
        right = np.vstack([indicators(labels[rest], 3), np.zeros(3)])
        found = np.append(K[j, rest], 1) @ np.linalg.solve(system, right)
        missed[:, j] = indicators(labels[[j]], 3)[0] - found
    np.testing.assert_allclose(loo_errors(form, scores, labels), missed, atol=1e-8)
    H = indicators(labels[again], 3)
    expected = 1 - np.sum(copies * missed**2) / np.sum((H - H.mean(axis=0)) ** 2)
    assert loo_score(form, scores, labels) == pytest.approx(expected, abs=1e-8)


@pytest.mark.parametrize("search", ["shaking", "steepest", "stochastic", "evolutionary"])
@pytest.mark.parametrize("limits", [{"min_size": 0.5}, {"proportions": [0.5, 0.3, 0.2]}])
def test_few_rows_get_the_best_labels_of_all(rng, search, limits):
    K, copies, again = problem(rng, n=8)
    sizes = sizes_of(copies, **limits)
    R = hat(K[np.ix_(again, again)], 1e-2 * copies.sum())
    values = []
    for labels in itertools.product(range(3), repeat=8):
        if sizes.hold(np.array(labels)):
            H = indicators(np.array(labels)[again], 3)
            values.append(np.sum(H * (R @ H)))
    told = {"kernel": "precomputed", "alpha": 1e-2, "search": search, "random_state": 0}
    model = RLSClustering(3, **told, **limits).fit(K, sample_weight=copies)
    assert model.objective_ == pytest.approx(max(values), abs=1e-8)
    assert sizes.hold(model.labels_)
    assert len(all_labellings(sizes_of(copies, proportions=[0.5, 0.3, 0.2]))) > 0


@pytest.mark.parametrize("factored", [False, True])
def test_a_polish_leaves_no_move_and_no_swap_that_gains(rng, factored):
    masses = rng.integers(1, 6, size=40)
    if factored:
        form = QuadraticForm.from_features(rng.normal(size=(40, 5)), LAM, masses.astype(float))
    else:
        form = weighted(forms.random_gram(rng, 40), masses)
    total = masses.sum()
    lower, upper = np.full(3, total // 3 - 4), np.full(3, total // 3 + 6)
    free = np.full(40, -1, np.int32)
    sizes = WeightedSizes(np.full(3, total / 3), lower, upper, free, masses=masses)
    labelling = Labelling(form, sizes, sizes.random_labels(rng))
    labelling.repair()
    assert sizes.hold(labelling.labels)
    labelling.polish()
    R, labels = forms.dense(form), labelling.labels
    assert sizes.hold(labels)
    np.testing.assert_array_equal(labelling.counts, np.bincount(labels, masses))
    assert labelling.value == pytest.approx(form.value(labels, 3), abs=1e-8)
    single, swaps = moves.move_gains(R, labels, 3), moves.swap_gains(R, labels, 3)
    for i, c in itertools.product(range(40), range(3)):
        moved = labels.copy()
        moved[i] = c
        assert single[i, c] <= 1e-8 or not sizes.hold(moved)
    for i, j in itertools.combinations(range(40), 2):
        swapped = labels.copy()
        swapped[[i, j]] = labels[[j, i]]
        assert swaps[i, j] <= 1e-8 or not sizes.hold(swapped)


def test_weights_that_are_no_whole_numbers(rng):
    weights = rng.uniform(0.1, 2, size=50)
    sizes = sizes_of(weights, min_size=0.5)
    shares = sizes.mass / sizes.mass.sum()
    np.testing.assert_allclose(shares, weights / weights.sum(), rtol=1e-7)
    drawn = sizes.counts(sizes.random_labels(rng))
    assert np.all(np.abs(drawn - sizes.quota) <= sizes.mass.max())


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("scale", [1e-100, 1e-3, 1e100])
def test_the_unit_of_weights_does_not_matter(rng, dtype, scale):
    X = np.vstack([rng.normal(size=(20, 2)), rng.normal(size=(30, 2)) + 9]).astype(dtype)
    weights = 10.0 ** rng.uniform(-6, 0, size=50)
    model = RLSClustering(2, random_state=0).fit(X, sample_weight=weights)
    scaled = RLSClustering(2, random_state=0).fit(X, sample_weight=scale * weights)
    np.testing.assert_array_equal(scaled.labels_, model.labels_)
    assert model.n_disagreements_ == 0
    assert scaled.objective_ / scale == pytest.approx(model.objective_)
    assert scaled.loo_score_ == pytest.approx(model.loo_score_, abs=1e-8)


def test_a_bound_is_hard_where_rows_leave_room_for_it():
    copies = np.array([1, 2, 3] * 10)
    sizes = sizes_of(copies, min_size=12, max_size=30)
    assert sizes.lower.tolist() == [12, 12, 12]
    assert sizes.upper.tolist() == [30, 30, 30]
    within = sizes_of(copies, proportions=[0.5, 0.25, 0.25])
    assert within.lower.tolist() == [27, 12, 12]
    assert within.upper.tolist() == [33, 18, 18]


def test_no_cluster_with_a_bound_is_left_empty():
    sizes = sizes_of([100, 1, 1, 1], k=2, min_size=0.1)
    assert sizes.lower.min() > 0


def test_ints_are_numbers_of_copies_and_weights_alike_change_nothing_else():
    sizes = sizes_of(np.full(12, 2.0), min_size=6, y=[0, -1] + [-1] * 10)
    assert not isinstance(sizes, WeightedSizes)
    assert sizes.lower.tolist() == [3, 3, 3]
    assert sizes.pins[0] == 0


@pytest.mark.parametrize(
    ("limits", "message"),
    [
        ({"min_size": 20}, "min_size asks for 60 rows in all, and X has 24"),
        ({"max_size": 3, "min_size": None}, "max_size leaves room for 9 rows in all"),
    ],
)
def test_limits_that_cannot_be_met(limits, message):
    with pytest.raises(ValueError, match=message):
        sizes_of([1, 2, 3] * 4, **limits)


def test_pins_that_are_too_heavy():
    y = np.full(12, -1)
    y[[2, 5, 8, 11]] = 0
    with pytest.raises(
        ValueError, match="y pins rows of weight 12 to cluster 0, which may have 11"
    ):
        sizes_of([1, 2, 3] * 4, y=y, max_size=8)


def test_the_origin_of_a_linear_kernel_is_the_weighted_mean(rng):
    X, weights = rng.normal(size=(30, 2)), rng.uniform(0.5, 4, size=30)
    from scipy.sparse import csr_matrix

    for rows in (X, csr_matrix(X)):
        model = RLSClustering(2, kernel="linear", random_state=0).fit(rows, sample_weight=weights)
        mean = np.average(X, axis=0, weights=weights)
        assert model.decision_function(mean[None])[0] == pytest.approx(0, abs=1e-10)


@pytest.mark.parametrize("bound", [{"nu": 0.3}, {"nu": 0.001}, {"C": 0.2}, {"C": 3.0}])
def test_the_domain_is_that_of_copies(rng, bound):
    X, copies = rng.normal(size=(30, 2)), rng.integers(1, 4, size=30)
    model = SupportVectorClustering(0.7, **bound, solver=SMO(tol=1e-12), min_cluster_size=1)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        weighted = clone(model).fit(X, sample_weight=copies)
        copied = clone(model).fit(np.repeat(X, copies, axis=0))
    new = rng.normal(size=(50, 2))
    ours, theirs = weighted.decision_function(new), copied.decision_function(new)
    np.testing.assert_allclose(ours, theirs, atol=1e-8)
    assert abs(weighted.duality_gap_) < 1e-8
    assert weighted.nu_ == pytest.approx(copied.nu_, abs=1e-8)
    assert pytest.approx(copied.C_, abs=1e-8) == weighted.C_
    assert np.all(weighted.dual_coef_[0] <= weighted.C_ * copies[weighted.support_] + 1e-10)


def test_outliers_are_a_share_of_the_weight(rng):
    X, weights = rng.normal(size=(60, 2)), rng.integers(1, 6, size=60)
    model = SupportVectorClustering(0.5, nu=0.2, outlier_fraction=0.25)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        model.fit(X, sample_weight=weights)
    outside = weights[model.labels_ == -1].sum()
    assert 0.25 * weights.sum() - weights.max() <= outside <= 0.25 * weights.sum()


def test_copies_of_a_row_add_their_weights():
    X = np.array([[0.0], [1.0], [0.0], [2.0], [-0.0]])
    weights = np.array([1.0, 2.0, 3.0, 4.0, 5.0])
    assert weights_of_kinds(X, np.array([0, 1, 3]), weights).tolist() == [9, 2, 4]
    assert weights_of_kinds(X, np.array([0, 2]), weights).tolist() == [1, 3]


def test_rows_in_blocks_are_refused(tmp_path):
    np.save(tmp_path / "rows.npy", np.eye(4))
    with pytest.raises(ValueError, match="sample_weight needs rows in memory"):
        RLSClustering(2).fit(tmp_path / "rows.npy", sample_weight=np.ones(4))


def test_pins_on_all_rows_that_count():
    with pytest.raises(ValueError, match="y pins all rows whose sample_weight is above 0"):
        RLSClustering(2).fit(np.eye(3), [0, 1, -1], sample_weight=[1, 1, 0])


def test_the_start_that_was_given_keeps_its_rows(rng):
    X = np.vstack([rng.normal(size=(20, 2)), rng.normal(size=(20, 2)) + 9])
    start = np.repeat([0, 1], 20)
    model = RLSClustering(2, init=start, random_state=0)
    model.fit(X, sample_weight=np.arange(40) % 3)
    assert model.init is start
    np.testing.assert_array_equal(model.labels_ == model.labels_[0], start == 0)


def test_pairs_and_no_weights_keep_sizes_in_rows(rng):
    X, pairs = rng.normal(size=(20, 2)), {"must_link": [(0, 1)]}
    model = RLSClustering(2, proportions=[0.7, 0.3], random_state=0)
    plain = clone(model).fit(X, constraints=pairs)
    none = clone(model).fit(X, constraints=pairs, sample_weight=None)
    np.testing.assert_array_equal(plain.labels_, none.labels_)
    with pytest.raises(ValueError, match="takes no constraints"):
        SupportVectorClustering().fit(X, constraints=pairs, sample_weight=np.ones(20))
