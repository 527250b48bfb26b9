"""``make fuzz``: cases of every kind for FUZZ_MINUTES, from the round FUZZ_SEED on.

python -m fuzz                 # in tests/: all of it
python -m fuzz "Case(...)"     # one case, as a failure prints it
python -m fuzz stress          # only what comes after the cases
"""

import os
import sys
import traceback

import numpy as np
from fuzz.cases import Case, cases, run
from fuzz.harness import run_for
from fuzz.invariants import DEAR
from fuzz.model_files import Mutation, mutations, run_mutation
from fuzz.parameters import ESTIMATORS
from fuzz.rows import Rows
from fuzz.stress import STRESS
from fuzz.tables import Table, run_table, tables

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


def main() -> None:
    """Run the cases for as long as is wanted, then the rest."""
    if sys.argv[1:] == ["stress"]:
        sys.exit(bool(stress()))
    if len(sys.argv) > 1:
        print(one(sys.argv[1]))
        return
    minutes, first = os.environ.get("FUZZ_MINUTES", ""), os.environ.get("FUZZ_SEED", "")
    tally = run_for(60 * float(minutes or 10), KINDS, int(first or 0))
    print("\n".join(tally.lines()), flush=True)
    failed = stress() if "FUZZ_ONLY_CASES" not in os.environ else 0
    sys.exit(bool(tally.failures or failed))


if __name__ == "__main__":
    main()
