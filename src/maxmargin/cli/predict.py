"""``maxmargin predict``: the groups of new rows, by a model that was saved."""

from typing import Any

import click

from maxmargin.cli import options
from maxmargin.cli.console import say
from maxmargin.cli.errors import as_user_errors


@click.command()
@click.argument("model", metavar="MODEL")
@click.argument("data", metavar="FILE")
@click.option(
    "-o",
    "--output",
    metavar="FILE",
    default="-",
    help="Where to write a cluster for each row: .csv, .tsv (also .gz), .parquet, or - for "
    "standard output (the default).",
)
@click.option(
    "--id", "id_", metavar="NAME", help="The column that names the rows (default: as in cluster)."
)
@options.reading
@options.in_blocks
@options.escape_formulas
@click.option("-q", "--quiet", is_flag=True, help="Print nothing but errors.")
def predict(
    model: str,
    data: str,
    output: str,
    id_: str | None,
    memory: int | None,
    dask: str | None,
    escape_formulas: bool,
    quiet: bool,
    **reading: Any,
) -> None:
    """Say which cluster of MODEL each row of FILE belongs to.

    MODEL is a file of ``maxmargin cluster --save``, or of ``maxmargin.save`` in Python.
    """
    from maxmargin.cli.inputs import read_rows_like
    from maxmargin.cli.outputs import Outputs, label_columns
    from maxmargin.cli.tables import write_table

    with as_user_errors():
        Outputs(labels=output).check(data)

        from maxmargin.explain.clustering import Clustering
        from maxmargin.persistence import load, read_metadata

        estimator = load(model)
        if not hasattr(estimator, "predict"):
            raise ValueError(f"{model}: {type(estimator).__name__} cannot predict new rows.")
        if memory is not None or dask is not None:
            from maxmargin.cli.stream_commands import check_options, predict_blocks

            check_options(id=id_, **reading)
            n = predict_blocks(
                estimator, data, memory=memory, dask=dask, output=output, quiet=quiet
            )
            say(f"Wrote {n:,} labels to {output}", quiet=quiet)
            return
        rows = read_rows_like(estimator, read_metadata(model), data, id_, **reading)
        found = Clustering.of(estimator, rows.X, new=True)
        write_table(output, label_columns(found, rows.ids), escape_formulas=escape_formulas)
    for note in rows.prepared.notes:
        say(f"Note: {note}", quiet=quiet)
    if output != "-":
        say(f"Wrote {rows.table.n_rows:,} labels to {output}", quiet=quiet)
