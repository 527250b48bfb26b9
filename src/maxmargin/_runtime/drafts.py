"""Drafts beside the files that they become, and what is left of those whose writer was killed."""

import os
import re
import secrets
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

try:
    import fcntl
except ImportError:  # Windows: what is left stays there
    fcntl = None  # type: ignore[assignment]


@dataclass(frozen=True, eq=False)
class Draft:
    """A file beside the one that it becomes, locked for as long as its writer is there.

    The system opens the lock of a process that is killed, so that others know what is left of it.

    Attributes
    ----------
    path, target : Path
    lock : int
        The number of the open file that is locked.
    """

    path: Path
    target: Path
    lock: int

    @classmethod
    def beside(cls, target: Path, link: bool = False) -> "Draft":
        """An empty one, or a link to what is there, with a name of its own."""
        while True:
            path = target.with_name(f".{target.name}.{secrets.token_hex(4)}.draft")
            try:
                if link:
                    os.link(target, path)
                lock = os.open(path, os.O_RDWR | (0 if link else os.O_CREAT | os.O_EXCL), 0o666)
            except FileNotFoundError:
                if not link or not target.exists():
                    raise
                continue  # it was taken for abandoned
            except OSError as error:  # it would name the draft
                raise OSError(error.errno, error.strerror, str(target)) from error
            if fcntl is None:  # what is open there cannot be renamed
                os.close(lock)
                return cls(path, target, -1)
            _locked(lock, wait=True)
            if path.exists():  # nobody took it for abandoned before it was locked
                return cls(path, target, lock)
            os.close(lock)

    def close(self) -> None:
        """Remove what has not taken its place, and let go of the lock."""
        remove(self.path)
        with suppress(OSError):
            os.close(self.lock)


def remove(file: Path) -> None:
    """Remove a file, if it is there."""
    with suppress(FileNotFoundError):
        file.unlink()


def remove_abandoned(target: Path) -> None:
    """Remove the drafts of a file whose writers are gone, where locks tell."""
    if fcntl is None:
        return
    ours = re.compile(rf"\.{re.escape(target.name)}\.[0-9a-f]{{8}}\.draft")
    with suppress(OSError):  # a folder that cannot be listed
        for name in filter(ours.fullmatch, os.listdir(target.parent)):
            with suppress(OSError):
                _remove_if_abandoned(target.with_name(name))


def _remove_if_abandoned(draft: Path) -> None:
    lock = os.open(draft, os.O_RDWR | os.O_NOFOLLOW | os.O_NONBLOCK)
    try:
        if _locked(lock, wait=False):
            draft.unlink()
    finally:
        os.close(lock)


def _locked(file: int, wait: bool) -> bool:
    """Lock an open file; False where another process has, or where there are no locks."""
    if fcntl is None:
        return False
    try:
        fcntl.flock(file, fcntl.LOCK_EX | (0 if wait else fcntl.LOCK_NB))
    except OSError:
        return False
    return True
