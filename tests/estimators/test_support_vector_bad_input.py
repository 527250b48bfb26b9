"""Bad input: an answer or an error that names the parameter, never a NumPy warning or a hang."""

import warnings

import numpy as np
import pytest
from scipy import sparse
from sklearn.datasets import make_blobs, make_moons
from sklearn.exceptions import NotFittedError
from sklearn.metrics import adjusted_rand_score

from maxmargin import MaxMarginWarning, SupportVectorClustering

X = np.random.default_rng(0).normal(size=(20, 3))
CENTERS = [[0, 0], [9, 0], [0, 9]]


@pytest.mark.parametrize(
    ("rows", "error", "message"),
    [
        (X[:1], ValueError, "minimum of 2 is required"),
        (X[:0], ValueError, "0 sample"),
        (X[:, :0], ValueError, "0 feature"),
        (X[0], ValueError, "Expected 2D array"),
        (X[np.newaxis], ValueError, "dim 3"),
        (np.where(X > 1, np.nan, X), ValueError, "NaN"),
        (np.where(X > 1, np.inf, X), ValueError, "infinity"),
        (np.where(X > 1, -np.inf, X), ValueError, "infinity"),
        (sparse.csr_array(np.where(X > 1, np.nan, X)), ValueError, "NaN"),
        (X + 1j, ValueError, "Complex data not supported"),
        ([["a", "b"], ["c", "d"]], ValueError, "could not convert string"),
        (None, ValueError, "NoneType|Expected 2D|array"),
    ],
)
def test_rows_that_are_none(rows, error, message):
    with pytest.raises(error, match=message):
        SupportVectorClustering().fit(rows)


def test_new_rows_are_checked():
    model = SupportVectorClustering(0.5, min_cluster_size=1).fit(make_blobs(60, random_state=0)[0])
    for method in (model.predict, model.decision_function):
        with pytest.raises(ValueError, match=r"3 features, but .* is expecting 2"):
            method(X)
        with pytest.raises(ValueError, match="NaN"):
            method([[np.nan, 0.0]])
        rows = np.array([[0.0, 1.0], [2.0, 0.0]])
        np.testing.assert_array_equal(method(sparse.csr_array(rows)), method(rows))
    with pytest.raises(NotFittedError):
        SupportVectorClustering().predict(X)
    with pytest.raises(AttributeError, match="no attribute 'labels_'"):
        _ = SupportVectorClustering().labels_
    assert not hasattr(SupportVectorClustering(), "reservoir_")


# -- rows that are strange, and legal ------------------------------------------------------


def fitted(rows, **parameters):
    """A model that is whole; only our warnings are allowed."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", MaxMarginWarning)
        model = SupportVectorClustering(random_state=0, **parameters).fit(rows)
    rows = np.asarray(rows)
    assert model.labels_.shape == (len(rows),)
    assert set(model.labels_) <= set(range(-1, model.n_clusters_))
    for name in ("dual_coef_", "support_vectors_", "levels_"):
        assert np.isfinite(getattr(model, name)).all()
    for name in ("gamma_", "nu_", "C_", "duality_gap_"):
        assert np.isfinite(getattr(model, name))
    assert model.gamma_ > 0
    assert np.isfinite(model.decision_function(rows)).all()
    np.testing.assert_array_equal(model.predict(rows), model.labels_)
    return model


def said_of(rows, **parameters):
    """What the warnings of a fit say."""
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        SupportVectorClustering(**parameters).fit(rows)
    assert {w.category for w in said} <= {MaxMarginWarning}
    return " ".join(str(w.message) for w in said)


WAYS = [
    {},
    {"gamma": "plateau"},
    {"gamma": 1.0},
    {"gamma": 1.0, "C": 0.5},
    {"gamma": 1.0, "C": 2.0},
    {"gamma": 1.0, "solver": "sgd"},
    {"gamma": 1.0, "solver": "libsvm"},
    {"gamma": 1.0, "assignment": "equilibria"},
    {"assignment": "equilibria"},
    {"outlier_fraction": 0.2},
]


def name_of(how):
    return "-".join(map(str, how.values())) or "default"


@pytest.mark.parametrize("how", WAYS, ids=name_of)
def test_rows_that_are_all_equal_are_one_cluster(how):
    for value in (0.0, 3.5, -1e6):
        model = fitted(np.full((20, 2), value), **how)
        assert model.n_clusters_ == 1
        assert set(model.labels_) == {0}
    with pytest.warns(MaxMarginWarning, match="all rows are in one cluster"):
        SupportVectorClustering().fit(np.ones((20, 2)))


@pytest.mark.parametrize("how", WAYS, ids=name_of)
@pytest.mark.parametrize("n", [2, 3, 4, 5, 11])
def test_few_rows(how, n, rng):
    for rows in (rng.normal(size=(n, 2)), 1e3 * rng.normal(size=(n, 2)), np.eye(n, 2)):
        assert 1 <= fitted(rows, **how).n_clusters_ <= n


@pytest.mark.parametrize("how", WAYS, ids=name_of)
def test_columns_that_say_nothing(how, rng):
    rows = rng.normal(size=(30, 2)) + np.repeat([[0], [20]], 15, axis=0)
    plain = fitted(rows, **how)
    constant = fitted(np.c_[rows, np.full(30, 7.0), np.zeros(30)], **how)
    np.testing.assert_array_equal(constant.labels_, plain.labels_)
    fitted(rows[:, :1], **how)


@pytest.mark.parametrize("how", WAYS, ids=name_of)
def test_rows_that_come_twice(how, global_random_seed):
    rows, _ = make_blobs(45, centers=CENTERS, random_state=global_random_seed)
    model = fitted(np.repeat(rows, 2, axis=0), **how)
    np.testing.assert_array_equal(model.labels_[::2], model.labels_[1::2])


def test_two_values_are_two_clusters():
    rows = np.repeat([[0.0, 0.0], [1.0, 1.0]], 40, axis=0)
    model = fitted(rows)
    assert adjusted_rand_score(rows[:, 0], model.labels_) == 1


@pytest.mark.parametrize("scale", [1e-140, 1e-100, 1e-30, 1e30, 1e90])
@pytest.mark.parametrize("gamma", ["auto", "plateau"])
def test_units_are_free(scale, gamma, global_random_seed):
    rows, y = make_blobs(150, centers=CENTERS, random_state=global_random_seed)
    assert adjusted_rand_score(y, fitted(scale * rows, gamma=gamma).labels_) > 0.95


@pytest.mark.parametrize("gamma", [1e-300, 1e-30, 1e-9, 1e9, 1e30, 1e290])
@pytest.mark.parametrize("assignment", ["graph", "equilibria"])
def test_widths_that_make_no_sense(gamma, assignment, rng):
    """One cluster if it is too wide; if it is too narrow that is said."""
    rows = rng.normal(size=(40, 2))
    model = fitted(rows, gamma=gamma, assignment=assignment)
    if gamma < 1:
        assert model.n_clusters_ == 1
    elif assignment == "graph":
        assert "is too large" in said_of(rows, gamma=gamma)


@pytest.mark.parametrize("nu", [1e-9, 1e-3, 0.999, 1 - 1e-12, np.nextafter(1, 0)])
@pytest.mark.parametrize("gamma", ["auto", 1.0])
def test_the_ends_of_nu(nu, gamma, rng):
    model = fitted(rng.normal(size=(40, 2)), nu=nu, gamma=gamma)
    assert model.nu_ == pytest.approx(nu)
    assert -1e-12 <= model.duality_gap_ < 1e-3


@pytest.mark.parametrize("C", [1e-3, 0.999, 1.0, 1e9, 1e300])
@pytest.mark.parametrize("gamma", ["auto", 1.0])
def test_the_ends_of_C(C, gamma, rng):
    model = fitted(rng.normal(size=(40, 2)), C=C, gamma=gamma)
    assert model.C_ == C
    assert -1e-12 <= model.duality_gap_ < 1e-3


def test_columns_of_different_scales(rng):
    rows = rng.normal(size=(60, 2)) * [1, 1e12]
    fitted(rows)
    fitted(rows * [1e-12, 1e12])
    fitted(rows, gamma="plateau")


def test_one_row_far_away(global_random_seed):
    rows, y = make_moons(300, noise=0.05, random_state=global_random_seed)
    for far in (1e2, 1e4, 1e8):
        for at in (0, 300):
            model = fitted(np.insert(rows, at, [far, far], axis=0))
            assert adjusted_rand_score(y, np.delete(model.labels_, at)) > 0.9


@pytest.mark.parametrize("dtype", [np.int64, np.int8, np.uint16, np.float16, bool, object])
def test_numbers_of_other_kinds(dtype, global_random_seed):
    centers = np.array([[0, 0], [80, 0], [0, 80]]) + 20
    rows, y = make_blobs(90, centers=centers, cluster_std=4, random_state=global_random_seed)
    model = fitted(rows.round().astype(dtype))
    if dtype is not bool:
        assert adjusted_rand_score(y, model.labels_) > 0.95


def test_sizes_that_nothing_reaches(global_random_seed):
    rows, _ = make_blobs(90, centers=CENTERS, random_state=global_random_seed)
    for how in ({"min_cluster_size": 1000}, {"min_cluster_size": 0.99}):
        for gamma in ("auto", 0.2):
            assert fitted(rows, gamma=gamma, **how).n_clusters_ == 1
            assert "all rows are in one cluster" in said_of(rows, gamma=gamma, **how)


def test_nearly_all_rows_are_outliers(global_random_seed):
    rows, _ = make_blobs(90, centers=CENTERS, random_state=global_random_seed)
    model = fitted(rows, outlier_fraction=0.99)
    assert (model.labels_ == -1).sum() == 89
    few = fitted(rows[:3], outlier_fraction=0.3)
    assert (few.labels_ == -1).sum() == 1


def test_points_far_from_everything(global_random_seed):
    rows, _ = make_blobs(90, centers=CENTERS, random_state=global_random_seed)
    model = fitted(rows)
    far = np.array([[1e3, 0.0], [0.0, 1e30], [-1e100, -1e100]])
    f = model.decision_function(far)
    np.testing.assert_allclose(f, -1)
    assert set(model.predict(far)) <= {0, 1, 2}


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"nu": 0.5, "C": 1.0}, "nu and C exclude each other: .*; got nu=0.5 and C=1.0"),
        ({"C": 1.0, "solver": "libsvm"}, "solver='libsvm' takes nu and not C; got C=1.0"),
    ],
)
def test_parameters_that_exclude_each_other_are_named(parameters, message):
    for fit in ("fit", "partial_fit"):
        with pytest.raises(ValueError, match=message):
            getattr(SupportVectorClustering(**parameters), fit)(X)


@pytest.mark.parametrize("shift", [0.0, 1e3, 12345.678])
def test_rows_that_tie_at_the_threshold_are_told_apart(shift, rng):
    """Rows that are alone have f = C − 1, all of them: wider kernels say which are loneliest."""
    clusters = rng.normal(size=(120, 2)) + np.repeat([[0.0, 0.0], [30.0, 0.0]], 60, axis=0)
    alone = 100.0 + 10.3 * np.arange(12)[:, None] + rng.random((12, 2))
    X = np.vstack([clusters, alone]) + shift
    for share, wanted in ((0.05, 7), (0.03, 4)):
        model = fitted(X, gamma=1.0, nu=0.9, outlier_fraction=share)
        outliers = np.flatnonzero(model.labels_ == -1)
        assert len(outliers) == wanted
        assert outliers.min() >= 120
        np.testing.assert_array_equal(model.predict(X), model.labels_)
