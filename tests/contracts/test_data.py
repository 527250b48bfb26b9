"""Rows that are none are refused; rows with little in them get an answer."""

import contextlib
import warnings

import numpy as np
import pandas as pd
import polars as pl
import pytest
from contracts.estimators import each_class, having
from scipy import sparse
from sklearn.metrics import adjusted_rand_score

from maxmargin import MaxMarginWarning, RLSClustering, SupportVectorClustering

ROWS = np.random.default_rng(0).normal(size=(20, 3))


def answered(model, X):
    """Whether a fit, which may warn, has an answer instead of the advice to rescale X."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", MaxMarginWarning)
            model.fit(X)
    except ValueError as error:
        if "rescale" not in str(error):
            raise
        return False
    return True


def with_entry(value):
    rows = ROWS.copy()
    rows[2, 1] = value
    return rows


@each_class("rows")
@pytest.mark.parametrize(
    ("rows", "message"),
    [
        (with_entry(np.nan), "NaN"),
        (with_entry(np.inf), "infinity"),
        (np.ma.masked_equal(ROWS, ROWS[2, 1]), "X must have no masked values"),
        (with_entry(-np.inf), "infinity"),
        (ROWS[0], "Expected 2D array"),
        (ROWS[np.newaxis], "dim 3"),
        (ROWS[:0], "0 sample"),
        (ROWS[:, :0], "0 feature"),
        (ROWS + 1j, "Complex data not supported"),
        ([["a", "b"], ["c", "d"]], "could not convert string"),
        (None, "NoneType|Expected 2D|array"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_what_is_no_table_of_numbers_is_refused(case, rows, message):
    with pytest.raises(ValueError, match=message):
        case().fit(rows)


@having("rows")
def test_new_rows_that_are_none_are_refused(case, blobs):
    model = case().fit(blobs[0])
    for method in ("predict", "decision_function", "predict_proba"):
        if hasattr(model, method):
            ask = getattr(model, method)
            for rows, message in (
                (ROWS, "X has 3 features, but .* is expecting 2 features"),
                ([[np.nan, 0.0]], "NaN"),
                ([[np.inf, 0.0]], "infinity"),
                ([0.0, 1.0], "2D array"),
            ):
                with pytest.raises(ValueError, match=message):
                    ask(rows)


@each_class("sparse")
def test_sparse_rows_that_are_none_are_refused(case):
    for value in (np.nan, np.inf):
        with pytest.raises(ValueError, match=r"NaN|infinity"):
            case().fit(sparse.csr_matrix(with_entry(value)))


@each_class("rows")
@pytest.mark.parametrize(
    ("unit", "shift"), [(1e-6, 0), (1e9, 0), (1e100, 0), (1e-100, 0), (1, 1e7)]
)
def test_neither_units_nor_shifts_matter(case, unit, shift, blobs):
    rows, _ = blobs
    expected, model = case().fit(rows), case().fit(unit * rows + shift)
    np.testing.assert_array_equal(model.labels_, expected.labels_)
    np.testing.assert_allclose(
        model.decision_function(unit * rows + shift), expected.decision_function(rows), atol=1e-3
    )


@each_class("rows")
@pytest.mark.parametrize(
    ("unit", "kind"),
    [(1e148, float), (1e-160, float), (1e-300, float), (1e21, "float32"), (1e-25, "float32")],
)
def test_values_that_can_hardly_be_squared_are_refused_or_work(case, unit, kind, blobs):
    rows, y = blobs
    model = case()
    if answered(model, (unit * rows).astype(kind)):
        assert adjusted_rand_score(y, model.labels_) == 1


@having("rows")
def test_values_that_cannot_be_squared_are_refused_or_work(case, blobs):
    rows, _ = blobs
    model = case()
    if answered(model, 1e200 * rows):
        assert adjusted_rand_score(case().fit(rows).labels_, model.labels_) == 1


# -- little in them: only our warnings are allowed ---------------------------------------------

DEGENERATE = {
    "equal": np.full((12, 2), 0.1),
    "zero": np.zeros((12, 2)),
    "one column": np.arange(12.0)[:, None] ** 2,
    "a constant column": np.column_stack([np.arange(12.0), np.full(12, 7.0)]),
    "two values": np.repeat([[0.0, 0.0], [1.0, 1.0]], 6, axis=0),
    "four values": np.repeat(np.arange(8.0).reshape(4, 2), 3, axis=0),
    "one row apart": np.append(np.zeros((11, 2)), [[1.0, 1.0]], axis=0),
    "far apart": np.append(np.arange(22.0).reshape(11, 2), [[1e9, 1e9]], axis=0),
    "huge": 1e140 * np.arange(24.0).reshape(12, 2),
    "tiny": 1e-100 * np.arange(24.0).reshape(12, 2),
    "wide": np.random.default_rng(0).normal(size=(8, 200)),
    "three rows": np.array([[0.0, 0.0], [1.0, 0.0], [2.5, 1.0]]),
}


def assert_whole(model, X, n):
    assert model.labels_.shape == (n,)
    assert len(set(model.labels_) - {-1}) == model.n_clusters_
    values = model.decision_function(X)
    assert np.all(np.isfinite(values))
    if hasattr(model, "n_disagreements_"):
        ties = 0
        if values.ndim == 1 or values.shape[1] > 1:
            gaps = np.abs(values) if values.ndim == 1 else np.ptp(np.sort(values)[:, -2:], axis=1)
            ties = np.sum(gaps < 1e-6)
        wrong = np.sum(model.predict(X) != model.labels_)
        assert abs(wrong - model.n_disagreements_) <= ties
    for name in ("objective_", "loo_score_", "margin_", "gamma_", "duality_gap_", "best_score_"):
        assert np.all(np.isfinite(getattr(model, name, 0)))


@having()
@pytest.mark.parametrize("name", DEGENERATE)
def test_rows_with_little_in_them_get_an_answer(case, name):
    rows = DEGENERATE[name]
    X = case.given(rows)
    model = case()
    if answered(model, X):
        assert_whole(model, X, len(rows))
        assert model.n_clusters_ == 3 or "sizes" not in case.can


@having("sparse")
@pytest.mark.parametrize("rows", [np.zeros((12, 4)), np.tile([[0.1, 0.3, 0.7]], (13, 1))])
def test_sparse_rows_with_little_in_them_get_an_answer(case, rows):
    X, model = sparse.csr_matrix(rows), case()
    assert answered(model, X)
    assert_whole(model, X, len(rows))


@each_class("k")
@pytest.mark.parametrize("name", DEGENERATE)
def test_with_any_number_of_clusters(case, name):
    rows = DEGENERATE[name]
    for k in {1, 2, len(rows)}:
        model = case(n_clusters=k)
        assert answered(model, rows)
        assert_whole(model, rows, len(rows))
        assert model.n_clusters_ == k


# -- memory ------------------------------------------------------------------------------------


class TooLarge:
    """Rows that do not fit, as NumPy says it."""

    def __array__(self, dtype=None, copy=None):
        raise MemoryError("Unable to allocate 30.0 GiB for an array.")


@each_class()
def test_memory_that_runs_out_is_said_with_a_way_out(case):
    with pytest.raises(MemoryError, match=r"(?s)needs more memory .*30.0 GiB.* Use fewer rows"):
        case().fit(TooLarge())


@having("rows")
@pytest.mark.parametrize("unit", [1e-45, 1e-40, 1e-38, 1e-20, 1e16, 1e37])
def test_small_and_large_numbers_of_32_bits_say_nothing_foreign(case, unit, blobs):
    rows = (blobs[0] / np.abs(blobs[0]).max() * unit).astype(np.float32)
    model = case()
    if unit < 1e-44 and case.name == "kernels, uniform":
        pytest.skip("a transformer of the user, which divides by zero")
    if answered(model, rows):
        assert_whole(model, rows, len(rows))


@each_class("rows")
def test_frames_that_hold_no_values_are_refused(case):
    """Those of which others warn, or have errors that name nothing of X."""
    lazy = pl.LazyFrame(ROWS)
    with pytest.raises(TypeError, match=r"call X\.collect\(\) first"):
        case().fit(lazy)
    hollow = pd.DataFrame(ROWS).astype(pd.SparseDtype(float))
    with pytest.raises(ValueError, match=r"X must have dense columns.*X\.sparse\.to_dense"):
        case().fit(hollow)


@pytest.mark.parametrize("kernel", ["linear", "poly", "rbf"])
@pytest.mark.parametrize("scale", [1e3, 1e9, 1e12])
def test_disagreements_are_counted_where_coefficients_have_no_digits(kernel, scale, rng):
    """λ is nothing beside the kernel of far rows: values that are known to the fit are not."""
    for n in (3, 5, 12):
        X = rng.normal(size=(n, 2))
        X[0] *= scale
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", MaxMarginWarning)
            model = RLSClustering(3, kernel=kernel, n_init=2, random_state=0)
            if not answered(model, X):
                continue
        assert model.n_disagreements_ == np.sum(model.predict(X) != model.labels_)


@having("rows")
@pytest.mark.parametrize("scale", [1.0, 1e-40, 1e-150, 1e150])
def test_rows_that_are_equal_but_for_rounding(case, scale):
    """Their variance is rounding, and a width by a rule is what comes of it."""
    model = case()
    if "gamma" in model.get_params() and not isinstance(model, SupportVectorClustering):
        model.set_params(gamma="scale")
    X = np.full((12, 2), 0.1) * scale
    with contextlib.suppress(ValueError), warnings.catch_warnings():
        warnings.simplefilter("ignore", MaxMarginWarning)
        model.fit(X)
