"""Runs cases for as long as is wanted, counts them, and groups what fails."""

import re
import time
import traceback
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from fuzz.limits import Hang
from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis import strategies as st

#: Cases of a kind before the next kind has its turn.
ROUND = 50
#: Failures of one signature that are shown.
SHOWN = 3


@dataclass
class Tally:
    """What became of the cases.

    Attributes
    ----------
    outcomes : Counter
        Of (kind, outcome).
    failures : dict
        From a signature to the cases that failed with it.
    """

    outcomes: Counter[tuple[str, str]] = field(default_factory=Counter)
    failures: dict[str, list[str]] = field(default_factory=dict)

    def add(self, kind: str, case: Any, run: Callable[[Any], str]) -> None:
        """Run a case; a failure is noted, and the run goes on."""
        try:
            self.outcomes[kind, run(case)] += 1
        except (Exception, Hang) as error:
            self.outcomes[kind, "failed"] += 1
            name = f"{kind}: {signature_of(error)}"
            same = self.failures.setdefault(name, [])
            same.append(repr(case))
            if len(same) <= SHOWN:
                print(f"FAILED {name}\n    {case!r}", flush=True)

    def __add__(self, other: "Tally") -> "Tally":
        """What became of the cases of both."""
        failures = {name: list(cases) for name, cases in self.failures.items()}
        for name, cases in other.failures.items():
            failures.setdefault(name, []).extend(cases)
        return Tally(self.outcomes + other.outcomes, failures)

    def lines(self) -> list[str]:
        """The figures."""
        kinds = sorted({kind for kind, _ in self.outcomes})
        words = sorted({word for _, word in self.outcomes})
        told = [
            f"{kind}: " + ", ".join(f"{self.outcomes[kind, w]} {w}" for w in words)
            for kind in kinds
        ]
        told += [f"{len(same)} × {name}" for name, same in self.failures.items()]
        return [*told, f"{self.outcomes.total()} cases, {len(self.failures)} kinds of failures"]


def signature_of(error: BaseException) -> str:
    """What an error is, and the innermost line of ours or of the invariants."""
    frames = traceback.extract_tb(error.__traceback__)
    ours = [f for f in frames if "/maxmargin/" in f.filename or "/fuzz/" in f.filename]
    cause = error.__cause__ or error
    text = str(cause).splitlines()[0][:100] if str(cause) else ""
    text = re.sub(r"\d+", "#", text)  # of the same kind, whatever the numbers
    return f"{type(error).__name__} in {ours[-1].name if ours else '?'}: {text}"


def round_of(
    number: int, cases: st.SearchStrategy[Any], see: Callable[[Any], None], size: int = ROUND
) -> None:
    """Draw cases; the same number draws the same ones."""

    @seed(number)
    @settings(
        max_examples=size,
        database=None,
        deadline=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(cases)
    def every(case: Any) -> None:
        see(case)

    every()


def run_for(
    seconds: float,
    kinds: dict[str, tuple[Any, Callable[[Any], str]]],
    first: int = 0,
    step: int = 1,
    most: float = float("inf"),
) -> Tally:
    """Give every kind of cases its turns until the time is over, or so many were tried.

    With ``step`` processes, each has every ``step``-th round.
    """
    tally, number, end = Tally(), first, time.monotonic() + seconds
    while time.monotonic() < end and tally.outcomes.total() < most:
        for kind, (drawn, run) in kinds.items():
            round_of(number, drawn, lambda case, k=kind, r=run: tally.add(k, case, r))
            if time.monotonic() >= end:
                break
        number += step
        print(f"before round {number}: {tally.outcomes.total()} cases", flush=True)
    return tally
