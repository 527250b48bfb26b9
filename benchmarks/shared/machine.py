"""What a result depends on besides the code: versions, processor, threads."""

import platform
import re
from importlib.metadata import version
from pathlib import Path

from threadpoolctl import threadpool_info

PACKAGES = ("maxmargin", "numpy", "scipy", "scikit-learn")


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


def one_line() -> str:
    """Return the same as one sentence for a README."""
    facts = describe()
    packages = ", ".join(f"{name} {facts[name]}" for name in ("python", *PACKAGES))
    return f"{packages}; {facts['system']}, {facts['cpu']}, BLAS threads: {facts['blas_threads']}."


def _cpu() -> str:
    info = Path("/proc/cpuinfo")
    if info.is_file():
        found = re.search(r"model name\s*:\s*(.+)", info.read_text())
        if found:
            return found.group(1).strip()
    return platform.processor() or platform.machine()
