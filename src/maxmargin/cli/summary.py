"""What a command has to say of a clustering: the report's summary, as text or JSON."""

import json
from pathlib import Path
from textwrap import fill
from typing import Any

from maxmargin.cli.console import text_table
from maxmargin.cli.fitting import Fit
from maxmargin.cli.inputs import TableRows
from maxmargin.explain.formatting import compared
from maxmargin.report.report import Report

#: Columns of a line.
WIDTH = 96
#: Features that are named for each cluster.
FEATURES_PRINTED = 2


def make_report(fit: Fit, rows: TableRows, *, alternatives: bool) -> Report:
    """The report on a fit to the rows of a file."""
    return Report(
        fit.estimator,
        rows.X,
        columns=rows.names,
        ids=rows.ids.cells(),
        truth=rows.truth,
        title=f"Clusters of {Path(rows.table.name).name}",
        warnings=[*rows.prepared.notes, *fit.notes],
        alternatives=alternatives,
    )


def to_json(report: Report, details: dict[str, Any]) -> str:
    """The summary of the report with details of this run beside it."""
    return json.dumps({**details, **report.summary}, allow_nan=False, indent=1)


def to_text(report: Report, details: dict[str, Any]) -> str:
    """The summary in a few lines for people."""
    summary = report.summary
    answer = summary["partitions"][0]
    lines = [summary["headline"]["sentence"], "", _clusters(answer["clusters"]), ""]
    if details["number"]:
        lines.append(f"Number: {details['number']}")
    lines.append(f"Why: {summary['method']['why']}")
    truth = summary["truth"]
    if truth is not None and truth["ari"] is not None:
        lines.append(
            f"Known labels (not used): ARI {truth['ari']:.2f}, accuracy {truth['accuracy']:.1%}."
        )
    lines += [f"Note: {note}" for note in summary["warnings"]]
    lines += [f"Wrote {what} to {path}" for what, path in details["files"].items() if path != "-"]
    return "\n".join(_wrapped(line) for line in lines)


def _wrapped(text: str) -> str:
    """Sentences at a width that is easy to read; tables stay as they are."""
    return text if "\n" in text else fill(text, WIDTH, subsequent_indent="  ")


def _clusters(clusters: list[dict[str, Any]]) -> str:
    rows = []
    for cluster in clusters:
        differs = [
            f"{feature['feature']} {inside} ({elsewhere} elsewhere)"
            for feature in cluster["differs"][:FEATURES_PRINTED]
            for inside, elsewhere in [compared(feature)]
        ]
        rows.append([str(cluster["number"]), f"{cluster['size']:,}", ", ".join(differs)])
    return text_table(["cluster", "rows", "what differs most (means)"], rows)
