"""``make fuzz``: cases of every kind for FUZZ_MINUTES, from the round FUZZ_SEED on.

FUZZ_JOBS processes share the rounds, as many as there are cores without it; FUZZ_CASES ends the run
when so many cases were tried.

python -m fuzz                 # in tests/: all of it
python -m fuzz "Case(...)"     # one case, as a failure prints it
python -m fuzz stress          # only what comes after the cases
"""

import os
import pickle
import subprocess
import sys
import tempfile
import traceback
from functools import reduce
from operator import add
from pathlib import Path

import numpy as np
from fuzz.cases import Case, cases, run
from fuzz.harness import Tally, run_for
from fuzz.invariants import DEAR
from fuzz.model_files import Mutation, mutations, run_mutation
from fuzz.parameters import ESTIMATORS
from fuzz.rows import Rows
from fuzz.stress import STRESS
from fuzz.tables import Table, run_table, tables

#: Where files need no disk, on Linux.
MEMORY = Path("/dev/shm")
KINDS = {name: (cases(name, DEAR), run) for name in ESTIMATORS}
KINDS |= {"tables": (tables(), run_table), "model files": (mutations(), run_mutation)}


def one(text: str) -> str:
    """Run a case from its repr."""
    known = {**ESTIMATORS, "np": np, "nan": np.nan, "inf": np.inf, "array": np.array}
    made = eval(text, {**known, "Case": Case, "Rows": Rows, "Table": Table, "Mutation": Mutation})
    runs = {Case: run, Table: run_table, Mutation: run_mutation}
    return runs[type(made)](made)


def stress() -> int:
    """Run what is slow, and count what fails."""
    failed = 0
    for check in STRESS:
        try:
            print(f"{check.__name__}: {check()}", flush=True)
        except Exception:
            failed += 1
            print(f"FAILED {check.__name__}\n{traceback.format_exc()}", flush=True)
    return failed


def share(job: int, jobs: int) -> Tally:
    """The rounds of one of several processes."""
    if MEMORY.is_dir():  # files cost more than fits on slow disks
        tempfile.tempdir = str(MEMORY)
    seconds, first = 60 * float(_asked("FUZZ_MINUTES") or 10), int(_asked("FUZZ_SEED") or 0)
    most = float(_asked("FUZZ_CASES") or "inf") / jobs
    return run_for(seconds, KINDS, first + job, jobs, most)


def try_cases(jobs: int) -> Tally:
    """Run the cases in so many processes."""
    if jobs == 1:
        return share(0, 1)
    with tempfile.TemporaryDirectory() as folder:
        found = [Path(folder) / f"{job}.pickle" for job in range(jobs)]
        command = [sys.executable, "-m", "fuzz", "share"]
        running = [
            subprocess.Popen([*command, str(job), str(jobs), str(path)])
            for job, path in enumerate(found)
        ]
        codes = [process.wait() for process in running]
        if any(codes):
            sys.exit(f"processes ended with {codes}")
        return reduce(add, (pickle.loads(path.read_bytes()) for path in found))


def _asked(name: str) -> str:
    return os.environ.get(name, "")


def main() -> None:
    """Run the cases for as long as is wanted, then the rest."""
    if sys.argv[1:] == ["stress"]:
        sys.exit(bool(stress()))
    if sys.argv[1:2] == ["share"]:
        job, jobs, path = sys.argv[2:]
        Path(path).write_bytes(pickle.dumps(share(int(job), int(jobs))))
        return
    if len(sys.argv) > 1:
        print(one(sys.argv[1]))
        return
    tally = try_cases(int(_asked("FUZZ_JOBS") or os.cpu_count() or 1))
    print("\n".join(tally.lines()), flush=True)
    failed = stress() if "FUZZ_ONLY_CASES" not in os.environ else 0
    sys.exit(bool(tally.failures or failed))


if __name__ == "__main__":
    main()
