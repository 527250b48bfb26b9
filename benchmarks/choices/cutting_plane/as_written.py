"""CPM3C and CPMMC as they are written: centred or not, from labels or from a constant w⁰.

    python benchmarks/choices/cutting_plane/as_written.py

The best majority accuracy in % over α ∈ {0.01, 0.03, 0.1, 0.3}, balance ∈ {0, 0.1, 0.3}, chosen by
the true labels as in the paper; two seeds where starts are drawn.
"""

import sys
import warnings
from itertools import product
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from shared.data import classes, digits, load

from maxmargin import CuttingPlaneClustering
from maxmargin.metrics import purity_score
from maxmargin.solvers import CPM3C, CPMMC

SETS = {
    "digits 3-8": lambda: classes(digits, 3, 8),
    "digits 8-9": lambda: classes(digits, 8, 9),
    "digits 0689": lambda: classes(digits, 0, 6, 8, 9),
    "digits 1279": lambda: classes(digits, 1, 2, 7, 9),
    "letter ABCD": lambda: classes(lambda: load("letter"), 0, 1, 2, 3),
}
WAYS = {
    "CPM3C(centred=False, constant_start=0.01)": CPM3C(None, False, 0.01),
    "CPM3C(centred=False, constant_start=1.0)": CPM3C(None, False, 1.0),
    "CPMMC(constant_start=0.01)": CPMMC(constant_start=0.01),
    "CPM3C(centred=False)": CPM3C(centred=False),
    "CPM3C()": CPM3C(),
}


def main() -> None:
    warnings.simplefilter("ignore")
    print("| |", *SETS, "", sep=" | ")
    for name, way in WAYS.items():
        cells = []
        for make in SETS.values():
            X, y = make()
            k, found = int(y.max()) + 1, []
            if way.n_clusters not in (None, k):
                cells.append("–")
                continue
            seeds = (0,) if way.constant_start else (0, 1)
            for alpha, balance, seed in product((0.01, 0.03, 0.1, 0.3), (0, 0.1, 0.3), seeds):
                n_init = 1 if way.constant_start else 6
                model = CuttingPlaneClustering(
                    k, optimizer=way, alpha=alpha, balance=balance, n_init=n_init,
                    random_state=seed,
                )  # fmt: skip
                found.append(100 * purity_score(y, model.fit(X / abs(X).max()).labels_))
            cells.append(f"{max(found):.2f} (median {sorted(found)[len(found) // 2]:.1f})")
        print(f"| `{name}` |", " | ".join(cells), "|", flush=True)


if __name__ == "__main__":
    main()
