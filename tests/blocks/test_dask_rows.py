"""Rows on Dask: the same labels, also where workers are lost, and little that travels."""

import os
import pickle
import signal
import threading
import time

import dask
import dask.array as da
import dask.dataframe as dd
import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import make_blobs

from maxmargin import (
    CuttingPlaneClustering,
    MaxMarginClustering,
    MultipleKernelClustering,
    SupportVectorClustering,
)
from maxmargin.blocks import dask_columns, open_rows

N, WORKERS = 36_000, 2


@pytest.fixture(scope="module")
def X():
    return make_blobs(N, centers=3, n_features=4, cluster_std=2.0, random_state=0)[0]


@pytest.fixture
def one_thread():
    with dask.config.set(scheduler="synchronous"):
        yield


def frame(X, n=5):
    return dd.from_pandas(pd.DataFrame(X, columns=list("abcd")[: X.shape[1]]), npartitions=n)


STORES = {
    "chunks": lambda X: da.from_array(X, chunks=(7000, 3)),
    "one chunk": lambda X: da.from_array(X, chunks=X.shape),
    "frame": frame,
    "unknown lengths": lambda X: frame(X).to_dask_array(),
    "no rows in some": lambda X: da.concatenate(
        [da.from_array(X[:5]), da.from_array(X[:0]), da.from_array(X[5:6]), da.from_array(X[6:])]
    ),
}


@pytest.mark.usefixtures("one_thread")
@pytest.mark.parametrize("store", STORES)
def test_the_same_rows_and_labels_from_dask(store, X):
    given = STORES[store](X)
    rows = open_rows(given)
    assert (rows.shape, rows.dtype) == (X.shape, X.dtype)
    which = np.random.default_rng(0).permutation(N)[:100]
    for ask in (slice(10, 20), slice(16_380, 16_390), which, slice(0, 0)):
        np.testing.assert_array_equal(rows[ask], X[ask])
    model = CuttingPlaneClustering(3, n_init=1, random_state=0)
    expected = model.fit(X).labels_, model.coef_, model.predict(X)
    np.testing.assert_array_equal(model.fit(given).labels_, expected[0])
    np.testing.assert_array_equal(model.coef_, expected[1])
    np.testing.assert_array_equal(model.predict(given), expected[2])


@pytest.mark.usefixtures("one_thread")
def test_what_is_wrong_is_named(X):
    names = pd.DataFrame({"a": [1.0, 2.0], "b": ["x", "y"]})
    with pytest.raises(ValueError, match="columns that are no numbers: b"):
        open_rows(dd.from_pandas(names, npartitions=1))
    assert open_rows(dd.from_pandas(names, npartitions=1), columns=["a"])[:].tolist() == [[1], [2]]
    with pytest.raises(ValueError, match="Dask array of numbers with two axes; got one of 1 axes"):
        open_rows(da.ones(5))
    gap = X.copy()
    gap[20_000, 2] = np.nan
    with pytest.raises(ValueError, match="NaN in row 20000, column 'c'"):
        CuttingPlaneClustering(3).fit(frame(gap))


@pytest.mark.usefixtures("one_thread")
@pytest.mark.parametrize("model", [
    MaxMarginClustering(3, effort="fast", random_state=0),
    SupportVectorClustering(n_landmarks=300, random_state=0),
    CuttingPlaneClustering(3, kernel="rbf", n_components=20, n_init=1, random_state=0),
    MultipleKernelClustering(
        3, kernels=["linear", {"kernel": "rbf", "columns": [0, 1]}], n_components=20, n_init=1,
        init_size=300, random_state=0,
    ),
])  # fmt: skip
def test_what_travels_is_small(model, X, monkeypatch):
    """Samples of rows, sums, and a few bytes for each row: never the rows themselves."""
    X = np.hstack([X, np.random.default_rng(0).normal(size=(N, 26))])[:20_500]  # 240 bytes a row
    came, compute = [], dask.compute

    def measured(*tasks):
        found = compute(*tasks)
        came.append(len(pickle.dumps(found)))
        return found

    expected = model.fit(X).labels_
    margins = getattr(model, "margin_", None)
    monkeypatch.setattr(dask, "compute", measured)
    np.testing.assert_array_equal(model.fit(da.from_array(X, chunks=(9000, 30))).labels_, expected)
    # of 20,000 rows means of neighbours are made, however many rows there are
    sampled = {MaxMarginClustering: len(X), SupportVectorClustering: len(X)}
    sampled[MultipleKernelClustering] = 4200
    sample = sampled.get(type(model), 2100) * 240
    taken = [size for size in came if size > 2 * len(X)]  # more than labels, a byte for each
    assert sum(taken) <= 4 * sample
    assert max(came) <= sample + 2 * len(X)
    if margins is not None:  # they come when they are asked for, once
        came.clear()
        np.testing.assert_allclose(model.margin_, margins, atol=1e-5)
        np.testing.assert_array_equal(model.uncertain_, model.margin_ < 0)
        assert came == [pytest.approx(4 * len(X), rel=0.01)]
        np.testing.assert_array_equal(pickle.loads(pickle.dumps(model)).margin_, model.margin_)


@pytest.mark.usefixtures("one_thread")
@pytest.mark.parametrize("settings", [{}, {"optimizer": "cpm3c"}, {"min_size": 0.0}])
def test_labels_stay_with_the_workers(settings, X, monkeypatch):
    """Nothing with an entry for each row goes out, and labels come once: when the fit is done."""
    came, went, compute, sent = [], [], dask.compute, dask_columns._sent

    def measured(*tasks):
        found = compute(*tasks)
        came.append(len(pickle.dumps(found)))
        return found

    def noted(part):
        how, given = sent(part)
        went.append(given.nbytes if isinstance(given, np.ndarray) else 0)
        return how, given

    model = CuttingPlaneClustering(3, n_init=1, init_size=500, random_state=0, **settings)
    expected = model.fit(X).labels_
    monkeypatch.setattr(dask, "compute", measured)
    rows = da.from_array(X, chunks=(9000, 4))
    monkeypatch.setattr(dask_columns, "_sent", noted)
    np.testing.assert_array_equal(model.fit(rows).labels_, expected)
    assert max(went) <= 2  # one number says that no row is pinned
    large = [size for size in came if size > 0.9 * N]  # samples are of a thousand rows at most
    assert large == [pytest.approx(N, rel=0.02)]  # a byte for each row
    came.clear()
    np.testing.assert_array_equal(model.predict(rows), expected)
    assert [size for size in came if size > 0.9 * N] == [pytest.approx(N, rel=0.02)]


@pytest.mark.usefixtures("one_thread")
@pytest.mark.parametrize("settings", [{}, {"optimizer": "cpm3c"}, {"min_size": 11_900}])
def test_pins_go_out_once(settings, X, monkeypatch):
    went, sent = [], dask_columns._sent

    def noted(part):
        how, given = sent(part)
        went.append(given.nbytes if isinstance(given, np.ndarray) else 0)
        return how, given

    model = CuttingPlaneClustering(3, n_init=1, init_size=500, random_state=0, **settings)
    y = np.full(N, -1)
    y[::1000] = model.fit(X).labels_[::1000]
    expected = model.fit(X, y).labels_
    monkeypatch.setattr(dask_columns, "_sent", noted)
    np.testing.assert_array_equal(
        model.fit(da.from_array(X, chunks=(9000, 4)), y).labels_, expected
    )
    assert sum(went) == 2 * N or "min_size" in settings  # labels within bounds go out, too


@pytest.fixture(scope="module")
def client():
    distributed = pytest.importorskip("distributed")
    given = {
        "distributed.scheduler.allowed-failures": 0,
        "distributed.comm.timeouts.connect": "5s",
        "distributed.deploy.lost-worker-timeout": "5m",  # to start one takes long on a busy machine
        "distributed.logging.distributed": "critical",
    }
    with (
        dask.config.set(given),
        distributed.LocalCluster(
            n_workers=WORKERS, threads_per_worker=1, processes=True, dashboard_address="127.0.0.1:0"
        ) as cluster,
        distributed.Client(cluster) as client,
    ):
        yield client


def slowly(X, seconds):
    def load(block):
        time.sleep(seconds)
        return block

    return da.from_array(X, chunks=(9000, X.shape[1])).map_blocks(load, dtype=X.dtype)


def test_workers_that_are_killed_change_nothing(X, client, monkeypatch):
    """Three times in a row; Dask itself gives up at the first of them here."""
    model = CuttingPlaneClustering(3, n_init=1, random_state=0)
    expected = model.fit(X).labels_
    given, n_calls, killed, compute = slowly(X, 0.06), [0], [], dask.compute

    def kill():
        pid = min(client.run(os.getpid).values())
        os.kill(pid, signal.SIGKILL)
        killed.append(pid)

    def disturbed(*tasks):
        n_calls[0] += 1
        if n_calls[0] in (5, 9, 13):  # labels and rivals are with the workers by then
            threading.Timer(0.05, kill).start()
        return compute(*tasks)

    monkeypatch.setattr(dask, "compute", disturbed)
    np.testing.assert_array_equal(model.fit(given).labels_, expected)
    assert len(set(killed)) == 3


def test_a_scheduler_that_is_lost(X, client):
    given = slowly(X, 0.3)
    threading.Timer(0.5, lambda: client.cluster.sync(client.cluster.scheduler.close)).start()
    model = CuttingPlaneClustering(3, n_init=1, random_state=0)
    with pytest.raises(ConnectionError, match="the Dask scheduler was lost"):
        model.fit(given)
    assert not hasattr(model, "labels_")
