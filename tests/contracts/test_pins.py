"""Partial labels pin rows to clusters; complete labels never leak."""

import numpy as np
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


@each_class("pins")
@pytest.mark.parametrize("kind", [object, float, list])
def test_pins_of_any_numeric_kind_are_read(case, kind, blobs):
    pins = np.full(60, -1)
    pins[3] = 1
    y = pins.tolist() if kind is list else pins.astype(kind)
    model = case().fit(case.given(blobs[0]), y)
    assert pinned(model) == 1
    assert model.labels_[3] == 1


@each_class("k pins")
@pytest.mark.parametrize(
    ("pins", "message"),
    [
        ([0, -1], r"y must have one entry for each row, shape \(60,\); got shape \(2,\)"),
        ([[0]] + [[-1]] * 59, r"shape \(60,\); got shape \(60, 1\)"),
        ([5] + [-1] * 59, r"pinned labels must be ints from 0 to 2 .* got \[5"),
        ([0.5] + [-1] * 59, r"pinned labels must be ints .* got \[0.5"),
        ([-2] + [-1] * 59, r"pinned labels must be ints .* got \[-2"),
        ([np.nan] + [-1] * 59, "pinned labels must be ints"),
        ([0] * 58 + [-1] * 2, "the pins in y and min_size together ask for"),
    ],
)
def test_wrong_pins_are_named(case, pins, message, blobs):
    with pytest.raises(ValueError, match=message):
        case(min_size=0.5).fit(case.given(blobs[0]), pins)


@each_class("k pins")
def test_classes_coded_as_minus_one_and_one_are_noticed_once(case, blobs):
    y = np.where(np.arange(60) < 30, -1, 1)
    with pytest.warns(MaxMarginWarning, match="50% of the rows are pinned to cluster 1") as said:
        case(n_clusters=2).fit(case.given(blobs[0]), y)
    assert len(said) == 1
