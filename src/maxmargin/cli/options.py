"""Options that several commands share."""

import re
from collections.abc import Callable
from typing import Any

import click

_BYTES = re.compile(r"(\d{1,15}(?:\.\d{1,9})?) ?([KMGT]?)B?")
Option = Callable[[Callable[..., Any]], Callable[..., Any]]


class Bytes(click.ParamType):
    """A size such as 500MB."""

    name = "size"

    def convert(self, value: Any, param: Any, ctx: Any) -> int:
        """Read a number and its unit."""
        found = _BYTES.fullmatch(str(value).strip().upper())
        if not found:
            self.fail("give a number of bytes, or one with kB, MB, GB or TB.", param, ctx)
        return int(float(found[1]) * 1000 ** " KMGT".index(found[2] or " "))


def _together(*options: Option) -> Option:
    """Several options as one."""

    def decorate(command: Callable[..., Any]) -> Callable[..., Any]:
        for option in reversed(options):
            command = option(command)
        return command

    return decorate


reading = _together(
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
        "--decimal", type=click.Choice([".", ","]), default=".", help="The decimal point."
    ),
    click.option(
        "--max-unpacked",
        type=Bytes(),
        help="What a packed file (gzip, NPZ, Parquet) may unpack to, such as 4GB (default: 100 "
        "times its size, at least 50MB; ten rows for each of its bytes, at least a million).",
    ),
    click.option(
        "--max-columns",
        type=click.IntRange(1, 2**31 - 1),
        help="The columns that a table may have (default: a million, ten if it is sparse).",
    ),
)


def _none(context: click.Context, parameter: click.Parameter, value: str) -> str | None:
    return None if value == "none" else value


columns = _together(
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
        type=click.Choice(["auto", "onehot", "none"]),
        callback=_none,
        default="auto",
        show_default=True,
        help="Text: categories, dates and what says nothing are told apart; or a column of numbers "
        "for each value; or an error.",
    ),
    click.option(
        "--impute",
        type=click.Choice(["auto", "median", "mean", "none"]),
        callback=_none,
        default="auto",
        show_default=True,
        help="Missing values: filled with the median (auto) or the mean of their column, or an "
        "error.",
    ),
)

escape_formulas = click.option(
    "--escape-formulas",
    is_flag=True,
    help="Write an apostrophe before text that a spreadsheet would take for a formula.",
)

printing = _together(
    click.option("--json", "as_json", is_flag=True, help="Print the summary as JSON."),
    click.option("-q", "--quiet", is_flag=True, help="Print nothing but errors."),
)


in_blocks = _together(
    click.option(
        "--memory",
        type=Bytes(),
        help="Read the file in blocks, and plan with so much memory, such as 1GB.",
    ),
    click.option(
        "--dask",
        metavar="ADDRESS",
        help="Let a Dask cluster read the file, such as tcp://127.0.0.1:8786.",
    ),
)

standardize = click.option(
    "--standardize/--no-standardize",
    default=None,
    help="Whether all columns count alike (the default, but for pixels and principal components) "
    "or by their units.",
)

seed = click.option(
    "--seed",
    type=click.IntRange(0, 2**32 - 1),
    default=0,
    show_default=True,
    help="Fixes what is random.",
)


def n_clusters(least: int) -> Option:
    """The option for the number of clusters, at least so many."""
    return click.option(
        "-k",
        "--clusters",
        "n_clusters",
        type=click.IntRange(min=least),
        help="The number of clusters (default: chosen, and the reason is printed).",
    )
