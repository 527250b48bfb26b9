import numpy as np
import pytest
from sklearn.datasets import make_circles, make_moons
from sklearn.metrics import adjusted_rand_score
from sklearn.mixture import GaussianMixture

from maxmargin.front_door.sources.mixture import CERTAINTY, KURTOSIS, judge_mixture


def strips(rng, n=300):
    """Two long Gaussians side by side."""
    y = np.repeat([0, 1], n // 2)
    return rng.normal(size=(n, 2)) * [6, 0.5] + np.array([[0, 1.5], [0, -1.5]])[y], y


def cross(rng, n=400):
    """Two long Gaussians that cross each other: no boundary is short."""
    y = np.repeat([0, 1], n // 2)
    X = rng.normal(size=(n, 2)) * [8, 0.3]
    X[y == 1] = X[y == 1][:, ::-1]
    return X, y


def test_long_gaussians_are_believed(rng):
    X, y = strips(rng)
    found = judge_mixture(X, 2, [y])
    assert found.adequate
    assert found.reason == "nothing speaks against it"
    assert adjusted_rand_score(y, found.labels) > 0.95
    assert found.labels.dtype == np.int32
    assert found.kurtosis == pytest.approx(1, abs=0.2)
    assert found.certainty > CERTAINTY


def test_gaussians_that_cross_are_believed_from_their_start(rng):
    X, y = cross(rng)
    found = judge_mixture(X, 2, [y])
    assert adjusted_rand_score(y, found.labels) > 0.8


def test_labels_are_those_of_an_independent_mixture(rng):
    X, y = strips(rng)
    means = [X[y == c].mean(axis=0) for c in (0, 1)]
    precisions = [np.linalg.inv(np.cov(X[y == c].T)) for c in (0, 1)]
    other = GaussianMixture(2, means_init=means, precisions_init=precisions).fit(X)
    assert adjusted_rand_score(other.predict(X), judge_mixture(X, 2, [y]).labels) > 0.97


def test_a_start_wins_by_its_likelihood_only(rng):
    """A poor start beside a good one changes nothing."""
    X, y = strips(rng)
    poor = rng.integers(2, size=300)
    assert judge_mixture(X, 2, [poor, y]).adequate
    expected = judge_mixture(X, 2, [y]).labels
    assert adjusted_rand_score(expected, judge_mixture(X, 2, [poor, y]).labels) > 0.99


@pytest.mark.parametrize("shape", ["moons", "circles"])
@pytest.mark.parametrize("n", [100, 300])
@pytest.mark.parametrize("trial", range(3))
def test_bent_clusters_are_not_believed(shape, n, trial, global_random_seed):
    seed = 10 * global_random_seed + trial
    if shape == "moons":
        X, y = make_moons(n, noise=0.05, random_state=seed)
    else:
        X, y = make_circles(n, noise=0.03, factor=0.3, random_state=seed)
    found = judge_mixture(X, 2, [y])
    # or the mixture is right by chance
    assert not found.adequate or adjusted_rand_score(y, found.labels) > 0.9


def test_a_number_that_is_too_small_is_not_believed(rng):
    y = np.repeat(np.arange(5), 40)
    angles = 2 * np.pi * y / 5
    X = 8 * np.column_stack([np.cos(angles), np.sin(angles)]) + rng.normal(size=(200, 2)) * 0.5
    assert judge_mixture(X, 5).adequate
    assert not judge_mixture(X, 3).adequate


def test_tails_are_measured(rng):
    """Mardia's kurtosis: 1 for a Gaussian, 2/3 for a disc, more for heavy tails."""
    y = np.repeat([0, 1], 400)
    far = 8.0 * y[:, None] * [1, 0]
    gauss = judge_mixture(rng.normal(size=(800, 2)) + far, 2)
    assert gauss.kurtosis == pytest.approx(1, abs=0.12)
    angle, radius = rng.uniform(0, 2 * np.pi, 800), np.sqrt(rng.uniform(size=800))
    disc = np.column_stack([np.cos(angle), np.sin(angle)]) * radius[:, None]
    discs = judge_mixture(disc + far, 2)
    assert discs.kurtosis == pytest.approx(2 / 3, abs=0.08)
    heavy = judge_mixture(rng.standard_t(3, size=(800, 2)) + far, 2)
    assert heavy.kurtosis > KURTOSIS[1]
    assert not heavy.adequate
    assert heavy.reason == "the clusters are not Gaussian"


def test_one_cloud_is_in_doubt(rng):
    found = judge_mixture(rng.normal(size=(300, 2)), 2)
    assert not found.adequate


def test_units_and_shifts_do_not_matter(rng):
    X, _ = strips(rng)
    expected = judge_mixture(X, 2)
    for scale, shift in ((1e-6, 0), (1e6, 0), (1.0, 1e5)):
        found = judge_mixture(X * scale + shift, 2)
        np.testing.assert_array_equal(found.labels, expected.labels)
        assert found.kurtosis == pytest.approx(expected.kurtosis, rel=1e-3)


@pytest.mark.parametrize("k", [2, 3, 8])
@pytest.mark.parametrize(
    "X",
    [
        np.zeros((20, 2)),
        np.full((20, 3), 0.1),
        np.repeat([[0.0, 0], [1, 1]], 20, axis=0),
        np.column_stack([np.arange(40.0), np.zeros(40)]),
        np.append(np.zeros(39), 1.0)[:, None],
        np.arange(3.0)[:, None],
        np.zeros((10, 1)),
    ],
    ids=["zeros", "equal", "two points", "a line", "one apart", "three rows", "one column"],
)
def test_degenerate_rows_get_an_answer(X, k):
    found = judge_mixture(X, k, [np.arange(len(X)) % k])
    assert found is None or found.labels.shape == (len(X),)


def test_what_cannot_be_judged_is_none(rng):
    X = rng.normal(size=(100, 2))
    assert judge_mixture(X, 1) is None
    assert judge_mixture(X[:4], 2) is None  # fewer rows than parameters
    assert judge_mixture(X, 2, variance=10 * X.var(axis=0).sum()) is None  # most of it is unseen


def test_a_start_with_empty_clusters(rng):
    X, _ = strips(rng)
    found = judge_mixture(X, 3, [np.zeros(300, int), np.full(300, 2)])
    assert found.labels.max() < 3


def test_the_same_seed_gives_the_same(rng):
    X = rng.normal(size=(100, 3))
    one, two = judge_mixture(X, 3, seed=5), judge_mixture(X, 3, seed=5)
    np.testing.assert_array_equal(one.labels, two.labels)
    assert one.kurtosis == two.kurtosis


def test_a_gaussian_of_outliers_is_no_cluster(rng):
    X = np.concatenate([rng.normal([x, 0], size=(150, 2)) for x in (0, 8, 16)])
    far = 40 * rng.normal(size=(8, 2))
    labels = np.append(np.repeat([0, 0, 1], 150), np.full(8, 2))
    found = judge_mixture(np.concatenate([X, far]), 3, [labels])
    assert np.bincount(found.labels).min() < 15
    assert found.reason in ("a Gaussian holds what is left over", "the clusters are not Gaussian")
    wide = np.concatenate([X, rng.normal([8, 30], 3, size=(150, 2))])  # as many rows: a cluster
    assert judge_mixture(wide, 4, [np.repeat(range(4), 150)]).adequate
