"""Every kind of clusterer and of data gets a page."""

import json
from html.parser import HTMLParser

import numpy as np
import pandas as pd
import polars as pl
import pytest
from scipy.sparse import csr_matrix
from scipy.sparse import random as random_sparse
from sklearn.cluster import DBSCAN, AgglomerativeClustering, KMeans
from sklearn.datasets import make_blobs
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.metrics import pairwise_distances
from sklearn.mixture import GaussianMixture
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from maxmargin import (
    CuttingPlaneClustering,
    MaxMarginClustering,
    MultipleKernelClustering,
    Report,
    RLSClustering,
    SupportVectorClustering,
    UnsupervisedSearch,
)
from maxmargin.report import page

X, _ = make_blobs(90, 3, centers=3, cluster_std=2.5, random_state=3)
FRONT = {"effort": "fast", "random_state": 0}
MODELS = {
    "front door": MaxMarginClustering(3, **FRONT),
    "front door in a pipeline": make_pipeline(StandardScaler(), MaxMarginClustering(3, **FRONT)),
    "front door, k unknown": MaxMarginClustering(**FRONT),
    "rls": RLSClustering(3, random_state=0),
    "cutting plane": CuttingPlaneClustering(3, random_state=0),
    "several kernels": MultipleKernelClustering(3, kernels=["linear", "rbf"], random_state=0),
    "support vectors": SupportVectorClustering(),
    "plateau": SupportVectorClustering(gamma="plateau"),
    "k-means": make_pipeline(StandardScaler(), KMeans(3, n_init=1, random_state=0)),
    "tree": AgglomerativeClustering(3),
    "mixture": GaussianMixture(3, random_state=0),
    "all noise": DBSCAN(eps=1e-9),
    "search": UnsupervisedSearch(
        make_pipeline(StandardScaler(), KMeans(n_init=1, random_state=0)),
        {"kmeans__n_clusters": [2, 3, 4]},
        criterion="split_gap",
    ),
}


@pytest.fixture(autouse=True)
def no_bundle(monkeypatch):
    """Vega itself is long to read and the same in every page."""
    monkeypatch.setattr(page, "_bundle", lambda: "")


class Outline(HTMLParser):
    """Tags that are open, and the scripts of a page."""

    def __init__(self, page):
        super().__init__()
        self.open, self.headings, self.data, self._script = [], [], "", False
        self.feed(page)

    def handle_starttag(self, tag, attrs):
        self._script = tag == "script" and dict(attrs).get("id") == "payload"
        if tag in ("h1", "h2", "h3"):
            self.headings.append(int(tag[1]))
        if tag not in ("meta", "input", "path", "br"):
            self.open.append(tag)

    def handle_endtag(self, tag):
        if tag != "path":
            assert self.open.pop() == tag
        self._script = False

    def handle_data(self, data):
        if self._script:
            self.data += data


def payload_of(report):
    """What the page draws; its tags are closed and its headings in order."""
    outline = Outline(report.html())
    assert outline.open == []
    assert outline.headings[0] == 1
    assert outline.headings.count(1) == 1
    assert all(b - a <= 1 for a, b in zip(outline.headings, outline.headings[1:], strict=False))
    payload = json.loads(outline.data)
    lengths = {len(column) for column in payload["columns"].values()}
    assert len(lengths) == 1
    return payload


@pytest.mark.filterwarnings("ignore::maxmargin.MaxMarginWarning")
@pytest.mark.parametrize("name", MODELS)
def test_every_clusterer(name):
    model = MODELS[name].fit(X)
    report = Report(model, X)
    payload = payload_of(report)
    answer = report.summary["partitions"][0]
    assert sum(c["size"] for c in answer["clusters"]) + answer["n_outliers"] == 90
    wanted = {
        "front door": {"principal-0-0", "discriminant-0-0", "margins-0-0", "candidates-0"},
        "front door, k unknown": {"number-0", "number-1", "number-2"},
        "rls": {"discriminant-0-0", "objective-0"},
        "cutting plane": {"discriminant-0-0", "objective-0"},
        "several kernels": {"weights-0"},
        "support vectors": {"margins-0-0", "candidates-0"},
        "plateau": {"plateau-0"},
        "search": {"candidates-0"},
    }
    assert wanted.get(name, {"principal-0-0", "sizes-0-0"}) <= set(payload["charts"])


def test_a_search_says_why_wherever_it_is():
    means = KMeans(3, n_init=1, random_state=0)
    grid = {"n_init": [1, 2]}
    nested = make_pipeline(StandardScaler(), UnsupervisedSearch(means, grid)).fit(X)
    assert "Of 2 candidates, n_init = " in Report(nested, X).summary["method"]["why"]
    nothing = UnsupervisedSearch(means, {}).fit(X)
    assert "There was one candidate, the default." in Report(nothing, X).summary["method"]["why"]


def test_alternatives_of_a_pipeline_are_those_of_its_last_step():
    model = MODELS["front door in a pipeline"].fit(X)
    assert len(Report(model, X).summary["partitions"]) == 1 + len(model[-1].alternatives_)


@pytest.mark.parametrize("make", [pd.DataFrame, pl.DataFrame], ids=["pandas", "polars"])
def test_data_frames_keep_the_names_of_their_columns(make):
    frame = make({name: X[:, j] for j, name in enumerate(["a", "b", "c"])})
    model = MaxMarginClustering(3, **FRONT).fit(frame)
    summary = Report(model, frame).summary
    assert [c["name"] for c in summary["data"]["columns"]] == ["a", "b", "c"]
    assert summary["partitions"][0]["clusters"][0]["differs"][0]["feature"] in "abc"


def test_distances_have_no_features_to_compare():
    distances = pairwise_distances(X)
    model = MaxMarginClustering(3, metric="precomputed", **FRONT).fit(distances)
    report = Report(model, distances)
    payload_of(report)
    assert report.summary["data"]["kind"] == "pairs"
    assert all(c["differs"] == [] for c in report.summary["partitions"][0]["clusters"])
    assert "columns" not in report.summary["headline"]["sentence"]


def test_one_cluster():
    report = Report(MaxMarginClustering(1, **FRONT).fit(X), X)
    payload_of(report)
    assert report.summary["headline"]["sentence"].startswith(
        "MaxMarginClustering found 1 cluster in 90 rows"
    )
    assert "no other to compare" in report.html()


def test_rows_that_are_all_the_same():
    same = np.ones((20, 2))
    report = Report(AgglomerativeClustering(2).fit(same), same)
    payload_of(report)
    assert [c["differs"] for c in report.summary["partitions"][0]["clusters"]] == [[], []]


def test_one_column_and_five_hundred(rng):
    for d in (1, 500):
        wide = rng.normal(size=(40, d))
        report = Report(KMeans(2, n_init=1, random_state=0).fit(wide), wide)
        payload_of(report)
        assert ("The first 50 of 500 columns" in report.html()) == (d == 500)
        assert len(report.summary["data"]["columns"]) == d


def test_texts(global_random_seed):
    rows = csr_matrix(random_sparse(60, 3000, density=0.01, random_state=global_random_seed))
    model = CuttingPlaneClustering(2, random_state=0).fit(rows)
    report = Report(model, rows)
    payload_of(report)
    assert len(report.summary["data"]["columns"]) == 1000
    assert "sparse: 1% of the values are not zero" in report.html()


def test_other_rows_than_those_of_fit():
    model = MaxMarginClustering(3, **FRONT).fit(X[:60])
    report = Report(model, X[60:])
    payload_of(report)
    sizes = [c["size"] for c in report.summary["partitions"][0]["clusters"]]
    assert sizes == np.bincount(model.predict(X[60:])).tolist()


@pytest.mark.parametrize("new", [False, True])
def test_several_kernel_matrices_are_shown_by_their_sum(new):
    stack = [X @ X.T, np.exp(-0.1 * pairwise_distances(X))]
    model = MultipleKernelClustering(3, kernels="precomputed", random_state=0).fit(stack)
    rows = [K[:20] for K in stack] if new else stack
    report = Report(model, rows)
    assert report.summary["data"]["kind"] == "pairs"
    assert report.summary["headline"]["n_clusters"] == len(np.unique(model.predict(rows)))
    assert "principal" in report.html()


def test_a_pipeline_that_reads_texts():
    texts = ["a cat sat", "cats sit", "the dog ran", "dogs run"] * 5
    model = make_pipeline(TfidfVectorizer(), KMeans(2, n_init=1, random_state=0)).fit(texts)
    names = [column["name"] for column in Report(model, texts).summary["data"]["columns"]]
    assert names == model[0].get_feature_names_out().tolist()


@pytest.mark.parametrize("unit", [1e-300, 1e160, 1e300])
def test_no_unit_is_too_large_or_too_small(unit):
    model = MaxMarginClustering(3, **FRONT).fit(X / 10)
    units = MaxMarginClustering(3, **FRONT).fit(X / 10 * unit)
    plain, found = Report(model, X / 10), Report(units, X / 10 * unit)
    for one, other in zip(
        plain.summary["data"]["columns"], found.summary["data"]["columns"], strict=True
    ):
        assert other["deviation"] / unit == pytest.approx(one["deviation"])
    assert found.summary["headline"]["differences"]
    assert found.html()


def test_outliers_only():
    html = Report(DBSCAN(eps=1e-9).fit(X), X).html()
    assert "There is no cluster: every row is an outlier." in html
