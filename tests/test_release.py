"""What a release says of itself in several places is the same in all of them."""

import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
WHEELS = PROJECT["tool"]["cibuildwheel"]


def requirements(section):
    """The lines of a list of the recipe, without `if` and the templates of conda."""
    text = (ROOT / "release" / "conda" / "recipe.yaml").read_text(encoding="utf-8")
    block = re.search(rf"^  {section}:\n((?:    .+\n)+)", text, re.MULTILINE).group(1)
    return re.findall(r"^    - ([a-z].*)$", block, re.MULTILINE)


def plain(line):
    return re.sub(r"\s", "", line).lower()


def test_the_recipe_needs_what_the_package_needs():
    assert {*map(plain, requirements("run"))} == {
        "python",
        *map(plain, PROJECT["project"]["dependencies"]),
    }
    assert {*map(plain, requirements("host"))} == {
        "python",
        "pip",
        *map(plain, PROJECT["build-system"]["requires"]),
    }


def test_the_recipe_is_of_this_version():
    text = (ROOT / "release" / "conda" / "recipe.yaml").read_text(encoding="utf-8")
    maxmargin = pytest.importorskip("maxmargin")
    assert re.findall(r'^  version: "(.+)"$', text, re.MULTILINE) == [maxmargin.__version__]
    (name, target), *_ = PROJECT["project"]["scripts"].items()
    assert f"- {name} = {target}\n" in text


def test_wheels_are_built_for_every_python_that_is_promised():
    lines = PROJECT["project"]["classifiers"]
    versions = [found[1] for line in lines if (found := re.search(r":: (3\.\d+)$", line))]
    assert WHEELS["build"] == [f"cp{version.replace('.', '')}-*" for version in versions]
    assert PROJECT["project"]["requires-python"] == f">={versions[0]}"


def test_the_workflow_builds_on_every_platform_that_is_promised():
    workflow = (ROOT / ".github" / "workflows" / "wheels.yml").read_text(encoding="utf-8")
    page = (ROOT / "docs" / "releasing.md").read_text(encoding="utf-8")
    platforms = re.findall(r"platform: (.+?),", workflow)
    assert len(platforms) == 4
    assert all(platform in page for platform in platforms)


@pytest.mark.timeout(900)  # every estimator, in a new process
def test_a_new_installation_is_tried_by_a_script_that_runs():
    """In a clean environment `make wheel` runs it; here other packages are installed, too."""
    script = ROOT / "release" / "use.py"
    done = subprocess.run(
        [sys.executable, str(script), "--with-others"], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert "MaxMarginClustering" in done.stdout


def test_the_table_of_the_readme_is_that_of_the_results(monkeypatch):
    monkeypatch.syspath_prepend(ROOT / "release")
    readme = pytest.importorskip("readme")
    for page in readme.PAGES:
        written = readme.FENCE.search(page.read_text(encoding="utf-8"))
        assert written.group() == readme.table(), "run python release/readme.py"
