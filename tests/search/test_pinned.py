"""Pins name what a search found without them, and are followed where that is predicted better."""

import numpy as np
import pytest
from oracles import forms
from sklearn.datasets import make_blobs, make_moons
from sklearn.metrics import adjusted_rand_score

from maxmargin import RLSClustering
from maxmargin.search import Shaking, Steepest
from maxmargin.search.engine import Engine, Problem, Run, Start
from maxmargin.search.pinned import (
    BETTER,
    Unpinned,
    best_of_pinned,
    jobs_from_pins,
    said_by_pins,
    without_pins,
)
from maxmargin.sizes import read_sizes
from maxmargin.spaces.quadratic_form import QuadraticForm

LAM = 0.1


def sizes_with(pins, k=3):
    return read_sizes(len(pins), k, None, 1, None, pins)


@pytest.fixture
def form(rng):
    return QuadraticForm.from_gram(forms.random_gram(rng, 40), LAM)


def pins_of(rng, n=40, k=3, each=3):
    pins = np.full(n, -1, np.int32)
    pins[rng.permutation(n)[: k * each]] = np.repeat(np.arange(k), each)
    return pins


def test_what_pins_say_is_least_squares_of_them_alone(form, rng):
    pins = pins_of(rng)
    H = (pins[:, None] == np.arange(3)) / 3
    R = form.matrix + np.diag(form.diagonal)
    free = pins < 0
    expected = np.argmax(R @ H, axis=1)
    found = said_by_pins(form, sizes_with(pins))
    np.testing.assert_array_equal(found[free], expected[free])
    np.testing.assert_array_equal(found[~free], pins[~free])


def test_a_cluster_without_pins_gets_the_rows_it_must_have(form):
    pins = np.full(40, -1, np.int32)
    pins[:4] = 0
    sizes = read_sizes(40, 3, None, 5, None, pins)
    assert sizes.hold(said_by_pins(form, sizes))


def test_the_search_does_not_know_the_pins(form, rng):
    """Its labels are those of the search without pins, and the pins are put in."""
    sizes = sizes_with(pins_of(rng))
    alone = without_pins(sizes)
    start = Start.at_random(alone, np.random.default_rng(1), 0)
    plain = Engine(form, alone).run(Shaking(), start, np.random.default_rng(2))
    found = Unpinned(Shaking(), True).run(Problem(form, sizes), start, np.random.default_rng(2))
    np.testing.assert_array_equal(found.labelling.labels, sizes.pinned(plain.labels))
    assert found.path == plain.path
    assert found.labelling.n_moves == plain.n_moves
    end = Engine(form, sizes).run(Unpinned(Shaking(), True), start, np.random.default_rng(2))
    assert sizes.hold(end.labels)


def test_runs_that_begin_with_pins(form, rng):
    sizes = sizes_with(pins_of(rng))
    kinds = [job[0] for job in jobs_from_pins(Shaking(), form, sizes, rng)]
    assert [type(kind) for kind in kinds] == [Steepest, Shaking, Shaking]
    assert [kind.first_round for kind in kinds[1:]] == [1, None]
    given = Shaking(first_round=2)
    assert [job[0] for job in jobs_from_pins(given, form, sizes, rng)][1:] == [given]


def test_who_is_taken():
    def run(objective, loo):
        return Run(np.zeros(1, np.int32), objective, loo, [], 0, 0)

    low, high = run(1.0, 0.5), run(2.0, 0.4)
    near, better = run(9.0, 0.4 + BETTER / 2), run(0.5, 0.4 + 2 * BETTER)
    assert best_of_pinned([low, high], 2, by_loo=False) is high
    assert best_of_pinned([low, high], 2, by_loo=True) is low
    assert best_of_pinned([low, high, near], 2, by_loo=False) is high
    assert best_of_pinned([low, high, near, better], 2, by_loo=False) is better
    assert best_of_pinned([low], 2, by_loo=False) is low  # the others did not come to run


@pytest.mark.parametrize("each", [1, 2, 3, 5])
def test_few_pins_do_not_hurt(each, global_random_seed):
    """Two overlapping moons, where three pins for each class used to cost a tenth."""
    scores = []
    for seed in range(3):
        X, y = make_moons(200, noise=0.2, random_state=[7, 8, 9][seed])
        model = RLSClustering(2, random_state=global_random_seed)
        alone = adjusted_rand_score(y, model.fit(X).labels_)
        rng = np.random.default_rng([seed, global_random_seed])
        pins = np.full(len(y), -1)
        for c in range(2):
            pins[rng.permutation(np.flatnonzero(y == c))[:each]] = c
        free = pins < 0
        found = model.fit(X, pins).labels_
        assert np.array_equal(found[~free], pins[~free])
        scores.append(adjusted_rand_score(y[free], found[free]) - alone)
    assert np.mean(scores) > -0.05


def test_many_pins_are_followed():
    """Clusters that nobody would find: the columns' signs, of which half are told."""
    rng = np.random.default_rng(0)
    X, blob = make_blobs(200, centers=[[0, 0], [8, 0]], random_state=0)
    y = (X[:, 1] > 0).astype(int)
    pins = np.where(rng.random(200) < 0.5, y, -1)
    free = pins < 0
    model = RLSClustering(2, random_state=0)
    assert adjusted_rand_score(blob, model.fit(X).labels_) > 0.95
    assert adjusted_rand_score(y[free], model.fit(X, pins).labels_[free]) > 0.4
