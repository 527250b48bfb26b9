"""``k_confidence_``, the probability that the number of clusters is exact: its fit, and a check.

The draws are of series of their own: one that the constants are fitted to, another that says
whether they hold. They are the families of ``datasets/numbers.py`` and ``datasets/unseen.py``; of
tables, latent classes (``mixed_tables.py``), other models (``misspecified_tables.py``) and those of
R packages, if their folder is there. Only the number is looked for, not the answer at it.
"""

from collections.abc import Callable, Iterable, Iterator
from functools import cache, partial
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import log_loss

from benchmarks.datasets import misspecified_tables, mixed_tables, numbers, package_tables, unseen
from benchmarks.methods.front_door import number_of_clusters
from benchmarks.runner.measure import Row
from benchmarks.runner.study import Part, Results
from benchmarks.runner.table import markdown, number, where
from maxmargin.front_door.number import LARGEST_MARGIN
from maxmargin.front_door.number_of_classes import LARGEST_GAP

#: The series of draws, the seeds of tables, and the halves of real ones.
FIT, CHECK = "fit", "check"
SERIES = {FIT: 21, CHECK: 22}
SEEDS = {FIT: range(700, 705), CHECK: range(710, 715)}
HALVES = {FIT: "tune", CHECK: "test"}
#: Draws of each generator of ``numbers.py`` and of ``unseen.py``.
DRAWS = {FIT: (8, 3), CHECK: (4, 2)}
BINS = (0.0, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 1.0)
Bool = NDArray[np.bool_]
Matrix = NDArray[np.float64]


@cache
def drawn(use: str) -> dict[str, tuple[str, Any, int]]:
    """Family, rows and number of clusters of each set, by name."""
    of_numbers, of_unseen = DRAWS[use]
    found = {}
    for name, s in numbers.all_draws(SERIES[use]):
        if s.family in numbers.SOURCES or int(name.split()[-1]) < of_numbers:
            found[name] = s.family, s.X, s.k
    for draw in unseen.all_draws("generated", SERIES[use], of_unseen):
        # rows that belong nowhere have no number; 3000 rows take too long
        if (draw.y >= 0).all() and draw.family != "many clusters":
            found[draw.name] = draw.family, draw.X, draw.k
    return found


@cache
def tables(use: str) -> dict[str, tuple[str, Callable[[], tuple[Any, Any, int]]]]:
    """Kind of each table, and what makes it with its classes and their number, by name."""
    made = {"latent classes": mixed_tables, "other models": misspecified_tables}
    found: dict[str, tuple[str, Callable[[], tuple[Any, Any, int]]]] = {
        f"{family.__name__} {seed}": (kind, partial(module.table, family.__name__, seed))
        for kind, module in made.items()
        for family in module.FAMILIES
        for seed in SEEDS[use]
    }
    for name, column in package_tables.listed(HALVES[use]).items():
        found[name] = "real", partial(package_tables.table, name, column)
    return found


def measure(use: str, set: str) -> Iterator[Row]:
    """What the confidence is made of; nothing where latent classes were counted."""
    family, X, k = drawn(use)[set]
    found = number_of_clusters(X)
    if found is not None and found.of == "clusters":
        curve, at = found.curve, int(np.argmax(found.curve["evidence"]))
        far = curve["evidence"][np.abs(curve["k"] - found.k) > 1].max(initial=-np.inf)
        row: Row = {"family": family, "k_true": k, "k": found.k}
        row["margin"] = float(min(curve["evidence"][at] - far, LARGEST_MARGIN))
        row["weakest_border"] = float(curve["weakest_border"][at])
        yield row | {"confidence": found.confidence}


def measure_table(use: str, set: str) -> Iterator[Row]:
    """The same of latent classes; nothing where clusters were counted."""
    kind, make = tables(use)[set]
    X, _, k = make()
    found = number_of_clusters(X)
    if found is not None and found.of == "latent classes":
        evidence = found.curve["evidence"]
        at = int(np.argmax(evidence))
        gap = -float(np.delete(evidence, at).max(initial=-np.inf))
        row: Row = {"kind": kind, "k_true": k, "k": found.k, "gap": min(gap, LARGEST_GAP)}
        row["left_in_common"] = float(found.curve["left_in_common"][at])
        yield row | {"confidence": found.confidence}


def keys(sets: Callable[[str], Iterable[str]]) -> Iterator[Row]:
    for use in SERIES:
        yield from ({"use": use, "set": name} for name in sets(use))


# -- how the tables are written ------------------------------------------------------------


def column(rows: Iterable[Row], name: str) -> Matrix:
    return np.array([float(row[name]) for row in rows])


def is_exact(rows: list[Row]) -> Bool:
    return np.array([row["k"] == row["k_true"] for row in rows])


def of_clusters(rows: list[Row]) -> Matrix:
    one = column(rows, "k") == 1
    return np.column_stack([column(rows, "margin"), column(rows, "weakest_border"), one])


def of_classes(rows: list[Row]) -> Matrix:
    left = np.log(column(rows, "left_in_common"))
    return np.column_stack([np.log1p(column(rows, "gap")), left])


def reliability(said: Matrix, exact: Bool) -> list[list[Any]]:
    """What was promised, and what happened, bin by bin."""
    lines = []
    for low, high in pairwise(BINS):
        own = (said >= low) & (said < high)
        if own.any():
            shares = number(said[own].mean()), number(exact[own].mean())
            lines.append([f"{low:g} – {high:g}", own.sum(), *shares])
    return [*lines, ["all", len(said), number(said.mean()), number(exact.mean())]]


def fitted(file: str, features: Callable[[list[Row]], Matrix], results: Results) -> str:
    """The constants, and how far those of the version that was run hold on other draws."""
    rows = where(results[file], use=FIT)
    model = LogisticRegression(C=10.0).fit(features(rows), is_exact(rows))
    constants = ", ".join(f"{value:.2f}" for value in (model.intercept_[0], *model.coef_[0]))
    checked = where(results[file], use=CHECK)
    said, exact = column(checked, "confidence"), is_exact(checked)
    header = ["k_confidence_", "n", "promised", "happened"]
    return (
        f"Fitted to {len(rows)} sets: ({constants}). On {len(checked)} others the log loss is "
        f"{log_loss(exact, said):.3f}:\n\n{markdown(header, reliability(said, exact))}"
    )


def by_kind(results: Results) -> str:
    """How far it holds on tables of each kind, of both uses."""
    lines = []
    for use in SERIES:
        for kind in ("latent classes", "other models", "real"):
            rows = where(results["confidence_tables"], use=use, kind=kind)
            if rows:
                said, exact = column(rows, "confidence"), is_exact(rows)
                sure = said >= 0.7
                cells = [number(said.mean()), number(exact.mean()), sure.sum()]
                share = number(exact[sure].mean()) if sure.any() else "–"
                lines.append([use, kind, len(rows), *cells, share])
    header = ["use", "tables", "n", "promised", "happened", "above .7", "of these exact"]
    return markdown(header, lines)


FEW = {"set": ("digits 0", "one ring 0", "flags 700", "one_cloud 700")}
PARTS = (
    Part("confidence", partial(keys, drawn), measure, quick=FEW),
    Part("confidence_tables", partial(keys, tables), measure_table, quick=FEW),
)
TABLES = {
    "confidence": partial(fitted, "confidence", of_clusters),
    "confidence_tables": partial(fitted, "confidence_tables", of_classes),
    "confidence_kinds": by_kind,
}
