"""The files: a record of all cases, and the list of changes that were accepted."""

import json
from dataclasses import asdict, dataclass
from fnmatch import fnmatch
from pathlib import Path
from typing import Any

from threadpoolctl import threadpool_limits

from benchmarks.runner.machine import commit, describe
from benchmarks.studies.record.cases import CASES

HERE = Path(__file__).parent
RECORD = HERE / "record.json"
CHANGES = HERE / "changes.json"


@dataclass(frozen=True)
class Change:
    """A change of the record that was accepted.

    Attributes
    ----------
    why : str
        Its cause.
    cases, figures : list of str
        What changed.
    """

    why: str
    cases: list[str]
    figures: list[str]


@dataclass(frozen=True)
class Record:
    """What the estimators of one commit do on one machine.

    Attributes
    ----------
    commit : str
    machine : dict
        Versions and processor.
    n_changes : int
        How many of the accepted changes this record has in it.
    only : str
        The pattern of the names of the cases that were fitted.
    cases : dict of dict
        What became of each case.
    """

    commit: str
    machine: dict[str, str]
    n_changes: int
    only: str
    cases: dict[str, dict[str, Any]]

    @classmethod
    def read(cls, path: Path) -> "Record":
        """Read a file that ``write`` wrote."""
        return cls(**json.loads(path.read_text(encoding="utf-8")))

    def write(self, path: Path) -> None:
        """Write a line for each case, so that a diff shows which ones changed."""
        head = {name: value for name, value in asdict(self).items() if name != "cases"}
        lines = [f"{json.dumps(name)}: {json.dumps(case)}" for name, case in self.cases.items()]
        text = json.dumps(head)[:-1] + ', "cases": {\n' + ",\n".join(lines) + "\n}}\n"
        path.write_text(text, encoding="utf-8")


def make_record(only: str = "*", verbose: bool = False) -> Record:
    """Fit the cases whose names match a pattern."""
    found = {}
    with threadpool_limits(1):  # sums of several threads are not the same every time
        for name, case in CASES.items():
            if fnmatch(name, only):
                if verbose:
                    print(name, flush=True)
                found[name] = case.outcome()
        return Record(commit(), describe(), len(read_changes()), only, found)


def read_changes() -> list[Change]:
    """Return the changes that were accepted, the oldest first."""
    return [Change(**change) for change in json.loads(CHANGES.read_text(encoding="utf-8"))]


def write_changes(changes: list[Change]) -> None:
    """Write them all."""
    text = json.dumps([asdict(change) for change in changes], indent=1, ensure_ascii=False)
    CHANGES.write_text(text + "\n", encoding="utf-8")
