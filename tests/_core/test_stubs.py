"""The .pyi stubs say what the compiled modules hold."""

import inspect
import re
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest

MODULES = (
    "inverse",
    "moves",
    "sweeps",
    "evolve",
    "ratios",
    "dip",
    "genie",
    "forest",
    "k_means",
    "cuts",
    "small_dual",
    "transport",
    "one_class",
    "segments",
    "trajectories",
    "violations",
)


def test_stubs_have_not_drifted():
    """Mypy's own stub checker: names, and the signatures that it can read."""
    here = Path(__file__).parent
    found = subprocess.run(
        [
            *(sys.executable, "-m", "mypy.stubtest"),
            *("--mypy-config-file", str(here / "stubtest.ini")),
            *("--allowlist", str(here / "stubtest-allowlist.txt")),
            "--ignore-unused-allowlist",
            "--ignore-disjoint-bases",
            *(f"maxmargin._core.{name}" for name in MODULES),
        ],
        capture_output=True,
        text=True,
        check=False,
    )
    assert found.returncode == 0, found.stdout + found.stderr


@pytest.mark.parametrize("name", MODULES)
def test_parameters_are_those_of_the_stub(name):
    """Functions over float32 and float64 hide their signature from mypy, but not from us."""
    module = import_module(f"maxmargin._core.{name}")
    stub = Path(module.__file__).parent.joinpath(f"{name}.pyi").read_text()
    functions = re.findall(r"^def (\w+)\((.*?)\) ->", stub, flags=re.DOTALL | re.MULTILINE)
    for function, parameters in functions:
        stated = re.findall(r"(\w+):", parameters)
        actual = getattr(module, function)
        assert list(inspect.signature(actual).parameters) == stated
