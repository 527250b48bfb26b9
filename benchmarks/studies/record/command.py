"""Record what the estimators do, compare two records, accept what changed.

python -m benchmarks record make --out after.json
python -m benchmarks record compare before.json after.json
python -m benchmarks record accept after.json --why "…" --cases "RLSClustering/*"
"""

import argparse
from dataclasses import replace
from fnmatch import fnmatch
from pathlib import Path

from benchmarks.studies.record.compare import Difference, differences
from benchmarks.studies.record.files import (
    RECORD,
    Change,
    Record,
    make_record,
    read_changes,
    write_changes,
)


def record(options: argparse.Namespace) -> int:
    """Fit everything and write what came out."""
    make_record(options.only, verbose=True).write(options.out)
    return 0


def compare(options: argparse.Namespace) -> int:
    """Print what differs; 1 if something does that must not."""
    before, after = Record.read(options.before), Record.read(options.after)
    _say_machines(before, after)
    found = differences(before, after, read_changes())
    _print(found)
    unexpected = {difference.case for difference in found if not difference.cause}
    print(f"{len(after.cases)} cases, {len(unexpected)} differ without a cause.")
    return 1 if unexpected else 0


def accept(options: argparse.Namespace) -> int:
    """Make a record the one to compare with, and note what changed and why."""
    committed, after = Record.read(RECORD), Record.read(options.after)
    before = Record.read(options.before) if options.before else committed
    problem = _machines_differ(before, after)
    if after.only != "*":
        problem = "the record is not of all cases."
    if problem:
        print(f"Not accepted: {problem}")
        return 1
    changes = read_changes()
    found = [d for d in differences(before, after, changes) if not d.cause]
    cases = list(dict.fromkeys(difference.case for difference in found))
    unnamed = [c for c in cases if not any(fnmatch(c, pattern) for pattern in options.cases)]
    unused = [p for p in options.cases if not any(fnmatch(case, p) for case in cases)]
    if unnamed or unused or bool(cases) != bool(options.why):
        _print(found)
        for title, names in (("changed, but not named", unnamed), ("named, but same", unused)):
            if names:
                print(f"Not accepted; {title}: {', '.join(names)}.")
        if cases and not options.why:
            print("Not accepted: say --why.")
        return 1
    if cases:
        figures = sorted({difference.figure for difference in found})
        changes.append(Change(options.why, cases, figures))
        write_changes(changes)
    replace(after, n_changes=len(changes)).write(RECORD)
    print(f"Accepted: {len(cases)} cases changed.")
    return 0


def _machines_differ(before: Record, after: Record) -> str:
    names = [name for name in before.machine if before.machine[name] != after.machine.get(name)]
    if not names:
        return ""
    return (
        f"the records were made with another {', '.join(names)}; record the commit before the "
        f"change on this machine too, and give it as --before."
    )


def _say_machines(before: Record, after: Record) -> None:
    for name, of in (("before", before), ("after", after)):
        print(f"{name}: commit {of.commit}, {', '.join(of.machine.values())}")
    if before.machine != after.machine:
        print("The machines differ: so may everything that is not well separated.")


def _print(found: list[Difference]) -> None:
    for d in found:
        print(f"{d.case:48}  {d.figure:18}  {d.before} → {d.after}  {d.cause or 'UNEXPECTED'}")


def parser(main: argparse.ArgumentParser) -> argparse.ArgumentParser:
    """Give a command line what it needs to read."""
    commands = main.add_subparsers(required=True)
    one = commands.add_parser("make", help=record.__doc__)
    one.add_argument("--out", type=Path, required=True)
    one.add_argument("--only", default="*", help='a pattern of names, such as "RLSClustering/*"')
    one.set_defaults(run=record)
    one = commands.add_parser("compare", help=compare.__doc__)
    one.add_argument("before", type=Path, nargs="?", default=RECORD)
    one.add_argument("after", type=Path)
    one.set_defaults(run=compare)
    one = commands.add_parser("accept", help=accept.__doc__)
    one.add_argument("after", type=Path)
    one.add_argument("--before", type=Path, help="of this machine, if the record is of another")
    one.add_argument("--why", default="")
    one.add_argument("--cases", nargs="*", default=[], help="names or patterns of what changed")
    one.set_defaults(run=accept)
    return main
