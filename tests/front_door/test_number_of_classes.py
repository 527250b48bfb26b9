"""The number of latent classes, where columns have few values."""

import numpy as np
import pytest
from scipy.special import logsumexp
from sklearn.metrics import adjusted_rand_score

from maxmargin import MaxMarginClustering
from maxmargin.front_door.latent_classes import latent_classes
from maxmargin.front_door.number_of_classes import (
    MOST_SURE,
    class_confidence,
    class_evidence,
    count_classes,
)
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
    assert 0.5 < model.k_confidence_ <= MOST_SURE
    at = int(np.argmax(model.k_curve_["evidence"]))
    assert model.k_curve_["left_in_common"][at] < 2


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
    evidence, left = class_evidence(variables, [1, 2, 3, 4, 5])
    assert len(evidence) == 3  # two numbers in a row were worse
    assert evidence[0] == 0
    correlation = np.corrcoef(flag, number)[0, 1]  # within one class
    assert left[0] == pytest.approx(200 * correlation**2 / 1.05**2, rel=1e-6)
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
    evidence, _ = count_classes(X, halves, 1.0, range(1, 6))
    assert len(evidence) == 3
    assert np.argmax(evidence) == 0


def test_a_wrong_model_is_not_sure_of_its_number(rng):
    """Answers that one trait drives have no classes, and the likelihood takes several."""
    trait = 1.5 * rng.normal(size=(400, 1))
    answers = np.digitize(trait + rng.normal(size=(400, 8)), [-1.5, 0, 1.5])
    evidence, left = class_evidence(Variables(answers.astype(float)), range(1, 9))
    assert np.argmax(evidence) > 0
    assert class_confidence(evidence, left) < 0.6


def test_the_confidence_in_classes_falls_with_what_is_left(rng):
    evidence = np.array([-40.0, 0.0, -30.0])
    sure = [class_confidence(evidence, np.full(3, left)) for left in (1.0, 2.0, 8.0)]
    assert sure[0] > sure[1] > sure[2]
    doubted = class_confidence(np.array([-40.0, 0.0, -2.0]), np.ones(3))
    assert doubted < sure[0] <= MOST_SURE
