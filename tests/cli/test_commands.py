"""``predict``, ``info``, ``compare``, ``demo``, and the command itself."""

import csv
import json
import os
import subprocess
import sys

import numpy as np
import pytest

import maxmargin

from .conftest import COMMAND


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


def test_help_imports_nothing_heavy():
    code = (
        "import sys; from maxmargin.cli.main import run; run(['--help']); run(['--version']); "
        "heavy = {'numpy', 'scipy', 'sklearn', 'rich', 'jinja2', 'altair', 'skops', 'polars'}; "
        "assert not heavy & set(sys.modules), heavy & set(sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert "cluster" in done.stdout
    assert maxmargin.__version__ in done.stdout


@pytest.mark.parametrize("name", ["cluster", "predict", "compare", "info", "demo"])
def test_every_command_has_help(inside, name):
    code, out, _ = inside(name, "--help")
    assert code == 0
    assert out.startswith(f"Usage: maxmargin {name}")


def test_the_module_is_the_command(blobs):
    done = subprocess.run(
        [sys.executable, "-m", "maxmargin", "--version"], capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == maxmargin.__version__


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


def test_info(inside, model):
    code, out, _ = inside("info", model)
    assert code == 0
    assert "estimator: MaxMarginClustering" in out
    assert "fitted.sizes: [30, 20, 10]" in out
    code, out, _ = inside("info", model, "--json")
    assert json.loads(out)["fitted"]["n_clusters_"] == 3


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


def test_demo(inside):
    code, out, _ = inside("demo")
    assert code == 0
    assert "1797 images of handwritten digits" in out
    assert "adjusted Rand index" in out


def test_whoever_reads_may_have_enough(tmp_path):
    # as in `maxmargin cluster ... -o - | head -1`; more than a pipe holds
    long = tmp_path / "long.csv"
    long.write_text("a,b\n" + "".join(f"{i % 7 + 9 * (i % 2)},{i % 5}\n" for i in range(8000)))
    arguments = [COMMAND, "cluster", long, "-k", "2", "-o", "-", "--method", "cutting-plane"]
    with subprocess.Popen(arguments, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        process.stdout.readline()
        process.stdout.close()
        errors = process.stderr.read().decode()
    assert "Traceback" not in errors
    assert "Exception ignored" not in errors


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


@pytest.mark.skipif(sys.platform == "win32", reason="closes streams as a shell of POSIX does")
def test_closed_streams(blobs):
    shell = (
        f'"{COMMAND}" cluster trees.csv -k 3 --method rls --columns 2-3 -o labels.csv <&- >&- 2>&-'
    )
    assert subprocess.run(shell, shell=True, cwd=blobs.parent).returncode == 0
    assert len(read(blobs.parent / "labels.csv")) == 60


def test_terminals_that_lack_a_character():
    # as standard output is by default in a pipe on Windows: it has no minus sign of Unicode
    done = subprocess.run(
        [COMMAND, "cluster", "-", "-k", "2", "--method", "rls"],
        input="".join(f"{-9 * (i % 2) - i % 7},{i % 5}\n" for i in range(40)),
        capture_output=True,
        encoding="cp1252",
        env={**os.environ, "PYTHONIOENCODING": "cp1252"},
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert "found 2 clusters" in done.stdout
    assert "?" in done.stdout  # in the place of the minus sign
