"""Proportions and bounds are kept exactly, by every search and with pins."""

import numpy as np
import pytest
from contracts.estimators import each_class, having

PINS = np.full(60, -1)
PINS[[0, 1, 2, 30, 31]] = [2, 2, 1, 1, 0]


def assert_consistent(model, X, y):
    if y is not None:
        np.testing.assert_array_equal(model.labels_[y >= 0], y[y >= 0])
    assert model.n_disagreements_ == np.sum(model.predict(X) != model.labels_)


@having("sizes")
@pytest.mark.parametrize(
    ("shares", "y"), [([1 / 3] * 3, None), ([0.2, 0.5, 0.3], PINS), ([0.9, 0.05, 0.05], PINS)]
)
def test_proportions_are_met_and_keep_their_order(case, shares, y, blobs):
    X = case.given(blobs[0])
    model = case(proportions=shares, min_size=None).fit(X, y)
    np.testing.assert_array_equal(np.bincount(model.labels_), np.round(60 * np.array(shares)))
    assert_consistent(model, X, y)


@having("sizes")
@pytest.mark.filterwarnings("ignore:min_size = .* decided:maxmargin.MaxMarginWarning")
@pytest.mark.parametrize(
    ("bounds", "least", "most", "y"),
    [
        ({"min_size": 19}, 19, 60, None),
        ({"max_size": 21}, 0, 21, PINS),
        ({"min_size": 1.0}, 20, 20, PINS),
        ({"min_size": [5, 8, 30], "max_size": [60, 15, 40]}, [5, 8, 30], [60, 15, 40], PINS),
    ],
)
def test_bounds_hold(case, bounds, least, most, y, blobs):
    X = case.given(blobs[0])
    model = case(**bounds).fit(X, y)
    counts = np.bincount(model.labels_, minlength=3)
    assert np.all(counts >= least)
    assert np.all(counts <= most)
    assert_consistent(model, X, y)


@having("k")
@pytest.mark.filterwarnings("ignore:n_components = 30 is more:maxmargin.MaxMarginWarning")
def test_as_many_clusters_as_rows(case, rng):
    X = case.given(rng.normal(size=(6, 2)))
    model = case(n_clusters=6).fit(X)
    if "sizes" in case.can:  # the paper to the letter has no bounds
        np.testing.assert_array_equal(model.labels_, np.arange(6))  # ties go by the first row
    assert np.sum(model.predict(X) != model.labels_) == model.n_disagreements_


@each_class("sizes")
@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"n_clusters": 61}, "n_clusters must be at most n_samples = 60; got 61"),
        ({"proportions": [0.5, 0.6, 0.1]}, r"proportions must be .* sum to 1 .*; got \[0.5, 0.6"),
        ({"proportions": [0.9, 0.05, 0.05], "min_size": 5}, "proportions give cluster 1 3 of 60"),
        ({"min_size": 21}, "min_size asks for 63 rows in all, and X has 60"),
        ({"min_size": 1e300}, "min_size asks for"),
        ({"min_size": [1, 2]}, "min_size must be one number or one for each of the 3 clusters"),
        ({"max_size": 19}, "max_size leaves room for 57 rows"),
        ({"min_size": 8, "max_size": [7, 60, 60]}, "min_size must not exceed max_size"),
    ],
    ids=str,
)
def test_sizes_that_cannot_be_are_named(case, parameters, message, blobs):
    with pytest.raises(ValueError, match=message):
        case(**parameters).fit(case.given(blobs[0]))


@each_class("sizes")
def test_pins_beyond_their_cluster_are_named(case, blobs):
    y = np.where(np.arange(60) < 40, 0, -1)
    with pytest.raises(ValueError, match="y pins 40 rows to cluster 0, which may have 35"):
        case(max_size=35).fit(case.given(blobs[0]), y)
