"""Files that are there whole or not at all, one or several at once."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from errno import ENOENT
from pathlib import Path
from shutil import copy2

from maxmargin._runtime.drafts import Draft, remove, remove_abandoned

#: The drafts that wait for others.
_WAITING: ContextVar[list[Draft] | None] = ContextVar("waiting", default=None)


@contextmanager
def replacing(path: str | os.PathLike[str]) -> Iterator[Path]:
    """Give a path to write to, which takes the place of ``path`` when the block ends well.

    A block that is left by an exception leaves what was there before, and nothing beside it. A
    process that is killed leaves its draft, which the next one that writes the file removes.
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
    remove_abandoned(target)
    draft, waiting = Draft.beside(target), _WAITING.get()
    try:
        yield draft.path
        if waiting is None:
            os.replace(draft.path, target)
        else:
            waiting.append(draft)
    finally:
        if waiting is None or draft not in waiting:
            draft.close()


@contextmanager
def all_together() -> Iterator[None]:
    """Let the files that :func:`replacing` writes in the block take their places when it ends well.

    All of them or none: where a draft cannot be written, or cannot take its place, every file is
    as it was before.

    Examples
    --------
    >>> import tempfile
    >>> from pathlib import Path
    >>> from maxmargin._runtime.files import all_together, replacing
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     try:
    ...         with all_together():
    ...             with replacing(Path(folder, "a.txt")) as draft:
    ...                 _ = draft.write_text("a")
    ...             raise OSError("there is no place for b.txt")
    ...     except OSError as error:
    ...         print(error, list(Path(folder).iterdir()))
    there is no place for b.txt []
    """
    waiting: list[Draft] = []
    token = _WAITING.set(waiting)
    try:
        yield
        _replace_all(waiting)
    finally:
        _WAITING.reset(token)
        for draft in waiting:
            draft.close()


def _replace_all(waiting: list[Draft]) -> None:
    kept: list[Draft | None] = []
    done = 0
    try:
        for draft in waiting:
            kept.append(_kept(draft.target))
        for draft in waiting:
            os.replace(draft.path, draft.target)
            done += 1
    except BaseException as error:
        for draft, old in reversed(list(zip(waiting[:done], kept[:done], strict=True))):
            if old is None:
                remove(draft.target)
            else:
                os.replace(old.path, old.target)
        if isinstance(error, OSError):  # it would name the draft
            raise OSError(error.errno, error.strerror, str(waiting[done].target)) from error
        raise
    finally:
        for old in filter(None, kept):
            old.close()


def _kept(target: Path) -> Draft | None:
    """Another name for what is there now, so that it can come back."""
    if not target.is_file():
        return None
    try:
        return Draft.beside(target, link=True)
    except OSError:  # not every file system has links
        old = Draft.beside(target)
        copy2(target, old.path)
        return old
