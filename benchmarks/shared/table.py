"""Tables: csv files, markdown, and markdown put in its place in a README."""

import csv
import re
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any


def read_csv(path: Path) -> list[dict[str, str]]:
    """Return the rows of a csv file."""
    with path.open(newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def write_csv(path: Path, rows: Sequence[dict[str, Any]]) -> None:
    """Write rows that need not have the same columns; the order is that of appearance."""
    columns = list(dict.fromkeys(column for row in rows for column in row))
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, columns, lineterminator="\n", restval="")
        writer.writeheader()
        writer.writerows(rows)


def markdown(header: Sequence[str], rows: Iterable[Sequence[Any]]) -> str:
    """Return a markdown table."""
    lines = [header, ["---"] * len(header), *rows]
    return "\n".join("| " + " | ".join(map(str, line)) + " |" for line in lines)


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
