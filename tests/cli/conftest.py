"""The command as a user runs it, and small files to run it on."""

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from sklearn.datasets import load_wine, make_blobs

COMMAND = Path(sys.executable).with_name("maxmargin.exe" if os.name == "nt" else "maxmargin")


@pytest.fixture
def command(tmp_path):
    """Run the installed command in a folder of its own: ``command("cluster", "a.csv")``."""

    def run(*arguments, stdin=None, check=True):
        done = subprocess.run(
            [COMMAND, *map(str, arguments)],
            cwd=tmp_path,
            input=stdin,
            capture_output=True,
            encoding="utf-8",
            env={**os.environ, "PYTHONIOENCODING": "utf-8"},
        )
        assert not check or done.returncode == 0, done.stderr
        return done

    return run


@pytest.fixture
def inside(tmp_path, monkeypatch, capsys):
    """The same without a process of its own, for what is quick: code, output, errors."""
    from maxmargin.cli.main import run

    monkeypatch.chdir(tmp_path)

    def call(*arguments):
        code = run([*map(str, arguments)])
        return code, *capsys.readouterr()

    return call


def write_csv(path, header, rows):
    lines = [",".join(header), *(",".join(map(str, row)) for row in rows)]
    path.write_text("\n".join(lines) + "\n")
    return path


@pytest.fixture
def blobs(tmp_path):
    """Three clear groups: an id, two columns, and what they are."""
    X, y = make_blobs(
        [30, 20, 10], centers=[[0, 0], [10, 0], [0, 10]], cluster_std=0.5, random_state=0
    )
    names = np.array(["ash", "birch", "cedar"])[y]
    rows = [
        (f"t{i}", f"{a:.3f}", f"{b:.3f}", name)
        for i, ((a, b), name) in enumerate(zip(X, names, strict=True))
    ]
    return write_csv(tmp_path / "trees.csv", ["tree", "height", "girth", "kind"], rows)


@pytest.fixture
def wine(tmp_path):
    data = load_wine()
    rows = np.column_stack([data.data, data.target])
    return write_csv(tmp_path / "wine.csv", [*data.feature_names, "cultivar"], rows)
