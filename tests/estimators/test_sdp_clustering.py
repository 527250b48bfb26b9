"""Semidefinite relaxations; what all estimators promise is in tests/contracts."""

import sys

import numpy as np
import pytest
from sklearn.datasets import load_digits, make_blobs
from sklearn.metrics import adjusted_rand_score

from maxmargin import SDPClustering
from maxmargin.metrics import purity_score

CENTERS = [[12, 0], [-6, 10], [-6, -10]]
RELAXATIONS = ("mmc", "gmmc", "multiclass")


@pytest.mark.parametrize("polish", [True, False])
@pytest.mark.parametrize("relaxation", RELAXATIONS)
def test_three_clusters_are_found(relaxation, polish, global_random_seed):
    X, y = make_blobs([7, 6, 5], centers=CENTERS, random_state=global_random_seed)
    model = SDPClustering(3, relaxation=relaxation, polish=polish, balance=0.3, random_state=0)
    model.fit(X)
    assert adjusted_rand_score(y, model.labels_) == 1
    assert model.bound_ > 0
    assert model.dual_gap_ < 1e-4
    new, truth = make_blobs(30, centers=CENTERS, random_state=global_random_seed + 1)
    assert adjusted_rand_score(truth, model.predict(new)) == 1


@pytest.mark.parametrize("relaxation", ["mmc", "gmmc"])
def test_some_rows_decide_for_all(relaxation, global_random_seed):
    # a few rows are drawn in other proportions than all: the balance must be loose
    X, y = make_blobs([60, 50, 40], centers=CENTERS, random_state=global_random_seed)
    model = SDPClustering(3, relaxation=relaxation, init_size=16, balance=0.8, random_state=0)
    assert adjusted_rand_score(y, model.fit(X).labels_) == 1


def test_digits():
    X, y = load_digits(return_X_y=True)
    these = np.flatnonzero(np.isin(y, [3, 8]))
    found = [
        purity_score(y[these], SDPClustering(init_size=25, random_state=s).fit_predict(X[these]))
        for s in range(3)
    ]
    assert np.mean(found) > 0.9


def test_neither_units_nor_shifts_of_a_linear_kernel_matter():
    X, _ = make_blobs(17, centers=2, random_state=1)
    first = SDPClustering(kernel="linear", random_state=0).fit(X)
    second = SDPClustering(kernel="linear", random_state=0).fit(1000 * X + 5)
    np.testing.assert_array_equal(first.labels_, second.labels_)
    assert first.bound_ == pytest.approx(second.bound_, rel=1e-4)


@pytest.mark.parametrize("relaxation", RELAXATIONS)
def test_what_is_too_large_is_refused_with_the_figure(relaxation, rng):
    X = rng.normal(size=(3000, 2))
    message = r"order \[.*30.*\] would take .* hours and .* GiB; .* Set init_size"
    with pytest.raises(ValueError, match=message):
        SDPClustering(relaxation=relaxation).fit(X)
    with pytest.raises(ValueError, match=r"sdp_solver='scs' about|needs the package scs"):
        try:
            SDPClustering(relaxation=relaxation, sdp_solver="scs").fit(X)
        except ImportError as error:
            raise ValueError(str(error)) from None


def test_the_work_of_features_is_known_when_the_kernel_is(rng):
    X = rng.normal(size=(100, 90))
    with pytest.raises(ValueError, match=r"order \[1\d\d\] would take"):
        SDPClustering(relaxation="multiclass", kernel="linear").fit(X)


def test_without_the_solver_the_error_says_how_to_get_it(monkeypatch):
    monkeypatch.setitem(sys.modules, "clarabel", None)
    with pytest.raises(ImportError, match=r"pip install 'maxmargin\[sdp\]'"):
        SDPClustering().fit(np.eye(4))
