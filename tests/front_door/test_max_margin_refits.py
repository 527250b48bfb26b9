"""Refits, copies and interrupts of MaxMarginClustering."""

import pickle

import pytest
from clusterings import cluster
from sklearn.exceptions import NotFittedError

from maxmargin._core.interrupts import STOP
from maxmargin.front_door import candidates


def test_threads_end_with_a_fit_that_was_interrupted(blobs, monkeypatch):
    """The flag that loops look at is set when any thread fails."""
    X, _ = blobs
    flags = []

    def explore(*args):
        flags.append(STOP.get())
        raise KeyboardInterrupt

    monkeypatch.setattr(candidates, "leading_vectors", explore)
    with pytest.raises(KeyboardInterrupt):
        cluster(3, n_jobs=2).fit(X)
    assert flags[0][0] == 1


def test_a_pickle_holds_no_square_array(rng):
    X = rng.normal(size=(150, 2))
    assert len(pickle.dumps(cluster(2).fit(X))) < 8 * 150 * 150 / 2


def test_alternatives_are_those_of_the_fit(blobs):
    model = cluster(3)
    with pytest.raises(NotFittedError):
        model.use_alternative(0)
    model.fit(blobs[0])
    model.set_params(n_clusters=7, metric="cosine", standardize=False, effort="normal")
    assert model.use_alternative(0).n_clusters_ == 3
