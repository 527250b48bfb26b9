"""Options that several commands share."""

from collections.abc import Callable
from typing import Any, TypeVar

import click

Command = TypeVar("Command", bound=Callable[..., Any])


_READING = (
    click.option(
        "--separator",
        metavar="CHAR",
        help="What is between cells (default: found in the file; \\t is a tab).",
    ),
    click.option(
        "--header/--no-header",
        default=None,
        help="Whether the first line names the columns (default: found in the file).",
    ),
    click.option("--encoding", metavar="NAME", help="Of text files (default: UTF-8)."),
    click.option(
        "--decimal",
        type=click.Choice([".", ","]),
        default=".",
        help="The decimal point.",
    ),
)

_COLUMNS = (
    click.option(
        "--columns",
        metavar="NAMES",
        multiple=True,
        help="The columns to cluster by: names or positions such as 2-5, with commas between "
        "them (default: all).",
    ),
    click.option("--drop", metavar="NAMES", multiple=True, help="Columns to leave out."),
    click.option("--id", "id_", metavar="NAME", help="The column that names the rows."),
    click.option(
        "--truth",
        metavar="NAME",
        help="A column with known labels: they score the clusters and do nothing else.",
    ),
    click.option(
        "--encode",
        type=click.Choice(["onehot"]),
        help="Turn columns of text into numbers: a column for each value.",
    ),
    click.option(
        "--impute",
        type=click.Choice(["median", "mean"]),
        help="Fill missing values with the median or the mean of their column.",
    ),
)

_PRINTING = (
    click.option("--json", "as_json", is_flag=True, help="Print the summary as JSON."),
    click.option("-q", "--quiet", is_flag=True, help="Print nothing but errors."),
)


standardize = click.option(
    "--standardize/--no-standardize",
    default=True,
    help="Whether all columns count alike (the default) or by their units.",
)

seed = click.option(
    "--seed",
    type=click.IntRange(0, 2**32 - 1),
    default=0,
    show_default=True,
    help="Fixes what is random.",
)


def reading(command: Command) -> Command:
    """Add the options for how a file is read."""
    return _with(_READING, command)


def columns(command: Command) -> Command:
    """Add the options for which columns are used, and how."""
    return _with(_COLUMNS, command)


def printing(command: Command) -> Command:
    """Add the options for what is printed."""
    return _with(_PRINTING, command)


def _with(options: tuple[Callable[[Command], Command], ...], command: Command) -> Command:
    for option in reversed(options):
        command = option(command)
    return command
