"""``maxmargin predict``: the clusters of new rows."""

import csv

import numpy as np
import pytest

import maxmargin


def read(path):
    with open(path, newline="") as file:
        return list(csv.DictReader(file))


@pytest.fixture
def model(inside, blobs):
    code, _, err = inside(
        "cluster", blobs, "--id", "tree", "--truth", "kind", "-k", 3, "-o", "labels.csv",
        "--save", "model.skops",
    )  # fmt: skip
    assert code == 0, err
    return "model.skops"


def test_predict_says_what_cluster_said(inside, blobs, model, tmp_path):
    code, _, err = inside("predict", model, blobs, "-o", "new.csv")
    assert code == 0
    assert "Wrote 60 labels to new.csv" in err
    old, new = read(tmp_path / "labels.csv"), read(tmp_path / "new.csv")
    assert [(row["tree"], row["cluster"]) for row in old] == [
        (row["tree"], row["cluster"]) for row in new
    ]


def test_predict_takes_columns_by_name(inside, model, tmp_path):
    rows = "girth,age,height,tree\n0.1,7,9.8,new 1\n10.2,8,0.3,new 2\n"
    (tmp_path / "new.csv").write_text(rows)
    code, out, err = inside("predict", model, "new.csv")
    assert code == 0, err
    assert [line.split(",")[:2] for line in out.splitlines()[1:]] == [
        ["new 1", "1"],
        ["new 2", "2"],
    ]
    assert "age" in err  # is not used
    (tmp_path / "less.csv").write_text("height,tree\n1,a\n2,b\n")
    code, out, err = inside("predict", model, "less.csv")
    assert (code, out) == (2, "")
    assert "girth" in err


def test_models_saved_in_python_predict_too(inside, blobs, tmp_path):
    X = np.loadtxt(blobs, delimiter=",", skiprows=1, usecols=(1, 2))
    model = maxmargin.RLSClustering(3, random_state=0).fit(X)
    maxmargin.save(model, tmp_path / "py.skops", metadata={"rows": "60 trees"})
    np.save(tmp_path / "X.npy", X)
    code, out, err = inside("predict", "py.skops", "X.npy")
    assert code == 0, err
    assert len(out.splitlines()) == 61
    code, _, err = inside("predict", "py.skops", blobs, "--id", "tree")
    assert code == 2  # the kind is text
    np.save(tmp_path / "Y.npy", np.ones((5, 3)))
    code, _, err = inside("predict", "py.skops", "Y.npy")
    assert code == 2
    assert "the model has 2 columns, the table 3" in err
