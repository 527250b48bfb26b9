"""At a terminal: the progress bar, and Ctrl-C."""

import os
import re
import signal
import subprocess
import sys
import time

import numpy as np
import pytest

from .conftest import COMMAND

pty = pytest.importorskip("pty", reason="needs a pseudo-terminal")

#: Many short runs: there is something to keep soon, and the end is far.
MANY_RUNS = ("--method", "rls", "-k", "2", "--set", "n_init=5000")

pytestmark = pytest.mark.usefixtures("ctrl_c")


@pytest.fixture
def rows(tmp_path):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(400, 2)) + 6 * (np.arange(400) % 2)[:, None]
    np.savetxt(tmp_path / "t.csv", X, delimiter=",", header="a,b", comments="", fmt="%.4f")
    return "t.csv"


class AtTerminal:
    """The command with standard error on a pseudo-terminal."""

    def __init__(self, folder, *arguments):
        self.master, slave = pty.openpty()
        self.process = subprocess.Popen(
            [COMMAND, *arguments],
            cwd=folder,
            stdout=subprocess.PIPE,
            stderr=slave,
            env={**os.environ, "TERM": "xterm", "COLUMNS": "100", "OMP_NUM_THREADS": "1"},
        )
        os.close(slave)
        self.seen = ""

    def wait_for(self, text, seconds=60):
        """Read until a text was shown that matches."""
        end = time.monotonic() + seconds
        while not re.search(text, self.seen):
            assert time.monotonic() < end, self.seen
            if not self._read():
                break
        assert re.search(text, self.seen), self.seen

    def end(self):
        """Read to the end; the exit code and what was printed on standard output."""
        while self._read():
            pass
        with self.process.stdout as stdout:
            out = stdout.read().decode()
        os.close(self.master)
        return self.process.wait(), out

    def _read(self):
        try:
            data = os.read(self.master, 4096)
        except OSError:  # the other end is closed
            return False
        self.seen += data.decode(errors="replace")
        return bool(data)


def test_a_bar_with_the_time_left(tmp_path, rows):
    terminal = AtTerminal(tmp_path, "cluster", rows, "--method", "rls", "-k", "2", "--set",
                          "n_init=300")  # fmt: skip
    terminal.wait_for("RLSClustering: runs")
    code, out = terminal.end()
    assert code == 0
    assert "/300" in terminal.seen
    assert "0:00:0" in terminal.seen  # the time left
    assert "found 2 clusters" in out


def test_quiet_shows_no_bar(inside, rows, monkeypatch):
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    how = ("cluster", rows, "--method", "rls", "-k", 2)
    assert "RLSClustering: runs" in inside(*how)[2]
    assert inside(*how, "--quiet") == (0, "", "")


def test_ctrl_c_keeps_the_best_so_far(tmp_path, rows):
    terminal = AtTerminal(tmp_path, "cluster", rows, *MANY_RUNS, "-o", "labels.csv")
    terminal.wait_for(r"[1-9]\d*/5000")
    terminal.process.send_signal(signal.SIGINT)
    code, out = terminal.end()
    assert code == 130
    assert "Interrupted: this is the best result so far." in terminal.seen
    assert "found 2 clusters" in out
    assert "the fit was interrupted" in out
    assert len((tmp_path / "labels.csv").read_text().splitlines()) == 401


def test_ctrl_c_with_nothing_done_writes_nothing(tmp_path):
    # nothing comes from standard input: it waits there
    process = subprocess.Popen(
        [COMMAND, "cluster", "-", "-k", "2", "-o", "labels.csv"],
        cwd=tmp_path,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    time.sleep(2)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=60)
    assert process.returncode == 130
    assert (out, os.listdir(tmp_path)) == (b"", [])
    assert b"Traceback" not in err


@pytest.mark.skipif(sys.platform == "win32", reason="signals of POSIX")
def test_ctrl_c_ends_a_comparison_early(tmp_path, rows):
    terminal = AtTerminal(tmp_path, "compare", rows, "-k", "2", "--methods",
                          "KMeans,MultipleKernelClustering,RLSClustering")  # fmt: skip
    terminal.wait_for("MultipleKernelClustering: runs")
    terminal.process.send_signal(signal.SIGINT)
    code, out = terminal.end()
    assert code == 130
    assert "KMeans" in out
    assert "RLSClustering" not in out


def test_ctrl_c_while_writing_leaves_nothing(inside, tmp_path, rows, monkeypatch):
    def interrupted(self, path):
        raise KeyboardInterrupt

    monkeypatch.setattr("maxmargin.report.report.Report.save", interrupted)
    how = ("cluster", rows, "-k", 2, "--method", "rls", "--report", "r.html")
    for more in (("-o", "labels.csv"), ()):
        code, _, err = inside(*how, *more)
        assert code == 130
        assert err.strip() == "Interrupted: nothing was written."
        assert os.listdir(tmp_path) == [rows]


def test_ctrl_c_before_any_answer_ends_a_comparison(inside, tmp_path, rows, monkeypatch):
    def interrupted(*how):
        raise KeyboardInterrupt

    monkeypatch.setattr("maxmargin.cli.comparison._run", interrupted)
    code, out, err = inside("compare", rows, "-k", 2, "-o", "all.csv", "--picture", "all.png")
    assert (code, out, err.strip()) == (130, "", "Interrupted: nothing was written.")
    assert os.listdir(tmp_path) == [rows]
