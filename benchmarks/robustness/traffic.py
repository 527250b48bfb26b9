"""What a fit on Dask sends and gets: ``python benchmarks/robustness/traffic.py``.

The client talks to its scheduler through a relay on loopback that counts the bytes of both ways, so
that everything is counted: functions, sums, labels, and what Dask itself says. One process, two
workers; a pass is one call of the block verb. Bytes for each row are means over all passes but
those that take samples of rows, which are counted by themselves, and so is what is fetched between
passes: the labels, when the fit has ended.
"""

import csv
import socket
import sys
import threading

import dask
import dask.array as da
import numpy as np
from distributed import Client, LocalCluster

from maxmargin import (
    CuttingPlaneClustering,
    MaxMarginClustering,
    MultipleKernelClustering,
    SupportVectorClustering,
)
from maxmargin.blocks.dask_rows import DaskRows

N, D, K, CHUNK = 200_000, 20, 5, 20_000
MODELS = [
    CuttingPlaneClustering(K, random_state=0),
    CuttingPlaneClustering(K, kernel="rbf", n_components=50, n_init=1, random_state=0),
    MultipleKernelClustering(
        K, kernels=["linear", "rbf"], n_components=50, n_init=1, random_state=0
    ),
    SupportVectorClustering(n_landmarks=500, random_state=0),
    MaxMarginClustering(K, effort="fast", random_state=0),
]


def blobs(start):
    """Rows of K clusters."""
    rng = np.random.default_rng([0, start])
    return rng.normal(size=(CHUNK, D)) + 4 * np.eye(D)[rng.integers(0, K, CHUNK)]


class Relay:
    """Hands bytes on between clients and a scheduler, and counts them."""

    def __init__(self, address):
        """Listen on a port of its own."""
        host, port = address.removeprefix("tcp://").rsplit(":", 1)
        self.there, self.sent, self.got = (host, int(port)), 0, 0
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.address = f"tcp://127.0.0.1:{self.listener.getsockname()[1]}"
        threading.Thread(target=self._accept, daemon=True).start()

    def _accept(self):
        while True:
            here, _ = self.listener.accept()
            there = socket.create_connection(self.there)
            for pair in ((here, there, "sent"), (there, here, "got")):
                threading.Thread(target=self._hand_on, args=pair, daemon=True).start()

    def _hand_on(self, source, target, way):
        try:
            while data := source.recv(2**16):
                setattr(self, way, getattr(self, way) + len(data))
                target.sendall(data)
            target.shutdown(socket.SHUT_WR)
        except OSError:
            return


def main():
    starts = range(0, N, CHUNK)  # the workers make the rows, which do not travel
    chunks = da.concatenate(
        [da.from_delayed(dask.delayed(blobs)(start), (CHUNK, D), np.float64) for start in starts]
    )
    table = csv.writer(sys.stdout)
    table.writerow(
        [
            "estimator",
            "passes",
            "samples kB",
            "sent B/row",
            "got B/row",
            "labels B/row",
            "rows B/row",
        ]
    )
    any_port = "127.0.0.1:0"
    with LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=any_port) as cluster:
        relay = Relay(cluster.scheduler_address)
        with Client(relay.address):
            for model in MODELS:
                table.writerow([type(model).__name__, *traffic(model, chunks, relay)])
                sys.stdout.flush()


def traffic(model, X, relay):
    """The passes of a fit, the bytes of samples, and those of other passes for each row."""
    passes, each, take = [], DaskRows.each, DaskRows._take

    def counted(self, function, *arrays, kept=0):
        before = relay.sent, relay.got
        yield from each(self, function, *arrays, kept=kept)
        passes.append((relay.sent - before[0], relay.got - before[1], False))

    def taken(self, which):
        before = relay.sent, relay.got
        rows = take(self, which)
        passes.append((relay.sent - before[0], relay.got - before[1], True))
        return rows

    DaskRows.each, DaskRows._take, begin = counted, taken, relay.got
    try:
        model.fit(X)
    finally:
        DaskRows.each, DaskRows._take = each, take
    labels = relay.got - begin - sum(got for _, got, _ in passes)
    samples = sum(sent + got for sent, got, sample in passes if sample)
    others = [(sent, got) for sent, got, sample in passes if not sample]
    per_row = np.mean(others, axis=0) / len(X)
    figures = *per_row.round(2), round(labels / len(X), 1), 8 * X.shape[1]
    return [len(passes), round(samples / 1e3), *figures]


if __name__ == "__main__":
    main()
