"""The site is built without a warning, its links lead somewhere, and it needs no network."""

import importlib.util
import re
import subprocess
import sys
from pathlib import Path

import pytest
from browsing import requested, show

PAGES = Path(__file__).parents[1] / "docs"
SITE = PAGES / "site"


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


LOOKED_AT = {  # a page of each kind → what it must show
    "docs/index.html": "Clustering by margins",
    "docs/mathematics.html": "Regularised least squares",
    "docs/comparison.html": "Lumbermark",
    "api/maxmargin.MaxMarginClustering.html": "n_clusters",
    "gallery/index.html": "More than one good answer",
    "gallery/plot_shaking.html": "Shaking, step by step",
}


@pytest.mark.parametrize("page", LOOKED_AT)
def test_a_page_logs_no_error_needs_no_network_and_has_room(browser, html, page):
    for width, scheme in [(1400, "light"), (390, "light"), (1400, "dark")]:
        show(browser, (html / page).as_uri(), width=width, scheme=scheme)
        assert LOOKED_AT[page] in browser.find_element("tag name", "main").text
        theme = browser.execute_script("return document.documentElement.dataset.theme")
        assert theme == scheme
        assert browser.execute_script("return document.documentElement.scrollWidth") <= width
        assert [line for line in browser.get_log("browser") if line["level"] != "INFO"] == []
        assert {address.partition(":")[0] for address in requested(browser)} <= {"file", "data"}


def test_equations_are_drawn(browser, html):
    show(browser, (html / "docs" / "mathematics.html").as_uri())
    browser.execute_async_script("MathJax.startup.promise.then(arguments[0])")
    drawn = "return document.querySelectorAll('.math mjx-container svg').length"
    wrong = "return document.querySelectorAll('[data-mjx-error]').length"
    assert browser.execute_script(drawn) > 50
    assert browser.execute_script(wrong) == 0


def test_search_finds_pages_from_the_file_system(browser, html):
    show(browser, (html / "search.html").as_uri() + "?q=plateau")
    browser.execute_async_script(
        "const ask = () => document.querySelectorAll('ul.search li').length > 3"
        " ? arguments[0]() : setTimeout(ask, 50); ask()"
    )
    text = browser.find_element("id", "search-results").text
    assert "PlateauDisplay" in text
    assert [line for line in browser.get_log("browser") if line["level"] != "INFO"] == []


FILES = set(re.findall(r"`(\w+/\w+\.pyx?)`", (PAGES / "mathematics.md").read_text("utf-8")))


@pytest.mark.parametrize("file", sorted(FILES))
def test_the_mathematics_names_files_that_exist(file):
    assert (SITE.parents[1] / "src" / "maxmargin" / file).is_file()


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
