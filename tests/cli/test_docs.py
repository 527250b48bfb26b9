"""Commands in the documentation have options that exist; code in it is run as doctests."""

import re
import shlex
from pathlib import Path

import pytest

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
