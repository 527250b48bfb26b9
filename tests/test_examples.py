"""The pages of the gallery run, with fewer rows where a page has very many."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

EXAMPLES = sorted((Path(__file__).parents[1] / "examples").glob("plot_*.py"))


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_it_runs(path):
    pytest.importorskip("matplotlib")
    found = subprocess.run(
        [sys.executable, str(path)],
        env={**os.environ, "MPLBACKEND": "Agg", "MAXMARGIN_EXAMPLES": "small"},
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
    )
    assert found.returncode == 0, found.stderr
    assert found.stdout
