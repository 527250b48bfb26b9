"""``maxmargin cluster``: the groups of a table."""

from typing import Any

import click

from maxmargin._runtime.files import all_together
from maxmargin.cli import options
from maxmargin.cli.console import say
from maxmargin.cli.errors import INTERRUPTED, as_user_errors
from maxmargin.cli.methods import METHODS, check_number, method_named, read_settings


@click.command(epilog=f"Methods: {', '.join(METHODS)}, and the names of the estimators.")
@click.argument("data", metavar="FILE")
@options.n_clusters(least=1)
@click.option(
    "-o",
    "--output",
    metavar="FILE",
    help="Write a cluster for each row: .csv, .tsv (also .gz), .parquet, or - for standard output.",
)
@click.option("--report", metavar="FILE", help="Write a page that explains the clusters: .html.")
@click.option("--save", metavar="FILE", help="Write the model, for maxmargin predict: .skops.")
@click.option("--picture", metavar="FILE", help="Draw the clusters: .png, .svg or .pdf.")
@click.option("--method", default="auto", metavar="NAME", help="How (default: auto); see below.")
@click.option(
    "--set",
    "settings",
    metavar="NAME=VALUE",
    multiple=True,
    help="A parameter of the method, such as alpha=0.1; may be repeated.",
)
@click.option("--link", metavar="FILE", help="Pairs of rows: two ids, and must or cannot.")
@click.option("--weights", metavar="NAME", help="The column that says how much each row counts.")
@options.standardize
@options.seed
@click.option("-j", "--jobs", type=int, help="Parts of the work at the same time.")
@options.columns
@options.reading
@options.in_blocks
@click.option(
    "--resume", is_flag=True, help="Go on with work on a file in blocks that was interrupted."
)
@options.escape_formulas
@options.printing
def cluster(
    data: str,
    n_clusters: int | None,
    output: str | None,
    report: str | None,
    save: str | None,
    picture: str | None,
    method: str,
    settings: tuple[str, ...],
    link: str | None,
    standardize: bool | None,
    seed: int,
    jobs: int | None,
    memory: int | None,
    dask: str | None,
    resume: bool,
    escape_formulas: bool,
    as_json: bool,
    quiet: bool,
    **table: Any,
) -> int:
    """Find the groups of the rows of FILE.

    FILE is CSV or TSV (also with gzip), Parquet, NPY, NPZ or svmlight; - reads standard input.
    """
    from maxmargin.cli.inputs import read_rows
    from maxmargin.cli.outputs import Outputs

    chosen = method_named(method)
    outputs = Outputs(output, report, save, picture, escape_formulas)
    with as_user_errors():
        outputs.check(data, link)
        if memory is not None or dask is not None or resume:
            from maxmargin.cli.stream_commands import check_options, cluster_blocks

            check_options(report=report, picture=picture, link=link, json=as_json, **table)
            asked: dict[str, Any] = {"n_clusters": n_clusters, "standardize": standardize}
            asked |= {"memory": memory, "dask": dask, "resume": resume, "jobs": jobs}
            asked |= {"seed": seed, "output": output, "save": save, "quiet": quiet}
            asked |= {"columns": table["columns"], "settings": read_settings(settings, chosen)}
            return cluster_blocks(chosen, data, **asked)
        rows, parameters = read_rows(data, **table), read_settings(settings, chosen)

        # what takes long to import comes after what is soon found to be wrong
        from maxmargin.cli.fitting import choose_number, fit, make_estimator
        from maxmargin.cli.summary import make_report, to_json, to_text
        from maxmargin.cli.told import read_told

        check_number(chosen, n_clusters, parameters)
        details: dict[str, Any] = {"file": rows.table.name, "number": None}
        how: dict[str, Any] = {"standardize": standardize, "seed": seed}
        if n_clusters is None and chosen.needs_number and "n_clusters" not in parameters:
            n_clusters, details["number"] = choose_number(rows.X, **how, quiet=quiet)
        estimator = make_estimator(
            chosen, rows.X, n_clusters=n_clusters, jobs=jobs, settings=parameters, **how
        )
        fitted = fit(estimator, rows.X, quiet=quiet, **read_told(rows, link, table["weights"]))
        # other groupings are for those who read on, and not for those who are in a hurry
        wanted = (report is not None or as_json) and not fitted.interrupted
        page = make_report(fitted, rows, alternatives=wanted)
        details |= {"seconds": round(fitted.seconds, 3), "interrupted": fitted.interrupted}
        with all_together():
            details["files"] = outputs.write(fitted.estimator, rows, page)
            if not quiet:
                said = to_json(page, details) if as_json else to_text(page, details)
                click.echo(said, err=output == "-")
    if fitted.interrupted:
        say("Interrupted: this is the best result so far.")
        return INTERRUPTED
    return 0
