"""RLSClustering side by side with its peers and with the limit of the linear algebra.

    python benchmarks/speed/rls/run.py [--quick]

Every fit runs in a process of its own with one thread, all methods of a size in turn, three
times; the table shows the smallest CPU time of each. Results go to ``results.csv`` and into
``README.md`` next to this file.
"""

import argparse
import json
import os
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parents[1]))

from shared.machine import describe, one_line
from shared.table import fill, markdown, number, write_csv

SIZES = (500, 1000, 2000, 4000, 8000)
PEERS = ("limit", "RLSClustering", "RLSClustering float32", "KMeans(n_init=10)", "Spectral(10-NN)")
LARGE = ("FastEvoMMC", "FastEvoMMC, 10 runs", "KMeans(n_init=10) on MNIST")
ONE_THREAD = {f"{library}_NUM_THREADS": "1" for library in ("OMP", "OPENBLAS", "MKL")}


def fit_once(method: str, n: int) -> dict:
    done = subprocess.run(
        [sys.executable, HERE / "methods.py", method, str(n)],
        env=os.environ | ONE_THREAD,
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode != 0:
        raise SystemExit(f"{method}, n = {n}: {done.stderr.strip().splitlines()[-1]}")
    return json.loads(done.stdout)


def measure(methods: tuple[str, ...], n: int, repeats: int) -> list[dict]:
    """The run with the smallest CPU time of each method; the methods take turns."""
    turns = [[fit_once(method, n) for method in methods] for _ in range(repeats)]
    best = [min(runs, key=lambda run: run["cpu_seconds"]) for runs in zip(*turns, strict=True)]
    for run in best:
        print(f"{run['method']:28s} n = {run['n']:6d}  {run['cpu_seconds']:8.3f} s", flush=True)
    return best


def exact_table(rows: list[dict], sizes: tuple[int, ...]) -> str:
    """Ratios at each size; every speed stands beside the quality of both sides."""
    lines = []
    for n in sizes:
        of = {row["method"]: row for row in rows if row["n"] == n}
        ours, single = of["RLSClustering"], of["RLSClustering float32"]
        seconds = ours["cpu_seconds"]
        lines.append(
            [
                n,
                number(seconds, 3),
                *(
                    number(seconds / of[peer]["cpu_seconds"])
                    for peer in ("limit", "KMeans(n_init=10)", "Spectral(10-NN)")
                ),
                number(ours.get("peak_over_8n2")),
                number(single.get("peak_over_8n2")),
                *(
                    number(of[method]["ari"])
                    for method in ("RLSClustering", "KMeans(n_init=10)", "Spectral(10-NN)")
                ),
            ]
        )
    return markdown(
        [
            "n",
            "CPU s",
            "÷ limit",
            "÷ KMeans",
            "÷ Spectral",
            "peak ÷ 8n²",
            "float32: peak ÷ 8n²",
            "ARI",
            "ARI KMeans",
            "ARI Spectral",
        ],
        lines,
    )


def large_table(rows: list[dict]) -> str:
    of = {row["method"]: row for row in rows}
    base = of["KMeans(n_init=10) on MNIST"]["cpu_seconds"]
    return markdown(
        ["method", "rows × features", "CPU s", "÷ KMeans(n_init=10)", "ARI"],
        [
            [
                name,
                f"{of[name]['n']} × {of[name]['d']}",
                number(of[name]["cpu_seconds"]),
                number(of[name]["cpu_seconds"] / base),
                number(of[name]["ari"]),
            ]
            for name in LARGE
        ],
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="small sizes, nothing is written")
    quick = parser.parse_args().quick
    sizes = SIZES[:2] if quick else SIZES
    repeats = 1 if quick else 3
    rows = [row for n in sizes for row in measure(PEERS, n, repeats)]
    print(exact_table(rows, sizes))
    if quick:
        return
    large = measure(LARGE, 14_000, repeats)
    write_csv(HERE / "results.csv", [row | describe() for row in rows + large])
    fill(HERE / "README.md", "exact", exact_table(rows, sizes))
    fill(HERE / "README.md", "large", large_table(large))
    fill(HERE / "README.md", "machine", one_line())


if __name__ == "__main__":
    main()
