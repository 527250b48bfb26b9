"""Measure one combination, and print its rows for the process that asked: see ``run.apart``.

Nothing is imported but the study, which may be measured with another version of the library.
"""

import json
import sys

from benchmarks.runner.run import here
from benchmarks.runner.study import load

if __name__ == "__main__":
    study, part, key = sys.argv[1:]
    print(json.dumps(here(load(study).part(part), json.loads(key))))
