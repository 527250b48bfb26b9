import numpy as np
import pytest
from oracles import leave_one_out as oracle
from scipy.spatial.distance import pdist, squareform
from sklearn.metrics.pairwise import rbf_kernel
from sklearn.neighbors import kneighbors_graph

from maxmargin.objectives.leave_one_out import LeaveOneOut
from maxmargin.spaces.metric import Metric
from maxmargin.spaces.pairwise import GAUSSIANS, GaussianSettings, GraphSettings, PairwiseDistances

SPACES = (*GAUSSIANS, GraphSettings(12, 3.0), GraphSettings(12, 30.0))


def distances(X):
    return PairwiseDistances(X)


def affinity(settings, here):
    return settings.space(here).affinity(here)


def ids(space):
    return space.name


# The scale


def test_the_scale_of_a_line_by_hand():
    """0, 1, …, 8: the 7th neighbour is at 7, 6, 5, 4, 4, 4, 5, 6, 7."""
    assert distances(np.arange(9.0)[:, None]).scale == pytest.approx(5)
    assert distances(3 * np.arange(9.0)[:, None] + 100).scale == pytest.approx(15)


@pytest.mark.parametrize("n", [2, 3, 6, 8])
def test_with_few_rows_the_last_neighbour_counts(n):
    """Row i of a line of n rows is at max(i, n − 1 − i) from the farthest."""
    farthest = [max(i, n - 1 - i) for i in range(n)]
    assert distances(np.arange(float(n))[:, None]).scale == pytest.approx(np.median(farthest))


def test_the_scale_is_that_of_sorted_distances(rng):
    X = rng.normal(size=(51, 3))
    D = np.sort(squareform(pdist(X)), axis=1)  # the row itself comes first
    assert distances(X).scale == pytest.approx(np.median(D[:, 7]))


def test_duplicates_do_not_make_the_scale_zero():
    # ten equal rows, and lone ones whose 7th neighbour is among the ten
    X = np.array([0.0] * 10 + [2, 5, 11])[:, None]
    assert distances(X).scale == pytest.approx(5)
    # two groups of ten: no row has a 7th neighbour elsewhere, but the groups are 3 apart
    assert distances(np.repeat([1.0, 4.0], 10)[:, None]).scale == pytest.approx(3)


def test_equal_rows_have_scale_one():
    assert PairwiseDistances(np.zeros((6, 1))).scale == 1
    assert PairwiseDistances(np.zeros((20, 2))).scale == 1
    assert PairwiseDistances(np.zeros((1, 1))).scale == 1


# The spaces


def test_spaces_have_names_of_their_own():
    assert len({space.name for space in SPACES}) == len(SPACES)
    assert GaussianSettings(2.0, 0.5).name == "gaussian(width=2, alpha=0.5)"
    assert GraphSettings(12, 3.0).name == "graph(neighbors=12, smoothing=3)"


@pytest.mark.parametrize("space", GAUSSIANS, ids=ids)
def test_a_gaussian_has_the_width_in_units_of_the_scale(space, rng):
    X = rng.normal(size=(40, 3))
    here = distances(X)
    sigma = space.width * here.scale
    K = affinity(space, here)
    np.testing.assert_allclose(K, rbf_kernel(X, gamma=1 / (2 * sigma**2)), atol=1e-12)
    assert np.all(K.diagonal() == 1)
    # two rows that are one σ apart
    pair = PairwiseDistances(np.array([[0.0], [2.0]]))
    width = GaussianSettings(1.0, 0.1)
    assert affinity(width, pair)[0, 1] == pytest.approx(np.exp(-1 / 2))


@pytest.mark.parametrize("neighbors", [1, 5, 12])
def test_a_graph_joins_neighbours_of_either_side(neighbors, rng):
    X = rng.normal(size=(40, 3))
    directed = kneighbors_graph(X, neighbors).toarray()
    W = affinity(GraphSettings(neighbors, 3.0), distances(X))
    np.testing.assert_array_equal(W, np.maximum(directed, directed.T))


@pytest.mark.parametrize("space", SPACES, ids=ids)
def test_units_do_not_matter(space, rng):
    X = rng.normal(size=(40, 3))
    expected = affinity(space, distances(X))
    np.testing.assert_allclose(affinity(space, distances(1e-3 * X)), expected, atol=1e-12)
    np.testing.assert_allclose(affinity(space, distances(1e5 * X)), expected, atol=1e-12)


@pytest.mark.parametrize("space", SPACES, ids=ids)
def test_the_criterion_is_that_of_refits(space, rng):
    """λ = αn for a Gaussian, μ for a graph; the distances can be used again."""
    X = rng.normal(size=(40, 3))
    labels = rng.integers(3, size=40)
    here = distances(X)
    before = here.squared.copy()
    found = LeaveOneOut.in_space(here, space).errors(labels, 3)
    weights = affinity(space, here)
    if space.kernel == "gaussian":
        expected = oracle.errors(weights, 40 * space.strength, labels, 3)
    else:
        expected = oracle.graph_errors(weights, space.strength, labels, 3)
    np.testing.assert_allclose(found, expected, atol=2e-5)
    np.testing.assert_array_equal(here.squared, before)
    np.testing.assert_array_equal(LeaveOneOut.in_space(here, space).errors(labels, 3), found)


@pytest.mark.parametrize("space", SPACES, ids=ids)
def test_every_space_prefers_the_blobs(space, rng):
    truth = np.repeat([0, 1, 2], 20)
    X = rng.normal(size=(60, 2)) + np.array([[0, 0], [15, 0], [0, 15]])[truth]
    good, merged, random = LeaveOneOut.in_space(distances(X), space).scores(
        [truth, np.minimum(truth, 1), rng.integers(3, size=60)]
    )
    assert good > 0.8
    assert good > random
    assert merged > random


# Degenerate data: warnings are errors

DEGENERATE = {
    "one row": np.zeros((1, 2)),
    "two rows": np.array([[0.0, 0], [1, 2]]),
    "two equal rows": np.ones((2, 2)),
    "five rows": np.array([[0.0], [1], [2.5], [7], [8]]),
    "equal rows": np.full((30, 3), 0.1),
    "one feature": np.arange(30.0)[:, None] ** 2,
    "two values": np.repeat([0.0, 1.0], [15, 20])[:, None],
    "one row apart": np.append(np.zeros(29), 1.0)[:, None],
    "far apart": np.append(np.arange(29.0), 1e6)[:, None],
    "no feature varies but one": np.column_stack([np.ones(30), np.arange(30.0)]),
    "pairs": np.repeat(np.arange(15.0), 2)[:, None],
}


@pytest.mark.parametrize("space", SPACES, ids=ids)
@pytest.mark.parametrize("name", DEGENERATE)
@pytest.mark.parametrize("standardize", [False, True])
def test_degenerate_data_gives_finite_scores(name, space, standardize):
    X = DEGENERATE[name]
    metric = Metric("euclidean", standardize).fit(X)
    rows = metric.prepare(X)
    here = PairwiseDistances(rows, metric)
    n = here.n
    assert 0 < here.scale < np.inf
    weights = affinity(space, here)
    assert np.all(np.isfinite(weights))
    assert weights.min() >= 0
    assert weights.max() <= 1
    criterion = LeaveOneOut.in_space(here, space)
    assert np.all(np.isfinite(criterion.residual))
    assert np.all(criterion.diagonal > 0)
    partitions = [np.zeros(n, int), np.arange(n) % 2, np.arange(n) % 3, np.arange(n)]
    scores = criterion.scores(partitions)
    assert np.all(np.isfinite(scores))
    assert np.all(scores <= 1)
    form = criterion.form()
    assert np.all(np.isfinite(form.matrix))
    assert np.all(np.isfinite(form.diagonal))


@pytest.mark.parametrize("space", GAUSSIANS, ids=ids)
def test_equal_rows_score_by_hand(space):
    """The mean of the other rows predicts each: R² = 1 − (n / (n − 1))²."""
    criterion = LeaveOneOut.in_space(PairwiseDistances(np.zeros((10, 1))), space)
    score = criterion.scores([np.arange(10) % 2])[0]
    assert score == pytest.approx(1 - (10 / 9) ** 2, abs=1e-5)


# As spaces: new rows against those of fit


def test_old_and_new_rows_have_one_kernel(rng):
    X, new = rng.normal(size=(30, 3)), rng.normal(size=(5, 3))
    here = distances(X)
    space = GAUSSIANS[1].space(here)
    expected = rbf_kernel(new, X, gamma=space.gamma)
    np.testing.assert_allclose(space.represent(X), space.affinity(here), atol=1e-9)
    np.testing.assert_allclose(space.represent(new), expected, atol=1e-9)
    coef = rng.normal(size=(30, 2))
    np.testing.assert_allclose(space.values(new, coef, 1.0), expected @ coef + 1, atol=1e-8)


def test_a_graph_refuses_new_rows(rng):
    here = distances(rng.normal(size=(30, 3)))
    with pytest.raises(TypeError, match="no kernel with new rows"):
        GraphSettings(5, 3.0).space(here).represent(here.rows)


def test_spaces_say_what_they_need(rng):
    here = distances(rng.normal(size=(30, 3)))
    for settings in SPACES:
        assert settings.space(here).memory(here) == 2 * 8 * 30**2
