"""Tables with text, dates and gaps that are read in parts: the same columns, rows and labels."""

import dask
import dask.dataframe as dd
import numpy as np
import pandas as pd
import polars as pl
import pytest
from sklearn.base import clone
from sklearn.pipeline import make_pipeline

from maxmargin import CuttingPlaneClustering, MaxMarginClustering, MaxMarginWarning, TableEncoder
from maxmargin.blocks.parquet import ParquetTable
from maxmargin.preprocessing import summaries

N = 20_500  # more than are read at once


@pytest.fixture(scope="module")
def frame():
    rng = np.random.default_rng(0)
    kind = rng.integers(0, 3, N)
    age = rng.normal(30 + 20 * kind, 4)
    age[rng.random(N) < 0.1] = np.nan
    city = np.array(["Rome", "Oslo", "Lima"], object)[kind]
    city[rng.random(N) < 0.05] = None
    city[-3:] = "Bern"  # at the end alone
    day = np.datetime64("2024-01-01") + rng.integers(0, 300, N)
    return pl.DataFrame({
        "age": age,
        "height": rng.normal(170 + 6 * kind, 8),
        "city": city.tolist(),
        "member": rng.random(N) < 0.3,
        "since": [str(date) for date in day],
        "row_id": np.arange(N),
    }).with_columns(pl.col("age").fill_nan(None))  # fmt: skip


def parquet(frame, folder):
    frame.write_parquet(folder / "t.parquet", row_group_size=3000)
    return folder / "t.parquet"


def csv(frame, folder):
    frame.write_csv(folder / "t.csv")
    return folder / "t.csv"


def parts(frame, folder):
    for i, start in enumerate((0, 1, 7000, 7000)):
        stop = (1, 7000, 7000, N)[i]
        frame[start:stop].write_parquet(folder / f"part-{i}.parquet")
    return folder


def partitions(frame, folder):
    columns = {name: frame[name].to_list() for name in frame.columns}
    return dd.from_pandas(pd.DataFrame(columns), npartitions=3)


def by_pyarrow(frame, folder):
    return ParquetTable(str(parquet(frame, folder)), engine="pyarrow")


STORES = {f.__name__: f for f in (parquet, csv, parts, partitions, by_pyarrow)}


@pytest.fixture(autouse=True)
def one_thread():
    with dask.config.set(scheduler="synchronous"):
        yield


def left_out():
    return pytest.warns(MaxMarginWarning, match="columns were left out: 'row_id'")


@pytest.mark.parametrize("store", STORES)
def test_the_same_columns_and_rows(store, frame, tmp_path, monkeypatch):
    monkeypatch.setattr(summaries, "SAMPLED_ROWS", 5000)  # as if there were very many rows
    given = STORES[store](frame, tmp_path)
    with left_out():
        whole = TableEncoder().fit(frame)
    with left_out():
        encoder = TableEncoder().fit(given)
    assert encoder.columns_ == whole.columns_
    assert encoder.feature_names_in_.tolist() == frame.columns
    kinds = ["number", "number", "category", "flag", "date", "unusable"]
    assert [column.kind for column in encoder.columns_] == kinds
    assert encoder.columns_[2].categories == ("Bern", "Lima", "Oslo", "Rome")
    rows, expected = encoder.transform(given), whole.transform(frame)
    assert rows.shape == expected.shape
    np.testing.assert_array_equal(rows[:], expected)
    np.testing.assert_array_equal(rows[16_380:16_390], expected[16_380:16_390])
    np.testing.assert_array_equal(rows[[N - 1, 0, 7000]], expected[[N - 1, 0, 7000]])
    np.testing.assert_array_equal(encoder.transform(frame), expected)


@pytest.fixture(scope="module")
def whole(frame):
    with left_out():
        return MaxMarginClustering(3, effort="fast", random_state=0).fit(frame)


@pytest.mark.parametrize("store", ["parquet", "partitions"])
def test_the_front_door_takes_them_as_frames(store, frame, whole, tmp_path):
    given = STORES[store](frame, tmp_path)
    with left_out():
        model = MaxMarginClustering(3, effort="fast", random_state=0).fit(given)
    np.testing.assert_array_equal(model.labels_, whole.labels_)
    assert model.encoder_.columns_ == whole.encoder_.columns_
    assert model.feature_names_in_.tolist() == frame.columns
    np.testing.assert_array_equal(model.predict(given), whole.predict(frame))
    model.predict_to(given, tmp_path / "labels.npy")
    np.testing.assert_array_equal(np.load(tmp_path / "labels.npy"), whole.predict(frame))


def test_any_estimator_in_a_pipeline(frame, tmp_path):
    frame, path = frame.drop("row_id"), parquet(frame.drop("row_id"), tmp_path)
    planes = make_pipeline(TableEncoder(), CuttingPlaneClustering(3, random_state=0))
    models = [clone(planes).fit(X) for X in (frame, path)]
    np.testing.assert_array_equal(models[1][-1].labels_, models[0][-1].labels_)
    np.testing.assert_array_equal(models[1].predict(path), models[0].predict(frame))
    np.testing.assert_array_equal(models[1].predict(frame), models[0].predict(path))


def test_numbers_with_gaps_alone(frame, tmp_path):
    numbers = frame[["age", "height"]][:400]
    stores = numbers, parquet(numbers, tmp_path), csv(numbers, tmp_path)
    models = [MaxMarginClustering(3, effort="fast", random_state=0).fit(X) for X in stores]
    for model in models[1:]:
        np.testing.assert_array_equal(model.labels_, models[0].labels_)
    with pytest.raises(ValueError, match="NaN in row"):
        MaxMarginClustering(3, encoder=None).fit(tmp_path / "t.parquet")
    with pytest.raises(ValueError, match="NaN in row"):
        CuttingPlaneClustering(3).fit(tmp_path / "t.parquet")


def test_few_rows_are_read_at_once(frame, tmp_path):
    small = frame[:300].drop("row_id")
    stores = small, parquet(small, tmp_path), csv(small, tmp_path)
    models = [MaxMarginClustering(3, random_state=0).fit(X) for X in stores]
    for model in models[1:]:
        np.testing.assert_array_equal(model.labels_, models[0].labels_)
        np.testing.assert_array_equal(model.left_out_, models[0].left_out_)


def test_what_is_wrong_is_named(frame, tmp_path):
    place = parts(frame, tmp_path)
    frame[:5].drop("city").write_parquet(place / "part-9.parquet")
    with pytest.raises(ValueError, match=r"part-9.parquet has other columns .* lacks 'city'"):
        TableEncoder().fit(place)
    frame[:5].with_columns(age=pl.lit("old")).write_parquet(place / "part-9.parquet")
    with pytest.raises(ValueError, match="column 'age' is a number and text in different parts"):
        TableEncoder().fit(place)
    (place / "part-9.parquet").unlink()
    odd = frame.with_columns(height=pl.when(pl.col("row_id") == 20_000).then(np.inf).otherwise(1.0))
    with pytest.raises(ValueError, match=r"infinity or too large\) in column 'height', row 20000"):
        TableEncoder().fit(parquet(odd, tmp_path))
    (tmp_path / "a.csv").write_text('a,b\n1,x\n2,"y\nz"\n')
    with pytest.raises(ValueError, match=r"a.csv, row 2: expected 2 cells in each of 3 lines"):
        TableEncoder().fit(tmp_path / "a.csv")


def test_text_with_very_many_values_is_no_category(monkeypatch, frame, tmp_path):
    monkeypatch.setattr(summaries, "MOST_VALUES", 15)
    many = frame[:200].with_columns(name=pl.Series([f"n{i % 20}" for i in range(200)]))
    for given in (many, parquet(many, tmp_path)):
        with pytest.warns(MaxMarginWarning, match="'name': more than .* values are different"):
            TableEncoder().fit(given)


def test_new_rows_may_have_gaps_and_values_that_are_new(frame, tmp_path):
    numbers = frame[["age", "height", "city", "since"]]
    encoder = TableEncoder().fit(parquet(numbers, tmp_path))
    new = numbers[:4].with_columns(
        pl.lit("Rome, too").alias("city"), pl.lit(None, pl.String).alias("since")
    )
    with pytest.warns(MaxMarginWarning, match="4 values of 'city' did not occur"):
        rows = encoder.transform(csv(new, tmp_path))[:]
    with pytest.warns(MaxMarginWarning, match="4 values of 'city' did not occur"):
        np.testing.assert_array_equal(rows, encoder.transform(new))
