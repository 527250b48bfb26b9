"""The command itself: its help, its streams, its end."""

import csv
import os
import subprocess
import sys

import pytest

import maxmargin

from .conftest import COMMAND


def read(path):
    with open(path, newline="") as file:
        return list(csv.DictReader(file))


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
