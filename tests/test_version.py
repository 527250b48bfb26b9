"""The version is written in one place."""

import re
import runpy
from pathlib import Path

import maxmargin

ROOT = Path(__file__).parents[1]


def test_the_file_that_the_build_runs_prints_it(capsys):
    runpy.run_path(str(Path(maxmargin.__file__).with_name("_version.py")), run_name="__main__")
    assert capsys.readouterr().out.strip() == maxmargin.__version__


def test_the_build_has_no_version_of_its_own():
    for name in ("meson.build", "pyproject.toml", "src/maxmargin/__init__.py"):
        assert maxmargin.__version__ not in (ROOT / name).read_text(encoding="utf-8"), name


def test_the_citation_is_of_this_version():
    citation = (ROOT / "CITATION.cff").read_text(encoding="utf-8")
    assert re.findall(r"^version: (.+)$", citation, re.MULTILINE) == [maxmargin.__version__]
