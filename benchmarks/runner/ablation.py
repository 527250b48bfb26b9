"""The library with a part left out or a constant changed, to say what each is worth."""

import argparse
import ast
import importlib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

#: Where the sources of candidates are listed.
SOURCES = "maxmargin.front_door.sources:SOURCES"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add ``--without`` and ``--change`` to a command."""
    parser.add_argument("--without", nargs="+", default=(), help="sources of candidates")
    parser.add_argument(
        "--change", nargs="+", default=(), metavar="module:NAME=value", help="constants"
    )


@contextmanager
def applied(without: Sequence[str] = (), change: Sequence[str] = ()) -> Iterator[None]:
    """Leave sources out and change constants, and put everything back at the end."""
    places = [SOURCES, *(text.partition("=")[0] for text in change)]
    owners = [(importlib.import_module(p.split(":")[0]), p.split(":")[1]) for p in places]
    kept = [(owner, name, getattr(owner, name, None)) for owner, name in owners]
    try:
        for source in without:
            leave_out(source)
        for text in change:
            set_constant(text)
        yield
    finally:
        for owner, name, value in kept:
            setattr(owner, name, value)


def leave_out(name: str, place: str = SOURCES) -> None:
    """Take the object of a class out of a tuple in a module."""
    module, attribute = place.split(":")
    owner = importlib.import_module(module)
    every = getattr(owner, attribute)
    left = tuple(item for item in every if type(item).__name__ != name)
    if len(left) == len(every):
        known = ", ".join(type(item).__name__ for item in every)
        raise LookupError(f"There is no source {name!r}; there are {known}.")
    setattr(owner, attribute, left)


def set_constant(text: str) -> None:
    """Set a constant: ``module:NAME=value``; other modules that imported it keep theirs."""
    place, _, value = text.partition("=")
    module, _, name = place.partition(":")
    owner = importlib.import_module(module)
    if not hasattr(owner, name):
        raise LookupError(f"{module} has no constant {name!r}.")
    setattr(owner, name, ast.literal_eval(value))
