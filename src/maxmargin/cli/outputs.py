"""The files that a command writes: checked before the work, and written whole."""

import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from maxmargin._runtime.files import replacing
from maxmargin.blocks.opening import is_read_from
from maxmargin.cli.errors import UserError
from maxmargin.cli.inputs import RECIPE, TableRows
from maxmargin.cli.tables import Column, check_output, check_place, write_table
from maxmargin.explain.formatting import listed

if TYPE_CHECKING:  # they take long to import, and errors should come soon
    from maxmargin.cli.comparison import MethodResult
    from maxmargin.explain.clustering import Clustering
    from maxmargin.explain.plane import Plane
    from maxmargin.report.report import Report

PICTURES = (".png", ".svg", ".pdf")
#: The extra of this package that writes a file, and what it brings.
NEEDS = {
    "--report": ("report", ("jinja2", "altair", "vl_convert")),
    "--save": ("models", ("skops",)),
    "--picture": ("plots", ("matplotlib",)),
}


@dataclass(frozen=True)
class Outputs:
    """Where labels, report, model and picture go; None for those that nobody wants."""

    labels: str | None = None
    report: str | None = None
    model: str | None = None
    picture: str | None = None
    escape_formulas: bool = False

    def check(self, *given: str | None) -> None:
        """Raise an error for what could not be written in the end, before any work.

        Files that are given, or are in folders that are, must not be lost.
        """
        if self.labels is not None:
            check_output(self.labels)
            for data in filter(None, given):
                if is_read_from(self.labels, data):
                    raise UserError(f"--output must not be the file that is read; got {data!r}.")
        check_file("--report", self.report, (".html", ".htm", ".json"))
        check_file("--save", self.model, (".skops",))
        check_file("--picture", self.picture, PICTURES)
        if self.picture is not None:
            without_screen()

    def write(self, estimator: Any, rows: TableRows, report: "Report") -> dict[str, str]:
        """Write all files, and return what was written where.

        What cannot be taken back (standard output, a pipe) comes last.
        """
        from maxmargin.persistence import save

        writers: dict[str, Callable[[str], None]] = {
            "labels": lambda path: write_table(
                *(path, label_columns(report.clustering, rows.ids)),
                escape_formulas=self.escape_formulas,
            ),
            "report": lambda path: report.save(path),
            "model": lambda path: save(
                estimator, path, metadata={RECIPE: rows.preparation.to_json()}
            ),
            "picture": lambda path: draw_clusters(path, estimator, rows),
        }
        wanted = {name: path for name in writers if (path := getattr(self, name)) is not None}
        for name in sorted(wanted, key=lambda name: _is_stream(wanted[name])):
            path = wanted[name]
            try:
                writers[name](path)
            except KeyboardInterrupt as error:
                raise KeyboardInterrupt("nothing was written") from error
            except OSError as error:  # a full disk does not say which file it means
                raise OSError(error.errno, error.strerror or str(error), path) from error
        return wanted


def check_file(option: str, path: str | None, endings: tuple[str, ...]) -> None:
    """Raise an error for a file that cannot be written, or not in this format."""
    if path is None:
        return
    target = Path(path)
    if target.suffix.lower() not in endings:
        raise UserError(f"{option} must end in {' or '.join(endings)}; got {path!r}.")
    extra, packages = NEEDS[option]
    missing = [name for name in packages if find_spec(name) is None]
    if missing and target.suffix.lower() != ".json":  # plain numbers need nothing
        raise UserError(f'{option} needs {listed(missing)}: pip install "maxmargin[{extra}]".')
    check_place(target)


def _is_stream(path: str) -> bool:
    """Whether what is written there is gone: standard output, a pipe, a device."""
    return path == "-" or (os.path.exists(path) and not os.path.isfile(path))


def label_columns(found: "Clustering", ids: Column) -> dict[str, Any]:
    """Names, clusters, margins and memberships of rows, as columns."""
    columns: dict[str, Any] = {ids.name: ids, _free("cluster", ids): found.labels}
    if found.margin is not None:
        columns[_free("margin", ids)] = found.margin
    if found.memberships is not None:
        own = found.memberships[np.arange(len(found.labels)), found.labels]
        columns[_free("membership", ids)] = own
    return columns


def _free(name: str, ids: Column) -> str:
    """A name for our column that is not that of the user's."""
    return name if name != ids.name else f"{name} (maxmargin)"


def draw_clusters(path: str, estimator: Any, rows: TableRows) -> None:
    """Draw the clusters into a file."""
    from maxmargin.plots import ClustersDisplay

    save_figure(path, ClustersDisplay.from_estimator(estimator, rows.X).figure_)


def write_comparison(
    path: str, results: Sequence["MethodResult"], rows: TableRows, escape_formulas: bool
) -> None:
    """Write the clusters of several methods, a column each."""
    columns: dict[str, Any] = {rows.ids.name: rows.ids}
    for result in results:
        if result.labels is not None:
            columns[_free(result.name, rows.ids)] = result.labels
    write_table(path, columns, escape_formulas=escape_formulas)


def draw_comparison(
    path: str, results: Sequence["MethodResult"], plane: "Plane", scores: Sequence[dict[str, Any]]
) -> None:
    """Draw the answers of several methods side by side."""
    from maxmargin.plots import ComparisonDisplay

    answers = {result.name: result.labels for result in results if result.labels is not None}
    captions = {row["method"]: _caption(row) for row in scores}
    display = ComparisonDisplay(plane.points, plane.axes, answers, captions)
    save_figure(path, display.plot().figure_)


def _caption(row: dict[str, Any]) -> str:
    if row.get("ari") is not None:
        return f"ARI {row['ari']:.2f}"
    return f"leave-one-out R² {row['loo']:.2f}" if row.get("loo") is not None else ""


def without_screen() -> None:
    """Let matplotlib draw into files only."""
    import matplotlib

    matplotlib.use("Agg")


def save_figure(path: str, figure: Any) -> None:
    """Write a figure whole or not at all."""
    with replacing(path) as draft:
        figure.savefig(draft, dpi=150, bbox_inches="tight", format=Path(path).suffix[1:].lower())
