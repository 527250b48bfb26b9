"""What was found, in a sentence and a few figures."""

from typing import Any

from maxmargin.explain.clustering import Clustering
from maxmargin.explain.disagreements import count_disagreements
from maxmargin.explain.formatting import (
    against,
    count,
    fixed,
    listed,
    name_of,
    number,
    share,
    shorten,
)

#: More sizes than this are no sentence any more.
MANY = 8
#: Clusters whose strongest feature is told in the head of the page.
N_DIFFERENCES = 4
#: Margins that are nothing but rounding: alike rows in two clusters.
ON_BOUNDARY = 1e-12
#: Scores that differ by less say little.
LEVEL = 0.02


def headline_of(summary: dict[str, Any]) -> dict[str, Any]:
    """The head of the page, from the rest of the summary."""
    answer, data = summary["partitions"][0], summary["data"]
    return {
        "sentence": _sentence(summary["method"]["name"], answer, data),
        "differences": _differences(answer),
        "n_clusters": len(answer["clusters"]),
        "n_outliers": answer["n_outliers"],
        "n_uncertain": n_uncertain(answer),
        "facts": _facts(summary, answer, data),
    }


def n_uncertain(partition: dict[str, Any]) -> int | None:
    """Rows that would go elsewhere; None where the model cannot say."""
    margins = partition["margins"]
    return None if margins is None or margins["kind"] == "depth" else margins["n_negative"]


def warnings_of(
    summary: dict[str, Any], given: list[str] | None, clustering: Clustering
) -> list[str]:
    """What was warned of during the fit, and what the figures themselves warn of.

    Where nobody says what was warned of, the model is asked.
    """
    model = clustering.model
    answer = summary["partitions"][0]
    found = _doubts(model) if given is None else list(given)
    new = summary["data"]["n_rows"] != len(getattr(model, "labels_", ()))
    if new and len(summary["partitions"]) == 1 and getattr(model, "alternatives_", []):
        found.append(
            "The alternatives of the model are not shown: they are about the rows that it was "
            "fitted to, and these are others."
        )
    elsewhere = count_disagreements(clustering)
    if elsewhere:
        found.append(
            f"The model predicts another cluster than its label for {elsewhere:,} of "
            f"{count(summary['data']['n_rows'], 'row')}: either X does not hold the rows of fit in "
            f"their order, or the model is no guide to new rows."
        )
    tiny = [c["number"] for c in answer["clusters"] if c["size"] < 3]
    if tiny:
        who = listed([str(cluster) for cluster in tiny])
        found.append(
            f"Cluster {who} has fewer than three rows."
            if len(tiny) == 1
            else f"Clusters {who} have fewer than three rows each."
        )
    level = [g for g in summary["partitions"][1:] if g["score"] > answer["score"] - LEVEL]
    if level:
        verb = "scores" if len(level) == 1 else "score"
        better = any(g["score"] > answer["score"] + LEVEL for g in level)  # an alternative taken
        how = "about as well as the answer" + (", or better" if better else "")
        found.append(
            f"{listed([g['name'] for g in level]).capitalize()} {verb} {how} "
            f"({listed([fixed(g['score']) for g in level])} against "
            f"{fixed(answer['score'])}): other groupings may be "
            f"{'better' if better else 'as good'}."
        )
    return found


def _doubts(model: Any) -> list[str]:
    """What a fitted model remembers of the warnings of its fit."""
    found = []
    if getattr(model, "complete_", True) is False:
        found.append("The search was ended early: the answer is the best of what was done by then.")
    if getattr(model, "k_confidence_", 3) < 2:
        found.append(
            f"The evidence for {count(model.n_clusters_, 'cluster')} is weak: three rules give "
            f"three numbers."
        )
    return found


def _sentence(name: str, answer: dict[str, Any], data: dict[str, Any]) -> str:
    n, clusters = data["n_rows"], answer["clusters"]
    rows = count(n, "row")
    text = f"{name} found {count(len(clusters), 'cluster')} in {rows}"
    sizes = [c["size"] for c in clusters]
    if len(sizes) > MANY:
        small, large = min(sizes), max(sizes)
        text += (
            f", of {count(small, 'row')} each"
            if small == large
            else f", of {small:,} to {large:,} rows"
        )
    elif len(sizes) > 1:
        text += f": {listed([f'{size:,} ({share(size, n)})' for size in sizes])}"
    if answer["n_outliers"]:
        many = answer["n_outliers"]
        verb = "is an outlier" if many == 1 else "are outliers"
        text += f"; {count(many, 'row')} ({share(many, n)}) {verb}"
    uncertain = n_uncertain(answer)
    if uncertain is not None and len(clusters) > 1:
        if uncertain:
            text += f"; {count(uncertain, 'row')} ({share(uncertain, n)}) may belong elsewhere"
        elif all(row["margin"] > ON_BOUNDARY for row in answer["margins"]["least_certain"]):
            text += "; every row is on the right side of its boundary"
        else:
            text += "; no row is on the wrong side of its boundary, but some are on it"
    return text + "."


def _differences(answer: dict[str, Any]) -> str:
    """The strongest feature of each of the largest clusters."""
    parts = []
    largest = sorted(answer["clusters"], key=lambda cluster: -cluster["size"])[:N_DIFFERENCES]
    for cluster in answer["clusters"]:
        if cluster not in largest:
            continue
        if cluster["differs"]:
            first = cluster["differs"][0]
            way = "high" if first["difference"] > 0 else "low"
            parts.append(
                f"{name_of(cluster['number'])} has {way} {shorten(first['feature'])} "
                f"({' against '.join(against(first['inside'], first['elsewhere']))})"
            )
    if not parts:
        return ""
    text = "; ".join(parts)
    return text[0].upper() + text[1:] + "."


def _facts(
    summary: dict[str, Any], answer: dict[str, Any], data: dict[str, Any]
) -> list[dict[str, str]]:
    facts = [
        {"name": "clusters", "value": number(len(answer["clusters"]))},
        {"name": "rows", "value": number(data["n_rows"])},
    ]
    if data["kind"] != "pairs":
        facts.append({"name": "columns", "value": number(data["n_columns"])})
    if answer["n_outliers"]:
        facts.append({"name": "outliers", "value": number(answer["n_outliers"])})
    uncertain = n_uncertain(answer)
    if uncertain is not None:
        facts.append({"name": "uncertain rows", "value": number(uncertain)})
    if answer["score"] is not None:
        facts.append({"name": "leave-one-out score", "value": fixed(answer["score"])})
    if summary["truth"] is not None and summary["truth"]["ari"] is not None:
        facts.append(
            {"name": "agreement with known labels (ARI)", "value": fixed(summary["truth"]["ari"])}
        )
    return facts
