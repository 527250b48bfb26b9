"""The command on tables and files of every kind: an answer, or one line that says what to mend."""

import contextlib
import gzip
import io
import os
import tempfile
import warnings
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import polars as pl
from fuzz.limits import no_hang
from hypothesis import strategies as st
from scipy import sparse

from maxmargin.cli.main import run as run_command

#: Columns of a table, as text.
COLUMNS = {
    "clusters": lambda rng, n: [f"{v:.3f}" for v in rng.normal(size=n) + 9 * (np.arange(n) % 3)],
    "numbers": lambda rng, n: [f"{v:.2f}" for v in rng.normal(size=n)],
    "whole": lambda rng, n: [str(v) for v in rng.integers(-5, 5, n)],
    "decimal comma": lambda rng, n: [f"{v:.2f}".replace(".", ",") for v in rng.normal(size=n)],
    "huge": lambda rng, n: [f"{v:.3e}" for v in rng.choice([1e308, -1e308, 1e-320], n)],
    "names": lambda rng, n: [f"row {i}" for i in range(n)],
    "words": lambda rng, n: rng.choice(["ash", "birch", "é", "日本", ""], n).tolist(),
    "formulas": lambda rng, n: rng.choice(["=1+1", "+x", "@a", "-2"], n).tolist(),
    "quotes": lambda rng, n: rng.choice(['"a"', "b\nc", "d,e", "f;g", "'"], n).tolist(),
    "gaps": lambda rng, n: rng.choice(["", "NA", "nan", "1", "2.5", "None", "?"], n).tolist(),
    "infinities": lambda rng, n: rng.choice(["inf", "-inf", "1"], n).tolist(),
    "constant": lambda rng, n: ["7"] * n,
    "flags": lambda rng, n: rng.choice(["yes", "no"], n).tolist(),
    "dates": lambda rng, n: [f"2020-01-{1 + i % 28:02d}" for i in range(n)],
    "long": lambda rng, n: ["x" * 2000] * n,
}
FORMATS = ("csv", "csv.gz", "tsv", "npy", "npz", "parquet", "svmlight", "sparse.npz", "txt")
#: Options, sensible ones and others.
OPTIONS = (
    *(["-k", "2"], ["-k", "3"], ["-k", "0"], ["-k", "999"], ["-k", "x"], ["--seed", "1"]),
    *(["--method", "rls"], ["--method", "cutting-plane"], ["--method", "svc"], ["--method", "x"]),
    *(["--set", "alpha=0.1"], ["--set", "alpha=nan"], ["--set", "nonsense=1"], ["--set", "x"]),
    *(["--encode", "onehot"], ["--impute", "median"], ["--impute", "mean"], ["--no-standardize"]),
    *(["--header"], ["--no-header"], ["--separator", ";"], ["--separator", ""], ["--decimal", ","]),
    *(["--id", "c0"], ["--id", "nobody"], ["--truth", "c1"], ["--columns", "1-2"]),
    *(["--columns", "c0,c9"], ["--drop", "c0"], ["--encoding", "latin-1"], ["--encoding", "x"]),
    *(["--json"], ["-q"], ["--max-columns", "2"], ["--max-unpacked", "10"], ["-j", "0"]),
    *(["--escape-formulas"], ["--set", "n_init=1"], ["--unknown"], ["-k"]),
)


@dataclass(frozen=True)
class Table:
    """A recipe of a file and of the command on it."""

    columns: tuple[str, ...] = ("clusters", "numbers")
    n: int = 12
    seed: int = 0
    format: str = "csv"
    header: bool = True
    separator: str = ","
    newline: str = "\n"
    encoding: str = "utf-8"
    damage: int = 0
    command: str = "cluster"
    options: tuple[int, ...] = ()

    def content(self) -> bytes:
        """The bytes of the file."""
        rng = np.random.default_rng(self.seed)
        cells = [COLUMNS[name](rng, self.n) for name in self.columns]
        content = self._packed(cells, rng)
        if not self.damage or not content:
            return content
        damaged = bytearray(content)
        for _ in range(self.damage):
            place = int(rng.integers(len(damaged)))
            damaged[place : place + int(rng.integers(3))] = rng.bytes(int(rng.integers(3)))
            if not damaged:
                break
        return bytes(damaged)

    def _packed(self, cells: list[list[str]], rng: np.random.Generator) -> bytes:
        numbers = rng.normal(size=(self.n, len(cells))) + 8 * (np.arange(self.n)[:, None] % 2)
        out = io.BytesIO()
        if self.format == "npy":
            np.save(out, numbers)
        elif self.format == "npz":
            np.savez_compressed(out, X=numbers, other=numbers[:, :1])
        elif self.format == "sparse.npz":
            sparse.save_npz(out, sparse.csr_matrix(numbers))
        elif self.format == "parquet":
            pl.DataFrame({f"c{i}": column for i, column in enumerate(cells)}).write_parquet(out)
        elif self.format == "svmlight":
            lines = (" ".join(f"{j + 1}:{v:.3f}" for j, v in enumerate(row)) for row in numbers)
            out.write("".join(f"{i % 2} {line}\n" for i, line in enumerate(lines)).encode())
        else:
            out.write(self._text(cells))
        return gzip.compress(out.getvalue(), mtime=0) if self.format == "csv.gz" else out.getvalue()

    def _text(self, cells: list[list[str]]) -> bytes:
        separator = "\t" if self.format == "tsv" else self.separator
        lines = [[f"c{i}" for i in range(len(cells))]] if self.header else []
        lines += [list(line) for line in zip(*cells, strict=True)]
        quoted = [[f'"{c}"' if separator in c or "\n" in c else c for c in line] for line in lines]
        text = self.newline.join(separator.join(line) for line in quoted) + self.newline
        return text.encode(self.encoding, errors="replace")


def tables() -> st.SearchStrategy[Table]:
    """Tables of any kind, and commands on them."""
    return st.builds(
        Table,
        columns=st.one_of(
            st.just(("names", "clusters", "numbers")),
            st.lists(st.sampled_from(sorted(COLUMNS)), min_size=1, max_size=4).map(tuple),
        ),
        n=st.one_of(st.integers(0, 9), st.integers(10, 30)),
        seed=st.integers(0, 99),
        format=st.sampled_from(("csv", "csv", *FORMATS)),
        header=st.booleans(),
        separator=st.sampled_from([",", ";", "|", " "]),
        newline=st.sampled_from(["\n", "\r\n", "\r"]),
        encoding=st.sampled_from(["utf-8", "utf-8", "utf-8-sig", "utf-16", "latin-1"]),
        damage=st.sampled_from([0, 0, 0, 1, 4]),
        command=st.sampled_from(["cluster", "cluster", "cluster", "compare"]),
        options=st.lists(st.integers(0, len(OPTIONS) - 1), max_size=2, unique=True).map(tuple),
    )


def run_table(table: Table) -> str:
    """Run the command in a folder of its own, and check what it leaves behind."""
    with no_hang(), tempfile.TemporaryDirectory() as folder:
        path, labels = Path(folder) / f"t.{table.format}", Path(folder) / "labels.csv"
        path.write_bytes(table.content())
        labels.write_text("old\n")
        options = [word for i in table.options for word in OPTIONS[i]]
        quick = [] if table.command == "compare" else ["--set", "n_jobs=1"]
        arguments = [table.command, str(path), *quick, *options, "-o", str(labels)]
        code, out, err = _called(arguments)
        check_command(code, out, err, labels.read_text(), os.listdir(folder), "-q" in options)
    return "answered" if code == 0 else "refused"


def _called(arguments: list[str]) -> tuple[int, str, str]:
    out, err = io.StringIO(), io.StringIO()
    redirected = contextlib.redirect_stdout(out), contextlib.redirect_stderr(err)
    with redirected[0], redirected[1], warnings.catch_warnings():
        warnings.simplefilter("ignore")  # as the command does
        code = run_command(arguments)
    return code, out.getvalue(), err.getvalue()


def check_command(
    code: int, out: str, err: str, labels: str, files: list[str], quiet: bool
) -> None:
    """0 and whole outputs, or 2, one message and the files as they were."""
    assert code in (0, 2), (code, err)
    assert "Traceback" not in err
    assert len(files) == 2, files  # no draft is left
    if code == 2:
        assert labels == "old\n"
        assert err.strip(), "an error without a word"
        assert len(err) < 5000
        assert out == ""
    else:
        assert labels != "old\n"
        assert not (quiet and out)
