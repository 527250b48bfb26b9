"""``maxmargin cluster``: what it prints and writes."""

import csv
import gzip
import json
import re
from pathlib import Path

import numpy as np
import pytest
from sklearn.metrics import adjusted_rand_score

import maxmargin

GOLDEN = Path(__file__).parent / "golden"


def read(path):
    with open(path, newline="") as file:
        return list(csv.DictReader(file))


def test_one_command_does_it_all(inside, blobs, tmp_path, monkeypatch):
    monkeypatch.setattr("maxmargin.report.page._bundle", lambda: "")  # takes seconds to make
    code, out, err = inside(
        "cluster", blobs.name, "-k", 3, "--id", "tree", "--truth", "kind", "-o", "labels.csv",
        "--report", "report.html", "--save", "model.skops", "--picture", "trees.png",
    )  # fmt: skip
    # how many candidates were alike is not for a golden file
    said = re.sub(r"(?s)Why: 3 clusters of 30, 20, 10 rows: .*?\nKnown", "Why: ...\nKnown", out)
    assert said == (GOLDEN / "cluster.txt").read_text()
    assert (code, err) == (0, "")
    rows = read(tmp_path / "labels.csv")
    given = read(blobs)
    assert list(rows[0]) == ["tree", "cluster", "margin", "membership"]
    assert [row["tree"] for row in rows] == [row["tree"] for row in given]
    assert adjusted_rand_score([r["kind"] for r in given], [r["cluster"] for r in rows]) == 1
    assert all(float(row["margin"]) > 0 for row in rows)
    assert all(0.5 < float(row["membership"]) <= 1 for row in rows)
    assert (tmp_path / "trees.png").read_bytes().startswith(b"\x89PNG")
    page = (tmp_path / "report.html").read_text()
    assert "Clusters of trees.csv" in page
    assert maxmargin.load(tmp_path / "model.skops").n_clusters_ == 3


def test_the_labels_are_those_of_python(inside, wine, tmp_path):
    code, out, _ = inside("cluster", wine, "--truth", "cultivar", "-k", 3, "-o", "labels.csv")
    assert code == 0
    X = np.loadtxt(wine, delimiter=",", skiprows=1)[:, :-1]
    model = maxmargin.MaxMarginClustering(3, random_state=0).fit(X)
    rows = read(tmp_path / "labels.csv")
    assert [int(row["cluster"]) for row in rows] == model.labels_.tolist()
    assert [row["row"] for row in rows] == [str(i + 1) for i in range(len(X))]
    margins = [float(row["margin"]) for row in rows]
    np.testing.assert_allclose(margins, model.margin_, rtol=1e-5)
    assert re.search(r"Known labels \(not used\): ARI 0\.\d\d, accuracy \d\d\.\d%\.", out)


def test_without_k_the_number_is_chosen_and_explained(inside, blobs):
    code, out, _ = inside("cluster", blobs, "--drop", "tree,kind")
    assert code == 0
    assert "found 3 clusters in 60 rows" in out
    assert "The number of clusters is the one with most evidence: " in out
    code, out, _ = inside("cluster", blobs, "--columns", "height,girth", "--method", "rls")
    assert code == 0
    assert "RLSClustering found 3 clusters" in out
    assert "Number: 3 clusters, as MaxMarginClustering finds them" in out


def test_parameters_of_parts_can_be_set(inside, blobs):
    how = ["cluster", blobs, "--columns", "2-3", "--json", "--method"]
    code, out, err = inside(*how, "umc-rls", "-k", 3, "--set", "search__rounds=7")
    assert (code, err) == (0, "")
    assert "Shaking(rounds=7)" in out
    code, out, _ = inside(*how, "sgd-lmsvc", "--set", "solver__theta=0.5")
    assert code == 0
    assert "SGD(theta=0.5)" in out
    for setting, said in (
        ("solver__tau=1", "SMO has no such parameter; it has max_iter, tol"),
        ("search__rounds=1", "SupportVectorClustering has no such parameter"),
    ):
        code, _, err = inside(*how, "svc", "--set", setting)
        assert code != 0
        assert said in err


@pytest.mark.parametrize(
    ("method", "settings", "estimator"),
    [
        ("rls", ["alpha=0.1", "kernel=linear"], "RLSClustering"),
        ("steep-rls", ["n_init=2"], "RLSClustering"),
        ("cutting-plane", ["proportions=[0.5, 0.3, 0.2]"], "CuttingPlaneClustering"),
        ("MultipleKernelClustering", [], "MultipleKernelClustering"),
        ("auto", ["effort=fast", "kernels=['gaussian']"], "MaxMarginClustering"),
    ],
)
def test_any_method_with_any_parameter(inside, blobs, method, settings, estimator):
    how = [part for setting in settings for part in ("--set", setting)]
    code, out, err = inside(
        "cluster", blobs, "--columns", "2-3", "-k", 3, "--method", method, *how, "--json"
    )
    assert (code, err) == (0, "")
    summary = json.loads(out)
    assert summary["method"]["name"] == estimator
    given = {p["name"]: p["given"] for p in summary["method"]["parameters"]}
    for setting in settings:
        name, _, value = setting.partition("=")
        assert value.strip("'") == given[name].strip("'")
    sizes = sorted(c["size"] for c in summary["partitions"][0]["clusters"])
    assert sizes == ([12, 18, 30] if method == "cutting-plane" else [10, 20, 30])


def test_support_vectors_find_their_own_number(inside, blobs, tmp_path):
    how = ("--method", "support-vector", "--set", "outlier_fraction=0.05", "-o", "out.csv")
    code, out, _ = inside("cluster", blobs, "--columns", "height,girth", *how)
    assert code == 0
    # of four that are tied, far from all others, wider kernels tell three
    assert "3 rows (5%) are outliers" in " ".join(out.split())
    assert sum(row["cluster"] == "-1" for row in read(tmp_path / "out.csv")) == 3
    code, _, err = inside("cluster", blobs, "-k", 3, "--columns", "2-3", *how)
    assert code == 2
    assert "finds the number of clusters by itself; leave out -k 3" in err


def test_json_says_everything_and_quiet_nothing(inside, blobs):
    how = ("cluster", blobs, "--id", "tree", "--truth", "kind", "-k", 3)
    code, out, err = inside(*how, "--json")
    summary = json.loads(out)
    assert (code, err) == (0, "")
    assert summary["file"] == str(blobs)
    assert summary["interrupted"] is False
    assert summary["truth"]["ari"] == 1
    assert [c["size"] for c in summary["partitions"][0]["clusters"]] == [30, 20, 10]
    assert inside(*how, "--quiet") == (0, "", "")
    assert inside(*how, "--quiet", "--json") == (0, "", "")


def test_pipes(command, blobs):
    text = blobs.read_text()
    how = ("--id", "tree", "--drop", "kind", "-k", 3, "-o", "-")
    done = command("cluster", "-", *how, stdin=text)
    lines = done.stdout.splitlines()
    assert lines[0] == "tree,cluster,margin,membership"
    assert len(lines) == 61
    assert "3 clusters in 60 rows" in done.stderr  # beside the labels, not among them


@pytest.mark.parametrize("name", ["t.tsv", "t.csv.gz", "t.parquet", "t.npy", "t.npz", "t.svm"])
def test_formats(inside, blobs, tmp_path, name):
    from sklearn.datasets import dump_svmlight_file

    path = tmp_path / name
    X = np.loadtxt(blobs, delimiter=",", skiprows=1, usecols=(1, 2))
    if name == "t.tsv":
        path.write_text(blobs.read_text().replace(",", "\t"))
    elif name == "t.csv.gz":
        path.write_bytes(gzip.compress(blobs.read_bytes()))
    elif name == "t.parquet":
        pytest.importorskip("polars").read_csv(blobs).write_parquet(path)
    elif name == "t.npy":
        np.save(path, X)
    elif name == "t.npz":
        np.savez(path, X=X)
    else:
        dump_svmlight_file(X + 20, np.zeros(60), str(path))
    how = ["--drop", "tree,kind"] if name in ("t.tsv", "t.csv.gz", "t.parquet") else []
    code, out, err = inside("cluster", path, "-k", 3, *how, "-o", "labels.parquet")
    assert code == 0, err
    assert "found 3 clusters in 60 rows" in out
    import polars

    labels = polars.read_parquet(tmp_path / "labels.parquet")
    assert labels.columns == ["row", "cluster", "margin", "membership"]
    assert labels.height == 60


def test_text_and_gaps_have_ways_out(inside, tmp_path):
    path = tmp_path / "t.csv"
    rows = [f"{i % 7 + 10 * (i % 2)},{'red' if i % 2 else 'blue'}" for i in range(40)]
    path.write_text("\n".join(["size,colour", *rows, ",red"]) + "\n")
    refuse = ["--encode", "none", "--impute", "none"]
    code, _, err = inside("cluster", path, "-k", 2, *refuse, "-o", "labels.csv")
    assert code == 2
    assert "column 'colour'" in err
    assert "--encode onehot" in err
    refuse[1] = "onehot"
    code, _, err = inside("cluster", path, "-k", 2, *refuse, "-o", "labels.csv")
    assert code == 2
    assert "--impute median" in err
    assert not (tmp_path / "labels.csv").exists()
    code, _, err = inside(
        "cluster", path, "-k", 2, "--encode", "onehot", "--impute", "median", "-o", "labels.csv"
    )
    assert code == 0, err
    assert len(read(tmp_path / "labels.csv")) == 41


def test_a_mixed_table_just_works_and_says_what_was_done(inside, tmp_path):
    path = tmp_path / "t.csv"
    rows = [
        f"p{i},{i % 7 + 10 * (i % 2)},{'red' if i % 2 else 'blue'},2024-01-{1 + i % 28:02}"
        for i in range(40)
    ]
    path.write_text("\n".join(["who,size,colour,day", *rows, "p40,,red,"]) + "\n")
    code, out, err = inside("cluster", path, "-k", 2, "--save", "m.skops", "-o", "a.csv")
    assert code == 0, err
    out = " ".join(out.split())
    assert "Note: 'who': left out: 41 of its 41 values are different" in out
    assert "Note: 'size': a number; 1 missing, filled with 8." in out
    assert "Note: 'colour': 2 categories." in out
    assert "Note: 'day': a date" in out
    new = tmp_path / "new.csv"
    new.write_text("colour,day,size\nred,2024-01-03,14\ngreen,2024-01-09,2\n")
    code, out, err = inside("predict", "m.skops", new, "-o", "b.csv")
    assert code == 0, err
    assert "1 value of 'colour' did not occur in the training data" in err
    assert len(read(tmp_path / "b.csv")) == 2


def test_standardizing_is_a_choice_for_every_method(inside, tmp_path, rng):
    # the groups are in a column of small units
    group = np.repeat([0, 1], 50)
    X = np.column_stack([group + rng.normal(0, 0.05, 100), rng.uniform(0, 1000, 100)])
    path = tmp_path / "t.csv"
    np.savetxt(path, np.column_stack([X, group]), delimiter=",", header="a,b,g", comments="")
    scores = {}
    for how in ("--standardize", "--no-standardize"):
        code, out, _ = inside(
            "cluster", path, "--truth", "g", "-k", 2, "--method", "cutting-plane", how, "--json"
        )
        assert code == 0
        scores[how] = json.loads(out)["truth"]["ari"]
    assert scores["--standardize"] > 0.9 > scores["--no-standardize"]


@pytest.mark.parametrize("method", ["auto", "cutting-plane"])
def test_pairs_of_rows(inside, tmp_path, rng, method):
    X = np.vstack([rng.normal(size=(20, 2)), rng.normal(6, 1, size=(20, 2))])
    lines = [f"p{i},{a},{b}" for i, (a, b) in enumerate(X)]
    (tmp_path / "t.csv").write_text("\n".join(["who,a,b", *lines]) + "\n")
    (tmp_path / "pairs.csv").write_text("one,two,kind\np0,p39,must\np1,p2,cannot\n")
    how = ["--id", "who", "-k", 2, "--method", method, "--link", tmp_path / "pairs.csv"]
    code, _, err = inside("cluster", tmp_path / "t.csv", *how, "-o", "labels.csv")
    assert code == 0, err
    found = {row["who"]: row["cluster"] for row in read(tmp_path / "labels.csv")}
    assert found["p0"] == found["p39"]
    assert found["p1"] != found["p2"]
    for text, message in (
        ("one,two,kind\np0,p99,must\n", "line 2: there is no row 'p99'"),
        ("one,two,kind\np0,p1,may\n", "'may' is not must or cannot"),
        ("one,two\np0,p1\n", "needs three columns"),
        ("one,two,kind\np0,p1,must\np0,p1,cannot\n", "contradict each other"),
    ):
        (tmp_path / "pairs.csv").write_text(text)
        code, _, err = inside("cluster", tmp_path / "t.csv", *how)
        assert code == 2
        assert message in " ".join(err.split())


def test_weights_of_rows(inside, tmp_path, rng):
    X = np.vstack([rng.normal(size=(20, 2)), rng.normal(9, 1, size=(20, 2))])
    copies = rng.integers(0, 4, size=40)
    how = ["-k", 2, "--method", "rls", "--no-standardize", "--set", "gamma=0.05"]
    lines = [f"{a},{m},{b}" for (a, b), m in zip(X, copies, strict=True)]
    (tmp_path / "t.csv").write_text("\n".join(["a,copies,b", *lines]) + "\n")
    told = [*how, "--weights", "copies"]
    code, _, err = inside("cluster", "t.csv", *told, "-o", "labels.csv", "--save", "m.skops")
    assert code == 0, err
    found = np.array([int(row["cluster"]) for row in read(tmp_path / "labels.csv")])
    assert len(found) == 40
    assert set(zip(found.tolist(), np.repeat([0, 1], 20).tolist(), strict=True)) in (
        {(0, 0), (1, 1)},
        {(1, 0), (0, 1)},
    )
    model = maxmargin.load(tmp_path / "m.skops")
    assert model.n_features_in_ == 2
    alone = maxmargin.RLSClustering(2, gamma=0.05, random_state=0).fit(X, sample_weight=copies)
    assert model.objective_ == pytest.approx(alone.objective_)
    code, _, err = inside("predict", "m.skops", "t.csv", "-o", "again.csv")
    assert code == 0, err
    again = [int(row["cluster"]) for row in read(tmp_path / "again.csv")]
    np.testing.assert_array_equal(again, found)
    for options, message in (
        (("--method", "sdp"), "--weights: SDPClustering takes no sample_weight; choose another"),
        (("--weights", "copy"), "--weights 'copy': there is no such column"),
        (("--weights", "a"), "--weights must be finite numbers >= 0, and 'a' is -"),
    ):
        code, _, err = inside("cluster", "t.csv", *told, *options)
        assert code == 2
        assert message in " ".join(err.split())


def test_a_verbose_method_leaves_standard_output_alone(inside, blobs):
    code, out, err = inside(
        "cluster", blobs, "--columns", "2-3", "-k", 3, "--method", "rls", "--set", "verbose=1",
        "--json",
    )  # fmt: skip
    assert code == 0
    assert json.loads(out)["method"]["name"] == "RLSClustering"
    assert "[RLSClustering] run" in err


def test_none_is_a_value(inside, blobs):
    code, out, _ = inside(
        "cluster", blobs, "--columns", "2-3", "-k", 3, "--method", "fastevommc", "--set",
        "approximation=None", "--json",
    )  # fmt: skip
    assert code == 0
    given = {p["name"]: p["given"] for p in json.loads(out)["method"]["parameters"]}
    assert given["approximation"] == "None"


def test_a_kernel_matrix_is_taken_as_it_is(inside, blobs, tmp_path):
    X = np.loadtxt(blobs, delimiter=",", skiprows=1, usecols=(1, 2))
    np.save(tmp_path / "K.npy", X @ X.T)
    code, out, err = inside(
        "cluster", "K.npy", "-k", 3, "--method", "rls", "--set", "kernel=precomputed"
    )
    assert code == 0, err
    assert "found 3 clusters in 60 rows" in out
