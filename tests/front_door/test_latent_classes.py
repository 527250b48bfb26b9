"""Latent classes whose numbers go together, and what single columns tell of an answer."""

import numpy as np
import pytest
from scipy.special import logsumexp
from scipy.stats import multivariate_normal
from sklearn.metrics import adjusted_rand_score

from maxmargin.front_door.latent_classes import Spread, _log_joint, latent_classes
from maxmargin.front_door.one_column import Variables, judge_by_classes
from maxmargin.sizes import read_pins, read_sizes


@pytest.fixture
def table(rng):
    """Two species of all sizes, which differ by one proportion, and a flag that says nothing."""
    species, flag = rng.integers(0, 2, size=(2, 300))
    X = rng.normal(size=(300, 1)) + 0.2 * rng.normal(size=(300, 3))
    X[:, 1] += 1.2 * species
    return np.column_stack([X, flag]), species


@pytest.mark.parametrize("alike", [False, True])
def test_densities_are_those_of_scipy(table, rng, alike):
    X, _ = table
    variables = Variables(X[:, :3])
    members = rng.dirichlet(np.ones(2), size=len(X))
    counts, N = members.sum(axis=0), variables.numbers
    means = members.T @ N / counts[:, None]
    scatter = [
        sum(w * np.outer(x - m, x - m) for w, x in zip(own, N, strict=True))
        for own, m in zip(members.T, means, strict=True)
    ]
    common = (sum(scatter) + np.eye(3)) / (len(X) + 1)
    ours = _log_joint(variables, members, Spread(alike, together=True))
    for c in range(2):
        own = common if alike else (scatter[c] + 4 * common) / (counts[c] + 4)
        log = multivariate_normal(means[c], own + np.diag(variables.floor)).logpdf(N)
        share = (counts[c] + 1) / (len(X) + 2)
        theirs = log + np.log(share) + 1.5 * np.log(2 * np.pi)  # which EM needs not
        np.testing.assert_allclose(ours[:, c], theirs, rtol=1e-9, atol=1e-9)


def test_of_one_number_a_covariance_is_a_variance(rng):
    variables = Variables(np.column_stack([rng.normal(size=80), rng.integers(0, 2, 80)]))
    members = rng.dirichlet(np.ones(3), size=80)
    alone, together = (_log_joint(variables, members, Spread(True, t)) for t in (False, True))
    np.testing.assert_allclose(together, alone)


def test_numbers_that_go_together(table):
    """Size is most of what there is to see, and independent columns can only part by it."""
    X, species = table
    variables, begin = Variables(X), [(X[:, 0] > 0).astype(int), species]
    kinds = Spread(alike=True), Spread(alike=True, together=True)
    alone, together = (latent_classes(variables, 2, begin, 0, 4, spread=s) for s in kinds)
    assert logsumexp(together, axis=1).sum() > logsumexp(alone, axis=1).sum() + 100
    assert adjusted_rand_score(species, np.argmax(alone, axis=1)) < 0.3
    assert adjusted_rand_score(species, np.argmax(together, axis=1)) > 0.9


def test_a_gap_in_one_number_that_no_other_column_knows_of(rng):
    """Of a latent class that all columns but one tell; the last has a hole in it."""
    y = rng.integers(0, 2, 300)
    numbers = rng.normal(size=(300, 3)) + 1.8 * y[:, None]
    flags = rng.random((300, 3)) < np.where(y, 0.85, 0.15)[:, None]
    hole = rng.uniform(-1, 1, 300)
    hole += 0.3 * np.sign(hole)
    X = np.column_stack([numbers, flags, hole])
    apart = (hole > 0).astype(int)
    assert "one number" in Variables(X).told_alone(apart)
    assert Variables(X).told_alone(y) == ""
    limits = read_sizes(300, 2, None, None, None, read_pins(None, 300, 2))
    labels, why = judge_by_classes(X, apart, [], limits, 0)
    assert adjusted_rand_score(y, labels) > 0.85
    assert "no other column knows" in why


def test_a_flag_that_parts_two_of_three_clusters(rng):
    y = rng.integers(0, 3, 300)
    flag = rng.integers(0, 2, 300)
    X = np.column_stack([rng.normal(size=(300, 3)) + 4 * np.eye(3)[y], flag])
    crossed = np.where(y == 0, 0, 1 + flag)
    assert "parts two clusters" in Variables(X).told_alone(crossed)
    assert Variables(X).told_alone(y) == ""


def test_what_labels_tell_of_columns(rng):
    y = np.repeat([0, 1], 50)
    x, flag = rng.normal(size=100) + y, np.where(rng.random(100) < 0.1, 1 - y, y)
    told = Variables(np.column_stack([x, flag])).told_by(y)
    within = np.sum([np.sum((x[y == c] - x[y == c].mean()) ** 2) for c in (0, 1)])
    assert told[0] == pytest.approx(1 - within / 98 / x.var(ddof=1))
    table = np.array([[np.sum((y == a) & (flag == b)) for b in (0, 1)] for a in (0, 1)])
    missed = 1 - np.sum(table**2) / 50 / 100
    blind = 1 - np.sum(table.sum(axis=0) ** 2) / 100**2
    assert told[1] == pytest.approx(1 - missed / blind * 99 / 98)
