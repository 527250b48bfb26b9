"""What is known of a file in blocks, kept beside the output."""

import shutil
from pathlib import Path
from typing import Any

from maxmargin._version import __version__
from maxmargin.blocks import Rows
from maxmargin.blocks.journal import JournaledRows
from maxmargin.cli.errors import UserError


def checkpoint(
    rows: Rows, data: str, output: str | None, job: dict[str, Any], resume: bool
) -> JournaledRows | None:
    """Rows that keep what is known of them beside the output; what was kept, for ``resume``."""
    if output is None or output == "-":
        if resume:
            raise UserError("--resume needs --output: what is known is kept beside it.")
        return None
    folder = Path(f"{output}.checkpoint")
    if not resume:
        shutil.rmtree(folder, ignore_errors=True)
    elif not folder.is_dir():
        raise UserError(f"--resume: there is no {str(folder)!r} to go on with; leave it out.")
    stats = [file.stat() for file in _files(data)]
    job = {**job, "version": __version__, "size": [s.st_size for s in stats]}
    job["changed"] = [s.st_mtime_ns for s in stats]
    if resume and not JournaledRows.is_of(folder, rows, job):
        raise UserError(
            f"--resume: {str(folder)!r} is of another file or of other options; leave it out."
        )
    return JournaledRows(rows, folder, job)


def _files(data: str) -> list[Path]:
    path = Path(data)
    return sorted(path.iterdir()) if path.is_dir() else [path] if path.exists() else []
