"""What a result depends on besides the code: versions, processor, threads, commit."""

import os
import platform
import re
import subprocess
from collections.abc import Iterable, Mapping
from functools import cache
from importlib.metadata import version
from pathlib import Path

from threadpoolctl import threadpool_info

PACKAGES = ("maxmargin", "numpy", "scipy", "scikit-learn")
#: The commit of the package in use, where another program knows it.
COMMIT = "MAXMARGIN_COMMIT"


def describe() -> dict[str, str]:
    """Return the versions, the processor and the number of BLAS threads in use."""
    threads = [pool["num_threads"] for pool in threadpool_info() if pool["user_api"] == "blas"]
    return {
        "python": platform.python_version(),
        **{package: version(package) for package in PACKAGES},
        "system": platform.system(),
        "cpu": _cpu(),
        "blas_threads": str(max(threads, default=1)),
    }


@cache
def commit() -> str:
    """Return the commit of the package in use, with a + if files were changed since."""
    if COMMIT in os.environ:
        return os.environ[COMMIT]
    import maxmargin

    folder = Path(maxmargin.__file__).parent
    command = ["git", "-C", str(folder), "describe", "--always", "--dirty=+", "--abbrev=12"]
    try:
        found = subprocess.run(command, capture_output=True, text=True, check=True)
    except (OSError, subprocess.CalledProcessError):
        return ""
    return found.stdout.strip()


def facts() -> dict[str, str]:
    """What every row says of where it was measured."""
    return describe() | {"commit": commit()}


def one_line(row: Mapping[str, str] | None = None) -> str:
    """Return where a row was measured, or where we are, as one sentence for a README."""
    row = row or describe()
    packages = ", ".join(f"{name} {row[name]}" for name in ("python", *PACKAGES))
    at = f", commit {row['commit']}" if row.get("commit") else ""
    return f"{packages}{at}; {row['system']}, {row['cpu']}, BLAS threads: {row['blas_threads']}."


def lines(rows: Iterable[Mapping[str, str]]) -> str:
    """Every machine, version and commit that rows were measured with."""
    found = sorted({one_line(row) for row in rows if row.get("python")})
    if not found:
        raise FileNotFoundError("no row says where it was measured")
    return "\n".join(found)


@cache
def _cpu() -> str:
    info = Path("/proc/cpuinfo")
    if info.is_file():
        found = re.search(r"model name\s*:\s*(.+)", info.read_text())
        if found:
            return found.group(1).strip()
    return platform.processor() or platform.machine()
