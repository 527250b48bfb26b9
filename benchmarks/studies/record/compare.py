"""What differs between two records, and which differences may be."""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from fnmatch import fnmatch
from typing import Any

import numpy as np

from benchmarks.studies.record.cases import CASES, decode
from benchmarks.studies.record.files import Change, Record

#: Numbers are the same up to this, relative to the larger one.
TOLERANCE = 1e-6
#: And what is smaller than this is 0.
TINY = 1e-9
#: Duality gaps are rounding: only one that grows to ten times of itself, and that far, is news.
GAPS = ("dual_gap_", "duality_gap_")
LARGE_GAP = 1e-6
LABELS = ("labels", "predicted")


@dataclass(frozen=True)
class Difference:
    """A figure of a case that is not what it was.

    Attributes
    ----------
    case, figure : str
    before, after : str
        In short, for people.
    cause : str
        Why it may differ; empty if it must not.
    """

    case: str
    figure: str
    before: str
    after: str
    cause: str = ""


def differences(before: Record, after: Record, changes: list[Change]) -> list[Difference]:
    """Compare all cases that both should have."""
    recent = changes[before.n_changes : after.n_changes]
    return [
        Difference(case, figure, *shown, _cause(case, figure, recent))
        for case, old in before.cases.items()
        if fnmatch(case, after.only)
        for figure, shown in _of_a_case(old, after.cases.get(case))
    ]


def _of_a_case(
    old: dict[str, Any], new: dict[str, Any] | None
) -> Iterator[tuple[str, tuple[str, str]]]:
    if new is None:
        yield "case", ("there", "gone")
        return
    for figure in dict.fromkeys([*old, *new]):
        a, b = old.get(figure), new.get(figure)
        if figure in GAPS and a is not None and b is not None:
            if b > max(10 * a, LARGE_GAP):
                yield figure, (_short(a), _short(b))
        elif figure in LABELS and a is not None and b is not None:
            if a != b:
                yield figure, _labels(a, b)
        elif not same(a, b):
            yield figure, (_short(a), _short(b))


def same(a: Any, b: Any) -> bool:
    """Whether two figures are the same, numbers up to ``TOLERANCE``."""
    if isinstance(a, dict) and isinstance(b, dict):
        return list(a) == list(b) and same(list(a.values()), list(b.values()))
    if isinstance(a, list) and isinstance(b, list):
        return len(a) == len(b) and all(same(x, y) for x, y in zip(a, b, strict=True))
    if isinstance(a, float) or isinstance(b, float):
        numbers = isinstance(a, float | int) and isinstance(b, float | int)
        return numbers and math.isclose(a, b, rel_tol=TOLERANCE, abs_tol=TINY)
    return a == b


def _cause(case: str, figure: str, changes: list[Change]) -> str:
    for change in reversed(changes):
        if case in change.cases and figure in change.figures:
            return change.why
    if figure in LABELS and case in CASES and not CASES[case].clear:
        return "not well separated: labels may differ where the figures do not"
    return ""


def _labels(a: str, b: str) -> tuple[str, str]:
    old, new = decode(a), decode(b)
    if len(old) != len(new):
        return f"{len(old)} rows", f"{len(new)} rows"
    return f"{len(old)} rows", f"{np.sum(old != new)} differ"


def _short(value: Any, length: int = 40) -> str:
    text = f"{value:.9g}" if isinstance(value, float) else str(value)
    return text if len(text) <= length else text[: length - 1] + "…"
