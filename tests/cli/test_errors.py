"""What goes wrong is told in one line, with exit code 2, and leaves no file behind."""

import os
import sys

import pytest

GOOD = "a,b\n" + "".join(f"{i % 5},{i // 5}\n" for i in range(20))

CASES = {
    "no such file": (None, ["nothing.csv"], "nothing.csv"),
    "empty": ("", ["t.csv"], "empty"),
    "one row": ("a,b\n1,2\n", ["t.csv"], "row"),
    "ragged": ("a,b\n1,2\n3\n4,5\n", ["t.csv"], "line 3"),
    "bytes that are no text": (b"a,b\n1,2\n\xff\xfe3,4\n", ["t.csv"], "encod"),
    "unknown column": (GOOD, ["t.csv", "--columns", "c"], "'c'"),
    "unknown method": (GOOD, ["t.csv", "--method", "rsl"], "Did you mean rls?"),
    "unknown parameter": (GOOD, ["t.csv", "--set", "aplha=1"], "has no such parameter"),
    "no value": (GOOD, ["t.csv", "--set", "alpha"], "NAME=VALUE"),
    "bad value": (GOOD, ["t.csv", "-k", "2", "--method", "rls", "--set", "alpha=-1"], "alpha must"),
    "too many clusters": (GOOD, ["t.csv", "-k", "21"], "n_clusters must be at most"),
    "k twice": (GOOD, ["t.csv", "-k", "2", "--set", "n_clusters=3"], "same parameter"),
    "k = 0": (GOOD, ["t.csv", "-k", "0"], "-k"),
    "unknown ending": (GOOD, ["t.csv", "-o", "labels.xlsx"], "labels.xlsx"),
    "report without ending": (GOOD, ["t.csv", "--report", "report"], "--report must end in"),
    "model with another ending": (GOOD, ["t.csv", "--save", "model.pkl"], "--save must end in"),
    "no such folder": (GOOD, ["t.csv", "--report", "no/report.html"], "Create it first"),
    "unknown option": (GOOD, ["t.csv", "--colour"], "--colour"),
}


@pytest.mark.parametrize("case", CASES)
def test_errors_of_cluster(inside, tmp_path, case):
    content, arguments, message = CASES[case]
    if content is not None:
        data = content if isinstance(content, bytes) else content.encode()
        (tmp_path / "t.csv").write_bytes(data)
    before = sorted(os.listdir(tmp_path))
    code, out, err = inside("cluster", *arguments)
    assert code == 2
    assert message in err
    assert out == ""
    assert "Traceback" not in err
    assert sorted(os.listdir(tmp_path)) == before


def test_the_installed_command_ends_with_code_2(command, tmp_path):
    (tmp_path / "t.csv").write_text("a,b\n1,x\n2,y\n")
    done = command("cluster", "t.csv", "--encode", "none", "-o", "labels.csv", check=False)
    assert done.returncode == 2
    assert done.stderr.startswith("maxmargin: t.csv: ")
    assert len(done.stderr.splitlines()) == 1
    assert not (tmp_path / "labels.csv").exists()


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (None, "No such file"),
        (b"", "no model file"),
        (b"PK\x03\x04 nothing", "no model file"),
        (b"a,b\n1,2", "no model file"),
    ],
)
def test_bad_model_files(inside, tmp_path, content, message):
    (tmp_path / "t.csv").write_text(GOOD)
    if content is not None:
        (tmp_path / "m.skops").write_bytes(content)
    for arguments in (["predict", "m.skops", "t.csv"], ["info", "m.skops"]):
        code, out, err = inside(*arguments)
        assert (code, out) == (2, "")
        assert "m.skops" in err
        assert message in err


def test_unknown_commands_and_no_arguments(inside):
    assert inside("clutser")[0] == 2
    _, out, err = inside()
    assert "Usage" in out + err


@pytest.mark.parametrize(
    ("package", "extra", "output"),
    [
        ("matplotlib", "plots", ["--picture", "a.png"]),
        ("jinja2", "report", ["--report", "a.html"]),
        ("skops", "models", ["--save", "a.skops"]),
    ],
)
def test_files_need_their_packages(inside, tmp_path, monkeypatch, package, extra, output):
    (tmp_path / "t.csv").write_text(GOOD)
    monkeypatch.setitem(sys.modules, package, None)
    code, _, err = inside("cluster", "t.csv", "-k", 2, "-o", "labels.csv", *output)
    assert code == 2
    assert f'{output[0]} needs {package}: pip install "maxmargin[{extra}]"' in err
    assert os.listdir(tmp_path) == ["t.csv"]


def test_the_file_that_is_read_is_not_lost(inside, tmp_path):
    (tmp_path / "t.csv").write_text(GOOD)
    (tmp_path / "link.csv").symlink_to("t.csv")
    for command in ("cluster", "compare"):
        for output in ("t.csv", "./t.csv", "link.csv"):
            code, _, err = inside(command, "t.csv", "-k", 2, "-o", output)
            assert code == 2
            assert "--output must not be the file that is read" in err
    assert (tmp_path / "t.csv").read_text() == GOOD


def test_a_full_disk_names_the_file(inside, tmp_path, monkeypatch):
    (tmp_path / "t.csv").write_text(GOOD)

    def full(self, path):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("maxmargin.report.report.Report.save", full)
    code, _, err = inside("cluster", "t.csv", "-k", 2, "--report", "r.html")
    assert (code, err) == (2, "maxmargin: r.html: No space left on device.\n")


@pytest.mark.parametrize("seed", [-1, 2**32])
def test_seeds_have_a_range(inside, tmp_path, seed):
    (tmp_path / "t.csv").write_text(GOOD)
    for command in ("cluster", "compare"):
        code, out, err = inside(command, "t.csv", "-k", 2, "--seed", seed)
        assert (code, out) == (2, "")
        assert "--seed" in err


def test_a_value_of_the_wrong_type(inside, tmp_path):
    (tmp_path / "t.csv").write_text(GOOD)
    code, out, err = inside("cluster", "t.csv", "-k", 2, "--set", "n_jobs=[1, 2]")
    assert (code, out) == (2, "")
    assert err.startswith("maxmargin: n_jobs must be None or an int other than 0")


@pytest.mark.parametrize(
    "method", ["auto", "rls", "cutting-plane", "multiple-kernel", "iterative-svr", "support-vector"]
)
def test_all_methods_take_sparse_rows(inside, tmp_path, method):
    rows = [f"0 1:{9 * (i % 2) + i / 20} 2:{9 * (1 - i % 2)}\n" for i in range(40)]
    (tmp_path / "t.svm").write_text("".join(rows))
    number = () if method == "support-vector" else ("-k", "2")
    code, out, _ = inside("cluster", "t.svm", "--method", method, *number)
    assert code == 0
    assert "found 2 clusters in 40 rows" in out


def test_a_link_to_nothing_is_no_suggestion(inside, tmp_path):
    (tmp_path / "data.csv").symlink_to("gone.csv")
    code, _, err = inside("cluster", "data.csv")
    assert code == 2
    assert "data.csv: there is no such file. It is a link to 'gone.csv', and nothing is" in err
    assert "Did you mean" not in err


LONG = "x" * 5000


@pytest.mark.parametrize(
    "how",
    [
        ("cluster", LONG),
        ("cluster", "t.csv", "--method", LONG),
        ("cluster", "t.csv", f"--{LONG}"),
        ("cluster", "t.csv", "-k", LONG),
        ("cluster", "t.csv", "-k", 2, "--set", LONG),
        ("cluster", "t.csv", "-k", 2, "--set", f"alpha={LONG}"),
        ("cluster", "t.csv", "-k", 2, "--set", f"{LONG}=1"),
        ("cluster", "t.csv", "--columns", LONG),
        ("cluster", "t.csv", "--encoding", LONG),
        ("cluster", "t.csv", "--separator", LONG),
        ("cluster", "t.csv", "--id", "a b " * 1000),
        ("cluster", "t.csv", "-o", f"{LONG}.csv"),
        ("cluster", "t.csv", "-o", LONG),
        ("compare", "t.csv", "-k", 2, "--methods", LONG),
        ("predict", LONG, "t.csv"),
        (LONG,),
    ],
    ids=lambda how: " ".join(str(word)[:12] for word in how),
)
def test_a_very_long_option_is_not_echoed(inside, tmp_path, how):
    (tmp_path / "t.csv").write_text("x,y\n1,2\n3,4\n5,7\n")
    code, out, err = inside(*how)
    assert code == 2
    assert out == ""
    assert 0 < len(err) < 3000
    assert "x" * 1000 not in err
