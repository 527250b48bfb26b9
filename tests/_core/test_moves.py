"""The compiled loops do what their plain twins do, and what they keep up to date stays true."""

import numpy as np
import pytest
from oracles import forms, moves

from maxmargin._core.evolve import Population
from maxmargin._core.sweeps import settle_rows
from maxmargin.objectives.leave_one_out import loo_score
from maxmargin.spaces.quadratic_form import Labelling


def start(form, k, rng, **limits):
    sizes = forms.random_sizes(rng, form.n, k, **limits)
    return Labelling(form, sizes, sizes.random_labels(rng))


@pytest.mark.parametrize("k", [2, 3, 5])
def test_claims_are_those_of_the_plain_twin(form, k, rng):
    labelling = start(form, k, rng)
    expected = moves.claim(forms.dense(form), labelling.labels, k, 1, 25)
    labelling.claim(1, 25)
    np.testing.assert_array_equal(labelling.labels, expected)
    assert labelling.n_moves == 25


def test_a_cluster_cannot_claim_more_than_there_is(form, rng):
    labelling = start(form, 3, rng)
    labelling.claim(0, 10 * form.n)
    assert np.all(labelling.labels == 0)
    assert labelling.counts.tolist() == [form.n, 0, 0]


@pytest.mark.parametrize("k", [2, 3, 5])
def test_steepest_descent_is_that_of_the_plain_twin(form, k, rng):
    labelling = start(form, k, rng, lower=4, upper=40)
    lower, upper = labelling.sizes.lower, labelling.sizes.upper
    expected = moves.descend(forms.dense(form), labelling.labels, k, lower, upper)
    labelling.descend()
    np.testing.assert_array_equal(labelling.labels, expected)


@pytest.mark.parametrize("k", [2, 3, 5])
def test_stochastic_descent_is_that_of_the_plain_twin(form, k, rng):
    sizes = forms.random_sizes(rng, form.n, k, lower=4, upper=40)
    labels = sizes.random_labels(rng)
    order = rng.permutation(form.n)
    expected = moves.settle(forms.dense(form), labels, k, order, sizes.lower, sizes.upper)
    before = form.value(labels, k)
    counts = np.bincount(labels, minlength=k)
    state = form.state(labels, k)
    n_moves, gained = settle_rows(
        form.matrix, form.factored, form.diagonal, labels, state, counts, sizes.mass,
        sizes.lower, sizes.upper, order, form.tol,
    )  # fmt: skip
    np.testing.assert_array_equal(labels, expected)
    assert n_moves > 0
    assert before + gained == pytest.approx(form.value(labels, k), abs=1e-9)
    np.testing.assert_allclose(state, form.state(labels, k), atol=1e-10)


@pytest.mark.parametrize("factored", [False, True])
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_scores_and_value_stay_true_over_thousands_of_moves(factored, dtype, rng):
    form = forms.random_form(rng, n=80, factored=factored, dtype=dtype)
    k = 4
    labelling = start(form, k, rng)
    loo_before = loo_score(form, labelling.scores, labelling.labels)
    for _ in range(150):
        labelling.claim(int(rng.integers(k)), int(rng.integers(1, 30)))
    assert labelling.n_moves > 1500
    tol = 1e-9 if dtype == np.float64 else 2e-3
    exact = form.scores(labelling.labels, k)
    np.testing.assert_allclose(labelling.scores, exact, atol=tol)
    np.testing.assert_allclose(labelling.own, exact[labelling.labels, np.arange(form.n)], atol=tol)
    np.testing.assert_array_equal(labelling.counts, np.bincount(labelling.labels, minlength=k))
    assert labelling.value == pytest.approx(form.value(labelling.labels, k), abs=100 * tol)
    after = loo_score(form, labelling.scores, labelling.labels)
    assert after == pytest.approx(loo_score(form, exact, labelling.labels), abs=100 * tol)
    assert after != loo_before


@pytest.mark.parametrize("k", [2, 3, 4])
def test_a_polish_leaves_no_move_and_no_swap_that_gains(form, k, rng):
    labelling = start(form, k, rng, lower=form.n // k - 3, upper=form.n // k + 3)
    labelling.polish()
    R, labels, sizes = forms.dense(form), labelling.labels, labelling.sizes
    gains = moves.move_gains(R, labels, k)
    counts = np.bincount(labels, minlength=k)
    allowed = (counts[labels] > sizes.lower[labels])[:, None] & (counts < sizes.upper)
    assert gains[allowed].max(initial=-np.inf) <= 1e-8
    if np.any(counts == sizes.lower) or np.any(counts == sizes.upper):
        assert moves.swap_gains(R, labels, k).max() <= 1e-8


@pytest.mark.parametrize("k", [2, 3, 4])
def test_limits_hold_at_every_step_of_a_polish(form, k, rng):
    labelling = start(form, k, rng, lower=form.n // k - 3, upper=form.n // k + 3)
    sizes, steps = labelling.sizes, 0
    while labelling._descend(sizes.lower, sizes.upper, form.tol, 1):
        assert sizes.hold(labelling.labels)
        assert labelling.value == pytest.approx(form.value(labelling.labels, k), abs=1e-9)
        steps += 1
    assert steps > 0
    while labelling._swap():
        assert sizes.hold(labelling.labels)


@pytest.mark.parametrize("k", [2, 3, 4])
def test_with_exact_sizes_the_polish_is_optimal_over_swaps(form, k, rng):
    labelling = start(form, k, rng, lower=form.n // k, upper=form.n // k)
    before = labelling.value
    labelling.polish()
    assert labelling.value > before
    assert np.all(labelling.counts == form.n // k)
    assert moves.swap_gains(forms.dense(form), labelling.labels, k).max() <= 1e-8
    assert labelling.value == pytest.approx(form.value(labelling.labels, k), abs=1e-9)


@pytest.mark.parametrize("k", [2, 3])
@pytest.mark.parametrize("parents", [1, 4])
def test_a_population_keeps_true_states_limits_and_pins(form, k, parents, rng):
    pins = np.full(form.n, -1, np.int32)
    pins[:5] = rng.integers(k, size=5)
    sizes = forms.random_sizes(rng, form.n, k, lower=15, upper=35, pins=pins)
    slots = parents + 3
    labels = np.array([sizes.random_labels(rng) for _ in range(slots)])
    counts = np.array([np.bincount(row, minlength=k) for row in labels])
    states = np.array([form.state(row, k) for row in labels])
    fitness = np.array([form.value(row, k) for row in labels])
    first = fitness[:parents].max()
    population = Population(
        labels, counts, sizes.mass, states, fitness, form.diagonal, parents, 3,
        np.flatnonzero(sizes.movable), sizes.lower, sizes.upper, 7,
    )  # fmt: skip
    best = first
    for until in (1, 3, 10, 100, 1000):
        population.run(form.matrix, form.factored, 10**9, until)
        assert population.generation == until
        assert population.best_fitness >= best
        best = population.best_fitness
        found = population.best_labels
        assert sizes.hold(found)
        assert best == pytest.approx(form.value(found, k), abs=1e-8)
    assert best > first


def test_a_population_stops_when_nothing_changes(form, rng):
    sizes = forms.random_sizes(rng, form.n, 2, lower=5)
    labels = np.array([sizes.random_labels(rng) for _ in range(2)])
    population = Population(
        labels,
        np.array([np.bincount(row, minlength=2) for row in labels]),
        sizes.mass,
        np.array([form.state(row, 2) for row in labels]),
        np.array([form.value(row, 2) for row in labels]),
        form.diagonal, 1, 1, np.arange(form.n), sizes.lower, sizes.upper, 1,
    )  # fmt: skip
    population.run(form.matrix, form.factored, 2000, 10**9)
    assert population.quiet == 2000
    gains = moves.move_gains(forms.dense(form), population.best_labels, 2)
    assert gains.max() <= 1e-8
