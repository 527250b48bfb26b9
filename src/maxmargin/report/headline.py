"""What was found, in a sentence and a few figures."""

from typing import Any

from maxmargin.explain.formatting import (
    compared,
    count,
    fixed,
    listed,
    name_of,
    number,
    share,
    shorten,
)

#: More sizes than this are no sentence any more.
MAX_SIZES = 8
#: Clusters whose strongest feature is told in the head of the page.
N_DIFFERENCES = 4
#: Margins that are nothing but rounding: alike rows in two clusters.
ON_BOUNDARY = 1e-12


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


def _sentence(name: str, answer: dict[str, Any], data: dict[str, Any]) -> str:
    n, clusters = data["n_rows"], answer["clusters"]
    rows = count(n, "row")
    text = f"{name} found {count(len(clusters), 'cluster')} in {rows}"
    sizes = [c["size"] for c in clusters]
    if len(sizes) > MAX_SIZES:
        small, large = min(sizes), max(sizes)
        each = f"{count(small, 'row')} each" if small == large else f"{small:,} to {large:,} rows"
        text += f", of {each}"
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
    largest = sorted(answer["clusters"], key=lambda cluster: -cluster["size"])[:N_DIFFERENCES]
    parts = []
    for cluster in answer["clusters"]:
        if cluster in largest and cluster["differs"]:
            first = cluster["differs"][0]
            way = "high" if first["difference"] > 0 else "low"
            parts.append(
                f"{name_of(cluster['number'])} has {way} {shorten(first['feature'])} "
                f"({' against '.join(compared(first))})"
            )
    text = "; ".join(parts)
    return f"{text[0].upper()}{text[1:]}." if text else ""


def _facts(
    summary: dict[str, Any], answer: dict[str, Any], data: dict[str, Any]
) -> list[dict[str, str]]:
    facts = {"clusters": number(len(answer["clusters"])), "rows": number(data["n_rows"])}
    if data["kind"] != "pairs":
        facts["columns"] = number(data["n_columns"])
    if answer["n_outliers"]:
        facts["outliers"] = number(answer["n_outliers"])
    uncertain = n_uncertain(answer)
    if uncertain is not None:
        facts["uncertain rows"] = number(uncertain)
    if answer["score"] is not None:
        facts["leave-one-out score"] = fixed(answer["score"])
    if summary["truth"] is not None and summary["truth"]["ari"] is not None:
        facts["agreement with known labels (ARI)"] = fixed(summary["truth"]["ari"])
    return [{"name": name, "value": value} for name, value in facts.items()]
