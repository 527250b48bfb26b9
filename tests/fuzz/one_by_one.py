"""Every parameter of every estimator, and all that ``fit`` takes, with every odd value in turn."""

from collections.abc import Iterable, Iterator
from inspect import signature
from typing import Any

from fuzz.cases import Case, fit_quietly, run
from fuzz.harness import Tally
from fuzz.limits import no_hang
from fuzz.parameters import ALWAYS, ESTIMATORS, ODD
from fuzz.rows import Rows

ROWS = Rows(n=18)


def odd_parameters(values: Iterable[Any] = ODD) -> Iterator[Case]:
    """Fits of which one parameter is odd."""
    for name, kind in ESTIMATORS.items():
        for parameter in signature(kind).parameters:
            for value in values:
                yield Case(name, {**ALWAYS[kind], parameter: value}, ROWS)


def odd_arguments(values: Iterable[Any] = ODD) -> Iterator[tuple[str, str, Any]]:
    """Fits that are given something odd besides the rows."""
    for name, kind in ESTIMATORS.items():
        for argument in list(signature(kind.fit).parameters)[2:]:  # after self and X
            for value in values:
                yield name, argument, value


def run_argument(given: tuple[str, str, Any]) -> str:
    """Fit; an answer, or a refusal that says what it is about."""
    name, argument, value = given
    model = ESTIMATORS[name](**ALWAYS[ESTIMATORS[name]])
    with no_hang():
        fitted = fit_quietly(model, ROWS.make(), **{"y": None, argument: value})
    return "refused" if fitted is None else "answered"


def try_all(values: Iterable[Any] = ODD) -> Tally:
    """Run them all and count."""
    tally = Tally()
    for case in odd_parameters(values):
        tally.add("parameters", case, run)
    for given in odd_arguments(values):
        tally.add("arguments", given, run_argument)
    return tally
