"""Each cluster in numbers: its size, what makes it different, how sure its rows are."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from maxmargin.explain.features import contrast
from maxmargin.explain.formatting import compared, shorten
from maxmargin.explain.shares import shares
from maxmargin.report.partition_view import PartitionView

N_FEATURES = 5
N_EXEMPLARS = 3


def clusters_of(partition: PartitionView, ids: list[str]) -> list[dict[str, Any]]:
    """Sizes, margins, typical rows and the strongest features, cluster by cluster."""
    clustering = partition.clustering
    labels, clusters = clustering.labels, clustering.clusters
    differs = _differs(partition)
    own = {int(shown): i for i, shown in enumerate(partition.numbers)}
    typical = getattr(clustering.model, "exemplars_", None)
    if typical is not None and len(clustering.model.labels_) != len(labels):
        typical = None  # they are rows of fit, and these are others
    found = []
    for place, (cluster, size) in enumerate(zip(clusters, clustering.sizes, strict=True)):
        of_model = own[int(cluster)]
        rows = [] if typical is None else typical[of_model][:N_EXEMPLARS]
        found.append(
            {
                "number": int(cluster),
                "own_number": of_model,
                "size": int(size),
                "share": float(size / len(labels)),
                "margin": _middle(clustering.margin, labels == cluster),
                "typical": [ids[row] for row in rows],
                "differs": differs[place],
                "sentence": sentence_of(differs[place], clustering.pairwise, len(clusters)),
            }
        )
    return found


def sentence_of(differs: list[dict[str, Any]], pairwise: bool, n_clusters: int) -> str:
    """The strongest feature in words.

    Examples
    --------
    >>> from maxmargin.report.clusters import sentence_of
    >>> one = {"feature": "proline", "inside": 1115.7, "elsewhere": 540.1, "difference": 1.8}
    >>> sentence_of([one], False, 3)
    'proline is higher: 1,116 against 540 elsewhere.'
    >>> flag = {"feature": "smoker=yes", "inside": 0.62, "elsewhere": 0.21, "share": True}
    >>> sentence_of([flag], False, 3)
    'smoker: yes 62 % here, 21 % elsewhere.'
    """
    if not differs:
        if pairwise:
            return "X holds pairs of rows, not features: there is nothing to compare."
        if n_clusters == 1:
            return "There is no other cluster to compare it with."
        return "No feature differs."
    first = differs[0]
    inside, elsewhere = compared(first)
    if first.get("share"):
        name = shorten(first["feature"].replace("=", ": ", 1))
        return f"{name} {inside} here, {elsewhere} elsewhere."
    way = "higher" if first["difference"] > 0 else "lower"
    return f"{shorten(first['feature'])} is {way}: {inside} against {elsewhere} elsewhere."


def _differs(partition: PartitionView) -> list[list[dict[str, Any]]]:
    clustering = partition.clustering
    if clustering.pairwise:
        return [[] for _ in clustering.clusters]
    found = contrast(clustering.X, clustering.labels, clustering.clusters)
    share = shares(clustering.X)
    return [
        [
            {
                "feature": clustering.names[j],
                "column": int(j),
                "inside": float(found.inside[place, j]),
                "elsewhere": float(found.outside[place, j]),
                "difference": float(found.difference[place, j]),
                "share": bool(share[j]),
            }
            for j in found.strongest(place, N_FEATURES)
        ]
        for place in range(len(clustering.clusters))
    ]


def _middle(
    margin: NDArray[np.float64] | None, members: NDArray[np.bool_]
) -> dict[str, Any] | None:
    """The median margin of some rows, and how many are below 0."""
    if margin is None:
        return None
    return {
        "median": float(np.median(margin[members])),
        "n_negative": int(np.sum(margin[members] < 0)),
    }
