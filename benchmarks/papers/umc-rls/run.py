"""Tables 1 and 2 of UMC-RLS: ``python benchmarks/papers/umc-rls/run.py [--quick]``.

Writes ``results.csv``, one row for each data set and method, and the tables of the README.
``--quick`` runs three small sets and writes to ``results-quick.csv`` only.
"""

import argparse
import sys
import time
from pathlib import Path

import numpy as np
from threadpoolctl import threadpool_limits

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[1]))

from methods import BASELINES, SEARCHES, baseline, rls_cells
from report import write_tables
from sets import SETS, load_set
from shared import machine, table
from shared.rls import free_sizes, run_once
from sklearn.datasets import load_iris
from sklearn.metrics.pairwise import rbf_kernel

from maxmargin import RLSClustering
from maxmargin.objectives.spectrum import Spectrum
from maxmargin.search import Shaking

QUICK = ("Iris", "Coil 1-4", "Moons")


def summary(name: str, method: str) -> dict:
    """Return what the paper's two tables and a user without labels see of a method."""
    X, y = load_set(name)
    if method in BASELINES:
        ari = baseline(method, X, y)
        mean, best = f"{ari.mean():.3f}", f"{ari.max():.3f}"
        return {
            "oracle_mean": mean, "oracle_std": f"{ari.std():.3f}", "oracle_cell": "",
            "no_labels_mean": mean, "no_labels_cell": "",
            "oracle_max": best, "no_labels_max": "",
        }  # fmt: skip
    cells = list(rls_cells(X, y, SEARCHES[method]))
    params, ari, _ = max(cells, key=lambda cell: cell[1].mean())
    blind_params, blind_ari, _ = max(cells, key=lambda cell: cell[2].mean())
    _, single_ari, single_loo = max(cells, key=lambda cell: cell[2].max())
    return {
        "oracle_mean": f"{ari.mean():.3f}",
        "oracle_std": f"{ari.std():.3f}",
        "oracle_cell": cell_name(params),
        "no_labels_mean": f"{blind_ari.mean():.3f}",
        "no_labels_cell": cell_name(blind_params),
        "oracle_max": f"{ari.max():.3f}",
        "no_labels_max": f"{single_ari[np.argmax(single_loo)]:.3f}",
    }


def cell_name(params: dict[str, float]) -> str:
    return f"λ=2^{int(np.log2(params['lam']))} σ={params['width']:.1f}σ0"


def check_against_estimator() -> None:
    """Make sure that one cell of the grid is what the estimator itself computes."""
    X, lam = load_iris().data, 2.0**-4
    gamma = 0.5
    model = RLSClustering(
        3, gamma=gamma, alpha=lam / len(X), polish=False, min_size=0, n_init=1, random_state=3
    ).fit(X)
    form = Spectrum.of_gram(rbf_kernel(X, gamma=gamma)).form(lam)
    run = run_once(form, Shaking(), free_sizes(len(X), 3), 3)
    np.testing.assert_allclose(run.objective, model.objective_, rtol=1e-8)
    np.testing.assert_allclose(run.loo_score, model.loo_score_, rtol=1e-6)
    np.testing.assert_array_equal(run.labels, model.labels_)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="three small sets only")
    quick = parser.parse_args().quick
    output = HERE / ("results-quick.csv" if quick else "results.csv")
    facts = machine.describe()
    rows = []
    check_against_estimator()
    for name in QUICK if quick else SETS:
        for method in (*BASELINES, *SEARCHES):
            began = time.process_time()
            row = {"dataset": name, "method": method, **summary(name, method)}
            row["cpu_seconds"] = f"{time.process_time() - began:.1f}"
            print(row, flush=True)
            rows.append({**row, **facts})
            table.write_csv(output, rows)
    if not quick:
        write_tables()


if __name__ == "__main__":
    with threadpool_limits(1):
        main()
