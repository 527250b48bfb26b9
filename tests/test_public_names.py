"""The public names are those of docs/public_names.md, and each is loaded when it is used."""

import ast
import re
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest

import maxmargin

PAGE = Path(__file__).parents[1] / "docs" / "public_names.md"


def documented():
    """The names in the first column of each table, by module."""
    found = {}
    for line in PAGE.read_text(encoding="utf-8").splitlines():
        if line.startswith("## "):
            names = found[line.strip("#` ")] = []
        elif line.startswith("| `"):
            names += re.findall(r"`(\w+)`", line.split("|")[1])
    return found


@pytest.mark.parametrize("module", documented())
def test_a_module_has_the_names_that_are_documented(module):
    names = documented()[module]
    assert sorted(names) == sorted(import_module(module).__all__)
    assert len(set(names)) == len(names)


@pytest.mark.parametrize("module", documented())
def test_modules_classes_and_functions_have_docstrings(module):
    module = import_module(module)
    assert module.__doc__
    for name in module.__all__:
        thing = getattr(module, name)
        assert thing.__doc__ or not callable(thing), name


@pytest.mark.parametrize("module", documented())
def test_every_name_has_an_example(module):
    """One that runs, or a link to the page that has it."""
    names = {name: getattr(import_module(module), name) for name in documented()[module]}
    documents = {name: thing.__doc__ for name, thing in names.items() if callable(thing)}
    without = {
        name for name, text in documents.items() if not re.search(r">>> |` has an example", text)
    }
    assert not without


def test_the_package_says_which_modules_are_public():
    named = set(re.findall(r"``(maxmargin\.\w+)``", maxmargin.__doc__))
    assert {"maxmargin", *named} == set(documented())


def test_the_stub_has_the_same_names_in_the_same_places():
    stub = Path(maxmargin.__file__).with_suffix(".pyi").read_text(encoding="utf-8")
    imports = [node for node in ast.parse(stub).body if isinstance(node, ast.ImportFrom)]
    homes = {name.asname: node.module for node in imports for name in node.names}
    assert homes == {**maxmargin._HOME, "__version__": "maxmargin._version"}


def test_importing_the_package_loads_nothing_else():
    code = (
        "import sys, maxmargin\n"
        "print(*sorted(name for name in sys.modules if name.startswith('maxmargin')))\n"
        "assert not {'numpy', 'scipy', 'sklearn'} & set(sys.modules)\n"
        "maxmargin.RLSClustering\n"
        "assert not {'skops', 'matplotlib', 'altair', 'jinja2', 'click'} & set(sys.modules)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["maxmargin", "maxmargin._version"]


def test_the_package_lists_its_names_and_no_others():
    assert dir(maxmargin) == sorted(maxmargin.__all__)
    with pytest.raises(AttributeError, match="no attribute 'KMeans'"):
        maxmargin.KMeans  # noqa: B018
