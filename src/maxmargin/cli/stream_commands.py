"""``cluster`` and ``predict`` for files that are read in blocks."""

import os
import warnings
from typing import Any

import click
import numpy as np
from sklearn.pipeline import make_pipeline

from maxmargin._runtime.files import all_together
from maxmargin._runtime.memory import limited_memory
from maxmargin._runtime.warnings import MaxMarginWarning
from maxmargin.blocks import Rows
from maxmargin.blocks.labels_file import write_labels, writer_of
from maxmargin.cli.checkpoint import checkpoint
from maxmargin.cli.comparison import to_standardize
from maxmargin.cli.console import progress_bar, say
from maxmargin.cli.errors import INTERRUPTED, UserError
from maxmargin.cli.fitting import Fit, fit, make_estimator
from maxmargin.cli.methods import Method
from maxmargin.cli.streaming import Opener, predicted, readers, rows_of
from maxmargin.preprocessing import TableScaler


def check_options(**options: Any) -> None:
    """Raise an error for options that need all rows at once."""
    known = ("columns", "max_unpacked", "max_columns", "decimal")
    given = {name: value for name, value in options.items() if value and value != "auto"}
    wrong = [name for name in given if name not in known]
    if options.get("decimal") == ",":
        wrong.append("decimal")
    if wrong:
        names = ", ".join(f"--{name.strip('_').replace('_', '-')}" for name in wrong)
        raise UserError(f"{names}: not for files that are read in blocks; leave out --memory.")


def cluster_blocks(
    method: Method,
    data: str,
    *,
    columns: tuple[str, ...],
    n_clusters: int | None,
    standardize: bool | None,
    seed: int,
    jobs: int | None,
    settings: dict[str, Any],
    memory: int | None,
    dask: str | None,
    output: str | None,
    save: str | None,
    resume: bool,
    quiet: bool,
) -> int:
    """Fit a method to the rows of a file, and write their labels and the model."""
    if n_clusters is None and method.needs_number:
        raise UserError(f"{method.estimator} needs -k for files that are read in blocks.")
    if output is not None:
        writer_of(output)  # before hours of work
    names = [name for part in columns for name in part.split(",")] or None
    with readers(dask) as read, limited_memory(memory):
        rows, encoder = _opened(data, names, read, quiet)
        job: dict[str, Any] = {"file": os.path.abspath(data), "method": method.estimator}
        job |= {"k": n_clusters, "standardize": standardize, "seed": seed}
        job |= {"columns": names, "settings": str(settings)}
        journal = checkpoint(rows, data, output, job, resume)
        estimator = make_estimator(
            method,
            None,
            n_clusters=n_clusters,
            standardize=standardize if "standardize" in method.takes else False,
            seed=seed,
            jobs=jobs,
            settings=settings,
        )
        given: Rows = rows if journal is None else journal
        scaler = None
        if "standardize" not in method.takes and to_standardize(given, standardize):
            scaler = TableScaler()
            given = scaler.fit_transform(given)
        try:
            found = fit(estimator.set_params(on_interrupt="raise"), given, quiet=quiet)
        except KeyboardInterrupt:
            kept = "" if journal is None else " The same command with --resume goes on from here."
            say(f"Interrupted: nothing was written.{kept}", quiet=quiet)
            return INTERRUPTED
        before = [step for step in (encoder, scaler) if step is not None]
        model = make_pipeline(*before, estimator) if before else estimator
        _write(model, estimator.labels_, output, save)
        if journal is not None:
            journal.forget()
    _tell(found, quiet)
    return 0


def _opened(data: str, names: list[str] | None, read: Opener, quiet: bool) -> Any:
    """The rows of a file and what encodes them, with what there is to say of its columns."""
    with progress_bar(quiet), warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", MaxMarginWarning)
        found = rows_of(data, names, read)
    for warning in caught:
        say(f"Note: {warning.message}", quiet=quiet)
    return found


def _write(model: Any, labels: Any, output: str | None, save: str | None) -> None:
    from maxmargin.persistence import save as save_model

    with all_together():
        if output is not None:
            write_labels(iter([labels]), len(labels), output)
        if save is not None:
            save_model(model, save)


def _tell(found: Fit, quiet: bool) -> None:
    for note in found.notes:
        say(f"Note: {note}", quiet=quiet)
    if not quiet:
        labels, k = found.estimator.labels_, found.estimator.n_clusters_
        sizes = ", ".join(f"{size:,}" for size in np.bincount(labels[labels >= 0]))
        said = f"{len(labels):,} rows in {k} clusters of {sizes} rows ({found.seconds:.1f} s)."
        click.echo(said)


def predict_blocks(
    estimator: Any, data: str, *, memory: int | None, dask: str | None, output: str, quiet: bool
) -> int:
    """Write the labels of the rows of a file, block by block; returns how many."""
    writer_of(output)
    with readers(dask) as read, limited_memory(memory), progress_bar(quiet):
        n, labels = predicted(estimator, data, read)
        write_labels(labels, n, output)
        return n
