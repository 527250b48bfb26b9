"""Pins name what hyperplanes found without them, and are followed where labels say so."""

import numpy as np
import pytest
from sklearn.datasets import load_iris, make_blobs, make_moons
from sklearn.metrics import adjusted_rand_score

from maxmargin import CuttingPlaneClustering


def pinned(y, each, seed):
    rng, pins = np.random.default_rng(seed), np.full(len(y), -1)
    for c in np.unique(y):
        pins[rng.permutation(np.flatnonzero(y == c))[:each]] = c
    return pins


@pytest.mark.parametrize("k", [3, 6])
def test_pins_that_agree_only_give_names(k, global_random_seed):
    X, _ = make_blobs(150, centers=k, cluster_std=2.0, random_state=global_random_seed)
    model = CuttingPlaneClustering(k, random_state=global_random_seed)
    alone, n_disagreements = model.fit(X).labels_, model.n_disagreements_
    names = np.random.default_rng(global_random_seed).permutation(k)
    pins = pinned(names[alone], 1, global_random_seed)
    found = model.fit(X, pins)
    np.testing.assert_array_equal(found.labels_, names[alone])
    assert found.n_pinned_ == k
    assert found.n_disagreements_ == n_disagreements
    assert found.objective_path_[-1][-1] == found.objective_


@pytest.mark.parametrize("init_size", [60, None])
def test_pins_are_kept_on_all_rows(init_size, global_random_seed):
    X, y = load_iris(return_X_y=True)
    pins = pinned(y, 3, global_random_seed)
    model = CuttingPlaneClustering(3, init_size=init_size, random_state=global_random_seed)
    labels = model.fit(X, pins).labels_
    np.testing.assert_array_equal(labels[pins >= 0], pins[pins >= 0])
    free = pins < 0
    assert adjusted_rand_score(y[free], labels[free]) > 0.45


@pytest.mark.parametrize("each", [1, 2, 3, 5])
def test_few_pins_do_not_hurt(each, global_random_seed):
    gains = []
    for seed in range(3):
        X, y = make_moons(200, noise=0.2, random_state=[7, 8, 9][seed])
        model = CuttingPlaneClustering(2, random_state=global_random_seed)
        alone = adjusted_rand_score(y, model.fit(X).labels_)
        pins = pinned(y, each, [seed, global_random_seed])
        free = pins < 0
        gains.append(adjusted_rand_score(y[free], model.fit(X, pins).labels_[free]) - alone)
    assert np.mean(gains) > -0.05


def test_many_pins_are_followed(global_random_seed):
    """Classes that nobody would find: the sign of the column that says nothing by itself."""
    X, blob = make_blobs(200, centers=[[0, 0], [8, 0]], random_state=0)
    y = (X[:, 1] > 0).astype(int)
    rng = np.random.default_rng(global_random_seed)
    pins = np.where(rng.random(200) < 0.5, y, -1)
    free = pins < 0
    model = CuttingPlaneClustering(2, random_state=global_random_seed)
    assert adjusted_rand_score(blob, model.fit(X).labels_) > 0.95
    assert adjusted_rand_score(y[free], model.fit(X, pins).labels_[free]) > 0.3


@pytest.mark.parametrize("optimizer", ["cpmmc", "cpm3c"])
@pytest.mark.filterwarnings("ignore::maxmargin.MaxMarginWarning")
def test_a_paper_to_the_letter_knows_the_pins_from_the_start(optimizer):
    X, y = make_blobs(60, centers=2, random_state=0)
    pins = pinned(y, 2, 0)
    labels = CuttingPlaneClustering(2, optimizer=optimizer, random_state=0).fit(X, pins).labels_
    np.testing.assert_array_equal(labels[pins >= 0], pins[pins >= 0])
