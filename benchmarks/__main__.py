"""One benchmark of all: what there is, runs of it, the tables, and two commits in turns.

python -m benchmarks list
python -m benchmarks run STUDY [--quick] [--only "PATTERN"] [--part FILE]
python -m benchmarks report [STUDY ...] [--draw] [--html build/benchmarks.html]
python -m benchmarks compare BASE [HEAD] STUDY [--quick]
python -m benchmarks record {make,compare,accept}
"""

import os

for library in ("OMP", "OPENBLAS", "MKL"):
    os.environ.setdefault(f"{library}_NUM_THREADS", "1")

import argparse
import ast
import sys
from pathlib import Path

from benchmarks.runner import ablation, compare, page, run, study
from benchmarks.studies.record import command as record


def list_all(options: argparse.Namespace) -> int:
    """Print the data sets, the methods and the studies."""
    here = Path(__file__).parent
    for folder in ("datasets", "methods"):
        print(folder)
        for path in sorted((here / folder).glob("[a-z]*.py")):
            said = ast.get_docstring(ast.parse(path.read_text(encoding="utf-8"))) or ""
            print(f"  {path.stem:20} {said.splitlines()[0]}")
    print("studies")
    for name in study.names():
        one = study.load(name)
        print(f"  {name:25} {one.title}")
        for part in one.parts:
            print(f"    {part.file}.csv")
    return 0


def run_all(options: argparse.Namespace) -> int:
    """Measure what the files of studies do not hold yet."""
    if (options.without or options.change) and not options.out:
        raise SystemExit("what is changed is no result: name a folder with --out")
    failures = 0
    names = study.names() if options.studies == ["all"] else options.studies
    for name in names:
        with ablation.applied(options.without, options.change):
            one = study.load(name)
            failures += run.run(one, options.quick, options.only, options.part, options.out)
    return int(failures > 0)


def report(options: argparse.Namespace) -> int:
    """Write the tables of the READMEs, and the page of all studies."""
    studies = [study.load(name) for name in options.studies or study.names()]
    for one in studies:
        empty = run.report(one, options.draw)
        if empty:
            print(f"{one.name}: no rows for {', '.join(empty)}; what the page says there stays.")
    if options.html:
        page.write(studies, options.html)
        print(f"{options.html}: {options.html.stat().st_size / 1e6:.1f} MB")
    return 0


def compare_two(options: argparse.Namespace) -> int:
    """Measure two commits in turns; 1 if the second is slower or finds something else."""
    *revisions, name = options.words
    if len(revisions) not in (1, 2):
        raise SystemExit("compare BASE [HEAD] STUDY")
    both = (revisions[0], revisions[1] if len(revisions) == 2 else "HEAD")
    one = study.load(name)
    return compare.compare(one, both, options.rounds, options.quick, options.only, options.part)


def parser() -> argparse.ArgumentParser:
    """What reads the command line."""
    main = argparse.ArgumentParser("python -m benchmarks", description=__doc__.splitlines()[0])
    commands = main.add_subparsers(required=True)
    commands.add_parser("list", help=list_all.__doc__).set_defaults(run=list_all)
    running = commands.add_parser("run", help=run_all.__doc__)
    running.add_argument("studies", nargs="+", help="all of them: all")
    running.add_argument("--out", type=Path, help="a folder of its own, for what is no result")
    ablation.add_arguments(running)
    running.set_defaults(run=run_all)
    comparing = commands.add_parser("compare", help=compare_two.__doc__)
    comparing.add_argument("words", nargs="+", metavar="BASE [HEAD] STUDY")
    comparing.add_argument("--rounds", type=int, default=3, help="turns of each commit")
    comparing.set_defaults(run=compare_two)
    for command in (running, comparing):
        command.add_argument("--quick", action="store_true", help="a few small ones, kept apart")
        command.add_argument("--only", default="*", help='a pattern of "value value …"')
        command.add_argument("--part", nargs="+", default=(), help="some files of a study only")
    reporting = commands.add_parser("report", help=report.__doc__)
    reporting.add_argument("studies", nargs="*", help="all by default")
    reporting.add_argument("--draw", action="store_true", help="draw the pictures too")
    reporting.add_argument("--html", type=Path, help="a page of all studies that stands alone")
    reporting.set_defaults(run=report)
    record.parser(commands.add_parser("record", help=record.__doc__.splitlines()[0]))
    return main


if __name__ == "__main__":
    options = parser().parse_args()
    sys.exit(options.run(options))
