"""Build the site: python docs/site/build.py [--quick] FOLDER; then open FOLDER/html/index.html.

Pages link to each other as they do in the repository, so their folders are laid out in the same way
in FOLDER/source, where Sphinx also writes what it makes of examples and docstrings. `--quick` does
not run the examples: the gallery has its texts, and no pictures.
"""

import argparse
import os
import shutil
import subprocess
import sys
from pathlib import Path

from links import broken_links

REPOSITORY = Path(__file__).parents[2]
PAGES = ["docs/**/*", "examples/*", "benchmarks/**/README.md", "C*.md"]
LINKED = ["benchmarks/**/*.png", "tests/fuzz/invariants.py", "release/**/*", ".github/**/*.yml"]


def lay_out(source: Path) -> None:
    """Copy what changed, and remove what is gone; of what was made, pages of examples are kept."""
    wanted = {
        path for pattern in PAGES + LINKED for path in REPOSITORY.glob(pattern) if path.is_file()
    }
    wanted = {path.relative_to(REPOSITORY) for path in wanted if "__pycache__" not in path.parts}
    for path in wanted:
        ours, copy = REPOSITORY / path, source / path
        if not copy.exists() or copy.stat().st_mtime != ours.stat().st_mtime:
            copy.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ours, copy)
    for copy in source.rglob("*"):
        path = copy.relative_to(source)
        example = Path("examples", path.stem).with_suffix(".py")
        kept = path.parts[0] == "gallery" and (path.suffix != ".rst" or example in wanted)
        if copy.is_file() and path not in wanted and not kept:
            copy.unlink()


def build(folder: Path, *, quick: bool) -> None:
    """Sphinx, any warning being an error; only examples that changed run again."""
    shutil.rmtree(folder / "html", ignore_errors=True)
    command = [sys.executable, "-m", "sphinx", "-W", "--keep-going", "-q", "-E", "-b", "html"]
    command += ["-c", "source/docs/site", "-d", "doctrees", "source", "html"]
    environment = {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1", "MPLBACKEND": "Agg"}
    if quick:
        environment["MAXMARGIN_GALLERY"] = "off"
    subprocess.run(command, cwd=folder, env={**os.environ, **environment}, check=True)


def main() -> None:
    """The command."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--quick", action="store_true", help="do not run the examples")
    arguments = parser.parse_args()
    lay_out(arguments.folder / "source")
    build(arguments.folder, quick=arguments.quick)
    broken = broken_links(arguments.folder / "html")
    if broken:
        sys.exit("\n".join(["broken links:", *broken]))
    print(f"Open {arguments.folder / 'html' / 'index.html'}")


if __name__ == "__main__":
    main()
