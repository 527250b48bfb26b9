"""What Sphinx reads; build.py lays out the sources as they are in the repository and calls it."""

import os
import re
from importlib import import_module
from pathlib import Path

from maxmargin import __version__

project = "maxmargin"
author = "The maxmargin developers"
release = version = __version__
root_doc = "docs/index"
extensions = ["myst_parser", "numpydoc", "sphinx.ext.autosummary", "sphinx_gallery.gen_gallery"]
exclude_patterns = ["docs/site", "examples"]
templates_path = ["templates"]

# MyST: links go to headings by the names that GitHub gives them
myst_heading_anchors = 4

# API: a page for each public name, with the methods of our own classes only
numpydoc_show_class_members = False
autodoc_typehints = "none"

sphinx_gallery_conf = {
    "examples_dirs": "examples",
    "gallery_dirs": "gallery",
    "filename_pattern": "/plot_",
    "within_subsection_order": "FileNameSortKey",
    "remove_config_comments": True,
    "show_memory": False,
    "min_reported_time": 1,
    "matplotlib_animations": False,
    "reset_argv": lambda *_: [],
    "abort_on_example_error": True,
    "plot_gallery": "MAXMARGIN_GALLERY" not in os.environ,
}

html_theme = "pydata_sphinx_theme"
html_title = f"maxmargin {version}"
html_static_path = ["static"]
html_css_files = ["site.css"]
html_copy_source = False
html_show_sourcelink = False
html_additional_pages = {"index": "to_landing_page.html"}
html_sidebars = {"docs/index": []}
html_theme_options = {
    "logo": {"text": "maxmargin"},
    "navbar_align": "left",
    "navbar_end": ["theme-switcher"],
    "navbar_persistent": ["search-button"],
    "footer_start": ["copyright"],
    "footer_end": [],
    "show_prev_next": False,
    "secondary_sidebar_items": ["page-toc"],
    "pygments_light_style": "default",
    "pygments_dark_style": "github-dark",
}
copyright = "the maxmargin developers, BSD-3-Clause"

PUBLIC_NAMES = Path(__file__).parents[1] / "public_names.md"


def write_api(app):
    """The API reference: each name of public_names.md once, below the module that has it first."""
    lines, seen = ["API reference", "=============", "", "Also as a :doc:`list with a line for each name </docs/public_names>`.", ""], []
    for module in re.findall(r"^## `(.+)`$", PUBLIC_NAMES.read_text(encoding="utf-8"), re.MULTILINE):
        found = import_module(module)
        names = [name for name in found.__all__ if not any(getattr(found, name) is one for one in seen)]
        seen += [getattr(found, name) for name in names]
        summary = found.__doc__.partition("\n")[0]
        lines += [module, "-" * len(module), "", summary, "", ".. autosummary::", "   :toctree:", ""]
        lines += [f"   {module}.{name}" for name in names] + [""]
    page = Path(app.srcdir, "api", "index.rst")
    page.parent.mkdir(exist_ok=True)
    text = "\n".join(lines)
    if not page.exists() or page.read_text(encoding="utf-8") != text:
        page.write_text(text, encoding="utf-8")


def link_examples(app, docname, source):
    """A link to an example's file, which GitHub shows, is one to its page of the gallery here."""
    source[0] = re.sub(r"\]\(((?:\.\./)+)examples/(plot_\w+)\.py\)", r"](\1gallery/\2.rst)", source[0])


def setup(app):
    """Called by Sphinx."""
    app.connect("builder-inited", write_api, priority=100)  # before autosummary looks for pages
    app.connect("source-read", link_examples)
