"""What every search promises, on random problems."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from oracles import forms, moves

from maxmargin.search import SEARCHES, Evolutionary, Problem, Shaking, Start, Stochastic
from maxmargin.sizes import read_sizes


@st.composite
def problems(draw):
    """A quadratic form, size limits that can be met, pins and a start that may break them."""
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    k = draw(st.integers(1, 4))
    n = draw(st.integers(max(2 * k, 3), 40))
    form = forms.random_form(
        rng,
        n=n,
        factored=draw(st.booleans()),
        lam=draw(st.sampled_from([1e-3, 0.1, 5.0])),
        dtype=draw(st.sampled_from([np.float32, np.float64])),
        rank=draw(st.integers(1, 6)),
    )
    pins = np.where(rng.random(n) < draw(st.sampled_from([0, 0, 0.2])), rng.integers(k, size=n), -1)
    pinned = np.bincount(pins[pins >= 0], minlength=k)
    kind = draw(st.sampled_from(["free", "bounds", "exact"]))
    if kind == "exact":
        shares = np.maximum(pinned + 1, rng.integers(1, 5, size=k)).astype(float)
        shares = (pinned + (n - pinned.sum()) * shares / shares.sum()) / n
        sizes = read_sizes(n, k, shares / shares.sum(), None, None, _no_more(pins, shares, n))
    elif kind == "bounds":
        lower = rng.integers(0, max(1, (n - pinned.sum()) // k) + 1, size=k)
        upper = np.maximum(lower, pinned) + (n // 2 + 1 if k > 1 else n)
        sizes = read_sizes(n, k, "balanced", lower, upper, pins.astype(np.int32))
    else:
        sizes = read_sizes(n, k, None, 0, None, pins.astype(np.int32))
    labels = rng.integers(k, size=n).astype(np.int32)
    labels[sizes.pins >= 0] = sizes.pins[sizes.pins >= 0]
    start = Start(labels, draw(st.booleans()), sizes.draw_quota(rng, 1), draw(st.integers(0, 5)))
    return form, sizes, start, rng


def _no_more(pins, shares, n):
    """Pins that leave room for rounding: exact sizes may be one row below their share."""
    pins = pins.astype(np.int32)
    for c in range(len(shares)):
        members = np.flatnonzero(pins == c)
        pins[members[max(0, int(shares[c] * n) - 1) :]] = -1
    return pins


@pytest.mark.parametrize("name", SEARCHES)
@settings(max_examples=40, deadline=None)
@given(problem=problems())
def test_limits_pins_and_values_hold_after_search_and_polish(name, problem):
    form, sizes, start, rng = problem
    k = sizes.n_clusters
    before = start.labels.copy()
    found = SEARCHES[name]().run(Problem(form, sizes), start, rng)
    labelling = found.labelling
    np.testing.assert_array_equal(start.labels, before)  # a start is never changed
    tol = 1e-8 if form.matrix.dtype == np.float64 else 1e-2
    for polish in (False, True):
        if polish:
            value = labelling.value
            labelling.polish()
            assert labelling.value >= value - tol
        assert sizes.hold(labelling.labels)
        assert labelling.value == pytest.approx(form.value(labelling.labels, k), abs=tol)
    R, labels = forms.dense(form), labelling.labels
    counts = np.bincount(labels, minlength=k)
    allowed = (counts[labels] > sizes.lower[labels])[:, None] & (counts < sizes.upper)
    allowed &= sizes.movable[:, None].astype(bool)
    assert moves.move_gains(R, labels, k)[allowed].max(initial=-1) <= tol
    if np.all(sizes.lower == sizes.upper):
        free = sizes.movable.astype(bool)
        swaps = moves.swap_gains(R, labels, k)[np.ix_(free, free)]
        assert swaps.max(initial=-1) <= tol


@pytest.mark.parametrize("search", [Stochastic(), Stochastic(shuffle=True), Evolutionary(3, 3)])
def test_searches_that_only_accept_gains_never_lose_any(search, form, rng):
    sizes = forms.random_sizes(rng, form.n, 3, lower=5)
    start = Start(sizes.random_labels(rng), False, sizes.quota, 0)
    found = search.run(Problem(form, sizes), start, rng)
    assert np.all(np.diff(found.path) >= 0)
    assert found.path[-1] == pytest.approx(found.labelling.value, abs=1e-8)
    assert found.path[-1] > form.value(start.labels, 3)


def test_shaking_claims_what_equation_14_says(form, rng):
    """Round 0 of the plain twin: q/2⁰ + q − size for each cluster in turn."""
    k, n = 3, form.n
    sizes = forms.random_sizes(rng, n, k)
    labels = sizes.random_labels(rng)
    expected = labels.copy()
    R = forms.dense(form)
    for i in range(3):
        for c in range(k):
            quota = int(n / k) - np.sum(expected == c) + int(n / (k * 2**i))
            expected = moves.claim(R, expected, k, c, max(0, quota))
    found = Shaking(rounds=3).run(Problem(form, sizes), Start(labels, False, sizes.quota, 0), rng)
    np.testing.assert_array_equal(found.labelling.labels, expected)
    assert found.n_iter == 3


def test_shaking_follows_the_proportions(form, rng):
    sizes = read_sizes(form.n, 3, [0.6, 0.3, 0.1], None, None, np.full(form.n, -1, np.int32))
    start = Start(sizes.random_labels(rng), False, sizes.quota, 0)
    found = Shaking().run(Problem(form, sizes), start, rng)
    assert np.bincount(found.labelling.labels).tolist() == [36, 18, 6]


def test_evolution_finds_the_same_again_with_the_same_seed(form, rng):
    sizes = forms.random_sizes(rng, form.n, 2, lower=20)
    start = Start(sizes.random_labels(rng), False, sizes.quota, 0)
    one, two = (
        Evolutionary().run(Problem(form, sizes), start, np.random.default_rng(5)) for _ in range(2)
    )
    np.testing.assert_array_equal(one.labelling.labels, two.labelling.labels)
    assert one.n_iter == two.n_iter
