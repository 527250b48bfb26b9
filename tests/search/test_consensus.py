"""Kernel weights are the signal over the noise of refits without each row; labels follow them."""

import numpy as np
import pytest
from sklearn.metrics import adjusted_rand_score
from sklearn.metrics.pairwise import rbf_kernel

from maxmargin.search.consensus import ALPHAS, LARGEST_SHARE, Consensus
from maxmargin.sizes import read_sizes


def centred(K):
    """Mean row 0, mean diagonal 1."""
    K = K - K.mean(axis=0) - K.mean(axis=1)[:, None] + K.mean()
    return K / (np.trace(K) / len(K))


def free_sizes(n, k, pins=None, **limits):
    pins = np.full(n, -1, np.int32) if pins is None else pins
    given = {"proportions": None, "min_size": 0.5, "max_size": None, **limits}
    return read_sizes(n, k, pins=pins, **given)


def ridge_with_bias(K, lam, H):
    """min ‖H − Ka − b‖² + λ aᵀKa without a penalty of b: its normal equations."""
    n = len(K)
    both = np.hstack([K, np.ones((n, 1))])
    penalty = np.zeros((n + 1, n + 1))
    penalty[:n, :n] = lam * K
    return np.linalg.lstsq(both.T @ both + penalty, both.T @ H, rcond=1e-13)[0]


def left_out_r2(K, lam, labels):
    """R² of predictions for each row by a model that was fitted without it."""
    n = len(K)
    H = np.eye(labels.max() + 1)[labels]
    missed = np.empty_like(H)
    for j in range(n):
        rest = np.arange(n) != j
        model = ridge_with_bias(K[np.ix_(rest, rest)], lam, H[rest])
        missed[j] = H[j] - np.append(K[j, rest], 1) @ model
    return 1 - np.sum(missed**2) / np.sum((H - H.mean(axis=0)) ** 2)


@pytest.fixture
def sources(rng):
    """Three clusters in a good source, a poor one and one that knows nothing."""
    y = np.arange(48) % 3
    tables = [
        gap * np.eye(3)[y] + rng.normal(size=(48, 3)) for gap in (4.0, 3.0)
    ] + [rng.normal(size=(48, 3))]  # fmt: skip
    return [centred(rbf_kernel(table, gamma=0.1)) for table in tables], y


@pytest.fixture
def consensus(sources, rng):
    grams, y = sources
    return Consensus(grams, free_sizes(len(y), 3), rng)


def test_weights_are_those_of_refits_without_each_row(consensus, sources, rng):
    grams, y = sources
    assert consensus.alpha in ALPHAS
    noisy = np.where(rng.random(len(y)) < 0.2, rng.integers(3, size=len(y)), y)
    for labels in (y, noisy, consensus.of_equals):
        known = np.array([left_out_r2(K, consensus.alpha * len(y), labels) for K in grams])
        known = np.clip(known, 0, LARGEST_SHARE)
        expected = known / (1 - known)
        np.testing.assert_allclose(
            consensus.weights(labels), expected / expected.sum(), rtol=2e-3, atol=1e-3
        )


def test_the_centre_of_a_kernel_does_not_matter(consensus, sources):
    """A bias that costs nothing takes up any shift of the features."""
    grams, y = sources
    lam = consensus.alpha * len(y)
    known = np.array([left_out_r2(K + 0.7, lam, y) for K in grams])
    known = np.clip(known, 0, LARGEST_SHARE)
    expected = known / (1 - known)
    np.testing.assert_allclose(consensus.weights(y), expected / expected.sum(), atol=1e-3)


def test_a_kernel_that_knows_nothing_has_no_weight(consensus, sources):
    _, y = sources
    weights = consensus.weights(y)
    assert weights[2] < 0.02
    assert weights[0] > weights[1] > 0
    assert weights.sum() == pytest.approx(1)


def test_labels_that_nobody_knows_give_all_kernels_the_same(consensus, rng):
    shuffled = rng.permutation(np.arange(48) % 3).astype(np.int32)
    one = np.zeros(48, np.int32)
    np.testing.assert_allclose(consensus.weights(one), 1 / 3)
    weights = consensus.weights(shuffled)
    assert weights.sum() == pytest.approx(1)
    assert weights.min() >= 0


def test_rounds_lead_to_labels_that_are_known_better(consensus, sources, rng):
    grams, y = sources
    start = np.where(rng.random(len(y)) < 0.2, rng.integers(3, size=len(y)), y).astype(np.int32)
    reached = consensus.reached_from(start)

    def known(labels):
        return max(left_out_r2(K, consensus.alpha * len(y), labels) for K in grams)

    assert known(reached) > known(start)


def test_known_labels_that_are_best_are_kept(consensus, sources):
    """A run from them is among those that are compared."""
    _, y = sources
    weights = consensus.weights(y)
    found = consensus.labels(weights, [y.astype(np.int32)])
    assert adjusted_rand_score(y, found) > 0.8


@pytest.mark.parametrize("limits", [{"proportions": [0.5, 0.3, 0.2]}, {"min_size": 1.0}])
def test_labels_keep_sizes_and_pins(limits, sources, rng):
    grams, y = sources
    pins = np.full(48, -1, np.int32)
    pins[:6] = [2, 2, 1, 1, 0, 0]
    sizes = free_sizes(48, 3, pins, **limits)
    consensus = Consensus(grams, sizes, rng)
    start = sizes.random_labels(rng)
    for labels in (
        consensus.of_equals,
        consensus.labels(consensus.weights(y)),
        consensus.reached_from(start),
    ):
        assert sizes.hold(labels)


def test_the_kernel_matrices_are_left_alone(sources, rng):
    grams, y = sources
    before = [K.copy() for K in grams]
    consensus = Consensus(grams, free_sizes(len(y), 3), rng)
    consensus.reached_from(y.astype(np.int32))
    for K, old in zip(grams, before, strict=True):
        np.testing.assert_array_equal(K, old)


@pytest.mark.usefixtures("stopped")
def test_a_flag_ends_it(sources, rng):
    grams, y = sources
    with pytest.raises(KeyboardInterrupt):
        Consensus(grams, free_sizes(len(y), 3), rng)


def test_what_is_known_of_labels_is_what_the_weighted_sum_predicts(consensus, sources, rng):
    grams, y = sources
    for labels in (y, np.where(rng.random(48) < 0.2, (y + 1) % 3, y)):
        K = np.tensordot(consensus.weights(labels), grams, 1)
        expected = left_out_r2(K, consensus.alpha * len(y), labels)
        assert consensus.known(labels) == pytest.approx(expected, abs=1e-2)
    assert consensus.known(y) > consensus.known(rng.permutation(y))
