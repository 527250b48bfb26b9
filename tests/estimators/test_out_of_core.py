"""Rows that are read in blocks: the same labels, whatever they are kept in, in little memory."""

import subprocess
import sys
import textwrap
from copy import copy
from functools import cache

import numpy as np
import polars as pl
import pytest
from blocks.tables import STORES, MadeRows, csv, parts
from sklearn.datasets import make_blobs

from maxmargin import (
    CuttingPlaneClustering,
    MaxMarginClustering,
    MaxMarginWarning,
    MultipleKernelClustering,
    RLSClustering,
    SupportVectorClustering,
)
from maxmargin.blocks import open_rows
from maxmargin.estimators import sampled_fit
from maxmargin.spaces import space

#: More rows than the front door reads at once.
N = 20_500


@pytest.fixture(scope="module")
def X():
    return make_blobs(N, centers=3, n_features=4, cluster_std=2.0, random_state=0)[0]


FITS = {
    "planes": lambda: CuttingPlaneClustering(3, n_init=2, random_state=0),
    "planes, rbf": lambda: CuttingPlaneClustering(
        3, kernel="rbf", n_components=50, n_init=1, init_size=300, random_state=0
    ),
    "kernels": lambda: MultipleKernelClustering(
        3,
        kernels=["linear", {"kernel": "rbf", "columns": [0, 1]}],
        n_components=50,
        n_init=1,
        init_size=300,
        random_state=0,
    ),
    "domains": lambda: SupportVectorClustering(
        n_landmarks=300, outlier_fraction=0.01, random_state=0
    ),
    "front door": lambda: MaxMarginClustering(3, effort="fast", random_state=0),
}


@pytest.fixture(scope="module")
def fitted(X):
    """Models of the array, each made once; a test that changes one takes a copy."""
    return cache(lambda name: FITS[name]().fit(X))


@pytest.mark.parametrize("name", FITS)
def test_labels_are_those_of_the_array_to_the_last_bit(name, X, fitted, tmp_path, monkeypatch):
    whole = fitted(name)
    monkeypatch.setattr(space, "KEPT_SHARE", 0)  # features are made again in every pass
    rows = MadeRows(X, most=4096 if name == "planes" else 16_384)
    model = FITS[name]().fit(rows)
    np.testing.assert_array_equal(model.labels_, whole.labels_)
    for attribute in ("coef_", "intercept_", "gamma_", "n_disagreements_"):
        if hasattr(whole, attribute):
            np.testing.assert_array_equal(getattr(model, attribute), getattr(whole, attribute))
    np.testing.assert_array_equal(model.predict(rows), whole.predict(X))
    np.testing.assert_allclose(
        model.decision_function(rows), whole.decision_function(X), rtol=1e-6, atol=1e-5
    )
    model.predict_to(rows, tmp_path / "labels.npy")
    np.testing.assert_array_equal(np.load(tmp_path / "labels.npy"), whole.predict(X))


def test_flags_and_categories_count_as_in_memory(X):
    rng = np.random.default_rng(0)
    table = np.hstack([X[:, :2], np.eye(3)[rng.integers(0, 3, N)], rng.random((N, 1)) < 0.1])
    whole, model = (FITS["front door"]().fit(given) for given in (table, MadeRows(table)))
    np.testing.assert_array_equal(model.labels_, whole.labels_)
    np.testing.assert_allclose(model.margin_, whole.margin_, atol=1e-5)


@pytest.mark.parametrize("store", STORES)
def test_every_store_gives_the_same_planes(store, X, fitted, tmp_path):
    whole = fitted("planes")
    path = STORES[store](X, tmp_path)
    model = FITS["planes"]().fit(path)
    np.testing.assert_array_equal(model.labels_, whole.labels_)
    np.testing.assert_array_equal(model.coef_, whole.coef_)
    np.testing.assert_array_equal(model.predict(path), whole.predict(X))


@pytest.mark.parametrize("n", [1, 2, 7, 64])
def test_the_number_of_parts_does_not_matter(n, X, fitted, tmp_path):
    model = FITS["planes"]().fit(str(parts(X, tmp_path, n)))
    expected = fitted("planes")
    np.testing.assert_array_equal(model.labels_, expected.labels_)
    np.testing.assert_array_equal(model.coef_, expected.coef_)
    assert model.objective_ == expected.objective_


def test_parts_may_hold_one_cluster_each(X, fitted, tmp_path):
    """Rows in the order of their clusters, and no row in some of the parts."""
    labels = fitted("planes").labels_
    ordered = X[np.argsort(labels, kind="stable")]
    place = parts(ordered, tmp_path, 3)
    pl.DataFrame(X[:0], schema=list("abcd")).write_parquet(place / "part-000b.parquet")
    model = FITS["planes"]().fit(place)
    np.testing.assert_array_equal(model.labels_, FITS["planes"]().fit(ordered).labels_)


def test_the_front_door_with_pins_and_bounds(X, fitted):
    y = np.full(N, -1)
    y[:30] = fitted("planes").labels_[:30]
    given = {"n_clusters": 3, "effort": "fast", "min_size": 6830, "random_state": 0}
    whole = MaxMarginClustering(**given).fit(X, y)
    model = MaxMarginClustering(**given).fit(MadeRows(X), y)
    np.testing.assert_array_equal(model.labels_, whole.labels_)
    np.testing.assert_allclose(model.margin_, whole.margin_, atol=1e-5)
    assert model.loo_score_ == pytest.approx(whole.loo_score_, abs=1e-6)
    assert model.n_disagreements_ == whole.n_disagreements_
    with pytest.raises(AttributeError, match="left_out_ is not kept for rows in blocks"):
        _ = model.left_out_


def test_least_squares_on_all_rows_or_on_those_that_fit(X, tmp_path, monkeypatch):
    X = X[:3000]
    path, given = csv(X, tmp_path), {"approximation": "nystroem", "n_init": 1, "random_state": 0}
    whole = RLSClustering(3, **given).fit(X)
    model = RLSClustering(3, **given).fit(path)
    np.testing.assert_array_equal(model.labels_, whole.labels_)
    assert model.feature_names_in_.tolist() == ["a", "b", "c", "d"]
    monkeypatch.setattr(sampled_fit, "available_memory", lambda: 4 * 10**6)
    with pytest.warns(MaxMarginWarning, match=r"memory for 1\d\d\d of the 3000 rows"):
        model = RLSClustering(3, **given).fit(path)
    assert np.mean(model.labels_ == whole.labels_) > 0.95
    assert model.feature_names_in_.tolist() == ["a", "b", "c", "d"]


def test_labels_do_not_go_where_rows_come_from(X, fitted, tmp_path):
    file, part = tmp_path / "rows.npy", tmp_path / "parts" / "b.npy"
    part.parent.mkdir()
    for name in (file, part.parent / "a.npy", part):
        np.save(name, X[:500])
    (tmp_path / "link.npy").symlink_to(file)
    before, model = file.read_bytes(), fitted("planes")
    given = [file, str(file), np.load(file, mmap_mode="r"), open_rows(file)]
    for rows, path in (
        *((rows, path) for rows in given for path in (file, tmp_path / "link.npy")),
        *((rows, part) for rows in (part.parent, part.parent / "*.npy", open_rows(part.parent))),
    ):
        with pytest.raises(ValueError, match="path must not be a file that X is read from"):
            model.predict_to(rows, path)
    assert file.read_bytes() == part.read_bytes() == before
    model.predict_to(file, part)  # of other rows
    assert np.load(part).shape == (500,)


def test_labels_go_to_files_of_several_kinds(X, fitted, tmp_path):
    model = fitted("planes")
    expected = model.predict(X)
    for name in ("l.npy", "l.csv", "l.parquet"):
        model.predict_to(X, tmp_path / name)
    np.testing.assert_array_equal(np.load(tmp_path / "l.npy"), expected)
    for found in (pl.read_csv(tmp_path / "l.csv"), pl.read_parquet(tmp_path / "l.parquet")):
        np.testing.assert_array_equal(found["cluster"], expected)
    with pytest.raises(ValueError, match=r"labels go to .npy, .csv"):
        model.predict_to(X, tmp_path / "l.txt")
    gap = X.copy()
    gap[18_000] = np.nan
    with pytest.raises(ValueError, match="NaN or infinity in row 18000"):
        model.predict_to(MadeRows(gap), tmp_path / "gap.npy")
    assert not (tmp_path / "gap.npy").exists()


def test_wrong_rows_are_refused(X, tmp_path):
    model = FITS["planes"]().fit(csv(X, tmp_path))
    with pytest.raises(ValueError, match="must have 4 features"):
        model.predict(MadeRows(X[:, :3]))
    with pytest.raises(ValueError, match="must be those of fit"):
        model.predict(open_rows(tmp_path / "rows.csv", columns=["b", "a", "c", "d"]))
    with pytest.raises(ValueError, match="at least 1 rows"):
        FITS["planes"]().fit(MadeRows(X[:0]))
    with pytest.raises(ValueError, match='gamma must be a number, "auto" or "median"'):
        CuttingPlaneClustering(kernel="rbf", gamma="scale").fit(MadeRows(X))


@pytest.mark.parametrize("name", ["planes", "front door", "domains"])
def test_ctrl_c_in_the_middle_of_a_pass(name, X, fitted, ctrl_c):
    class Interrupted(MadeRows):
        def read(self, start, stop):
            self.n_reads = getattr(self, "n_reads", 0) + 1
            if self.n_reads == 12:
                ctrl_c()
            return super().read(start, stop)

    model = copy(fitted(name))
    before = dict(vars(model))
    with pytest.raises(KeyboardInterrupt):
        model.fit(Interrupted(X))
    assert vars(model) == before or vars(model).keys() == before.keys()
    assert model.labels_ is before["labels_"]


def test_more_rows_than_memory():
    """The rows are 134 MB where the process may take 100 more, and 268 MB where it may take 240."""
    script = """
    import resource
    from pathlib import Path
    import numpy as np
    import maxmargin
    from maxmargin.blocks import Rows

    class Many(Rows):
        dtype = np.dtype(np.float64)
        base = np.random.default_rng(0).normal(size=(2**14, 64))
        base[1::2] += 8
        def __init__(self, n):
            self.shape = n, 64
        def read(self, start, stop):
            return self.base[np.arange(start, stop) % 2**14]

    def used():
        return int(Path("/proc/self/statm").read_text().split()[5]) * resource.getpagesize()

    before = used()
    for model, n, more in (
        (maxmargin.CuttingPlaneClustering(2, n_init=1, random_state=0), 2**18, 100),
        (maxmargin.SupportVectorClustering(n_landmarks=300, random_state=0), 2**18, 100),
        (maxmargin.MaxMarginClustering(2, effort="fast", random_state=0), 2**19, 240),
    ):
        model.fit(np.random.default_rng(0).normal(size=(300, 64)))  # what is imported late
        limit = max(before, used()) + more * 10**6
        resource.setrlimit(resource.RLIMIT_DATA, (limit, resource.RLIM_INFINITY))
        try:
            np.ones((n, 64))
            raise SystemExit("the limit is none")
        except MemoryError:
            pass
        labels = model.fit(Many(n)).labels_
        pairs = set(zip(labels.tolist(), (np.arange(n) % 2).tolist()))
        print(type(model).__name__, len(labels), len(pairs))
        resource.setrlimit(resource.RLIMIT_DATA, (resource.RLIM_INFINITY,) * 2)
    """
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", textwrap.dedent(script)],
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr[-2000:]
    assert done.stdout.split("\n")[:3] == [
        "CuttingPlaneClustering 262144 2",
        "SupportVectorClustering 262144 2",
        "MaxMarginClustering 524288 2",
    ]
