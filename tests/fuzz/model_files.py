"""Model files by mutation: the same model, another that says so much, or one kind of error."""

import tempfile
import warnings
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from fuzz.limits import no_hang
from fuzz.rows import Rows
from hypothesis import strategies as st
from persistence.forge import forged

from maxmargin import (
    CuttingPlaneClustering,
    MaxMarginClustering,
    MaxMarginWarning,
    MultipleKernelClustering,
    RLSClustering,
    SupportVectorClustering,
    load,
    save,
)
from maxmargin.persistence import ModelFileError, read_metadata

MODELS = {
    "rls": RLSClustering(3, n_init=1, random_state=0),
    "planes": CuttingPlaneClustering(3, n_init=1, random_state=0),
    "kernels": MultipleKernelClustering(3, kernels=["rbf"], n_init=1, random_state=0),
    "domain": SupportVectorClustering(random_state=0),
    "front door": MaxMarginClustering(3, effort="fast", random_state=0),
}
JUNK = [
    None,
    True,
    -1,
    1e300,
    "x",
    "os",
    "../../etc/passwd",
    [],
    {},
    [[]],
    "ObjectNode",
    "5",
    2**70,
]


@cache
def content_of(name: str) -> bytes:
    """The bytes of a good file."""
    model = MODELS[name].fit(Rows(n=30).make())
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "good.skops"
        save(model, path)
        return path.read_bytes()


@dataclass(frozen=True)
class Mutation:
    """A recipe of a file that was changed."""

    model: str = "rls"
    kind: str = "bytes"
    seed: int = 0
    times: int = 1

    def write(self, path: Path) -> None:
        """Write the changed file."""
        rng = np.random.default_rng(self.seed)
        content = bytearray(content_of(self.model))
        if self.kind in ("schema", "metadata"):
            path.write_bytes(content)
            for _ in range(self.times):
                forged(path, **{self.kind: lambda tree: _mutated(tree, rng)})
            return
        for _ in range(self.times):
            place = int(rng.integers(len(content)))
            if self.kind == "cut":
                del content[place:]
                break
            if self.kind == "bits":
                content[place] ^= 1 << int(rng.integers(8))
            else:
                content[place : place + int(rng.integers(9))] = rng.bytes(int(rng.integers(9)))
        path.write_bytes(content)


def _mutated(tree: Any, rng: np.random.Generator) -> Any:
    """A tree of JSON with junk in one place."""
    node = parent = tree
    key: Any = None
    while isinstance(node, (dict, list)) and node:
        keys = list(node) if isinstance(node, dict) else range(len(node))
        parent, key = node, keys[int(rng.integers(len(keys)))]
        node = parent[key]
        if rng.random() < 0.1:
            break
    parent[key] = JUNK[int(rng.integers(len(JUNK)))]
    return tree


def mutations() -> st.SearchStrategy[Mutation]:
    """Changes of any kind."""
    return st.builds(
        Mutation,
        model=st.sampled_from(sorted(MODELS)),
        kind=st.sampled_from(["bits", "bytes", "cut", "schema", "schema", "metadata"]),
        seed=st.integers(0, 10**6),
        times=st.integers(1, 3),
    )


def run_mutation(mutation: Mutation) -> str:
    """Read the file: what comes out predicts, or the error is that of model files."""
    with no_hang(), tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "changed.skops"
        mutation.write(path)
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", MaxMarginWarning)  # of other versions
                read_metadata(path)
                load(path)
        except (ModelFileError, MemoryError):
            return "refused"
    return "answered"
