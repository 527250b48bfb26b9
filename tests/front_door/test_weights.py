"""Rows with weights in the front door: one row where there are copies, and their sizes."""

import warnings

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import make_blobs
from sklearn.metrics import adjusted_rand_score, euclidean_distances

from maxmargin import MaxMarginClustering
from maxmargin.blocks.samples import sample_rows
from maxmargin.front_door.latent_classes import latent_classes
from maxmargin.front_door.one_column import Variables
from maxmargin.front_door.partition import fit_partition
from maxmargin.front_door.sources.spanning_tree import SpanningTree
from maxmargin.front_door.subsample import Subsample
from maxmargin.objectives.leave_one_out import LeaveOneOut
from maxmargin.sizes import Sizes, read_pins
from maxmargin.spaces.metric import Metric
from maxmargin.spaces.pairwise import GaussianSettings, GraphSettings, PairwiseDistances
from maxmargin.weights import WeightedSizes, copies_of, weighted_sizes

X, Y = make_blobs(60, centers=3, n_features=4, center_box=(-20, 20), random_state=3)


class Limits:
    proportions, min_size, max_size = None, None, None


def sizes_of(weights, k=3):
    return weighted_sizes(Limits, k, None, np.asarray(weights, float))


@pytest.fixture
def copies(rng):
    return rng.integers(1, 4, size=len(X))


def at_scale(rows, scale, weights=None):
    distances = PairwiseDistances(rows, weights=weights)
    distances.scale = scale
    return distances


def test_the_model_and_its_errors_are_those_of_copies(copies):
    """At the same width; the leave-one-out error leaves out all copies, so it is not theirs."""
    again, weights = np.repeat(np.arange(len(X)), copies), copies / copies.mean()
    settings, labels = GaussianSettings(2.0, 1e-3), Y.astype(np.int32)
    found = []
    for rows, own, names in ((X, weights, labels), (X[again], None, labels[again])):
        distances = at_scale(rows, 3.0, own)
        criterion = LeaveOneOut.in_space(distances, settings)
        sizes = sizes_of(copies) if own is not None else sizes_of(np.ones(len(again)))
        sample = Subsample(Metric(), sizes, np.arange(len(rows)), rows)
        found.append(fit_partition(sample, distances, settings, criterion, names))
    ours, theirs = (one.classifier.values(X + 0.1) for one in found)
    np.testing.assert_allclose(ours, theirs, rtol=0, atol=1e-9)
    assert found[0].weights is not None


@pytest.mark.parametrize("settings", [GaussianSettings(2.0, 1e-3), GraphSettings(12, 3.0)], ids=str)
def test_leave_one_out_is_that_of_models_without_the_row(settings, copies):
    weights = copies / copies.mean()
    distances = at_scale(X, 3.0, weights)
    form = settings.space(distances).form(distances, settings.lam(len(X)))
    criterion = LeaveOneOut.of_form(form)
    labels = Y.astype(np.int32)
    H, n = np.eye(3)[labels], len(X)
    if settings.kernel == "gaussian":  # K (K + λW⁻¹)⁻¹, with a bias
        K = settings.space(distances).represent(X)
        missed = np.empty((n, 3))
        for j in range(n):
            rest = np.delete(np.arange(n), j)
            system = np.ones((n, n))
            system[:-1, :-1] = K[np.ix_(rest, rest)] + np.diag(settings.lam(n) / weights[rest])
            system[-1, -1] = 0
            model = np.linalg.solve(system, np.vstack([H[rest], np.zeros(3)]))
            missed[j] = H[j] - np.append(K[j, rest], 1) @ model
    else:  # the row stays on the graph, and weighs nothing
        L = settings.lam(n) * _laplacian(distances, settings)
        missed = np.empty((n, 3))
        for j in range(n):
            own = np.where(np.arange(n) == j, 0, weights)
            missed[j] = H[j] - np.linalg.solve(np.diag(own) + L, own[:, None] * H)[j]
    np.testing.assert_allclose(criterion.errors(labels, 3), missed, atol=1e-4)
    spread = copies.sum() - np.square(np.bincount(labels, copies)).sum() / copies.sum()
    expected = 1 - np.sum(weights[:, None] * missed**2) / (spread / copies.mean())
    assert criterion.scores([labels])[0] == pytest.approx(expected, abs=1e-5)


def _laplacian(distances, settings):
    W = distances.neighbors.graph(settings.n_neighbors).matrix.toarray()
    return (np.diag(W.sum(axis=1)) - W) / max(W.sum(axis=1).mean(), 1)


def test_a_polish_lowers_the_weighted_error_and_keeps_sizes(rng, copies):
    weights = copies / copies.mean()
    noisy = X + 6 * rng.normal(size=X.shape)
    criterion = LeaveOneOut.in_space(at_scale(noisy, 5.0, weights), GaussianSettings(2.0, 1e-3))
    total = copies.sum()
    sizes = WeightedSizes(
        np.full(3, total / 3), np.full(3, total // 5), np.full(3, total // 2),
        np.full(len(X), -1, np.int32), True, copies,
    )  # fmt: skip
    start = sizes.random_labels(rng)
    labels = criterion.form().polish(start, sizes, rng)
    assert sizes.hold(labels)
    assert criterion.scores([labels])[0] > criterion.scores([start])[0]
    best = criterion.scores([labels])[0]
    for i in range(len(X)):
        for c in range(3):
            other = labels.copy()
            other[i] = c
            if sizes.hold(other):
                assert criterion.scores([other])[0] <= best + 1e-5


def test_clear_clusters_whatever_rows_weigh(rng):
    weights = 10.0 ** rng.uniform(-3, 3, size=len(X))
    model = MaxMarginClustering(3, effort="fast", random_state=0).fit(X, sample_weight=weights)
    assert adjusted_rand_score(model.labels_, Y) == 1
    assert model.loo_score_ > 0.9
    D = np.asfortranarray(euclidean_distances(X))
    model = MaxMarginClustering(3, metric="precomputed", effort="fast", random_state=0)
    assert adjusted_rand_score(model.fit(D, sample_weight=weights).labels_, Y) == 1


def test_sources_count_weights(copies):
    again = np.repeat(np.arange(len(X)), copies)
    weighted, copied = SpanningTree.of(X, copies.astype(float)), SpanningTree.of(X[again])
    np.testing.assert_array_equal(weighted.counts, copied.counts)
    np.testing.assert_array_equal(weighted.rooted.size, copied.rooted.size)


def test_latent_classes_are_those_of_copies(rng, copies):
    table = np.column_stack([X[:, 0], rng.integers(0, 2, len(X)), Y == 1]).astype(float)
    variables, again = Variables(table), np.repeat(np.arange(len(X)), copies)
    copied = Variables(table)
    copied.numbers = variables.numbers[again]
    copied.indicators = [values[again] for values in variables.indicators]
    ours = latent_classes(variables, 3, [Y], 0, 0, copies.astype(float))
    theirs = latent_classes(copied, 3, [Y[again]], 0, 0)
    # one row of the average kind is added to each class: of the rows, or of the copies
    found = np.argmax(ours, axis=1)[again]
    assert adjusted_rand_score(found, np.argmax(theirs, axis=1)) > 0.95


def test_many_rows_are_drawn_by_weight_and_stand_for_what_was_not_drawn(rng):
    weights = rng.pareto(1.5, size=5000) + 0.01
    y, sizes = rng.integers(3, size=5000), sizes_of(weights)
    shares, drawn = np.bincount(y, sizes.mass) / sizes.mass.sum(), []
    for seed in range(40):
        rows = sample_rows(sizes.pins, 500, np.random.default_rng(seed), sizes.weights)
        some = sizes.subset(rows)
        assert len(np.unique(rows)) == 500
        drawn.append(np.bincount(y[rows], some.mass) / some.mass.sum())
    np.testing.assert_allclose(np.mean(drawn, axis=0), shares, atol=0.02)


def test_rows_that_were_not_looked_at_get_labels_and_sizes():
    many, y = make_blobs(3000, centers=3, n_features=4, center_box=(-20, 20), random_state=3)
    weights = np.random.default_rng(0).uniform(0.1, 4, size=3000)
    model = MaxMarginClustering(3, effort="fast", random_state=0)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        model.fit(many, sample_weight=weights)
    assert adjusted_rand_score(model.labels_, y) == 1
    assert model.loo_score_ > 0.9
    shares = [0.5, 0.3, 0.2]
    exact = MaxMarginClustering(3, proportions=shares, effort="fast", random_state=0)
    sums = np.bincount(exact.fit(many, sample_weight=weights).labels_, weights)
    np.testing.assert_allclose(sums, np.array(shares) * weights.sum(), atol=weights.max())


def test_rows_of_weight_zero_are_known_to_all_that_is_fitted():
    weights = (np.arange(len(X)) % 5 > 0).astype(float)
    model = MaxMarginClustering(3, random_state=0, stability=True).fit(X, sample_weight=weights)
    for name in ("labels_", "margin_", "uncertain_"):
        assert len(getattr(model, name)) == len(X)
    assert model.left_out_.shape == (len(X), 3)
    assert adjusted_rand_score(model.labels_, Y) == 1
    assert all(weights[rows].all() for rows in model.exemplars_)
    if model.alternatives_:
        other = model.use_alternative(0, X)
        assert other.labels_.shape == (len(X),)


def test_a_frame_with_weights_and_an_unknown_number():
    frame = pd.DataFrame(X, columns=list("abcd")).assign(kind=np.array(list("xyz"))[Y])
    weights = np.arange(len(X)) % 4
    model = MaxMarginClustering(random_state=0).fit(frame, sample_weight=weights)
    assert model.n_clusters_ == 3
    assert adjusted_rand_score(model.labels_, Y) == 1


def test_copies_where_a_method_knows_no_weights():
    assert copies_of(np.array([1, 2, 3])).tolist() == [1, 2, 3]
    assert copies_of(np.array([1, 1000, 2000])).tolist() == [1, 4, 8]


def test_plain_sizes_have_no_weights():
    assert Sizes(np.ones(2), *np.zeros((2, 2), int), read_pins(None, 4, 2)).weights is None
