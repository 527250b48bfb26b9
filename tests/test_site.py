"""The site is built without a warning, its links lead somewhere, and it needs no network."""

import importlib.util
import subprocess
import sys
from pathlib import Path

import pytest

SITE = Path(__file__).parents[1] / "docs" / "site"


@pytest.fixture(scope="module")
def links():
    spec = importlib.util.spec_from_file_location("links", SITE / "links.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def html(tmp_path_factory):
    """The site without the pictures of the gallery; any warning and any broken link is an error."""
    for name in ["sphinx", "pydata_sphinx_theme", "numpydoc", "sphinx_gallery", "myst_parser"]:
        pytest.importorskip(name)
    folder = tmp_path_factory.mktemp("site")
    command = [sys.executable, str(SITE / "build.py"), "--quick", str(folder)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return folder / "html"


def test_every_public_name_has_a_page(html):
    pages = {page.stem for page in (html / "api").glob("maxmargin.*.html")}
    assert {"maxmargin.MaxMarginClustering", "maxmargin.search.Found"} <= pages
    assert "leave-one-out" in (html / "api" / "maxmargin.RLSClustering.html").read_text("utf-8")


def test_every_example_has_a_page(html):
    examples = {path.stem for path in (SITE.parents[1] / "examples").glob("plot_*.py")}
    assert examples == {path.stem for path in (html / "gallery").glob("plot_*.html")}


def test_the_folder_opens_at_the_landing_page(html):
    assert "url=docs/index.html" in (html / "index.html").read_text("utf-8")
    assert "wine.png" in (html / "docs" / "index.html").read_text("utf-8")


@pytest.mark.parametrize(
    ("body", "wrong"),
    [
        ('<a href="b.html">', []),
        ('<a href="b.html#there">', []),
        ('<a href="https://example.org">', []),
        ('<img src="data:image/png;base64,AA==">', []),
        ('<a href="c.html">', ["c.html leads nowhere"]),
        ('<a href="b.html#gone">', ["b.html#gone leads to no heading"]),
        ('<a href="#gone">', ["#gone leads to no heading"]),
        ('<script src="https://x.org/x.js">', ["https://x.org/x.js is loaded from the network"]),
        ('<link href="//x.org/x.css">', ["//x.org/x.css is loaded from the network"]),
    ],
)
def test_a_broken_link_is_found(links, tmp_path, body, wrong):
    (tmp_path / "a.html").write_text(body, encoding="utf-8")
    (tmp_path / "b.html").write_text('<h1 id="there">', encoding="utf-8")
    assert links.broken_links(tmp_path) == [f"a.html: {line}" for line in wrong]
