"""The numbers of the summary are those of a direct computation, and plain."""

import json
import re
from itertools import permutations

import numpy as np
import pandas as pd
import pytest
from scipy.sparse import csr_matrix
from sklearn.cluster import DBSCAN, KMeans
from sklearn.datasets import make_blobs, make_moons
from sklearn.metrics import adjusted_rand_score, confusion_matrix
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from maxmargin import (
    MaxMarginClustering,
    MaxMarginWarning,
    MultipleKernelClustering,
    Report,
    RLSClustering,
    SupportVectorClustering,
    UnsupervisedSearch,
)

KEYS = {
    "version",
    "maxmargin",
    "title",
    "headline",
    "data",
    "method",
    "partitions",
    "truth",
    "drawn",
    "warnings",
}


def test_the_keys_are_those_of_the_documentation(wine_report):
    summary = wine_report.summary
    assert set(summary) == KEYS
    assert summary["version"] == 1
    for key in KEYS:
        assert f'"{key}"' in Report.__doc__


def test_sizes_and_means_are_of_all_rows(wine, wine_report):
    model, data = wine
    answer = wine_report.summary["partitions"][0]
    for cluster in answer["clusters"]:
        inside = model.labels_ == cluster["number"]
        assert cluster["size"] == inside.sum()
        assert cluster["share"] == pytest.approx(inside.mean())
        first = cluster["differs"][0]
        column = data.data[first["feature"]]
        assert first["inside"] == pytest.approx(column[inside].mean())
        assert first["elsewhere"] == pytest.approx(column[~inside].mean())
        means = data.data[inside].mean() - data.data[~inside].mean()
        strongest = (means / data.data.std(ddof=0)).abs()
        assert first["feature"] == strongest.idxmax()
        assert abs(first["difference"]) == pytest.approx(strongest.max())


def test_margins_are_counted_over_all_rows_and_the_least_certain_are_named(wine, wine_report):
    model, _ = wine
    margins = wine_report.summary["partitions"][0]["margins"]
    assert margins["n_negative"] == model.uncertain_.sum()
    assert sum(sum(strip["counts"]) for strip in margins["counts"]) == len(model.labels_)
    assert 0 in np.round(margins["edges"], 12) or min(margins["edges"]) > 0
    least = margins["least_certain"]
    assert [row["row"] for row in least] == np.argsort(model.margin_, kind="stable")[:10].tolist()
    assert all(row["other"] != row["cluster"] for row in least)


def test_alternatives_keep_as_many_rows_as_can_be(wine, wine_report):
    model, data = wine
    partitions = wine_report.summary["partitions"]
    assert len(partitions) == 1 + len(model.alternatives_)
    for i, partition in enumerate(partitions[1:]):
        other = model.use_alternative(i, data.data)
        shared = confusion_matrix(model.labels_, other.labels_)
        kept = max(sum(shared[a, b] for a, b in enumerate(p)) for p in permutations(range(3)))
        changes = partition["changes"]
        assert changes["n_moved"] == len(model.labels_) - kept
        assert sum(move["rows"] for move in changes["moves"]) == changes["n_moved"]
        assert changes["ari"] == pytest.approx(adjusted_rand_score(model.labels_, other.labels_))
        assert f"{changes['n_moved']} of 178 rows move" in changes["sentence"]
        assert partition["score"] == pytest.approx(model.alternatives_[i].score)
        for cluster in partition["clusters"]:
            assert cluster["size"] == np.sum(other.labels_ == cluster["own_number"])


def test_known_labels_score_the_answer_and_unknown_ones_are_left_out(wine):
    model, data = wine
    truth = data.target.astype(object).to_numpy(copy=True)
    truth[:5] = [None, np.nan, float("nan"), pd.NA, None]
    found = Report(model, data.data, truth=truth).summary["truth"]
    known, labels = data.target[5:], model.labels_[5:]
    assert (found["n_known"], found["n_unknown"]) == (173, 5)
    assert found["ari"] == pytest.approx(adjusted_rand_score(known, labels))
    table = np.array(found["counts"])
    assert table.sum() == 173
    assert table.tolist() == confusion_matrix(labels, known).tolist()
    assert found["accuracy"] == pytest.approx(np.max(table, axis=0).sum() / 173)


def test_truth_changes_nothing_but_itself(wine, wine_report):
    model, data = wine
    alone = Report(model, data.data).summary
    assert alone["truth"] is None
    assert alone["partitions"] == wine_report.summary["partitions"]


def test_the_method_says_what_was_given_and_why(wine, wine_report):
    model, _ = wine
    method = wine_report.summary["method"]
    assert method["why"] == model.chosen_["why"]
    given = {p["name"]: p for p in method["parameters"]}
    assert given["n_clusters"]["given"] == "3"
    assert not given["n_clusters"]["default"]
    assert given["effort"]["default"]
    candidates = method["candidates"]
    assert np.shape(candidates["values"]) == (len(candidates["rows"]), len(candidates["columns"]))


def test_warnings_come_first_from_the_caller_then_from_the_figures(wine_report):
    assert wine_report.summary["warnings"][0] == "take care"
    X = np.array([[0.0], [0.1], [0.2], [0.3], [9.0]])
    found = Report(KMeans(2, n_init=3, random_state=0).fit(X), X).summary["warnings"]
    assert found == ["Cluster 1 has fewer than three rows."]


def test_outliers_are_counted_apart():
    X, _ = make_moons(150, noise=0.06, random_state=0)
    X = np.vstack([X, [[4.0, 4.0], [-4.0, -4.0]]])
    summary = Report(DBSCAN(eps=0.25).fit(X), X).summary
    answer = summary["partitions"][0]
    assert answer["n_outliers"] == 2
    truth = Report(DBSCAN(eps=0.25).fit(X), X, truth=[*[0] * 150, 1, 1]).summary["truth"]
    assert truth["accuracy"] <= 150 / 152  # they are never right
    assert sum(c["size"] for c in answer["clusters"]) == 150
    assert "2 rows (1%) are outliers" in summary["headline"]["sentence"]
    model = SupportVectorClustering(outlier_fraction=0.05).fit(X)
    margins = Report(model, X).summary["partitions"][0]["margins"]
    assert margins["kind"] == "depth"
    assert margins["counts"][-1]["cluster"] == -1
    assert all(row["cluster"] >= 0 for row in margins["least_certain"])


def test_the_columns_of_dense_and_sparse_rows_are_the_same(rng):
    X = rng.poisson(0.4, (60, 7)).astype(float)
    model = KMeans(2, n_init=2, random_state=0).fit(X)
    dense = Report(model, X).summary
    sparse = Report(model, csr_matrix(X)).summary
    assert sparse["data"]["density"] == pytest.approx(np.mean(X != 0))
    assert (dense["data"]["kind"], sparse["data"]["kind"]) == ("dense", "sparse")
    for a, b in zip(dense["data"]["columns"], sparse["data"]["columns"], strict=True):
        assert a.pop("name") == b.pop("name")
        assert a == pytest.approx(b)
    a, b = (s["partitions"][0]["clusters"][0]["differs"][0] for s in (dense, sparse))
    assert a["difference"] == pytest.approx(b["difference"])


def test_json_is_valid_and_has_no_nan(wine_report):
    def refuse(constant):
        raise AssertionError(constant)

    text = wine_report.json()
    assert json.loads(text, parse_constant=refuse) == wine_report.summary


def test_missing_numbers_are_null_in_json():
    X, _ = make_blobs(40, 2, centers=2, random_state=0)
    model = KMeans(2, n_init=1, random_state=0).fit(X)
    model.inertia_ = np.nan
    model.n_iter_ = np.inf
    fitted = {
        f["name"]: f["value"] for f in json.loads(Report(model, X).json())["method"]["fitted"]
    }
    assert fitted["inertia_"] is None
    assert fitted["n_iter_"] is None


def test_alternatives_can_be_left_out(wine):
    model, data = wine
    report = Report(model, data.data, alternatives=False)
    assert len(report.summary["partitions"]) == 1
    assert not any("not shown" in warning for warning in report.summary["warnings"])


def blobs():
    return make_blobs([14, 10, 6], centers=[[0, 0, 0], [7, 0, 1], [0, 9, 0]], random_state=1)[0]


def test_every_row_its_own_cluster():
    X = blobs()
    found = Report(KMeans(len(X), n_init=1).fit(X), X).summary["headline"]
    assert found["sentence"] == "KMeans found 30 clusters in 30 rows, of 1 row each."


def test_differences_of_the_largest_clusters():
    X = np.repeat(np.arange(6.0), [1, 9, 8, 1, 7, 6])[:, None]
    model = KMeans(6, n_init=1, init=np.arange(6.0)[:, None]).fit(X)
    told = Report(model, X).summary["headline"]["differences"]
    assert [n for n in range(6) if f"luster {n} has" in told] == [1, 2, 4, 5]


def test_values_that_differ_are_told_apart():
    X = blobs() + 1e9
    first = Report(KMeans(3, n_init=1, random_state=0).fit(X), X).summary["partitions"][0]
    for cluster in first["clusters"]:
        inside, outside = re.search(r": (.+) against (.+) elsewhere", cluster["sentence"]).groups()
        assert inside != outside


def test_a_search_inside_a_pipeline_says_what_it_chose():
    X = blobs()
    search = UnsupervisedSearch(KMeans(3, random_state=0), {"n_init": [1, 2]})
    why = Report(make_pipeline(StandardScaler(), search).fit(X), X).summary["method"]["why"]
    assert why.startswith("Of 2 candidates, n_init = ")


def test_one_domain_is_not_said_to_be_told_apart():
    X = blobs()[:3]
    with pytest.warns(MaxMarginWarning, match="one cluster"):
        model = SupportVectorClustering().fit(X)
    method = Report(model, X).summary["method"]
    assert "none gives more than one cluster" in method["why"]
    assert method["candidates"] is None


def test_a_better_alternative_is_called_better():
    X = blobs()
    model = MaxMarginClustering(3, effort="fast", random_state=0).fit(X)
    worse = model.use_alternative(0)
    assert worse.chosen_["score"] < model.chosen_["score"] - 0.02
    assert any("or better (" in warning for warning in Report(worse, X).summary["warnings"])


def test_rows_in_another_order_are_noticed():
    X = blobs()
    for model in (KMeans(3, n_init=1, random_state=0), RLSClustering(3, random_state=0)):
        model.fit(X)
        assert not any("in their order" in w for w in Report(model, X).summary["warnings"])
        assert any("in their order" in w for w in Report(model, X[::-1]).summary["warnings"])


def test_typical_rows_are_rows_of_fit():
    X = blobs()
    model = MaxMarginClustering(3, effort="fast", random_state=0).fit(X)
    of_fit, of_others = (Report(model, rows).summary["partitions"][0] for rows in (X, X[:-1]))
    assert all(cluster["typical"] for cluster in of_fit["clusters"])
    assert not any(cluster["typical"] for cluster in of_others["clusters"])


def test_a_random_state_has_no_address():
    X = blobs()
    model = RLSClustering(3, random_state=np.random.RandomState(0)).fit(X)
    assert " at 0x" not in Report(model, X).json()


@pytest.mark.parametrize("names", [["a"], ["a", "b", "c", "d"]])
def test_as_many_names_as_columns(names):
    X = blobs()
    with pytest.raises(ValueError, match="columns must name each of the 3 columns"):
        Report(KMeans(3, n_init=1).fit(X), X, columns=names)


def test_the_columns_of_fit():
    X = blobs()
    with pytest.raises(ValueError, match="X must have the 3 columns that KMeans was fitted to"):
        Report(KMeans(3, n_init=1).fit(X), X[:, :2])


def test_one_warning_is_one_warning():
    X = blobs()
    report = Report(KMeans(3, n_init=1, random_state=0).fit(X), X, warnings="take care")
    assert report.summary["warnings"] == ["take care"]


@pytest.mark.filterwarnings("ignore::maxmargin.MaxMarginWarning")
def test_rows_that_are_all_alike_are_on_the_boundary():
    X = np.ones((12, 3))
    model = MultipleKernelClustering(2, kernels=["linear"], n_init=1, random_state=0)
    sentence = Report(model.fit(X), X).summary["headline"]["sentence"]
    assert "every row is on the right side" not in sentence
