import itertools

import numpy as np
import pytest
from sklearn import metrics as peer
from sklearn.cluster import KMeans
from sklearn.datasets import load_iris
from sklearn.metrics.cluster import contingency_matrix

from maxmargin import metrics
from maxmargin.metrics import compactness_score, matched_accuracy_score, purity_score


def test_purity_by_hand():
    assert purity_score([0, 0, 1, 1], [0, 0, 1, 1]) == 1
    assert purity_score([0, 0, 1, 1], [1, 1, 0, 0]) == 1  # names do not matter
    assert purity_score([0, 0, 0, 1], [0, 0, 0, 0]) == 0.75  # the largest class
    assert purity_score([0, 1, 0, 1], [0, 0, 1, 1]) == 0.5
    assert purity_score(["a", "b", "b"], [5, 5, -1]) == pytest.approx(2 / 3)
    assert purity_score(list("abcabc"), range(6)) == 1  # each row is one


def test_purity_is_accuracy_after_a_vote(rng):
    classes, clusters = rng.integers(4, size=200), rng.integers(6, size=200)
    votes = np.empty(200, dtype=int)
    for c in range(6):
        votes[clusters == c] = np.bincount(classes[clusters == c]).argmax()
    assert purity_score(classes, clusters) == pytest.approx(peer.accuracy_score(classes, votes))
    floor = np.bincount(classes).max() / 200
    assert floor <= purity_score(classes, clusters) <= 1
    # splitting a cluster never lowers it
    split = np.where((clusters == 0) & (rng.random(200) < 0.5), 6, clusters)
    assert purity_score(classes, split) >= purity_score(classes, clusters)
    table = contingency_matrix(classes, clusters)
    assert purity_score(classes, clusters) == table.max(axis=0).sum() / 200
    assert purity_score(clusters, clusters) == 1


def test_compactness_by_hand():
    X = [[0.0, 0.0], [6.0, 8.0], [1.0, 1.0]]
    assert compactness_score(X, [0, 0, 1]) == pytest.approx(10 / 3)  # 5, 5 and 0
    assert compactness_score(X, [0, 1, 2]) == 0
    assert compactness_score(X, [3, 3, -1]) == pytest.approx(5)  # −1 does not count
    assert compactness_score(X, ["a", "a", "b"]) == pytest.approx(10 / 3)


def test_compactness_against_loops(rng):
    X, labels = rng.normal(size=(80, 3)), rng.integers(-1, 4, size=80)
    total = 0.0
    for c in range(4):
        rows = X[labels == c]
        total += np.sqrt(((rows - rows.mean(axis=0)) ** 2).sum(axis=1)).sum()
    assert compactness_score(X, labels) == pytest.approx(total / (labels >= 0).sum())
    assert compactness_score(7 * X + 5, labels) == pytest.approx(7 * compactness_score(X, labels))
    assert compactness_score(X.astype(np.float32), labels) == pytest.approx(
        compactness_score(X, labels), rel=1e-6
    )


def test_compactness_in_one_dimension_is_k_means(rng):
    """For clusters of two rows the mean distance squared is the inertia per row."""
    X = rng.normal(size=(2, 3))
    inertia = KMeans(1, n_init=1).fit(X).inertia_
    assert compactness_score(X, [0, 0]) ** 2 == pytest.approx(inertia / 2)


def test_compactness_takes_data_frames():
    frame = load_iris(as_frame=True)
    table = compactness_score(frame.data, frame.target)
    assert table == pytest.approx(compactness_score(frame.data.to_numpy(), frame.target.to_numpy()))


def test_the_other_two_are_scikit_learns():
    assert metrics.rand_score is peer.rand_score
    assert metrics.davies_bouldin_score is peer.davies_bouldin_score
    assert {"rand_score", "davies_bouldin_score"} <= set(metrics.__all__)


def test_bad_labels():
    with pytest.raises(ValueError, match="at least one cluster; all of them are -1"):
        compactness_score([[0.0], [1.0]], [-1, -1])
    with pytest.raises(ValueError, match="inconsistent numbers of samples"):
        compactness_score([[0.0], [1.0]], [0])
    with pytest.raises(ValueError):
        purity_score([0, 1], [0])
    with pytest.raises(ValueError, match="NaN"):
        compactness_score([[np.nan], [1.0]], [0, 0])


def test_matched_accuracy_tries_every_matching(rng):
    classes, clusters = rng.integers(3, size=40), rng.integers(4, size=40)
    best = max(
        np.mean(np.array([*matching, -1])[np.minimum(clusters, 4)] == classes)
        for matching in itertools.permutations([0, 1, 2, -2])
    )
    assert matched_accuracy_score(classes, clusters) == pytest.approx(best)
    assert matched_accuracy_score(classes, classes[::-1][::-1] + 7) == 1


def test_outliers_are_never_right():
    assert matched_accuracy_score(["a", "a", "b"], [0, -1, 1]) == pytest.approx(2 / 3)
    assert matched_accuracy_score([0, 1], [-1, -1]) == 0
