"""The command and its subcommands, each in a module of its own that is imported when needed."""

import os
import sys
from collections.abc import Sequence
from importlib import import_module

import click

from maxmargin import __version__
from maxmargin.cli.errors import INTERRUPTED, shortened

#: The subcommands in the order of the help; ``cli/<name>.py`` holds each.
COMMANDS = ("cluster", "predict", "compare", "info", "demo")


class Commands(click.Group):
    """Subcommands that are found by name."""

    def list_commands(self, context: click.Context) -> list[str]:
        """All of them, in the order that they are needed in."""
        return list(COMMANDS)

    def get_command(self, context: click.Context, name: str) -> click.Command | None:
        """The command of that name."""
        if name not in COMMANDS:
            return None
        return getattr(import_module(f"maxmargin.cli.{name}"), name)


@click.command(
    cls=Commands,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    epilog="Begin with: maxmargin cluster data.csv -o labels.csv --report report.html",
)
@click.version_option(__version__, message="%(version)s")
def maxmargin() -> None:
    """Find groups in a table by their margins, predict them, compare them and show them."""


def run(arguments: Sequence[str]) -> int:
    """Run the command and return its exit code: 0, 2 for what the user can mend, 130 for Ctrl-C."""
    try:
        # click returns the code of `context.exit`, or what a command returns
        return maxmargin.main(list(arguments), "maxmargin", standalone_mode=False) or 0
    except click.ClickException as error:
        vars(error)["message"] = shortened(error.message)
        error.show()
        return error.exit_code
    except (click.Abort, KeyboardInterrupt) as error:
        # click makes an Abort of Ctrl-C; whoever was writing says how far it came
        said = str(error.__cause__ or error) or "nothing was written"
        click.echo(f"Interrupted: {said}.", err=True)
        return INTERRUPTED
    except BrokenPipeError:
        # whoever reads has enough; Python must not complain when it flushes at exit
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except OSError as error:  # of printing: those of files are told by the commands
        click.echo(f"maxmargin: cannot print ({error.strerror or error}).", err=True)
        return 2
