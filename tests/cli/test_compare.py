"""``maxmargin compare``: several methods on the same table."""

import csv
import json


def read(path):
    with open(path, newline="") as file:
        return list(csv.DictReader(file))


def test_compare(inside, blobs, tmp_path):
    code, out, err = inside(
        "compare", blobs, "--id", "tree", "--truth", "kind", "-k", 3, "-o", "all.csv",
        "--picture", "all.png",
    )  # fmt: skip
    assert (code, err) == (0, "")
    lines = out.splitlines()
    assert lines[0].split()[:4] == ["method", "clusters", "ARI", "accuracy"]
    found = {line.split()[0]: line.split() for line in lines[1:]}
    assert {
        "MaxMarginClustering",
        "KMeans",
        "GaussianMixture",
        "SpectralClustering",
        "HDBSCAN",
    } <= {*found}
    assert found["MaxMarginClustering"][1:4] == ["3", "1.00", "100.0%"]
    rows = read(tmp_path / "all.csv")
    assert len(rows) == 60
    assert list(rows[0]) == ["tree", *found]
    assert (tmp_path / "all.png").read_bytes().startswith(b"\x89PNG")


def test_compare_without_labels_and_number(inside, blobs):
    code, out, _ = inside(
        "compare", blobs, "--columns", "2-3", "--methods", "MaxMarginClustering,kmeans", "--json"
    )
    assert code == 0
    summary = json.loads(out)
    assert summary["number"].startswith("3 clusters")
    ours, peer = summary["methods"]
    assert "ari" not in ours
    assert ours["agreement"] == peer["agreement"] == 1
    assert ours["seconds"] > 0
    code, _, err = inside("compare", blobs, "--columns", "2-3", "--methods", "kmedians")
    assert code == 2
    assert "KMeans" in err


def test_the_failure_of_one_method_is_told(inside, tmp_path):
    # svmlight is sparse: some peers cannot take it
    lines = [f"0 1:{1 + i % 3} 2:{5 * (i % 2) + 1}" for i in range(40)]
    (tmp_path / "t.svm").write_text("\n".join(lines) + "\n")
    code, out, _ = inside(
        "compare", "t.svm", "-k", 2, "--methods", "MaxMarginClustering,GaussianMixture"
    )
    assert code == 0
    assert "GaussianMixture: left out: it takes no sparse rows" in out


def test_compare_with_labels_that_nobody_knows(inside, tmp_path):
    rows = "".join(f"{i % 3 + 9 * (i % 2)},{i % 5},\n" for i in range(30))
    (tmp_path / "t.csv").write_text("a,b,kind\n" + rows)
    code, out, _ = inside(
        "compare", "t.csv", "--truth", "kind", "-k", 2, "--methods", "KMeans,kmeans", "--json"
    )
    assert code == 0
    (only,) = json.loads(out)["methods"]  # a method that is named twice has one turn
    assert "ari" not in only


def test_compare_without_any_answer_writes_nothing(inside, tmp_path):
    (tmp_path / "t.csv").write_text("a,b\n1,2\n3,4\n5,7\n")
    how = ("-o", "all.csv", "--picture", "all.png")
    code, out, err = inside("compare", "t.csv", "-k", 2, "--methods", "HDBSCAN", *how)
    assert (code, out) == (2, "")
    assert "no method has an answer. HDBSCAN: ValueError" in err
    code, _, err = inside("compare", "t.csv", "-k", 4, *how)
    assert code == 2
    assert "-k must be at most the 3 rows; got 4" in err
    assert not (tmp_path / "all.csv").exists()
