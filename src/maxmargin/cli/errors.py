"""Errors that the user can mend, printed in one line without a traceback."""

import re
from collections.abc import Iterator
from contextlib import contextmanager

import click

#: The exit code of a program that was ended by Ctrl-C, as shells have it.
INTERRUPTED = 130


#: Longer words, and longer messages, are cut in the middle.
LONGEST_WORD, LONGEST_MESSAGE = 300, 2000


def shortened(message: str) -> str:
    """A message that does not echo all of a very long option."""
    message = re.sub(rf"\S{{{LONGEST_WORD},}}", lambda word: f"{word[0][:100]}...", message)
    if len(message) <= LONGEST_MESSAGE:
        return message
    return f"{message[: LONGEST_MESSAGE - 500]} ... {message[-400:]}"


class UserError(click.ClickException):
    """Something that the user can mend; exit code 2."""

    exit_code = 2

    def show(self, file: object = None) -> None:
        """Print the message on standard error."""
        click.echo(f"maxmargin: {self.format_message()}", err=True)


@contextmanager
def as_user_errors() -> Iterator[None]:
    """Turn errors of tables, parameters and files inside the block into a :class:`UserError`.

    The package raises them as ValueError (a parameter, a table, a model file), MemoryError,
    OSError and, for a package that is not installed, ImportError.
    """
    try:
        yield
    except BrokenPipeError:
        raise
    except OSError as error:
        where = f"{error.filename}: " if error.filename else ""
        raise UserError(f"{where}{error.strerror or error}.") from error
    except (ValueError, MemoryError, ImportError) as error:
        raise UserError(str(error)) from error
