"""Tables as they are: frames with categories, flags, dates and gaps."""

import numpy as np
import pandas as pd
import polars as pl
import pytest
from numpy.testing import assert_array_equal
from sklearn.compose import make_column_transformer
from sklearn.metrics import adjusted_rand_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler

from maxmargin import (
    MaxMarginClustering,
    MaxMarginWarning,
    Report,
    RLSClustering,
    TableEncoder,
    load,
    save,
)


@pytest.fixture(scope="module")
def table():
    """Two groups, which all columns but the last two tell."""
    rng = np.random.default_rng(0)
    z = np.repeat([0, 1], 60)
    n = len(z)
    frame = pd.DataFrame(
        {
            "age": rng.normal(35 + 25 * z, 4),
            "income": rng.normal(30 + 10 * z, 3),
            "smoker": np.where(rng.random(n) < 0.2 + 0.6 * z, "yes", "no"),
            "member": rng.random(n) < 0.9 - 0.7 * z,
            "since": pd.date_range("2020-01-01", periods=n),
            "region": rng.choice(["north", "south", "west"], n),
        }
    )
    frame.loc[rng.random(n) < 0.1, ["age", "region"]] = np.nan, None
    return frame, z


def door(**parameters):
    return MaxMarginClustering(2, effort="fast", random_state=0, **parameters)


def test_a_frame_is_taken_as_it_is(table):
    frame, z = table
    model = door().fit(frame)
    assert adjusted_rand_score(z, model.labels_) > 0.85
    assert model.n_features_in_ == 6
    assert model.feature_names_in_.tolist() == list(frame.columns)
    assert [c.kind for c in model.encoder_.columns_] == [
        "number", "number", "category", "flag", "date", "category"
    ]  # fmt: skip
    assert_array_equal(door().fit(pl.from_pandas(frame)).labels_, model.labels_)
    assert_array_equal(model.predict(frame[frame.columns[::-1]]), model.predict(frame))
    assert np.mean(model.predict(frame) == model.labels_) > 0.95
    assert model.predict_proba(frame[:3]).shape == (3, 2)


def test_new_rows_may_have_new_values(table):
    frame, _ = table
    model = door().fit(frame)
    new = frame[:4].assign(region="east")
    with pytest.warns(MaxMarginWarning, match="4 values of 'region' did not occur"):
        found = model.predict(new)
    assert_array_equal(found, model.predict(frame[:4].assign(region=None)))
    with pytest.raises(ValueError, match="got none named 'age'"):
        model.predict(frame.drop(columns="age"))


def test_numbers_are_as_ever(rng):
    X = np.vstack([rng.normal(size=(30, 2)), rng.normal(5, 1, size=(30, 2))])
    frame = pd.DataFrame(X, columns=["a", "b"])
    model = door().fit(frame)
    assert model.encoder_ is None
    assert_array_equal(model.labels_, door().fit(X).labels_)
    with pytest.raises(ValueError, match="feature names should match"):
        model.predict(frame[["b", "a"]])


@pytest.mark.parametrize("estimator", [door(), RLSClustering(2), door(encoder=None)])
def test_gaps_and_text_elsewhere_name_the_way_out(estimator, table):
    X = np.array([[1.0, np.nan], [2.0, 3.0], [4.0, 5.0]])
    message = "takes rows of numbers without gaps.*TableEncoder"
    with pytest.raises(ValueError, match=f"Input X contains NaN. .*{message}"):
        estimator.fit(X)
    if not isinstance(estimator, MaxMarginClustering) or estimator.encoder is None:
        with pytest.raises(ValueError, match=f"could not convert string.*{message}"):
            estimator.fit(table[0][["smoker"]])


def test_the_encoder_can_be_replaced(table):
    frame, z = table
    model = door(encoder=TableEncoder(impute="mean", max_categories=2)).fit(frame)
    assert model.encoder_.impute == "mean"
    assert model.encoder_.columns_[5].n_pooled == 2
    other = make_column_transformer((StandardScaler(), ["income"]), (OneHotEncoder(), ["smoker"]))
    model = door(encoder=other).fit(frame)
    assert model.n_features_in_ == 6
    assert adjusted_rand_score(z, model.labels_) > 0.4
    assert model.predict(frame[:5]).shape == (5,)
    with pytest.raises(ValueError, match="encoder must be 'auto', None or a transformer; got 3"):
        door(encoder=3).fit(frame)


def test_pins_sizes_files_and_alternatives(table, tmp_path):
    frame, z = table
    y = np.full(len(z), -1)
    y[[0, -1]] = 1, 0
    model = door(proportions=[0.5, 0.5]).fit(frame, y)
    assert model.labels_[0] == 1
    assert np.bincount(model.labels_).tolist() == [60, 60]
    save(model, tmp_path / "m.skops")
    assert_array_equal(load(tmp_path / "m.skops").predict(frame), model.predict(frame))
    if model.alternatives_:
        assert len(model.use_alternative(0).labels_) == 120
    assert 0 <= door(stability=True).fit(frame).stability_ <= 1


@pytest.mark.parametrize("kind", ["front door", "pipeline"])
def test_the_report_shows_what_people_read(kind, table):
    frame, _ = table
    rls = RLSClustering(2, kernel="linear", random_state=0)
    model = door() if kind == "front door" else make_pipeline(TableEncoder(), rls)
    summary = Report(model.fit(frame), frame).summary
    columns = [column["name"] for column in summary["data"]["columns"]]
    assert columns[:4] == ["age", "income", "smoker=no", "smoker=yes"]
    assert summary["data"]["columns"][0]["largest"] > 60
    shown = summary["partitions"][0]["clusters"][0]["differs"]
    assert {feature["feature"] for feature in shown} <= set(columns)


def test_rows_in_blocks_take_no_encoder_but_take_links(tmp_path):
    X = np.random.default_rng(0).normal(size=(60, 2)) + np.repeat([0, 9], 30)[:, None]
    np.save(tmp_path / "rows.npy", X)
    model = MaxMarginClustering(2, effort="fast", random_state=0)
    assert model.fit(tmp_path / "rows.npy").encoder_ is None
    assert_array_equal(model.labels_, model.fit_predict(X))
    model.fit(tmp_path / "rows.npy", constraints={"must_link": [(0, 59)]})
    assert model.labels_[0] == model.labels_[59]
    with pytest.raises(ValueError, match="encoder must be 'auto' or None for rows in blocks"):
        model.set_params(encoder=TableEncoder()).fit(tmp_path / "rows.npy")
