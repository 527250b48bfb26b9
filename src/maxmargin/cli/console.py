"""What the command prints: results on standard output, all else on standard error."""

import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from maxmargin._runtime.progress import Step


def say(text: str = "", *, quiet: bool = False) -> None:
    """Tell something on standard error."""
    if not quiet:
        click.echo(text, err=True)


@contextmanager
def progress_bar(quiet: bool) -> Iterator[None]:
    """Show how far fits inside the block are, if standard error is a terminal."""
    if quiet or not sys.stderr.isatty():
        yield
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn
    from rich.progress import TimeRemainingColumn as TimeLeft

    from maxmargin._runtime.progress import listening  # it asks scikit-learn for callbacks

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeLeft())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        shown: dict[str, Any] = {}

        def show(step: "Step") -> None:
            name = f"{step.who}: {step.task}s"
            if step.done == 0 or name not in shown:
                for old in shown.values():
                    bar.remove_task(old)
                shown.clear()
                shown[name] = bar.add_task(name, total=step.total)
            said = f"{name}, {step.note}" if step.note.endswith("/s") else name
            bar.update(shown[name], completed=step.done, description=said)

        with listening(show):
            yield


def text_table(header: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Columns side by side: numbers to the right, text to the left.

    Examples
    --------
    >>> from maxmargin.cli.console import text_table
    >>> print(text_table(["method", "ARI"], [["k-means", "0.5"], ["ours", "1.0"]]))
    method   ARI
    k-means  0.5
    ours     1.0
    """
    columns = list(zip(header, *rows, strict=True))
    widths = [max(map(len, column)) for column in columns]
    numeric = [all(_is_number(cell) for cell in column[1:]) for column in columns]
    lines = (
        "  ".join(
            cell.rjust(width) if right else cell.ljust(width)
            for cell, width, right in zip(line, widths, numeric, strict=True)
        ).rstrip()
        for line in (header, *rows)
    )
    return "\n".join(lines)


def _is_number(cell: str) -> bool:
    cell = cell.replace(",", "").rstrip(" %s×")
    return cell in ("", "-", "–") or cell.lstrip("+-−").replace(".", "", 1).isdigit()
