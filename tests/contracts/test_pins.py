"""Partial labels pin rows to clusters; complete labels never leak."""

from contextlib import nullcontext

import numpy as np
import pandas as pd
import pytest
from contracts.estimators import each_class, having

from maxmargin import MaxMarginWarning


def pinned(model):
    """How many rows were pinned, also where a search has the model."""
    return getattr(model, "best_estimator_", model).n_pinned_


@having("pins")
def test_pins_hold_even_where_they_are_wrong(case, blobs, rng):
    X, y = case.given(blobs[0]), blobs[1]
    pins = np.full(60, -1)
    some = rng.choice(60, 15, replace=False)
    pins[some] = rng.permutation(y[some])
    model = case().fit(X, pins)
    np.testing.assert_array_equal(model.labels_[some], pins[some])
    assert pinned(model) == 15
    wrong = np.sum(model.predict(X) != model.labels_)
    assert wrong == getattr(model, "n_disagreements_", wrong)


@each_class("pins finds")
@pytest.mark.parametrize("names", [[2, 0, 1], [1, 2, 0]])
def test_pins_name_their_clusters(case, names, blobs):
    X, y = case.given(blobs[0]), blobs[1]
    pins = np.full(60, -1)
    for c in range(3):
        pins[np.flatnonzero(y == c)[:2]] = names[c]
    np.testing.assert_array_equal(case().fit_predict(X, pins), np.array(names)[y])


@each_class("pins finds")
def test_one_pin_names_one_cluster(case, blobs):
    X, y = case.given(blobs[0]), blobs[1]
    pins = np.full(60, -1)
    pins[np.flatnonzero(y == 2)[0]] = 0  # the smallest one is to be cluster 0
    np.testing.assert_array_equal(case().fit_predict(X, pins), np.array([1, 2, 0])[y])


@having("pins")
def test_all_rows_but_one_can_be_pinned(case, blobs, rng):
    X, pins = case.given(blobs[0]), rng.permutation(blobs[1])
    pins[0] = -1
    model = case().fit(X, pins)
    np.testing.assert_array_equal(model.labels_[1:], pins[1:])
    assert pinned(model) == 59


@having()
def test_complete_labels_are_ignored(case, blobs):
    X, y = case.given(blobs[0]), blobs[1]
    expected = case().fit(X)
    for leak in (y[::-1].astype(str), y[:, np.newaxis] / 2):
        model = case().fit(X, leak)
        np.testing.assert_array_equal(model.labels_, expected.labels_)
        np.testing.assert_array_equal(model.decision_function(X), expected.decision_function(X))
        assert getattr(model, "n_pinned_", 0) == 0


def masked(pins):
    return np.ma.array(np.maximum(pins, 0), mask=pins < 0)


def with_none(pins):
    return [None if label < 0 else label for label in pins.tolist()]


def with_nan(pins):
    return np.where(pins < 0, np.nan, pins)


def with_nans_in_a_list(pins):
    return [np.nan if label < 0 else float(label) for label in pins]


def nullable(pins):
    return pd.Series(pins).astype("Int64").mask(pins < 0)


def as_objects(pins):
    return pins.astype(object)


UNKNOWN = [masked, with_none, with_nan, with_nans_in_a_list, nullable, as_objects, np.float32, list]


@each_class("pins")
@pytest.mark.parametrize("written", UNKNOWN)
def test_unknown_labels_may_be_written_in_any_way(case, written, blobs):
    pins = np.full(60, -1)
    pins[[3, 30]] = [1, 0]
    model = case().fit(case.given(blobs[0]), written(pins))
    assert pinned(model) == 2
    assert model.labels_[[3, 30]].tolist() == [1, 0]


@each_class("pins")
@pytest.mark.parametrize("unknown", [np.nan, None, pd.NA], ids=str)
def test_one_cluster_alone_can_be_pinned(case, unknown, blobs):
    y = [1] * 3 + [unknown] * 57
    model = case().fit(case.given(blobs[0]), y)
    assert pinned(model) == 3
    assert model.labels_[:3].tolist() == [1, 1, 1]


@each_class("k pins")
@pytest.mark.parametrize(
    ("pins", "message"),
    [
        ([0, -1], r"y must have one entry for each row, shape \(60,\); got shape \(2,\)"),
        ([[0]] + [[-1]] * 59, r"shape \(60,\); got shape \(60, 1\)"),
        ([5] + [-1] * 59, r"pinned labels must be ints from 0 to 2 .* got \[5"),
        ([0.5] + [-1] * 59, r"pinned labels must be ints .* got \[0.5"),
        ([-2] + [-1] * 59, r"pinned labels must be ints .* got \[-2"),
        (["a"] + [None] * 59, r"pinned labels must be ints .* got \['a'\]"),
        (["1"] + [-1] * 59, r"pinned labels must be ints .* got \['1'\]"),
        (["a"] + [np.nan] * 59, r"pinned labels must be ints .* got \['a'\]"),
        ([True] + [None] * 59, r"pinned labels must be ints .* got \[True\]"),
        ([10**400] + [-1] * 59, r"pinned labels must be ints .* got \[1000"),
        ([3] + [pd.NA] * 59, r"pinned labels must be ints from 0 to 2 .* got \[3\]"),
        ([np.nan, 7.0] + [0.0] * 58, r"pinned labels must be ints .* got \[7.0\]"),
        ([0] * 58 + [-1] * 2, "the pins in y and min_size together ask for"),
    ],
)
def test_wrong_pins_are_named(case, pins, message, blobs):
    with pytest.raises(ValueError, match=message):
        case(min_size=0.5).fit(case.given(blobs[0]), pins)


CLASSES = {
    "names": np.repeat(["a", "b"], 30),
    "names, as objects": np.repeat(["a", "b"], 30).astype(object),
    "bools": np.arange(60) < 40,
    "numbers": np.arange(60) % 3,
    "targets": np.linspace(-2, 2, 60),
    "several": np.eye(3)[np.arange(60) % 3],
    "lists": [[0], [1, 2]] * 30,
    "dates": np.arange(60).astype("M8[D]"),
    "-1 and 1": np.where(np.arange(60) < 20, -1, 1),
    "-1 and 1, few": np.where(np.arange(60) < 58, -1, 1),
    "-1 and 1, as objects": np.where(np.arange(60) < 20, -1, 1).astype(object),
    "-1 and 1, as floats": np.where(np.arange(60) < 20, -1.0, 1.0).tolist(),
}


@each_class("pins")
@pytest.mark.parametrize("classes", CLASSES)
def test_true_classes_never_leak(case, classes, blobs):
    X = case.given(blobs[0])
    expected = case().fit(X)
    coded = classes.startswith("-1 and 1")
    said = pytest.warns(MaxMarginWarning, match="y has the values -1 and 1 only")
    with said if coded else nullcontext() as warned:
        model = case().fit(X, CLASSES[classes])
    assert not coded or len(warned) == 1
    assert pinned(model) == 0
    np.testing.assert_array_equal(model.labels_, expected.labels_)
