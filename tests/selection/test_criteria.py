import pickle

import numpy as np
import pandas as pd
import pytest
from scipy.sparse import csr_matrix
from sklearn.base import clone
from sklearn.datasets import make_blobs, make_moons
from sklearn.exceptions import NotFittedError
from sklearn.metrics.pairwise import euclidean_distances

from maxmargin.selection import LeaveOneOutCriterion, SplitGapCriterion
from maxmargin.selection.criteria import CRITERIA
from maxmargin.selection.split_gap import SplitGap
from maxmargin.spaces.neighbors import Neighbors

both = pytest.mark.parametrize("criterion", [LeaveOneOutCriterion(), SplitGapCriterion()])


@pytest.fixture
def blobs(global_random_seed):
    return make_blobs(
        [30, 40, 50],
        centers=[[0, 0], [4, 0], [0, 4]],
        cluster_std=0.9,
        random_state=global_random_seed,
    )


def leave_one_out_error(X, labels, width, alpha):
    """1 − R² of kernel ridge regression with a free constant, refitted without each row."""
    n = len(X)
    D = euclidean_distances(X)
    sigma = width * np.median(np.sort(D, axis=1)[:, 7])
    K = np.exp(-np.square(D) / (2 * sigma**2))
    H = (labels[:, np.newaxis] == np.unique(labels)).astype(float)
    error = 0.0
    for i in range(n):
        rest = np.arange(n) != i
        system = np.ones((n, n))
        system[:-1, :-1] = K[np.ix_(rest, rest)] + alpha * n * np.eye(n - 1)
        system[-1, -1] = 0
        weights = np.linalg.solve(system, np.vstack([H[rest], np.zeros(H.shape[1])]))
        error += np.square(H[i] - K[i, rest] @ weights[:-1] - weights[-1]).sum()
    return error / np.square(H - H.mean(axis=0)).sum()


def test_leave_one_out_is_what_its_name_says(rng):
    X = rng.normal(size=(40, 2))
    criterion = LeaveOneOutCriterion(standardize=False).fit(X)
    for labels in ((X[:, 0] > 0).astype(int), rng.integers(3, size=40)):
        errors = [leave_one_out_error(X, labels, width, 2**-11) for width in (1, 1.5, 2.5, 4)]
        expected = 1 - np.exp(np.mean(np.log(errors)))
        assert criterion.score(labels) == pytest.approx(expected, abs=2e-4)


def test_split_gap_is_that_of_the_neighbours(blobs):
    X, y = blobs
    expected = SplitGap(Neighbors.of_rows(X, 10))
    criterion = SplitGapCriterion(standardize=False).fit(X)
    for labels in (y, y > 0, np.arange(120) % 3):
        assert criterion.score(labels) == pytest.approx(expected.score(labels))


@both
def test_the_truth_scores_best(criterion, blobs):
    X, y = blobs
    criterion = clone(criterion).fit(X)
    shuffled = np.random.default_rng(0).permutation(y)
    assert criterion.score(y) > criterion.score(np.where(np.arange(120) % 6, y, shuffled))
    assert criterion.score(y) > criterion.score(shuffled)


@both
def test_names_of_clusters_do_not_matter(criterion, blobs):
    X, y = blobs
    criterion = clone(criterion).fit(X)
    expected = criterion.score(y)
    assert criterion.score(np.array([7, 0, 100])[y]) == pytest.approx(expected)
    assert criterion.score(np.array(["a", "c", "b"])[y]) == pytest.approx(expected)
    assert criterion.score(np.array(["a", "c", "b"], dtype=object)[y]) == pytest.approx(expected)
    assert criterion.score(pd.Series(y.astype(float))) == pytest.approx(expected)
    assert criterion.score(y.tolist()) == pytest.approx(expected)


@both
def test_the_order_of_rows_does_not_matter(criterion, blobs, rng):
    X, y = blobs
    order = rng.permutation(len(y))
    given, moved = clone(criterion).fit(X), clone(criterion).fit(X[order])
    for labels in (y, np.where(rng.random(120) < 0.2, -1, y)):
        assert moved.score(labels[order]) == pytest.approx(given.score(labels), abs=1e-5)


@both
def test_one_cluster_is_worth_nothing(criterion, blobs):
    criterion = clone(criterion).fit(blobs[0])
    assert criterion.score(np.zeros(120)) == 0
    assert criterion.score(np.full(120, 5)) == 0


@both
@pytest.mark.parametrize("n", [1, 2, 3, 5])
def test_few_rows_and_equal_rows(criterion, n):
    for X in (np.arange(2.0 * n).reshape(n, 2), np.ones((n, 2))):
        criterion = clone(criterion).fit(X)
        for labels in (np.arange(n), np.arange(n) % 2, np.zeros(n), np.full(n, -1)):
            assert np.isfinite(criterion.score(labels))


# -- noise ------------------------------------------------------------------------------------


@both
def test_noise_goes_to_the_nearest_clustered_row(criterion):
    X = np.array([0, 1, 2, 3, 10, 11, 12, 13])[:, np.newaxis]
    criterion = clone(criterion).fit(X)
    given = criterion.score([0, 0, 0, 0, 1, 1, 1, 1])
    assert criterion.score([0, -1, -1, -1, -1, -1, -1, 1]) == given
    assert criterion.score([-1, 0, 0, -1, 1, -1, -1, -1]) == given
    # of the clustered rows, 3 is the nearest one to all of the right group
    split = criterion.score([0, 0, 0, 1, 1, 1, 1, 1])
    assert criterion.score([0, 0, 0, 1, -1, -1, -1, -1]) == split
    criterion.set_params(noise="cluster")
    assert criterion.score([0, 0, 0, 0, -1, -1, -1, -1]) == given
    assert criterion.score([0, 0, 0, -1, 1, 1, 1, 1]) == criterion.score([0, 0, 0, 2, 1, 1, 1, 1])


@both
@pytest.mark.parametrize("noise", ["nearest", "cluster"])
def test_nothing_but_noise_is_one_cluster(criterion, noise, blobs):
    criterion = clone(criterion).set_params(noise=noise).fit(blobs[0])
    assert criterion.score(np.full(120, -1)) == 0


def test_one_cluster_and_noise(blobs):
    X, y = blobs
    labels = np.where(y == 0, 0, -1)
    assert LeaveOneOutCriterion().fit(X).score(labels) == 0
    assert LeaveOneOutCriterion(noise="cluster").fit(X).score(labels) > 0.5


# -- rows -------------------------------------------------------------------------------------


@both
def test_precomputed_distances(criterion, blobs, rng):
    X, y = blobs
    labels = np.where(rng.random(120) < 0.3, -1, y)
    rows = clone(criterion).set_params(standardize=False).fit(X)
    distances = clone(criterion).set_params(metric="precomputed").fit(euclidean_distances(X))
    for given in (y, labels):
        assert distances.score(given) == pytest.approx(rows.score(given), abs=1e-5)
    distances.set_params(max_rows=100).fit(euclidean_distances(X))
    rows.set_params(max_rows=100).fit(X)
    assert distances.score(labels) == pytest.approx(rows.score(labels), abs=1e-5)


@both
def test_scales_and_shifts_do_not_matter(criterion, blobs):
    X, y = blobs
    expected = clone(criterion).fit(X).score(y)
    assert clone(criterion).fit(X * [1, 1e4] + 7).score(y) == pytest.approx(expected, abs=1e-5)
    as_is = clone(criterion).set_params(standardize=False)
    expected = as_is.fit(X).score(y)
    assert as_is.fit(X + 2.0**24).score(y) == pytest.approx(expected, abs=1e-5)


@both
def test_sparse_rows_are_compared_by_cosine(criterion, blobs):
    X, y = blobs
    X = X + 3
    labels = np.where(np.arange(120) % 5, y, -1)
    dense = clone(criterion).set_params(metric="cosine", standardize=False).fit(X)
    sparse = clone(criterion).fit(csr_matrix(X))
    for given in (y, labels):
        assert sparse.score(given) == pytest.approx(dense.score(given), abs=1e-4)


@both
def test_a_sample_stands_for_many_rows(criterion):
    X, y = make_moons(1000, noise=0.05, random_state=0)
    some = clone(criterion).set_params(max_rows=300).fit(X)
    assert len(some.rows_) == len(set(some.rows_)) == 300
    assert some.n_rows_ == 1000
    expected = clone(criterion).set_params(max_rows=300).fit(X[some.rows_])
    assert some.score(y) == pytest.approx(expected.score(y[some.rows_]), abs=0.01)
    assert some.score(y) == clone(some).fit(X).score(y)
    lone = np.zeros(1000)
    lone[np.setdiff1d(np.arange(1000), some.rows_)[0]] = 1
    assert some.score(lone) == 0  # the sample sees one cluster


# -- the interface ----------------------------------------------------------------------------


@both
def test_clone_pickle_and_names(criterion, blobs):
    X, y = blobs
    changed = clone(criterion).set_params(noise="cluster", max_rows=77)
    assert clone(changed).get_params() == changed.get_params()
    again = pickle.loads(pickle.dumps(changed.fit(X)))
    assert again.score(y) == changed.score(y)
    assert type(criterion) in CRITERIA.values()
    assert set(CRITERIA) == {"loo", "split_gap"}


@both
def test_bad_input(criterion, blobs):
    X, y = blobs
    with pytest.raises(NotFittedError, match=type(criterion).__name__):
        clone(criterion).score(y)
    fitted = clone(criterion).fit(X)
    with pytest.raises(ValueError, match=r"labels must have .* shape \(120,\); got shape \(119,\)"):
        fitted.score(y[1:])
    with pytest.raises(ValueError, match="labels must have"):
        fitted.score(y[:, np.newaxis])
    with pytest.raises(ValueError, match="labels must not contain NaN"):
        fitted.score(np.where(y > 1, np.nan, y))
    with pytest.raises(ValueError, match="X contains NaN"):
        clone(criterion).fit(np.where(X > 2, np.nan, X))
    for name, value in {
        "metric": "manhattan",
        "noise": "ignore",
        "max_rows": 1,
        "standardize": "yes",
    }.items():
        with pytest.raises(ValueError, match=f"{name} must be .* got {value!r}"):
            clone(criterion).set_params(**{name: value}).fit(X)
