"""Tables: csv files, markdown, and markdown put in its place in a README."""

import csv
import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeVar

import numpy as np

Item = TypeVar("Item")


def read_csv(path: Path) -> list[dict[str, str]]:
    """Return the rows of a csv file."""
    with path.open(newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def write_csv(path: Path, rows: Sequence[Mapping[str, Any]]) -> None:
    """Write rows that need not have the same columns; the order is that of appearance.

    The file is there whole or not at all.
    """
    columns = list(dict.fromkeys(column for row in rows for column in row))
    part = path.with_suffix(".part")
    with part.open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, columns, lineterminator="\n", restval="")
        writer.writeheader()
        writer.writerows(rows)
    part.replace(path)


def plain(value: Any) -> Any:
    """A value as a file holds it: six digits, nothing for what is not a number."""
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, float):
        return "" if np.isnan(value) else f"{value:.6g}"
    return "" if value is None else value


def markdown(header: Sequence[str], rows: Iterable[Sequence[Any]]) -> str:
    """Return a markdown table."""
    lines = [header, ["---"] * len(header), *rows]
    return "\n".join("| " + " | ".join(map(str, line)) + " |" for line in lines)


def grid(title: str, items: Iterable[Item], columns: Mapping[str, Callable[[Item], Any]]) -> str:
    """A line for each item: its name, and what the function of each column says of it."""
    lines = [[item, *(cell(item) for cell in columns.values())] for item in items]
    return markdown([title, *columns], lines)


def fill(readme: Path, name: str, text: str) -> None:
    """Replace what stands between ``<!-- name -->`` and ``<!-- /name -->`` in a README."""
    page = readme.read_text(encoding="utf-8")
    pattern = re.compile(rf"(<!-- {name} -->\n).*?(<!-- /{name} -->)", re.DOTALL)
    if not pattern.search(page):
        raise LookupError(f"{readme.name} has no place for {name!r}.")
    page = pattern.sub(lambda match: f"{match[1]}{text}\n{match[2]}", page)
    readme.write_text(page, encoding="utf-8")


def number(value: Any, digits: int = 2) -> str:
    """Return a number, or a dash for nothing."""
    return "–" if value in ("", None) else f"{float(value):.{digits}f}"


def with_sd(row: Mapping[str, Any], name: str, digits: int = 2, least: float = 0) -> str:
    """A mean and, where the row has it and it is not tiny, its standard deviation."""
    text, spread = number(row[name], digits), row.get(f"{name}_sd")
    return f"{text} ± {number(spread, digits)}" if spread and float(spread) >= least else text


def distinct(rows: Iterable[Mapping[str, str]], column: str) -> list[str]:
    """The values of a column, in the order of appearance."""
    return list(dict.fromkeys(row[column] for row in rows))


def mean_of(rows: Iterable[Mapping[str, str]], column: str) -> float:
    """The mean of a column; not a number without any."""
    values = [float(row[column]) for row in rows if row[column] != ""]
    return float(np.mean(values)) if values else np.nan


def where(rows: Iterable[Mapping[str, str]], **values: Any) -> list[Any]:
    """The rows with these values, or with one of several."""
    wanted = {
        name: set(map(str, of))
        if isinstance(of, Collection) and not isinstance(of, str)
        else {str(of)}
        for name, of in values.items()
    }
    return [row for row in rows if all(row[name] in of for name, of in wanted.items())]
