"""Mixed tables: ways to scale their columns, and the front door beside its peers."""

from collections.abc import Iterator, Mapping
from functools import partial

from sklearn.metrics import adjusted_rand_score

from benchmarks.datasets import mixed_tables, package_tables
from benchmarks.methods.geometries import WAYS
from benchmarks.methods.table_peers import GEOMETRIES, PEERS, Answer
from benchmarks.runner.measure import Row
from benchmarks.runner.study import Part, Results, Study
from benchmarks.runner.table import distinct, markdown, mean_of, number, where
from benchmarks.studies.tables import links


def keys(answers: Mapping[str, Answer], seeds: range, half: str) -> Iterator[Row]:
    """Generated tables of some seeds, and those of R packages if their folder is there."""
    generated = ((f.__name__, seed) for seed in seeds for f in mixed_tables.FAMILIES)
    real = ((name, 0) for name in package_tables.listed(half))
    for part, tables in (("generated", generated), ("real", real)):
        for table, seed in tables:
            yield from ({"part": part, "table": table, "seed": seed, "way": w} for w in answers)


def measure(
    answers: Mapping[str, Answer], half: str, part: str, table: str, seed: int, way: str
) -> Row:
    """The adjusted Rand index with the number of clusters given."""
    real = part == "real"
    frame, classes, k = (
        package_tables.table(table, package_tables.listed(half)[table])
        if real
        else mixed_tables.table(table, seed)
    )
    return {"ari": adjusted_rand_score(classes, answers[way](frame, k))}


def means(results: Results, file: str, part: str) -> dict[str, str]:
    """The mean of each way: of the rows, or as an earlier version of the study wrote it down."""
    if (results.folder / f"{file}.csv").is_file():
        rows = where(results[file], part=part)
        return {w: number(mean_of(where(rows, way=w), "ari"), 3) for w in distinct(rows, "way")}
    return {row["way"]: row["mean"] for row in results[f"{file}-{part}"]}


def columns_table(results: Results) -> str:
    """How far categories are apart."""
    generated, real = (means(results, "geometries", part) for part in ("generated", "real"))
    lines = [
        [
            way,
            *(of[f"{name}; {way}"] for of in (generated, real) for name in ("k-means", "margins")),
        ]
        for way in WAYS
    ]
    header = [
        f"{name}, {part}" for part in ("generated", "real") for name in ("k-means", "margins")
    ]
    return markdown(["columns", *header], lines)


def peer_table(results: Results) -> str:
    """The front door beside its peers; one line is of an earlier version."""
    generated, real = (means(results, "compare", part) for part in ("generated", "real"))
    lines = [[way, generated[way], real.get(way, "–")] for way in generated]
    lines.append(["MaxMarginClustering before (zeros and ones in an array)", "0.426", "0.207"])
    return markdown(["method", "generated, unseen seeds", "real, the half `test`"], lines)


QUICK = {"part": ("generated",), "table": ("flags",)}
STUDY = Study(
    "Mixed tables: ways to scale their columns, and the front door beside its peers",
    parts=(
        Part(
            "geometries",
            partial(keys, GEOMETRIES, range(3), "tune"),
            partial(measure, GEOMETRIES, "tune"),
            quick=QUICK | {"seed": (0,)},
        ),
        Part(
            "compare",
            partial(keys, PEERS, range(300, 305), "test"),
            partial(measure, PEERS, "test"),
            quick=QUICK | {"seed": (300,)},
        ),
        *links.PARTS,
    ),
    tables={"columns": columns_table, "peers": peer_table} | links.TABLES,
    module=__name__,
)
