"""Commands in the documentation have options that exist; code in it is run as doctests, and what
consoles show is run in a folder with the tables that they name.
"""

import re
import shlex
import shutil
from itertools import pairwise
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import make_blobs

from maxmargin.cli.main import COMMANDS, maxmargin

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
BLOCK = re.compile(r"^```(\S*)\n(.*?)^```", re.DOTALL | re.MULTILINE)


def blocks():
    """Each block of code: its page, its language, its lines."""
    for page in PAGES:
        if page.exists():
            for language, body in BLOCK.findall(page.read_text(encoding="utf-8")):
                yield page.stem, language, body


def commands():
    """The arguments of each call of the command, in consoles and scripts."""
    for page, language, body in blocks():
        if language in ("", "sh", "console"):
            for line in body.replace("\\\n", " ").splitlines():
                if found := re.match(r"(?:\$ )?maxmargin (\w.*)", line):
                    arguments = shlex.split(found[1], comments=True)
                    yield pytest.param(arguments, id=f"{page}: {' '.join(arguments)}")


@pytest.mark.parametrize("arguments", [*commands()])
def test_a_command_has_options_that_exist(arguments):
    name, *rest = arguments
    assert name in COMMANDS
    command = maxmargin.get_command(None, name)
    known = {option for parameter in command.params for option in parameter.opts}
    assert {word for word in rest if re.match(r"--?[a-z]", word)} <= known | {"-h", "--help"}


def test_code_of_pages_is_run():
    code = [(page, body) for page, language, body in blocks() if language.startswith("py")]
    assert len(code) > 50
    assert [page for page, body in code if not body.startswith(">>> ")] == []


CONSOLES = [
    pytest.param(page, body, id=f"{page}: {body.splitlines()[0]}")
    for page, language, body in blocks()
    if language == "console" and page != "README"  # its own test compares what is printed
]


@pytest.fixture
def tables(tmp_path, rng):
    """Tables of the names that pages use."""
    wine = shutil.copy(ROOT / "examples" / "wine.csv", tmp_path / "wine.csv")
    pd.read_csv(wine).drop(columns="cultivar").head(9).to_csv(tmp_path / "new.csv", index=False)
    X, _ = make_blobs(90, centers=4 * np.eye(3), random_state=0)
    numbers = pd.DataFrame(X, columns=["a", "b", "c"])
    numbers.to_csv(tmp_path / "data.csv", index=False)
    areas = np.char.mod("%d", rng.integers(100, 999, size=40))
    areas[3] = "O"
    cities = pd.DataFrame({"people": rng.integers(100, 999, size=40), "area": areas})
    cities.to_csv(tmp_path / "cities.csv", index=False)
    plans = {"plan": np.where(numbers["a"] > 2, "paid", "free"), "customer": np.arange(90)}
    numbers.assign(**plans).to_csv(tmp_path / "customers.csv", index=False)
    return tmp_path


@pytest.mark.parametrize(("page", "body"), CONSOLES)
def test_a_console_does_what_it_shows(page, body, command, tables):
    for entry in body.removeprefix("$ maxmargin ").split("$ maxmargin "):
        line, _, shown = entry.partition("\n")
        arguments = shlex.split(line)
        if page in ("command_line", "your_own_table") and "new.csv" in arguments:
            known = "customers.csv" if page == "your_own_table" else "data.csv"
            pd.read_csv(tables / known).head(9).to_csv(tables / "new.csv", index=False)
        done = command(*arguments, check=False)
        if shown:
            assert (done.returncode, done.stderr.split()) == (2, shown.split())
        else:
            assert done.returncode == 0, done.stderr
        for option, name in pairwise(arguments):
            if option in ("-o", "--report", "--save", "--picture") and not shown:
                assert (tables / name).stat().st_size > 0
