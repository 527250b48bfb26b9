"""Files that are there whole or not at all, one or several at once."""

import os
import secrets
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from errno import ENOENT
from pathlib import Path
from shutil import copy2

#: The drafts that wait for others, and where each belongs.
_WAITING: ContextVar[list[tuple[Path, Path]] | None] = ContextVar("waiting", default=None)


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
    draft, waiting = _beside(target), _WAITING.get()
    try:
        yield draft
        if waiting is None:
            os.replace(draft, target)
        else:
            waiting.append((draft, target))
    finally:
        if waiting is None or (draft, target) not in waiting:
            _remove(draft)


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
    waiting: list[tuple[Path, Path]] = []
    token = _WAITING.set(waiting)
    try:
        yield
        _replace_all(waiting)
    finally:
        _WAITING.reset(token)
        for draft, _ in waiting:
            _remove(draft)


def _replace_all(waiting: list[tuple[Path, Path]]) -> None:
    kept = [(target, _kept(target)) for _, target in waiting]
    done = 0
    try:
        for draft, target in waiting:
            os.replace(draft, target)
            done += 1
    except BaseException as error:
        for target, old in reversed(kept[:done]):
            if old is None:
                _remove(target)
            else:
                os.replace(old, target)
        if isinstance(error, OSError):  # it would name the draft
            raise OSError(error.errno, error.strerror, str(waiting[done][1])) from error
        raise
    finally:
        for _, old in kept:
            if old is not None:
                _remove(old)


def _kept(target: Path) -> Path | None:
    """Another name for what is there now, so that it can come back."""
    if not target.is_file():
        return None
    old = _beside(target)
    try:
        os.link(target, old)
    except OSError:  # not every file system has links
        copy2(target, old)
    return old


def _beside(target: Path) -> Path:
    return target.with_name(f".{target.name}.{secrets.token_hex(4)}")


def _remove(file: Path) -> None:
    with suppress(FileNotFoundError):
        file.unlink()
