"""What Sphinx reads; build.py lays out the sources as they are in the repository and calls it."""

import os
import re
import shutil
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

from maxmargin import __version__

project = "maxmargin"
author = "The maxmargin developers"
release = version = __version__
root_doc = "docs/index"
extensions = ["myst_parser", "numpydoc", "sphinx.ext.autosummary", "sphinx_gallery.gen_gallery"]
extensions += ["sphinx.ext.mathjax"]
exclude_patterns = ["docs/site", "examples"]
templates_path = [str(Path(__file__).parent / "templates")]  # for autosummary, too

# MyST: links go to headings by the names that GitHub gives them
myst_heading_anchors = 4
myst_enable_extensions = ["html_image", "dollarmath"]

# API: a page for each public name, with the methods of our own classes only
numpydoc_show_class_members = False
autodoc_typehints = "none"
toc_object_entries_show_parents = "hide"

sphinx_gallery_conf = {
    "examples_dirs": "examples",
    "gallery_dirs": "gallery",
    "filename_pattern": "/plot_",
    "within_subsection_order": "FileNameSortKey",
    "remove_config_comments": True,
    "show_memory": False,
    "show_signature": False,
    "write_computation_times": False,
    "matplotlib_animations": False,
    "abort_on_example_error": True,
    "plot_gallery": "MAXMARGIN_GALLERY" not in os.environ,
}

# One file of MathJax, which draws without fonts, for the pages that have equations
MATHJAX = Path(find_spec("sphinx-mathjax-offline").origin).parent / "static" / "mathjax"
mathjax_path = "mathjax/tex-svg.js"
mathjax3_config = {"options": {"enableMenu": False}}

html_theme = "pydata_sphinx_theme"
html_title = f"maxmargin {version}"
html_static_path = ["static"]
html_css_files = ["site.css"]
html_context = {"default_mode": "auto"}
html_show_search_summary = False  # browsers do not let a file fetch others
html_copy_source = False
html_show_sourcelink = False
html_additional_pages = {"index": "to_landing_page.html"}
html_sidebars = {page: [] for page in ["docs/index", "docs/start", "docs/which_method"]}
html_theme_options = {
    "logo": {"text": "maxmargin"},
    "navbar_align": "left",
    "header_links_before_dropdown": 7,
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


def write_api(app, config):
    """The API reference: each name of public_names.md once, below the module that has it first."""
    lines = ["API reference", "=============", ""]
    lines += ["Also as :doc:`a list with a line for each name </docs/public_names>`.", ""]
    modules = re.findall(r"^## `(.+)`$", PUBLIC_NAMES.read_text(encoding="utf-8"), re.MULTILINE)
    seen = []
    for module in map(import_module, modules):
        things = {name: getattr(module, name) for name in module.__all__}
        ours = [
            name
            for name, thing in things.items()
            if not getattr(thing, "__module__", "").startswith("sklearn.")
            and not isinstance(thing, str)
            and not any(thing is one for one in seen)
        ]
        seen += things.values()
        summary = module.__doc__.partition("\n")[0]
        lines += [module.__name__, "-" * len(module.__name__), "", summary, ""]
        lines += [".. autosummary::", "   :toctree:", ""]
        lines += [f"   {module.__name__}.{name}" for name in ours] + [""]
        if others := [f"``{name}``" for name in things if name not in ours]:
            lines += [f"Also here: {', '.join(others)}.", ""]
    page = Path(app.srcdir, "api", "index.rst")
    page.parent.mkdir(exist_ok=True)
    page.write_text("\n".join(lines), encoding="utf-8")


def skip_others(app, what, name, thing, skip, options):
    """Leave out what scikit-learn documents: parameters, routing of metadata, outputs."""
    home = getattr(getattr(thing, "fget", thing), "__module__", None) or "maxmargin"
    return skip or not home.startswith("maxmargin")


def link_examples(app, docname, source):
    """A link to an example's file, which GitHub shows, is one to its page of the gallery here."""
    file, page = r"\]\(((?:\.\./)+)examples/(plot_\w+)\.py\)", r"](\1gallery/\2.rst)"
    folder, index = r"\]\(((?:\.\./)+)examples/?\)", r"](\1gallery/index.rst)"
    source[0] = re.sub(folder, index, re.sub(file, page, source[0]))


def bundle_mathjax(app, exception):
    """Copy MathJax beside the pages: nothing is loaded from the network."""
    if exception is None:
        folder = Path(app.outdir, "_static", "mathjax")
        folder.mkdir(parents=True, exist_ok=True)
        shutil.copy(MATHJAX / "tex-svg.js", folder)


def setup(app):
    """Called by Sphinx."""
    app.connect("build-finished", bundle_mathjax)
    app.connect("config-inited", write_api)  # before Sphinx looks which pages there are
    app.connect("source-read", link_examples)
    app.connect("autodoc-skip-member", skip_others)
