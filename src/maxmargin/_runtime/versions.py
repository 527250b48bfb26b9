"""What a bug report needs to know about the machine."""

import platform
import sys
from importlib.metadata import PackageNotFoundError, version

from maxmargin._version import __version__

PACKAGES = (
    "numpy", "scipy", "scikit-learn", "joblib", "threadpoolctl", "matplotlib",
    "polars", "skops", "Jinja2", "altair", "vl-convert-python", "click", "rich",
)  # fmt: skip


def show_versions() -> None:
    """Print the versions of Python, of the machine and of the packages in use.

    Examples
    --------
    >>> import maxmargin
    >>> maxmargin.show_versions()
    python: ...
    """
    # Loaded here so that the BLAS libraries of NumPy and SciPy show up below.
    import scipy.linalg  # noqa: F401
    from threadpoolctl import threadpool_info

    print(f"python: {sys.version.split()[0]} ({platform.python_implementation()})")
    print(f"machine: {platform.platform()}")
    print(f"maxmargin: {__version__}")
    for package in PACKAGES:
        try:
            print(f"{package}: {version(package)}")
        except PackageNotFoundError:
            print(f"{package}: not installed")
    for pool in threadpool_info():
        print(
            f"{pool['user_api']}: {pool['internal_api']} {pool['version']}, "
            f"{pool['num_threads']} threads"
        )
