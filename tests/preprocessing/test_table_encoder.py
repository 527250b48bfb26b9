"""Tables as people have them become rows of numbers, the same way for new rows."""

import datetime
import decimal

import numpy as np
import pandas as pd
import polars as pl
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.base import clone
from sklearn.pipeline import make_pipeline
from sklearn.utils.estimator_checks import parametrize_with_checks

from maxmargin import MaxMarginWarning, RLSClustering, TableEncoder, load, save
from maxmargin.preprocessing import TableScaler

N = 30
DAYS = [datetime.date(2024, 1, 1) + datetime.timedelta(days=i) for i in range(N)]
COLUMNS = {
    "age": [20.0 + i for i in range(N - 1)] + [None],
    "children": [i % 4 for i in range(N)],
    "smoker": ["yes" if i % 3 else "no" for i in range(N - 1)] + [None],
    "member": [i % 2 == 0 for i in range(N)],
    "since": DAYS,
    "lasted": [datetime.timedelta(hours=12 * i) for i in range(N)],
}
NAMES = [
    "age", "children", "smoker=no", "smoker=yes", "member", "since (year)", "lasted (days)"
]  # fmt: skip


def frames():
    pandas = pd.DataFrame(COLUMNS)
    return {
        "dict": COLUMNS,
        "pandas": pandas,
        "pandas nullable": pandas.convert_dtypes(),
        "pandas categories": pandas.astype({"smoker": "category"}),
        "pandas dates": pandas.assign(since=pd.to_datetime(pandas["since"], utc=True)),
        "polars": pl.DataFrame(COLUMNS),
        "polars categories": pl.DataFrame(COLUMNS).with_columns(
            pl.col("smoker").cast(pl.Categorical)
        ),
    }


@pytest.mark.parametrize("kind", frames())
def test_all_kinds_of_frames_are_the_same_numbers(kind):
    frame = frames()[kind]
    encoder = TableEncoder(standardize=False).fit(frame)
    assert encoder.get_feature_names_out().tolist() == NAMES
    assert encoder.n_features_in_ == 6
    assert encoder.feature_names_in_.tolist() == list(COLUMNS)
    X = encoder.transform(frame)
    assert_array_equal(X[:-1, 0], COLUMNS["age"][:-1])
    assert X[-1, 0] == np.median(COLUMNS["age"][:-1])
    assert_array_equal(X[:-1, 3], [1.0 if i % 3 else 0.0 for i in range(N - 1)])
    assert_allclose(X[-1, 2:4], [10 / 29, 19 / 29])  # the average of the categories
    assert_array_equal(X[:, 4], np.arange(N) % 2 == 0)
    assert_allclose(X[:, 5], 2024 + np.arange(N) / 365.2425, atol=2e-3)
    assert_array_equal(X[:, 6], np.arange(N) / 2)
    kinds = [column.kind for column in encoder.columns_]
    assert kinds == ["number", "number", "category", "flag", "date", "duration"]
    assert [column.n_missing for column in encoder.columns_] == [1, 0, 1, 0, 0, 0]


def test_scaled_columns_count_alike():
    encoder = TableEncoder().fit(COLUMNS)
    X, plain = encoder.transform(COLUMNS), TableEncoder(standardize=False).fit_transform(COLUMNS)
    assert_allclose(X, TableScaler().fit_transform(plain))
    numbers = X[:, [0, 1, 5, 6]]
    assert_allclose(numbers.mean(axis=0), 0, atol=1e-9)
    assert_allclose(numbers.std(axis=0), 1)
    assert_allclose(np.linalg.norm(X[0, 2:4] - X[1, 2:4]), np.sqrt(0.5))
    assert_allclose(np.ptp(X[:, 4]), np.sqrt(0.5))


def test_masked_values_are_gaps():
    rows = np.ma.masked_array([[1.0, 5.0], [2.0, 7.0], [4.0, 9.0]], [[0, 0], [1, 0], [0, 0]])
    encoder = TableEncoder(standardize=False).fit(rows)
    assert encoder.columns_[0].n_missing == 1
    assert_array_equal(encoder.transform(rows)[:, 0], [1.0, 2.5, 4.0])


def test_columns_that_fit_did_not_have_are_refused():
    table = {"age": [31, 36, 70, 74], "smoker": ["no", "no", "yes", "yes"]}
    encoder = TableEncoder().fit(table)
    with pytest.raises(ValueError, match="and no others, in any order; got 'income', 'town' besid"):
        encoder.transform({"town": ["a"] * 4, **table, "income": [1, 2, 3, 4]})
    with pytest.raises(ValueError, match="got none named 'age'"):  # renamed
        encoder.transform({"Age": table["age"], "smoker": table["smoker"]})


def test_rows_without_names_are_taken_in_order_and_a_warning_says_so():
    table = {"age": [31, 36, 70, 74], "smoker": ["no", "no", "yes", "yes"]}
    encoder = TableEncoder().fit(table)
    rows = np.array([table["age"], table["smoker"]], dtype=object).T
    with pytest.warns(MaxMarginWarning, match="X has no names of columns"):
        said = encoder.transform(rows)
    np.testing.assert_array_equal(said, encoder.transform(table))


def test_new_rows_come_in_any_order_with_unknown_values():
    frame = pd.DataFrame(COLUMNS)
    encoder = TableEncoder(standardize=False).fit(frame)
    new = frame.iloc[:3, ::-1].assign(smoker=["yes", "sometimes", None])
    with pytest.warns(MaxMarginWarning, match="1 value of 'smoker' did not occur"):
        X = encoder.transform(new)
    assert_allclose(X[:, 2:4], [[0, 1], [10 / 29, 19 / 29], [10 / 29, 19 / 29]])
    assert_array_equal(X[:, 0], frame["age"][:3])
    with pytest.raises(ValueError, match="columns of fit; got none named 'since'"):
        encoder.transform(frame.drop(columns="since"))
    with pytest.raises(
        ValueError, match="'age' was a number at fit, and now it is text, such as 'x'"
    ):
        encoder.transform(frame.assign(age="x"))


def test_rare_values_are_pooled():
    kind = ["a"] * 40 + ["b"] * 30 + list("cdefg") * 2
    encoder = TableEncoder(max_categories=3, standardize=False).fit({"kind": kind})
    assert encoder.get_feature_names_out().tolist() == ["kind=a", "kind=b", "kind=other"]
    assert str(encoder.columns_[0]) == "'kind': 3 categories, 5 rare values pooled as 'other'"
    assert_array_equal(encoder.transform({"kind": ["c", "new"]}), [[0, 0, 1], [0, 0, 1]])


def test_codes_are_categories_if_told():
    table = {"code": [1, 2, 3, 1], "x": [0.5, 1, 2, 3]}
    for column in ("code", 0, -2):
        encoder = TableEncoder(categorical_features=[column], standardize=False).fit(table)
        assert encoder.get_feature_names_out().tolist() == ["code=1", "code=2", "code=3", "x"]
    with pytest.raises(ValueError, match=r"categorical_features must name columns of X.*'z'"):
        TableEncoder(categorical_features=["z"]).fit(table)


@pytest.mark.parametrize(
    ("values", "why"),
    [
        ([f"person {i}" for i in range(N)], "30 of its 30 values are different"),
        ([f"{i}.5" for i in range(N)], "its numbers are written as text"),
        ([1.0] + [None] * (N - 1), "29 of 30 values are missing"),
        ([[i] for i in range(N)], "no numbers, text or dates"),
        (list(range(N)), "it numbers the rows"),
    ],
)
def test_columns_that_say_nothing_are_named(values, why):
    table = {"id": values, "x": list(range(N))}
    with pytest.warns(MaxMarginWarning, match=f"columns were left out: 'id': .*{why}"):
        encoder = TableEncoder().fit(table)
    assert encoder.get_feature_names_out().tolist() == ["x"]
    assert encoder.columns_[0].kind == "unusable"
    assert encoder.n_features_in_ == 2
    with pytest.raises(ValueError, match=f"cannot be used: 'id': .*{why}"):
        TableEncoder(unusable="raise").fit(table)
    with pytest.raises(ValueError, match="cannot be used"):
        TableEncoder().fit({"id": values})


def test_text_that_is_dates_and_values_of_mixed_types():
    table = {
        "day": ["2024-01-31", None, "2024-02-29"],
        "no day": ["2024-02-31", "2024-02-30", "2024-02-31"],
        "price": [decimal.Decimal("1.5"), None, 3],
        "rooms": [1, "2+", 1],
    }
    encoder = TableEncoder().fit(table)
    assert [c.kind for c in encoder.columns_] == ["date", "category", "number", "category"]
    assert encoder.columns_[3].categories == ("1", "2+")


@pytest.mark.parametrize(
    ("table", "message"),
    [
        ({}, "at least 1 column"),
        ({"x": []}, "at least 1 row"),
        ({"x": [1, 2], "y": [1]}, "columns of one length"),
        ({"x": [1.0, np.inf]}, "'x', row 1"),
        (pd.DataFrame([[1, 2]], columns=["x", "x"]), "different names; got 'x' twice"),
        (np.zeros(3), "Reshape your data"),
    ],
)
def test_what_is_no_table(table, message):
    with pytest.raises(ValueError, match=message):
        TableEncoder().fit(table)


def test_arrays_with_gaps():
    X = np.array([[1.0, np.nan], [2.0, 4.0], [3.0, 8.0]])
    encoder = TableEncoder(standardize=False, impute="mean").fit(X)
    assert_array_equal(encoder.transform(X), [[1, 6], [2, 4], [3, 8]])
    assert not hasattr(encoder, "feature_names_in_")
    with pytest.raises(ValueError, match="1 features, but TableEncoder is expecting 2"):
        encoder.transform(X[:, :1])


def test_in_a_pipeline_as_a_copy_and_in_a_file(tmp_path):
    frame = pd.DataFrame(COLUMNS)
    encoder = TableEncoder(max_categories=5)
    assert clone(encoder).get_params() == encoder.get_params()
    named = clone(encoder).set_output(transform="pandas").fit_transform(frame)
    assert list(named.columns) == NAMES
    model = make_pipeline(encoder, RLSClustering(2, random_state=0)).fit(frame)
    save(model, tmp_path / "m.skops")
    again = load(tmp_path / "m.skops")
    assert_array_equal(again.predict(frame), model.predict(frame))
    assert again[0].columns_ == model[0].columns_


@parametrize_with_checks([TableEncoder(), TableScaler()])
def test_scikit_learn_check(estimator, check):
    check(estimator)
