import numpy as np
import pytest
from scipy.sparse import csr_matrix
from scipy.spatial.distance import cdist
from sklearn.datasets import load_breast_cancer, load_diabetes, load_digits, load_iris, load_wine
from sklearn.decomposition import PCA
from sklearn.metrics.pairwise import cosine_distances
from sklearn.preprocessing import StandardScaler, normalize

from maxmargin import MaxMarginWarning
from maxmargin._runtime.units import share_a_unit
from maxmargin.spaces.metric import METRICS, Metric


def squared(X, metric="euclidean", standardize=True):
    metric = Metric(metric, standardize).fit(X)
    rows = metric.prepare(X)
    return metric.squared_distances(rows, rows)


def standardised(X, fitted=None):
    """Scikit-learn's scaler, and no value farther than three standard deviations."""
    return np.clip(StandardScaler().fit(X if fitted is None else fitted).transform(X), -3, 3)


@pytest.fixture
def X(rng):
    return rng.normal(size=(30, 4)) * [1, 10, 0.01, 3] + [0, 5, 0, -2]


def test_a_case_computed_by_hand():
    """Columns 0, 2, 4 and 7, 7, 7: the first has variance 8/3, the second none."""
    X = np.array([[0.0, 7], [2, 7], [4, 7]])
    expected = np.array([[0, 4, 16], [4, 0, 4], [16, 4, 0]])
    np.testing.assert_allclose(squared(X, standardize=False), expected)
    np.testing.assert_allclose(squared(X), expected * 3 / 8)
    # unit rows (0, 1), (2, 7)/√53 and (4, 7)/√65: ‖a − b‖² = 2 − 2ab
    cosine = squared(X, "cosine", standardize=False)
    assert cosine[0, 1] == pytest.approx(2 - 2 * 7 / np.sqrt(53))
    assert cosine[1, 2] == pytest.approx(2 - 2 * (8 + 49) / np.sqrt(53 * 65))


# What a metric is


def test_standardised_rows_are_those_of_the_scaler(X):
    metric = Metric("euclidean", True).fit(X)
    scaled = standardised(X)
    np.testing.assert_allclose(metric.prepare(X), scaled, atol=1e-14)
    np.testing.assert_allclose(squared(X), cdist(scaled, scaled) ** 2, rtol=1e-9, atol=1e-12)


def test_values_beyond_three_standard_deviations_are_cut():
    """One of 100 rows is apart in a column: at about √99 standard deviations, and cut at 3."""
    X = np.zeros((100, 2))
    X[0, 0], X[1, 1] = 1, -5
    X[4:6] = [[0.01], [0.02]]  # two values would be those of a flag
    expected = np.clip(standardised(X), -3, 3)
    scaled = Metric().fit(X).prepare(X)
    assert scaled[0, 0] == 3
    assert scaled[1, 1] == -3
    np.testing.assert_allclose(scaled, expected, rtol=1e-9)
    assert squared(X)[0, 3] == pytest.approx((3 - expected[3, 0]) ** 2)
    # new rows too, whatever they hold; not where columns are taken as they are
    metric = Metric().fit(X)
    np.testing.assert_array_equal(metric.prepare(np.array([[1e9, -1e9]])), [[3, -3]])
    assert squared(X, standardize=False)[0, 2] == 1


def test_rows_as_they_are(X):
    expected = cdist(X, X) ** 2
    np.testing.assert_allclose(squared(X, standardize=False), expected, rtol=1e-9, atol=1e-10)


@pytest.mark.parametrize("standardize", [False, True])
def test_cosine_is_the_distance_of_unit_rows(standardize, X):
    rows = standardised(X) if standardize else X
    found = squared(X, "cosine", standardize)
    unit = normalize(rows)
    np.testing.assert_allclose(found, cdist(unit, unit) ** 2, rtol=1e-8, atol=1e-13)
    np.testing.assert_allclose(found, 2 * cosine_distances(rows), rtol=1e-8, atol=1e-13)


@pytest.mark.parametrize("metric", ["cosine", "euclidean"])
@pytest.mark.parametrize("standardize", [False, True])
def test_sparse_rows_are_dense_rows_of_unit_length(metric, standardize, rng):
    X = rng.poisson(0.5, size=(30, 12)).astype(float)
    X[4] = 0  # an empty text
    expected = squared(X, "cosine", standardize=False)
    found = squared(csr_matrix(X), metric, standardize)
    np.testing.assert_allclose(found, expected, atol=1e-12)
    assert isinstance(found, np.ndarray)
    assert found[4, 4] == 0
    np.testing.assert_allclose(found[4, X.any(axis=1)], 1)


def test_the_length_of_a_sparse_row_does_not_matter(rng):
    X = rng.poisson(0.5, size=(20, 12)) + np.eye(20, 12)
    longer = X * rng.integers(1, 9, size=(20, 1))
    np.testing.assert_allclose(squared(csr_matrix(longer)), squared(csr_matrix(X)), atol=1e-12)


# Precomputed distances


@pytest.mark.parametrize("kind", [np.asarray, csr_matrix])
def test_precomputed_distances_are_the_rows_that_gave_them(kind, X, rng):
    euclidean = Metric("euclidean", False).fit(X)
    rows = euclidean.prepare(X)
    D = kind(cdist(X, X))
    given = Metric("precomputed").fit(D)
    assert given.precomputed
    assert not euclidean.precomputed
    distances = given.prepare(D)
    everything = euclidean.squared_distances(rows, rows)
    np.testing.assert_allclose(given.squared_distances(distances, distances), everything, atol=1e-9)
    some = rng.permutation(30)[:9]
    a, b = given.take(distances, some), euclidean.take(rows, some)
    np.testing.assert_allclose(
        given.squared_distances(a, a), euclidean.squared_distances(b, b), atol=1e-9
    )
    # new rows against some of the fitted ones
    new = rng.normal(size=(5, 4))
    to_new = given.prepare(kind(cdist(new, X)))
    np.testing.assert_allclose(
        given.squared_distances(to_new, a, some),
        euclidean.squared_distances(euclidean.prepare(new), b, some),
        atol=1e-9,
    )
    np.testing.assert_allclose(
        given.squared_distances(to_new, distances),
        euclidean.squared_distances(euclidean.prepare(new), rows),
        atol=1e-9,
    )


def test_precomputed_distances_are_not_changed(X):
    D = cdist(X, X)
    before = D.copy()
    squared(D, "precomputed")
    np.testing.assert_array_equal(D, before)


@pytest.mark.parametrize("dtype", [np.float32, np.float64, np.int64])
def test_precomputed_distances_of_other_types(dtype):
    D = np.array([[0, 1, 3], [1, 0, 2], [3, 2, 0]], dtype)
    found = squared(D, "precomputed")
    assert found.dtype == np.float64
    assert found.tolist() == [[0, 1, 9], [1, 0, 4], [9, 4, 0]]


def test_precomputed_distances_may_be_off_by_rounding(X):
    D = cdist(X, X)
    D[1, 2] *= 1 + 1e-9
    D[3, 3] = 1e-9
    np.testing.assert_allclose(squared(D, "precomputed"), D**2)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda D: D[:5], r'metric="precomputed" needs a square matrix .* got shape \(5, 30\)'),
        (lambda D: -D, r'metric="precomputed" needs distances >= 0; got -'),
        (lambda D: D + np.eye(30), r"0 on the diagonal; got 1\. A kernel K becomes"),
        (lambda D: D + np.triu(np.ones((30, 30)), 1), r"needs a symmetric matrix"),
        (lambda D: np.exp(-D), r"0 on the diagonal; got 1\. A kernel K becomes"),
    ],
)
@pytest.mark.parametrize("kind", [np.asarray, csr_matrix])
def test_wrong_precomputed_distances_are_named(kind, change, message, X):
    D = kind(change(cdist(X, X)))
    with pytest.raises(ValueError, match=message):
        Metric("precomputed").fit(D)


# Exact zeros, and no others


@pytest.mark.parametrize("metric", ["euclidean", "cosine"])
@pytest.mark.parametrize("standardize", [False, True])
@pytest.mark.parametrize("sparse", [False, True])
@pytest.mark.parametrize("d", [1, 3, 50])
def test_duplicates_are_at_zero_and_no_other_rows(d, sparse, standardize, metric, rng):
    distinct = rng.normal(size=(8, d)) + 3
    which = rng.integers(8, size=40)
    X = distinct[which]
    found = squared(csr_matrix(X) if sparse else X, metric, standardize)
    same = which[:, None] == which
    assert np.all(found[same] == 0)
    if d > 1:  # with one column all rows of unit length are −1 or 1
        assert np.all(found[~same] > 0)


@pytest.mark.parametrize("standardize", [False, True])
@pytest.mark.parametrize("offset", [1e4, 1e8])
def test_the_place_of_the_origin_does_not_matter(offset, standardize, rng):
    """Rows on a grid of 1/64 keep all their digits when they are shifted."""
    X = rng.integers(64, size=(30, 3)) / 64
    X[7] = X[3]
    near, far = squared(X, standardize=standardize), squared(X + offset, standardize=standardize)
    np.testing.assert_allclose(far, near, rtol=1e-6, atol=1e-9)
    assert far[7, 3] == 0


@pytest.mark.parametrize("far", [1e4, 1e8])
def test_an_outlier_does_not_make_others_equal(far):
    X = np.array([[0.0], [1], [3], [far]])
    found = squared(X, standardize=False)
    np.testing.assert_allclose(found[:3, :3], [[0, 1, 9], [1, 0, 4], [9, 4, 0]], rtol=1e-6)


def test_distances_are_symmetric_and_not_negative(X):
    for metric in ("euclidean", "cosine"):
        found = squared(X, metric)
        np.testing.assert_allclose(found, found.T, rtol=1e-12)
        assert np.all(found >= 0)
        assert np.all(found.diagonal() == 0)


# Columns and types


@pytest.mark.parametrize("constant", [0.0, 7.0, 1e10, 0.1])
def test_constant_columns_do_not_count(constant, X):
    wider = np.column_stack([X, np.full(30, constant)])
    np.testing.assert_allclose(squared(wider), squared(X), atol=1e-9)


def test_columns_that_are_all_constant():
    for metric in ("euclidean", "cosine"):
        assert np.all(squared(np.full((6, 2), 0.1), metric) == 0)


@pytest.mark.parametrize("standardize", [False, True])
def test_float32_stays_small_and_its_distances_are_float64(standardize, X):
    single = X.astype(np.float32)
    assert Metric(standardize=standardize).fit(single).prepare(single).dtype == np.float32
    found = squared(single, standardize=standardize)
    assert found.dtype == np.float64
    expected = squared(single.astype(float), standardize=standardize)
    np.testing.assert_allclose(found, expected, rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize("dtype", [np.int32, np.int64])
@pytest.mark.parametrize("metric", ["euclidean", "cosine"])
def test_whole_numbers(metric, dtype, rng):
    X = rng.integers(-5, 20, size=(20, 3)).astype(dtype)
    np.testing.assert_array_equal(squared(X, metric), squared(X.astype(float), metric))
    wide = csr_matrix(X)
    np.testing.assert_array_equal(squared(wide), squared(wide.astype(float)))


def test_rows_are_not_changed(X):
    before = X.copy()
    for metric in ("euclidean", "cosine"):
        squared(X, metric)
    np.testing.assert_array_equal(X, before)


# New rows


@pytest.mark.parametrize("metric", ["euclidean", "cosine"])
def test_new_rows_take_the_means_and_scales_of_the_fitted(metric, X, rng):
    new = X[:6] + [0.5, 5, 0.005, 1] + 0.01 * rng.normal(size=(6, 4))
    metric = Metric(metric).fit(X)
    expected = standardised(new, X)
    expected = normalize(expected) if metric.name == "cosine" else expected
    rows = metric.prepare(new)
    np.testing.assert_allclose(rows, expected, atol=1e-12)
    fitted = metric.prepare(X)
    found = metric.squared_distances(rows, fitted)
    np.testing.assert_allclose(found, cdist(rows, fitted) ** 2, rtol=1e-8, atol=1e-12)
    # a fitted row among the new ones is itself
    np.testing.assert_array_equal(metric.prepare(X[4:5]), fitted[4:5])


def test_some_rows_are_rows(X):
    metric = Metric().fit(X)
    rows = metric.prepare(X)
    np.testing.assert_array_equal(metric.take(rows, np.array([3, 1])), rows[[3, 1]])


# Errors


def test_wrong_parameters_are_named():
    with pytest.raises(ValueError, match=r"metric must be one of 'euclidean', 'cosine'.*'city'"):
        Metric("city")
    with pytest.raises(ValueError, match="standardize must be 'auto' or True or False; got 'yes'"):
        Metric("euclidean", "yes")
    assert set(METRICS) == {"euclidean", "cosine", "precomputed"}


@pytest.mark.parametrize("kind", [np.asarray, csr_matrix])
@pytest.mark.parametrize("metric", ["euclidean", "cosine"])
@pytest.mark.parametrize(
    ("dtype", "unit"), [(np.float32, 1e19), (np.float32, 1e-19), (float, 1e160), (float, 1e-170)]
)
def test_values_whose_squares_overflow_or_vanish_get_other_units(dtype, unit, metric, kind):
    X = np.array([[0, 1], [5, 2], [3, -1]], dtype)
    found = squared(kind(X * dtype(unit)), metric)
    assert np.all(np.isfinite(found))
    np.testing.assert_allclose(found, squared(kind(X), metric), rtol=1e-4, atol=1e-6)


@pytest.mark.parametrize("unit", [1e200, 1e-200])
def test_distances_whose_squares_overflow_or_vanish_get_other_units(unit):
    D = np.array([[0.0, 1, 3], [1, 0, 2], [3, 2, 0]])
    found = squared(unit * D, "precomputed")
    assert 0 < found.max() < np.inf
    np.testing.assert_allclose(found / found.max(), D**2 / 9)


@pytest.mark.parametrize("standardize", [False, True])
def test_values_just_below_are_not(standardize):
    X = np.array([[0.0, 1], [9e149, 2], [-9e149, -1]])
    found = squared(X, standardize=standardize)
    assert np.all(np.isfinite(found))


def test_sparse_distances_must_all_be_there():
    D = csr_matrix(np.array([[0.0, 1, 0], [1, 0, 2], [0, 2, 0]]))
    with pytest.raises(ValueError, match="would be a distance of 0"):
        Metric("precomputed").fit(D)


@pytest.mark.parametrize("n_columns", [2, 6])
def test_new_rows_may_come_in_the_other_form(rng, n_columns):
    X = rng.random((20, n_columns))
    for fitted in (X, csr_matrix(X)):
        metric = Metric("cosine", standardize=False).fit(fitted)
        rows = metric.prepare(fitted)
        dense, sparse = (
            metric.squared_distances(metric.prepare(new), rows) for new in (X, csr_matrix(X))
        )
        np.testing.assert_allclose(dense, sparse, atol=1e-12)


def test_values_that_are_hardly_numbers(rng):
    X = rng.normal(size=(20, 2)) * 1e-310
    D = squared(X, standardize=False)
    assert np.isfinite(D).all()
    assert D.max() > 0


# Columns that share a unit


def test_pixels_and_components_keep_their_scale_and_nothing_else(rng):
    pixels = load_digits().data
    tables = [load_wine().data, load_iris().data, load_breast_cancer().data, load_diabetes().data]
    flags = (rng.random((300, 30)) < rng.uniform(0.01, 0.5, 30)).astype(float)
    income = np.column_stack([flags, 1e5 * rng.random(300)])
    names = [*tables, flags, income, rng.normal(size=(300, 12)), np.zeros((9, 40)), pixels[:1]]
    assert not any(share_a_unit(X) for X in names)
    scores = PCA(12).fit_transform(pixels)
    assert all(share_a_unit(X) for X in (pixels, 1e200 * pixels, 1e-200 * pixels, scores))
    assert not share_a_unit(scores[:, ::-1])
    assert not share_a_unit(PCA(5).fit_transform(load_wine().data))  # proline, and next to nothing


@pytest.mark.parametrize("standardize", [True, False, "auto"])
def test_auto_is_one_of_both(standardize):
    for X, shared in ((load_digits().data, True), (load_wine().data, False)):
        metric = Metric("euclidean", standardize).fit(X)
        expected = not shared if standardize == "auto" else standardize
        assert metric.standardized_ is expected
        twin = Metric("euclidean", expected).fit(X)
        np.testing.assert_array_equal(metric.prepare(X), twin.prepare(X))


def test_columns_that_can_part_no_clusters_are_not_compared(rng):
    X = rng.normal(size=(400, 4))
    X[:, [1, 3]] += np.repeat([[-3], [3]], 200, axis=0)
    metric = Metric(standardize="auto").fit(X)
    assert metric.columns_.tolist() == [1, 3]
    assert metric.left_out.tolist() == [0, 2]
    np.testing.assert_array_equal(metric.prepare(X), Metric().fit(X).prepare(X)[:, [1, 3]])
    np.testing.assert_array_equal(metric.raw(X), Metric().fit(X).raw(X)[:, [1, 3]])
    assert Metric(standardize=True).fit(X).left_out.size == 0


@pytest.mark.parametrize("huge", [1e120, 1e200, 1e300])
def test_columns_whose_squares_vanish_beside_others_are_named(huge, rng):
    rows = rng.normal(size=(50, 3))
    rows[:, 2] *= huge
    message = "columns of X are so small beside others that they do not count: 0, 1 "
    if huge < 1e150:  # they still have squares
        Metric(standardize=True).fit(rows)
        return
    with pytest.warns(MaxMarginWarning, match=message):
        Metric(standardize=True).fit(rows)
    Metric(standardize=False).fit(rows)  # as asked for
