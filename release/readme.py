"""Write the table of README.md and docs/comparison.md anew from the committed results.

A number is the mean ARI over all sets of a column. Of each peer the kinder of its settings and of
raw and standardised columns counts, by that mean; a peer that was not run on all sets has none.
"""

import csv
import re
from pathlib import Path
from statistics import fmean

ROOT = Path(__file__).parents[1]
PAGES = [ROOT / "README.md", ROOT / "docs" / "comparison.md"]
OURS = "MaxMarginClustering"
PEERS = {  # the method before the brackets of its settings → its row
    "k-means": "k-means",
    "GMM": "Gaussian mixture",
    "spectral": "spectral clustering",
    "Ward": "Ward",
    "HDBSCAN": "HDBSCAN (finds the number itself)",
    "Genie": "Genie",
    "Lumbermark": "Lumbermark",
}
COLUMNS = {  # heading → the files with ours and with the peers, below benchmarks/
    "sets of many kinds": ["selection/results.csv", "selection/peers.csv"],
    "public battery": ["battery/results.csv", "battery/peers.csv"],
    "new, generated": ["unseen/after-2-generated.csv", "unseen/peers-2-generated.csv"],
    "new, real": ["unseen/after-2-real.csv", "unseen/peers-2-real.csv"],
    "new, uneven sizes": ["unseen/after-2-uneven.csv", "unseen/peers-2-uneven.csv"],
}
FENCE = re.compile(r"(?<=<!-- comparison -->\n).*?(?=<!-- /comparison -->)", re.DOTALL)


def rows_of(file: str) -> list[dict[str, str]]:
    """The lines of a table of results, wherever below benchmarks/ its folder is."""
    (path,) = (ROOT / "benchmarks").rglob(file)
    with path.open(encoding="utf-8", newline="") as stream:
        return list(csv.DictReader(stream))


def means(ours_file: str, peers_file: str) -> tuple[int, dict[str, float]]:
    """How many sets there are, and the mean ARI of each method that was run on all of them."""
    ours = [float(row["ari"]) for row in rows_of(ours_file) if row.get("way") in (None, "normal")]
    scores: dict[tuple[str, str, str], list[float]] = {}
    for row in rows_of(peers_file):
        setting = row["method"].partition(" (")[0], row["method"], row["columns"]
        scores.setdefault(setting, []).append(float(row["ari"]))
    found = {OURS: fmean(ours)}
    for (peer, *_), aris in scores.items():
        if len(aris) == len(ours):
            found[peer] = max(found.get(peer, -1.0), fmean(aris))
    return len(ours), found


def table() -> str:
    """The table, the best of each column in bold."""
    columns = {heading: means(*files) for heading, files in COLUMNS.items()}
    lines = ["| | " + " | ".join(f"{heading} ({n})" for heading, (n, _) in columns.items()) + " |"]
    lines += ["| --- |" + " --- |" * len(columns)]
    for method, name in {OURS: f"`{OURS}`", **PEERS}.items():
        cells = []
        for _, found in columns.values():
            cell = f"{found[method]:.2f}".lstrip("0") if method in found else "–"
            cells.append(f"**{cell}**" if found.get(method) == max(found.values()) else cell)
        lines.append(f"| {name} | " + " | ".join(cells) + " |")
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    for page in PAGES:
        page.write_text(FENCE.sub(lambda _: table(), page.read_text("utf-8")), encoding="utf-8")
