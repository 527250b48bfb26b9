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
    lines = []
    for name, value in metadata.items():
        if isinstance(value, dict) and name != "metadata":
            lines += [f"{name}.{key}: {part}" for key, part in value.items()]
        elif name != "metadata":
            lines.append(f"{name}: {value}")
    return "\n".join(lines)
