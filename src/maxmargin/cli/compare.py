"""``maxmargin compare``: several methods on the same table."""

import json
from typing import Any

import click

from maxmargin._runtime.files import all_together
from maxmargin.cli import options
from maxmargin.cli.console import say
from maxmargin.cli.errors import INTERRUPTED, UserError, as_user_errors

#: The columns of the table: what the summary calls them, and how they are written.
COLUMNS = {
    "clusters": ("clusters", "{:d}"),
    "ari": ("ARI", "{:.2f}"),
    "accuracy": ("accuracy", "{:.1%}"),
    "agreement": ("agreement", "{:.2f}"),
    "loo": ("LOO R²", "{:.2f}"),
    "split_gap": ("split gap", "{:.2f}"),
    "silhouette": ("silhouette", "{:.2f}"),
    "seconds": ("seconds", "{:.2f}"),
}


@click.command(
    epilog="Agreement is the mean ARI with the other methods. LOO R² (leave-one-out), split gap "
    "and silhouette need no labels; larger is better. Seconds are of this machine, now."
)
@click.argument("data", metavar="FILE")
@options.n_clusters(least=2)
@click.option(
    "--methods", metavar="NAMES", help="Which ones, with commas between them (default: all)."
)
@click.option("-o", "--output", metavar="FILE", help="Write the clusters of all methods.")
@click.option("--picture", metavar="FILE", help="Draw all answers side by side: .png, .svg, .pdf.")
@options.standardize
@options.seed
@options.columns
@options.reading
@options.escape_formulas
@options.printing
def compare(
    data: str,
    n_clusters: int | None,
    methods: str | None,
    output: str | None,
    picture: str | None,
    standardize: bool | None,
    seed: int,
    escape_formulas: bool,
    as_json: bool,
    quiet: bool,
    **table: Any,
) -> int:
    """Cluster FILE with our methods and their peers, and compare the answers."""
    from maxmargin.cli.inputs import read_rows
    from maxmargin.cli.outputs import Outputs, draw_comparison, write_comparison

    with as_user_errors():
        Outputs(labels=output, picture=picture).check(data)
        rows = read_rows(data, **table)

        from maxmargin.cli.comparison import methods_named, run_methods, score_results, standardized
        from maxmargin.cli.fitting import choose_number
        from maxmargin.explain.plane import rows_plane

        chosen = methods_named(methods.split(",") if methods else [])
        details: dict[str, Any] = {"file": rows.table.name, "number": None}
        if n_clusters is not None and n_clusters > rows.table.n_rows:
            raise UserError(f"-k must be at most the {rows.table.n_rows} rows; got {n_clusters}.")
        X = standardized(rows.X, standardize)
        if n_clusters is None:
            n_clusters, details["number"] = choose_number(
                X, standardize=False, seed=seed, quiet=quiet
            )
        results = run_methods(chosen, X, n_clusters, seed, quiet=quiet)
        details["methods"] = score_results(results, X, rows.truth, seed)
        with all_together():
            if picture is not None:
                plane = rows_plane(rows.X if rows.X.shape[1] == 2 else X, rows.names)
                draw_comparison(picture, results, plane, details["methods"])
            if output is not None:
                write_comparison(output, results, rows, escape_formulas)
            if not quiet:
                said = json.dumps(details, allow_nan=False, indent=1) if as_json else _text(details)
                click.echo(said, err=output == "-")
    if any(result.problem == "interrupted" for result in results):
        say("Interrupted: the methods that are not in the table had no turn.")
        return INTERRUPTED
    return 0


def _text(details: dict[str, Any]) -> str:
    from maxmargin.cli.console import text_table

    rows = details["methods"]
    shown = [name for name in COLUMNS if any(row.get(name) is not None for row in rows)]
    table = [
        [row["method"], *(_cell(row, name) for name in shown)] for row in rows if not row["problem"]
    ]
    lines = [f"Number: {details['number']}", ""] if details["number"] else []
    lines.append(text_table(["method", *(COLUMNS[name][0] for name in shown)], table))
    lines += [f"{row['method']}: {row['problem']}" for row in rows if row["problem"]]
    return "\n".join(lines)


def _cell(row: dict[str, Any], name: str) -> str:
    value = row.get(name)
    return "–" if value is None else COLUMNS[name][1].format(value)
