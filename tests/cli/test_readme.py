"""The first screen of the README is what the command prints."""

import re
import shlex
import shutil
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


def test_the_first_command(command, tmp_path):
    readme = ROOT / "README.md"
    if not readme.exists():
        pytest.skip("the tests run without the README")
    block = re.search(r"```console\n\$ maxmargin (.*?)\n(.*?)```", readme.read_text(), re.DOTALL)
    arguments, output = block.groups()
    shutil.copy(ROOT / "examples" / "wine.csv", tmp_path)
    done = command(*shlex.split(arguments))
    assert (done.stdout, done.stderr) == (output, "")  # no progress bar in a pipe
    assert (tmp_path / "wine.png").exists()
