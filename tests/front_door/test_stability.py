"""Whether the answer stays when other rows are drawn."""

import numpy as np
import pytest
from scipy.spatial.distance import pdist, squareform
from sklearn.datasets import make_blobs

from maxmargin import MaxMarginClustering
from maxmargin.front_door import stability as stabilities


@pytest.fixture
def blobs(global_random_seed):
    return make_blobs(120, centers=[[0, 0], [9, 0], [0, 9]], random_state=global_random_seed)


def cluster(k=3, **parameters):
    named = {"effort": "fast", "stability": True, "random_state": 0, **parameters}
    return MaxMarginClustering(k, **named)


def test_clear_clusters_are_stable(blobs):
    X, _ = blobs
    assert cluster().fit(X).stability_ == 1
    assert cluster(metric="precomputed").fit(squareform(pdist(X))).stability_ == 1


def test_a_cloud_cut_in_five_is_not(rng):
    assert cluster(5).fit(rng.normal(size=(150, 2))).stability_ < 0.8


def test_it_is_measured_on_request_only(blobs):
    X, _ = blobs
    assert not hasattr(cluster(stability=False).fit(X), "stability_")
    assert not hasattr(cluster(stability="auto").fit(X), "stability_")
    assert cluster(stability="auto", effort="thorough").fit(X[:60]).stability_ == 1


def test_one_cluster_is_stable(rng):
    assert cluster(1).fit(rng.normal(size=(40, 2))).stability_ == 1


def test_bounds_in_rows_shrink_with_the_rows(blobs):
    X, _ = blobs
    assert cluster(min_size=40, max_size=40).fit(X).stability_ == 1
    assert stabilities._scaled([10, 20], 0.5) == [5, 10]
    assert stabilities._scaled(0.1, 0.5) == 0.1
    assert stabilities._scaled("auto", 0.5) == "auto"


def test_pins_are_kept(blobs):
    X, y = blobs
    pins = np.where(np.arange(120) < 12, y, -1)
    assert cluster().fit(X, pins).stability_ == 1
    only_one = np.where(np.arange(120) == np.argmax(y == 1), 1, np.nan)  # pins of cluster 1 alone
    assert cluster().fit(X, only_one).stability_ == 1


def test_the_answer_is_what_it_is_without(blobs, monkeypatch):
    X, _ = blobs
    monkeypatch.setattr(stabilities, "MOST_ROWS", 60)
    model = cluster().fit(X)
    np.testing.assert_array_equal(model.labels_, cluster(stability=False).fit(X).labels_)
    assert model.stability_ == 1


def test_other_values_are_refused(blobs):
    with pytest.raises(ValueError, match="stability must be"):
        cluster(stability="yes").fit(blobs[0])


def test_bounds_that_leave_a_subset_no_room_give_nan_and_other_errors_are_raised(
    blobs, monkeypatch
):
    X, _ = blobs
    # of 12 rows that are pinned to a cluster of at most 12, a subset may have more than its share
    pins = np.where(np.arange(120) % 10 == 0, 0, -1)
    assert np.isnan(cluster(proportions=[0.1, 0.45, 0.45]).fit(X, pins).stability_)
    fit = MaxMarginClustering.fit

    def failing(self, X, y=None, **given):
        if len(X) < 120:
            raise ValueError("a mistake of ours")
        return fit(self, X, y, **given)

    monkeypatch.setattr(MaxMarginClustering, "fit", failing)
    with pytest.raises(ValueError, match="a mistake of ours"):
        cluster().fit(X)
