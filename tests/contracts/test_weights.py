"""A row of weight w is w copies of it, in every estimator that takes ``sample_weight``."""

import contextlib

import numpy as np
import pandas as pd
import pytest
from contracts.estimators import CASES, having
from numpy.testing import assert_array_equal
from sklearn import config_context
from sklearn.base import clone
from sklearn.cluster import DBSCAN, AgglomerativeClustering
from sklearn.datasets import make_blobs
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import MinMaxScaler
from sklearn.utils.validation import has_fit_parameter

from maxmargin import (
    CuttingPlaneClustering,
    MaxMarginClustering,
    MaxMarginWarning,
    RLSClustering,
    SupportVectorClustering,
    UnsupervisedSearch,
)

pytestmark = pytest.mark.filterwarnings("ignore:.*all rows are landmarks")

X, Y = make_blobs(45, centers=3, n_features=4, center_box=(-20, 20), random_state=3)
COPIES = np.random.default_rng(0).integers(1, 4, size=len(X))
AGAIN = np.repeat(np.arange(len(X)), COPIES)


def same_partition(a, b):
    return len(set(zip(a.tolist(), b.tolist(), strict=True))) == len(set(a.tolist()))


def fitted(case, rows=slice(None), **given):
    """A model of some rows: at a width, from labels and with landmarks that others have too."""
    told = {"gamma": 0.003, "estimator__gamma": 0.003, "n_components": 200}
    if case.kind in (RLSClustering, CuttingPlaneClustering):
        told["init"] = Y[rows]
    if case.kind is CuttingPlaneClustering:  # to be packed, copies would be torn apart
        told["min_size"] = 0
    if case.kind is SupportVectorClustering:
        told["gamma"] = 0.01
    told = {name: value for name, value in told.items() if name in case().get_params()}
    return clone(case()).set_params(**told).fit(case.given(X[rows]), **given)


@having("weights")
def test_whole_weights_are_copies(case):
    weighted, copied = fitted(case, sample_weight=COPIES), fitted(case, AGAIN)
    assert same_partition(weighted.labels_[AGAIN], copied.labels_)
    if hasattr(weighted, "objective_"):
        assert weighted.objective_ == pytest.approx(copied.objective_, rel=1e-8)


@having("weights rows pins")
@pytest.mark.parametrize("wrong", [7, 0.5])
def test_pins_of_rows_without_weight_are_read_too(case, wrong):
    model, pins = case().fit(X), np.where(np.arange(len(X)) == 4, wrong, np.nan)
    before = model.labels_
    with pytest.raises(ValueError, match="pinned labels must be ints from 0"):
        model.fit(X, pins, sample_weight=np.arange(len(X)) != 4)
    assert model.labels_ is before


@having("weights rows")
def test_pins_are_those_of_estimators_that_take_them(case):
    weights = np.where(np.arange(len(X)) % 3 == 0, 0, COPIES)
    pins = np.where(np.arange(len(X)) % 4 == 0, (Y + 1) % 3, -1)
    free, pinned = (case().fit(X, y, sample_weight=weights).labels_ for y in (None, pins))
    if "pins" in case.can:
        np.testing.assert_array_equal(pinned[pins >= 0], pins[pins >= 0])
    else:
        np.testing.assert_array_equal(pinned, free)


@having("weights rows")
@pytest.mark.parametrize(
    "weights",
    [np.ones(45), COPIES, np.append(1e6, np.ones(44))],
    ids=["alike", "whole", "one heavy"],
)
@pytest.mark.filterwarnings("ignore::maxmargin.MaxMarginWarning")
def test_equal_rows_have_weights_too(case, weights):
    """No row tells more than another one: an answer or a refusal, and no warning of NumPy."""
    with contextlib.suppress(ValueError):
        labels = case().fit(np.zeros((45, 4)), sample_weight=weights).labels_
        assert labels.shape == (45,)


@having("weights values rows")
def test_the_model_is_that_of_copies(case):
    if case.kind is MaxMarginClustering:
        pytest.skip("its width is that of rows, and copies change it; see tests/front_door")
    weighted, copied = fitted(case, sample_weight=COPIES), fitted(case, AGAIN)
    found = copied.predict(X)
    alive = np.unique(found)  # papers to the letter lose clusters
    names = weighted.predict(X)[[int(np.argmax(found == c)) for c in alive]]
    ours, theirs = weighted.decision_function(X), copied.decision_function(X)
    np.testing.assert_allclose(ours[:, names], theirs[:, alive], atol=1e-8)


@having("weights")
@pytest.mark.parametrize("weight", [1.0, 0.3, 7])
def test_equal_weights_are_none(case, weight):
    plain, weighted = fitted(case), fitted(case, sample_weight=np.full(len(X), weight))
    np.testing.assert_array_equal(weighted.labels_, plain.labels_)
    if hasattr(plain, "loo_score_"):
        assert weighted.loo_score_ == pytest.approx(plain.loo_score_, abs=1e-8)


@having("weights")
def test_rows_of_weight_zero_are_left_out_and_labelled(case):
    weights = COPIES.astype(float)
    weights[::7] = 0
    some = np.flatnonzero(weights)
    model = fitted(case, sample_weight=weights)
    without = fitted(case, some, sample_weight=weights[some])
    np.testing.assert_array_equal(model.labels_[some], without.labels_)
    assert model.labels_.shape == (len(X),)
    given = case.given(X)
    np.testing.assert_array_equal(model.labels_[::7], model.predict(given)[::7])


@having("weights sizes")
def test_weighted_sizes_hold_within_the_largest_weight(case):
    weights = np.random.default_rng(1).uniform(0.2, 5, size=len(X))
    shares = np.array([0.5, 0.3, 0.2])
    model = case(proportions=shares).fit(case.given(X), sample_weight=weights)
    sizes = np.bincount(model.labels_, weights, minlength=3)
    assert np.all(np.abs(sizes - shares * weights.sum()) <= weights.max() + 1e-6)
    model = case(proportions=None, min_size=0.8).fit(case.given(X), sample_weight=weights)
    sizes = np.bincount(model.labels_, weights, minlength=3)
    assert np.all(sizes >= 0.8 * weights.sum() / 3 - weights.max() - 1e-6)
    model = case(min_size=1, max_size=50).fit(case.given(X), sample_weight=weights)
    assert np.bincount(model.labels_, weights).max() <= 50 + weights.max() + 1e-6


@having("weights pins")
def test_weights_with_pins_and_pairs(case):
    y = np.full(len(X), -1.0)
    y[[0, 14, 21]] = [2, 0, 1]
    weights = COPIES.astype(float)
    weights[[7, 14]] = 0
    model = case().fit(case.given(X), y, sample_weight=weights)
    assert model.labels_[[0, 14, 21]].tolist() == [2, 0, 1]
    pairs = {"must_link": [(0, 1), (2, 3)], "cannot_link": [(4, 5), (7, 8)]}
    labels = case().fit(case.given(X), sample_weight=weights, constraints=pairs).labels_
    assert labels[0] == labels[1]
    assert labels[2] == labels[3]
    assert labels[4] != labels[5]
    assert labels[7] != labels[8]


@having("weights")
@pytest.mark.parametrize(
    ("weights", "message"),
    [
        ([1.0, 2.0], "None or 45 numbers >= 0"),
        (np.ones((45, 2)), "None or 45 numbers >= 0"),
        ("heavy", "None or 45 numbers >= 0"),
        (np.where(np.arange(45) == 3, -1.0, 1.0), "finite numbers >= 0 .*; got -1 for row 3"),
        (np.where(np.arange(45) == 3, np.nan, 1.0), "finite numbers >= 0 .*; got nan for row 3"),
        (np.zeros(45), "above 0 for some rows"),
    ],
    ids=["short", "two axes", "text", "negative", "nan", "zeros"],
)
def test_bad_weights(case, weights, message):
    with pytest.raises(ValueError, match=f"sample_weight must be {message}"):
        case().fit(case.given(X), sample_weight=weights)


@having("weights")
def test_who_takes_weights_says_so_in_its_signature(case):
    assert has_fit_parameter(case(), "sample_weight")


def test_weights_through_a_pipeline():
    with config_context(enable_metadata_routing=True):
        inner = RLSClustering(3, random_state=0).set_fit_request(sample_weight=True)
        model = make_pipeline(MinMaxScaler(), inner).fit(X, sample_weight=COPIES)
    alone = RLSClustering(3, random_state=0)
    alone.fit(MinMaxScaler().fit_transform(X), sample_weight=COPIES)
    np.testing.assert_array_equal(model[-1].labels_, alone.labels_)
    assert model[-1].objective_ == alone.objective_


def test_weights_through_a_search():
    grid = {"alpha": [1e-4, 1e-2]}
    plain = UnsupervisedSearch(RLSClustering(3, random_state=0), grid).fit(X, sample_weight=COPIES)
    inner = make_pipeline(MinMaxScaler(), RLSClustering(3, random_state=0))
    piped = UnsupervisedSearch(inner, {"rlsclustering__alpha": [1e-4]})
    assert same_partition(plain.labels_, Y)
    assert same_partition(piped.fit(X, sample_weight=COPIES).labels_, Y)
    alone = RLSClustering(3, random_state=0, **plain.best_params_).fit(X, sample_weight=COPIES)
    assert plain.best_estimator_.objective_ == alone.objective_
    foreign = UnsupervisedSearch(DBSCAN(eps=5), {"min_samples": [3]})
    assert len(foreign.fit(X, sample_weight=COPIES).labels_) == len(X)
    with pytest.raises(TypeError, match="AgglomerativeClustering takes no sample_weight"):
        UnsupervisedSearch(AgglomerativeClustering(), {"n_clusters": [3]}).fit(
            X, sample_weight=COPIES
        )


TAKES = {case.kind for case in CASES if "weights" in case.can} - {SupportVectorClustering}


@pytest.mark.parametrize(
    "case",
    [case for case in CASES if not (case.kind in TAKES or "weights" in case.can)],
    ids=lambda case: case.name,
)
def test_who_takes_no_weights_says_what_to_do(case):
    message = r"takes no sample_weight\. MaxMarginClustering,|takes .* and not sample_weight; got"
    with pytest.raises(ValueError, match=message):
        case().fit(case.given(X), sample_weight=COPIES)


def test_rows_without_weight_count_as_disagreements_where_pins_hold_them(rng):
    X = rng.normal(size=(30, 2)) + 9 * (np.arange(30)[:, None] % 2)
    weights, y = np.where(np.arange(30) < 6, 0.0, 1.0), np.full(30, -1)
    y[:4] = [0, 0, 1, 1]
    model = RLSClustering(2, random_state=0).fit(X, y, sample_weight=weights)
    assert model.n_disagreements_ == np.sum(model.predict(X) != model.labels_) == 2


def test_pins_weights_and_exact_shares_go_together(rng):
    X = rng.normal(size=(41, 2)) + np.array([[12, 0], [-6, 10], [-6, -10]])[np.arange(41) % 3]
    y = np.where(rng.random(41) < 0.2, 0, -1)
    weights = rng.integers(0, 3, 41).astype(float)
    model = RLSClustering(3, proportions=[0.5, 0.3, 0.2], n_init=2, random_state=0)
    model.fit(X, y, sample_weight=weights)
    assert np.all(model.labels_[y == 0] == 0)
    sums = np.bincount(model.labels_, weights)
    assert np.all(np.abs(sums - weights.sum() * np.array([0.5, 0.3, 0.2])) <= 2 * weights.max())


@pytest.mark.parametrize("kind", [RLSClustering, CuttingPlaneClustering, MaxMarginClustering])
def test_a_row_that_outweighs_all_others_is_named(kind):
    weights = np.ones(len(X))
    weights[7] = 1e6
    with pytest.warns(MaxMarginWarning, match="row 7 has 100 % of all sample_weight"):
        kind(3, random_state=0).fit(X, sample_weight=weights)
    weights[7] = len(X) / 3
    kind(3, random_state=0).fit(X, sample_weight=weights)  # warnings are errors here


@pytest.mark.parametrize("ratio", [1e9, 1e100, 1e300])
@pytest.mark.parametrize("kind", [RLSClustering, CuttingPlaneClustering, MaxMarginClustering])
def test_a_row_beside_which_all_others_are_rounding(kind, ratio):
    """Sums of squares of weights cancel."""
    weights = np.full(len(X), 1e-150)
    weights[7] *= ratio
    with pytest.warns(MaxMarginWarning):
        model = kind(3, random_state=0).fit(X, sample_weight=weights)
    assert model.n_clusters_ == 3
    assert np.isfinite(getattr(model, "loo_score_", 0.0))


@pytest.mark.parametrize("kind", [RLSClustering, CuttingPlaneClustering, SupportVectorClustering])
def test_rows_of_weight_0_in_frames_of_any_byte_order(kind):
    frame = pd.DataFrame(X.astype(">f8"), columns=list("abcd"))
    weights = np.where(np.arange(len(X)) % 5 == 0, 0.0, 1.0)
    model = kind(random_state=0)
    with contextlib.suppress(ValueError):
        model.set_params(n_clusters=3)
    said = clone(model).fit(frame, sample_weight=weights).labels_
    assert_array_equal(said, model.fit(X, sample_weight=weights).labels_)


def test_masked_weights_are_missing():
    weights = np.ma.masked_array(np.ones(len(X)), np.arange(len(X)) == 4)
    with pytest.raises(ValueError, match=r"sample_weight must be finite .* got nan for row 4"):
        RLSClustering(3).fit(X, sample_weight=weights)
