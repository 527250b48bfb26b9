"""The number of latent classes, where columns have few values."""

import numpy as np
import pytest
from scipy.special import logsumexp
from sklearn.metrics import adjusted_rand_score

from maxmargin import MaxMarginClustering
from maxmargin.front_door.latent_classes import latent_classes
from maxmargin.front_door.number_of_classes import class_evidence, count_classes
from maxmargin.front_door.one_column import Variables


def flags_of(rng, k, size=120, n_flags=12):
    """Classes with shares of their own in each flag."""
    y = np.repeat(np.arange(k), size)
    shares = rng.choice([0.1, 0.9], size=(k, n_flags))
    return (rng.random((len(y), n_flags)) < shares[y]).astype(float), y


@pytest.mark.parametrize("k", [2, 3])
def test_classes_of_flags_are_counted(k, rng):
    """Combinations of flags are clumps with clean gaps, and no clusters."""
    X, y = flags_of(rng, k)
    model = MaxMarginClustering(effort="fast", random_state=0).fit(X)
    assert model.n_clusters_ == k
    assert adjusted_rand_score(y, model.labels_) > 0.7
    assert "latent classes" in model.chosen_["number"]
    assert model.k_curve_["evidence"].max() == 0
    assert 0.5 < model.k_confidence_ <= 1


def test_flags_without_classes_are_one_cluster(rng):
    X = (rng.random((300, 8)) < 0.4).astype(float)
    assert MaxMarginClustering(effort="fast", random_state=0).fit(X).n_clusters_ == 1


def test_a_flag_beside_clusters_does_not_change_their_number(rng):
    y = np.repeat(range(3), 80)
    X = rng.normal(size=(240, 3)) + 6 * np.eye(3)[y]
    beside = np.column_stack([X, rng.integers(0, 2, 240)])
    model = MaxMarginClustering(effort="fast", random_state=0).fit(beside)
    assert model.n_clusters_ == 3
    assert adjusted_rand_score(y, model.labels_) > 0.9


def test_the_evidence_is_minus_half_of_the_information_criterion(rng):
    """One class has no latent variable: its likelihood is a product over columns."""
    flag, number = rng.integers(0, 2, 200), rng.normal(size=200)
    variables = Variables(np.column_stack([flag, number]))
    evidence = class_evidence(variables, [1, 2, 3, 4, 5])
    assert len(evidence) == 3  # two numbers in a row were worse
    assert evidence[0] == 0
    share, x = flag.mean(), variables.numbers[:, 0]
    spread = (np.sum(x**2) + 1) / 201 + variables.floor[0]
    one = -np.log(spread) / 2 - x**2 / (2 * spread) + np.log(np.where(flag, share, 1 - share))
    two = logsumexp(latent_classes(variables, 2, (), 0, 4), axis=1)
    # a share, a mean and a variance for each class, and the share of the second class
    assert evidence[1] == pytest.approx(two.sum() - one.sum() - (7 - 3) / 2 * np.log(200))


def test_margins_count_where_they_are_wide(rng):
    numbers = rng.normal(size=(100, 3))
    X = np.column_stack([numbers, rng.integers(0, 2, (100, 2))])
    halves = (numbers[:, 0] > 0).astype(np.intp)
    assert count_classes(X, halves, 4.0, range(1, 6)) is None
    assert count_classes(numbers, halves, 1.0, range(1, 6)) is None
    evidence = count_classes(X, halves, 1.0, range(1, 6))
    assert len(evidence) == 3
    assert np.argmax(evidence) == 0
