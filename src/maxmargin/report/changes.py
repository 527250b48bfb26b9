"""What changes when another partition takes the place of the answer."""

from typing import Any

import numpy as np
from sklearn.metrics import adjusted_rand_score

from maxmargin.explain.formatting import count, fixed, listed, name_of
from maxmargin.report.partition_view import PartitionView

N_MOVES = 3


def changes_of(answer: PartitionView, other: PartitionView) -> dict[str, Any]:
    """Which rows move from where to where, and how much both agree."""
    before, after = answer.clustering.labels, other.clustering.labels
    moved = before != after
    pairs, sizes = np.unique(
        np.column_stack([before[moved], after[moved]]), axis=0, return_counts=True
    )
    moves = [
        {"from": int(pairs[i, 0]), "to": int(pairs[i, 1]), "rows": int(sizes[i])}
        for i in np.argsort(-sizes, kind="stable")
    ]
    found: dict[str, Any] = {
        "n_moved": int(moved.sum()),
        "n_rows": len(before),
        "moves": moves,
        "ari": float(adjusted_rand_score(before, after)),
        "n_seen": other.n_seen,
    }
    return {**found, "sentence": _sentence(found, answer.score, other.score)}


def _sentence(found: dict[str, Any], before: float | None, after: float | None) -> str:
    moves = [
        f"{move['rows']:,} from {name_of(move['from'])} to {name_of(move['to'])}"
        for move in found["moves"][:N_MOVES]
    ]
    rest = found["n_moved"] - sum(move["rows"] for move in found["moves"][:N_MOVES])
    if rest:
        moves.append(f"{rest:,} otherwise")
    verb = "moves" if found["n_moved"] == 1 else "move"
    text = f"{found['n_moved']:,} of {count(found['n_rows'], 'row')} {verb}"
    text += f": {listed(moves)}" if moves else ""
    text += f"; agreement with the answer (adjusted Rand index) {fixed(found['ari'])}"
    if before is not None and after is not None:
        text += f"; score {fixed(after)} against {fixed(before)}"
    if found["n_seen"] is not None and found["n_seen"] < found["n_rows"]:
        text += f". It was found on {count(found['n_seen'], 'row')} and carried over to all"
    return text + "."
