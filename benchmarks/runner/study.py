"""A study: data sets × methods × measures, and how its tables are written."""

import sys
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from importlib import import_module
from itertools import product
from pathlib import Path
from typing import Any

from benchmarks.runner import table

STUDIES = Path(__file__).parents[1] / "studies"

Row = dict[str, Any]
Axes = Mapping[str, Collection[Any]]


def always(**key: Any) -> bool:
    """Every combination is measured."""
    return True


@dataclass(frozen=True)
class Part:
    """A file of rows: a measure of every combination of the values of its axes.

    Attributes
    ----------
    file : str
        The rows are in ``<file>.csv`` beside the study.
    axes : mapping, or a function that returns keys
        Values by column; a function where they are not a product, or must be looked up.
    measure : callable
        Takes a value of each axis by its name; returns a row or several.
    quick : mapping
        The few values of ``--quick``; other axes keep all of theirs.
    only : callable
        Whether a combination is measured; it takes what ``measure`` takes.
    apart : bool
        Whether every combination has a process of its own, as peaks of memory need it.
    patience : float
        Seconds after which such a process is ended; the row says so.
    """

    file: str
    axes: Axes | Callable[[], Iterable[Row]]
    measure: Callable[..., Row | Iterable[Row]]
    quick: Axes = field(default_factory=dict)
    only: Callable[..., bool] = always
    apart: bool = False
    patience: float = 7200

    def keys(self, quick: bool = False) -> Iterator[Row]:
        """The combinations, in order."""
        axes = self.axes
        if isinstance(axes, Mapping):
            values = {name: self.quick.get(name, of) if quick else of for name, of in axes.items()}
            keys: Iterable[Row] = (
                dict(zip(values, v, strict=True)) for v in product(*values.values())
            )
        else:
            few = self.quick if quick else {}
            keys = (k for k in axes() if all(k.get(name) in some for name, some in few.items()))
        return (key for key in keys if self.only(**key))

    def measured(self, key: Row) -> Iterator[Row]:
        """The rows of a combination, with its key in front."""
        found = self.measure(**key)
        for row in [found] if isinstance(found, Mapping) else found:
            yield {name: table.plain(value) for name, value in {**key, **row}.items()}


class Results:
    """The rows of the files of a study, read when they are asked for."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._read: dict[str, list[dict[str, str]]] = {}

    def __getitem__(self, file: str) -> list[dict[str, str]]:
        if file not in self._read:
            self._read[file] = table.read_csv(self.folder / f"{file}.csv")
        return self._read[file]

    def by(self, file: str, *columns: str) -> dict[Any, dict[str, str]]:
        """The rows by the values of some columns, or of one."""
        rows = self[file]
        if len(columns) == 1:
            return {row[columns[0]]: row for row in rows}
        return {tuple(row.get(column, "") for column in columns): row for row in rows}


Writer = Callable[[Results], str]


@dataclass(frozen=True)
class Study:
    """What is compared, and the page that says what came of it.

    Attributes
    ----------
    title : str
        One line.
    parts : tuple of Part
        The files of rows, in the order in which they are measured.
    tables : mapping
        Functions of the results by the place in the README that they fill, or in another page:
        ``page#place``.
    pictures : mapping
        Functions of the results and a path by the name of the picture.
    module : str
        The name of the module of the study.
    """

    title: str
    parts: tuple[Part, ...]
    tables: Mapping[str, Writer]
    module: str
    pictures: Mapping[str, Callable[[Results, Path], None]] = field(default_factory=dict)

    @cached_property
    def folder(self) -> Path:
        """Where the README and the rows are."""
        return Path(sys.modules[self.module].__file__ or "").parent

    @property
    def name(self) -> str:
        """The name of the folder."""
        return self.folder.name

    def part(self, file: str) -> Part:
        """The part with that file."""
        for part in self.parts:
            if part.file == file:
                return part
        known = ", ".join(part.file for part in self.parts)
        raise LookupError(f"{self.name} has no part {file!r}; it has {known}.")


def names() -> list[str]:
    """Every study, by its folder."""
    return sorted(path.parent.name for path in STUDIES.glob("*/study.py"))


def load(name: str) -> Study:
    """The study in a folder."""
    if name not in names():
        raise LookupError(f"There is no study {name!r}; there are {', '.join(names())}.")
    return import_module(f"benchmarks.studies.{name}.study").STUDY
