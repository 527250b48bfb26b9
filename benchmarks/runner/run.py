"""Run a study: every combination that its files do not hold yet, row by row."""

import os
import subprocess
import sys
import traceback
import warnings
from collections.abc import Iterable, Iterator
from fnmatch import fnmatch
from json import dumps, loads
from pathlib import Path
from typing import Any

from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn
from threadpoolctl import threadpool_limits

from benchmarks.runner import machine
from benchmarks.runner.study import Part, Results, Row, Study
from benchmarks.runner.table import fill, markdown, read_csv, write_csv

#: What ``--quick`` measures is kept apart: it is no result.
QUICK = Path("build") / "benchmarks"
#: Columns that only say where a row was measured.
FACTS = ("python", *machine.PACKAGES, "system", "cpu", "blas_threads", "commit")


def run(
    study: Study,
    quick: bool = False,
    only: str = "*",
    parts: Iterable[str] = (),
    out: Path | None = None,
) -> int:
    """Measure what is missing, then write the tables; the number of failures.

    What goes to a folder of its own is no result: no table is written.
    """
    failures = 0
    folder = out or (QUICK / study.name if quick else study.folder)
    folder.mkdir(parents=True, exist_ok=True)
    wanted = [study.part(file) for file in parts] or list(study.parts)
    for part in wanted:
        path = folder / f"{part.file}.csv"
        rows: list[Row] = list(read_csv(path)) if path.is_file() and not quick else []
        try:
            todo = [key for key in missing(part, rows, quick) if fnmatch(key_text(key), only)]
        except LookupError as error:  # a folder of data that is not there
            print(f"{study.name}/{part.file} is left out: {error}")
            continue
        for _, found in progress(study, part, todo):
            failures += found is None
            rows += found or []
            if found:
                write_csv(path, in_order(part, rows))
        if quick and rows:
            print(shown(rows))
    if folder == study.folder:
        report(study)
    return failures


def key_text(key: Row) -> str:
    """A combination as people read it."""
    return " ".join(map(str, key.values()))


def missing(part: Part, rows: list[Row], quick: bool = False) -> list[Row]:
    """The combinations of which there is no row."""
    keys = list(part.keys(quick))
    if not rows:
        return keys
    columns = {tuple(key) for key in keys}
    done = {c: {tuple(str(row.get(name, "")) for name in c) for row in rows} for c in columns}
    return [k for k in keys if tuple(map(str, k.values())) not in done[tuple(k)]]


def in_order(part: Part, rows: list[Row]) -> list[Row]:
    """The rows as the part names them, whenever they were measured; others come last."""
    places = {_texts(key, tuple(key)): place for place, key in enumerate(part.keys())}
    columns = {tuple(name for name, _ in key) for key in places}

    def place(row: Row) -> int:
        found = (places.get(_texts(row, names)) for names in columns)
        return min((number for number in found if number is not None), default=len(places))

    return sorted(rows, key=place)


def _texts(row: Row, names: tuple[str, ...]) -> tuple[tuple[str, str], ...]:
    return tuple((name, str(row.get(name, ""))) for name in names)


def progress(study: Study, part: Part, todo: list[Row]) -> Iterator[tuple[Row, list[Row] | None]]:
    """Measure one combination after the other behind a bar."""
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn())
    with Progress(*columns, TimeElapsedColumn(), disable=not sys.stderr.isatty()) as bar:
        task = bar.add_task(f"{study.name}/{part.file}", total=len(todo))
        for key in todo:
            bar.update(task, description=f"{study.name}/{part.file}: {key_text(key)}"[:60])
            try:
                yield key, apart(study, part, key) if part.apart else here(part, key)
            except Exception:
                print(f"{study.name}/{part.file}, {key_text(key)} failed:", file=sys.stderr)
                traceback.print_exc()
                yield key, None
            bar.advance(task)


def here(part: Part, key: Row) -> list[Row]:
    """The rows of a combination, measured in this process with one thread."""
    with warnings.catch_warnings(), threadpool_limits(1):
        warnings.simplefilter("ignore")
        return [row | machine.facts() for row in part.measured(key)]


def apart(study: Study, part: Part, key: Row, **environment: str) -> list[Row]:
    """The same in a process of its own."""
    command = [sys.executable, "-m", "benchmarks.runner.one", study.name, part.file, dumps(key)]
    try:
        done = subprocess.run(
            command,
            capture_output=True,
            text=True,
            check=False,
            timeout=part.patience,
            env=os.environ | environment,
        )
    except subprocess.TimeoutExpired:
        return [key | {"parameters": f"more than {part.patience:g} s"} | machine.facts()]
    if done.returncode:
        raise RuntimeError("\n".join(done.stderr.strip().splitlines()[-15:]))
    return loads(done.stdout.splitlines()[-1])


def report(study: Study, draw: bool = False) -> list[str]:
    """Write the tables of a README, and the pictures; the places that have no rows yet."""
    results, empty = Results(study.folder), []
    for place, write in study.tables.items():
        try:
            text = write(results)
        except FileNotFoundError:  # nothing was measured: what the page says stays
            empty.append(place)
            continue
        page, _, name = place.rpartition("#")
        fill(study.folder / (page or "README.md"), name, text)
    for name, picture in study.pictures.items() if draw else ():
        try:
            picture(results, study.folder / name)
        except FileNotFoundError:
            empty.append(name)
    return empty


def shown(rows: list[Row], most: int = 40) -> str:
    """Rows without what says where they were measured."""
    columns = [c for c in dict.fromkeys(c for row in rows for c in row) if c not in FACTS]
    return markdown(columns, [[_short(row.get(c, "")) for c in columns] for row in rows[:most]])


def _short(value: Any, most: int = 60) -> str:
    text = str(value)
    return text if len(text) <= most else text[: most - 1] + "…"
