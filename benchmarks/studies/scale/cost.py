"""What a fit on Dask costs: CPU seconds of workers and driver, and bytes between them.

Rows are made by the workers, which keep them. CPU seconds and not wall times, as workers share the
cores of one machine. Those of a worker are all that its process takes, Dask's own work included,
and those of the driver are those of the fit and of the scheduler, which live in one process.
"""

import time
from typing import Any

import dask
import dask.array as da
import numpy as np
from distributed import Client, LocalCluster, wait
from sklearn.metrics import adjusted_rand_score

from benchmarks.runner.measure import Row
from benchmarks.studies.robustness.traffic import Relay
from maxmargin.blocks.dask_rows import DaskRows

COLUMNS, CLUSTERS, CHUNK = 20, 5, 25_000


def blobs(start: int) -> np.ndarray:
    """Rows of clusters that touch each other; the first columns tell them apart."""
    rng = np.random.default_rng([2, start])
    return rng.normal(size=(CHUNK, COLUMNS)) + 3 * np.eye(COLUMNS)[clusters(start)]


def clusters(start: int) -> np.ndarray:
    """The cluster of each row."""
    return np.random.default_rng([3, start]).integers(0, CLUSTERS, CHUNK)


def measure(estimator: type, n: int, workers: int) -> Row:
    """One fit on a cluster of this machine."""
    starts = range(0, n, CHUNK)
    chunks = [da.from_delayed(dask.delayed(blobs)(at), (CHUNK, COLUMNS), float) for at in starts]
    model = estimator(CLUSTERS, random_state=0)
    how = {"threads_per_worker": 1, "dashboard_address": "127.0.0.1:0"}
    with LocalCluster(n_workers=workers, **how) as cluster:
        relay = Relay(cluster.scheduler_address)
        with Client(relay.address) as client:
            model.fit(da.concatenate(chunks[:1]))  # what is imported late
            rows = da.concatenate(chunks).persist()
            wait(rows)
            counted = _Passes()
            sent, got = relay.sent, relay.got
            before, began = client.run(time.process_time), time.process_time()
            with counted:
                model.fit(rows)
            driver, after = time.process_time() - began, client.run(time.process_time)
            sent, got = relay.sent - sent, relay.got - got
    taken = [after[worker] - before[worker] for worker in before]
    return {
        "passes": counted.n,
        "workers_s": sum(taken),
        "busiest_s": max(taken),
        "driver_s": driver,
        "sent_mb": sent / 1e6,
        "got_mb": got / 1e6,
        "ari": adjusted_rand_score(np.concatenate([clusters(at) for at in starts]), model.labels_),
    }


class _Passes:
    """Counts the passes over all rows."""

    n = 0

    def __enter__(self) -> None:
        self.each = each = DaskRows.each

        def counted(rows: DaskRows, *args: Any, **kwargs: Any) -> Any:
            self.n += 1
            return each(rows, *args, **kwargs)

        DaskRows.each = counted  # type: ignore[method-assign]

    def __exit__(self, *args: object) -> None:
        DaskRows.each = self.each  # type: ignore[method-assign]
