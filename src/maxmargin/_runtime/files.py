"""Files that are there whole or not at all."""

import os
import secrets
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from errno import ENOENT
from pathlib import Path


@contextmanager
def replacing(path: str | os.PathLike[str]) -> Iterator[Path]:
    """Give a path to write to, which takes the place of ``path`` when the block ends well.

    A block that is left by an exception leaves what was there before, and nothing beside it.
    What is no regular file (a pipe, a device) is written to directly.

    Examples
    --------
    >>> import tempfile
    >>> from pathlib import Path
    >>> from maxmargin._runtime.files import replacing
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     with replacing(Path(folder, "a.txt")) as draft:
    ...         _ = draft.write_text("whole")
    ...     Path(folder, "a.txt").read_text()
    'whole'
    """
    target = Path(os.path.realpath(path))  # a link stays one
    if target.exists() and not target.is_file():
        yield target
        return
    if not target.parent.is_dir():  # an error later would name the draft
        raise FileNotFoundError(ENOENT, "There is no such folder", str(target.parent))
    draft = target.with_name(f".{target.name}.{secrets.token_hex(4)}")
    try:
        yield draft
        os.replace(draft, target)
    finally:
        with suppress(FileNotFoundError):
            draft.unlink()
