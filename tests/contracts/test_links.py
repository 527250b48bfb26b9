"""Must-link and cannot-link pairs hold in every estimator that takes pins."""

import numpy as np
import pytest
from contracts.estimators import CASES
from sklearn import config_context
from sklearn.base import clone
from sklearn.datasets import make_blobs
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from maxmargin import (
    CuttingPlaneClustering,
    MaxMarginClustering,
    RLSClustering,
    SupportVectorClustering,
    UnsupervisedSearch,
)

X, Y = make_blobs(60, centers=3, cluster_std=1.0, random_state=0, n_features=4)
MUST = [(int(np.flatnonzero(Y == 0)[0]), int(np.flatnonzero(Y == 1)[0])), (5, 6)]
CANNOT = [tuple(int(row) for row in np.flatnonzero(Y == 2)[:2]), (10, 11), (11, 12)]
PAIRS = {"must_link": MUST, "cannot_link": CANNOT}


def holds(labels):
    return all(labels[i] == labels[j] for i, j in MUST) and all(
        labels[i] != labels[j] for i, j in CANNOT
    )


@pytest.mark.parametrize("case", [c for c in CASES if "pins" in c.can], ids=lambda c: c.name)
@pytest.mark.filterwarnings("ignore::maxmargin.MaxMarginWarning")
def test_pairs_hold(case):
    given = case.given(X)
    model = case().fit(given, constraints=PAIRS)
    assert holds(model.labels_)
    assert holds(case().fit_predict(given, constraints=PAIRS))


@pytest.mark.parametrize("kind", [MaxMarginClustering, RLSClustering, CuttingPlaneClustering])
@pytest.mark.filterwarnings("ignore::maxmargin.MaxMarginWarning")
def test_pairs_sizes_and_pins(kind):
    y = np.full(60, np.nan)
    y[30] = 2
    model = kind(3, proportions=[0.5, 0.3, 0.2], random_state=0)
    labels = model.fit(X, y, constraints=PAIRS).labels_
    assert holds(labels)
    assert labels[30] == 2
    assert np.bincount(labels).tolist() == [30, 18, 12]


@pytest.mark.filterwarnings("ignore::maxmargin.MaxMarginWarning")
def test_pairs_among_many_rows():
    rng = np.random.default_rng(0)
    many = np.vstack([X + 0.1 * rng.normal(size=X.shape) for _ in range(25)])
    model = MaxMarginClustering(3, effort="fast", random_state=0).fit(many, constraints=PAIRS)
    assert len(model.labels_) == 1500
    assert holds(model.labels_)


def test_pairs_in_a_search_and_a_pipeline():
    search = UnsupervisedSearch(RLSClustering(3, random_state=0), {"gamma": [0.01, 0.1]})
    assert holds(search.fit(X, constraints=PAIRS).labels_)
    with config_context(enable_metadata_routing=True):
        inner = RLSClustering(3, random_state=0).set_fit_request(constraints=True)
        model = make_pipeline(StandardScaler(), inner).fit(X, constraints=PAIRS)
    assert holds(model[-1].labels_)


def test_pairs_that_help():
    rng = np.random.default_rng(1)
    rows = np.column_stack(
        [rng.normal(size=200), np.repeat([0.0, 2.2], 100) + rng.normal(size=200)]
    )
    truth = np.repeat([0, 1], 100)
    pairs = rng.permutation(200).reshape(-1, 2)[:60]
    same = truth[pairs[:, 0]] == truth[pairs[:, 1]]
    told = {"must_link": pairs[same], "cannot_link": pairs[~same]}
    with_pairs = RLSClustering(2, random_state=0).fit(rows, constraints=told).labels_
    without = RLSClustering(2, random_state=0).fit(rows).labels_

    def right(labels):
        return max(np.mean(labels == truth), np.mean(labels != truth))

    assert right(with_pairs) > right(without)


def test_who_takes_no_pairs_says_so():
    with pytest.raises(ValueError, match="takes no constraints"):
        SupportVectorClustering().fit(X, constraints=PAIRS)
    with pytest.raises(ValueError, match="constraints must be None or"):
        RLSClustering(3).fit(X, constraints=MUST)


@pytest.mark.parametrize("kind", [RLSClustering, CuttingPlaneClustering])
def test_pins_are_kept_where_pairs_name_all_rows(kind):
    """What is placed by the pairs and the pins together must not be taken for a complete y."""
    X = np.array([[0.0], [1.0], [2.0], [3.0], [4.5]])
    pairs = {"cannot_link": [(3, 2), (1, 0)], "must_link": [(4, 3)]}
    for row in range(5):
        for pin in range(3):
            y = np.where(np.arange(5) == row, pin, np.nan)
            labels = kind(3, n_init=1, random_state=0).fit(X, y, constraints=pairs).labels_
            assert labels[row] == pin
            assert labels[3] != labels[2]
            assert labels[1] != labels[0]
            assert labels[4] == labels[3]


def test_pairs_that_hold_anyway_are_fitted_once(monkeypatch):
    calls = []

    class Counted(RLSClustering):
        def _keep(self, *args):
            calls.append(1)
            return super()._keep(*args)

    model = Counted(3, random_state=0)
    labels = clone(model).fit(X).labels_
    calls.clear()
    held = {"must_link": [tuple(np.flatnonzero(labels == 0)[:2].tolist())]}
    np.testing.assert_array_equal(model.fit(X, constraints=held).labels_, labels)
    assert len(calls) == 1
    calls.clear()
    broken = {"cannot_link": held["must_link"]}
    clone(model).fit(X, constraints=broken)
    assert len(calls) == 2
    calls.clear()
    with pytest.raises(ValueError, match="contradict each other"):
        clone(model).fit(X, constraints={**held, **broken})
    assert not calls
