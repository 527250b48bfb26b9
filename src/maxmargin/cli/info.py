"""``maxmargin info``: what is in a model file."""

import json
from typing import Any

import click

from maxmargin.cli.errors import as_user_errors


@click.command()
@click.argument("model", metavar="MODEL")
@click.option("--json", "as_json", is_flag=True, help="Print everything as JSON.")
def info(model: str, as_json: bool) -> None:
    """Say what is in the file MODEL, without loading the model."""
    from maxmargin.persistence import read_metadata

    with as_user_errors():
        metadata = read_metadata(model)
        click.echo(json.dumps(metadata, indent=1) if as_json else _text(metadata))


def _text(metadata: dict[str, Any]) -> str:
    rows = []
    for name, value in metadata.items():
        if name == "metadata":
            continue
        if isinstance(value, dict):
            rows += [[f"{name}.{key}", str(part)] for key, part in value.items()]
        else:
            rows.append([name, str(value)])
    return "\n".join(f"{name}: {value}" for name, value in rows)
