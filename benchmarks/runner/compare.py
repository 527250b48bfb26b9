"""Two commits on this machine, in turns, so that what is lost shows."""

import os
import subprocess
import sys
from collections.abc import Iterable
from dataclasses import dataclass
from fnmatch import fnmatch
from pathlib import Path

import numpy as np

from benchmarks.runner import machine
from benchmarks.runner.run import FACTS, QUICK, apart, key_text
from benchmarks.runner.study import Row, Study
from benchmarks.runner.table import markdown, write_csv

ROOT = Path(__file__).parents[2]
BUILDS = Path("build") / "compare"
#: Times that differ by less are the same.
SAME_TIME = 0.05
#: As are other figures, as a share of the larger one.
SAME_FIGURE = 1e-6
TIMES = ("cpu_seconds", "seconds", "cpu_s", "fit_cpu_seconds", "phase_1", "phase_2")
#: Memory is no figure of what was found, either.
NOISY = (*TIMES, "peak_bytes", "mb")


@dataclass(frozen=True)
class Commit:
    """A commit that was built into a folder of its own."""

    name: str
    site: Path

    def environment(self) -> dict[str, str]:
        """What makes Python find it."""
        return {"PYTHONPATH": str(self.site), machine.COMMIT: self.name}


def git(*words: str) -> str:
    """What git says."""
    done = subprocess.run(
        ["git", "-C", str(ROOT), *words], capture_output=True, text=True, check=False
    )
    if done.returncode:
        raise LookupError(f"git {' '.join(words)}: {done.stderr.strip()}")
    return done.stdout.strip()


def build(revision: str) -> Commit:
    """Check a commit out beside this one and build it, unless that was done before."""
    name = git("rev-parse", "--short=12", f"{revision}^{{commit}}")
    source, site = (ROOT / BUILDS / kind / name for kind in ("source", "site"))
    if not (site / "maxmargin").is_dir():
        if not source.is_dir():
            git("worktree", "add", "--detach", str(source), name)
        command = [sys.executable, "-m", "pip", "install", "--quiet", "--no-build-isolation"]
        path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
        try:
            subprocess.run(
                [*command, "--no-deps", "--upgrade", "--target", str(site), str(source)],
                check=True,
                capture_output=True,
                env=os.environ | {"PATH": path},
            )
        finally:
            git("worktree", "remove", "--force", str(source))
    return Commit(name, site)


def compare(
    study: Study,
    revisions: tuple[str, str],
    rounds: int = 3,
    quick: bool = False,
    only: str = "*",
    parts: Iterable[str] = (),
) -> int:
    """Measure both in turns and print what differs; 1 if the second one is slower or other."""
    commits = [build(revision) for revision in revisions]
    lines, kept = [], []
    for part in [study.part(file) for file in parts] or study.parts:
        for key in part.keys(quick):
            if not fnmatch(key_text(key), only):
                continue
            turns: list[list[list[Row]]] = [[], []]
            for turn in range(rounds):
                for side in (0, 1) if turn % 2 == 0 else (1, 0):
                    rows = apart(study, part, key, **commits[side].environment())
                    turns[side].append(rows)
                    kept += [row | {"turn": turn} for row in rows]
            lines += judged(f"{part.file}: {key_text(key)}", turns)
            print(*(lines[-1] if lines else ()), flush=True)
    path = QUICK / f"compare-{commits[0].name}-{commits[1].name}-{study.name}.csv"
    path.parent.mkdir(parents=True, exist_ok=True)
    write_csv(path, kept)
    print(markdown(["what", "figure", *(c.name for c in commits), "ratio", "turns", ""], lines))
    return int(any(line[-1] for line in lines))


def judged(name: str, turns: list[list[list[Row]]]) -> list[list[str]]:
    """For every figure of a combination: both sides, their ratio, and whether that is a loss.

    A time is the least of the turns; it is a loss only if all turns of the second commit are slower
    than the fastest of the first. Other figures must be the same.
    """
    lines = []
    for place, row in enumerate(turns[0][0]):
        for figure in row:
            values = [[number(rows[place].get(figure)) for rows in side] for side in turns]
            if figure in FACTS or any(v is None for side in values for v in side):
                continue
            before, after = np.array(values[0], float), np.array(values[1], float)
            time = figure in TIMES
            old, new = (side.min() if time else np.median(side) for side in (before, after))
            ratio = new / old if old else np.inf if new else 1.0
            verdict = ""
            if time and ratio > 1 + SAME_TIME and after.min() > before.min():
                verdict = "slower" if (after > before.min() * (1 + SAME_TIME)).all() else ""
            elif figure not in NOISY and abs(new - old) > SAME_FIGURE * max(abs(new), abs(old)):
                verdict = "other"
            if time or verdict:
                all_turns = " ".join(f"{b:.3g}:{a:.3g}" for b, a in zip(before, after, strict=True))
                lines.append(
                    [name, figure, f"{old:.5g}", f"{new:.5g}", f"{ratio:.2f}", all_turns, verdict]
                )
    return lines


def number(value: object) -> float | None:
    """A figure, or None for words."""
    try:
        return float(str(value))
    except ValueError:
        return None
