"""How simple the house is, in numbers: ``python tests/house.py`` prints them all."""

import ast
import graphlib
import io
import os
import re
import statistics
import subprocess
import sys
import threading
import tokenize
import warnings
from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from types import FrameType
from typing import Any

ROOT = Path(__file__).parents[1]
SOURCE = ROOT / "src" / "maxmargin"
TREES = ("src", "tests", "benchmarks")
SOURCES = "front_door/sources/"
LEFTOVERS = (".orig", ".rej", ".bak", ".swp", "~")

#: A class whose name is made of these words only is no noun of ours: a reader who knows
#: scikit-learn and the papers guesses what it is.
WORDS = {
    "scikit-learn": "Clustering Clusterer Classifier Estimator Transformer Mixin Model Base "
    "Kernel Kernels Feature Features Map Nystroem Gaussian Linear Precomputed Neighbors Graph "
    "Metric Pairwise Distances Search Criterion Mixture Landmarks Space Columns Reservoir "
    "Subsample Predict Parameters Settings Result Run Iterative Bisecting SVR Regression SDP Conic "
    "Program Bisection Balance",
    "parameters and attributes of the estimators": "Alternative Alternatives Effort Sizes Pins "
    "Proportions Bounds Number Candidate Candidates Level Levels Width Widths Outliers",
    "clusters": "Cluster Clusters Labels Labelling Partition Pool Ranking Links Agreement "
    "Consensus View Views",
    "objectives": "Objective Quadratic Form Hinge Norm Weights Least Squares RLS Error Residuals "
    "Leave One Out Spectrum Margin",
    "optimisation": "Optimizer Solver Problem Solution Start Starts Restart Restarts Multistart "
    "Constraints Cutting Plane Planes Cuts CCCP Alternation Hyperplanes Gradient Descent Dual Cone "
    "Incumbent SMO LibSVM Scaling",
    "the papers' searches": "Shaking Steepest Stochastic Evolutionary Sweeps Polish",
    "support vector clustering": "Support Vector Class Machine Domain Merge Tree Equilibria "
    "Nearest Components Connected Extractor SVC SGD",
    "statistics": "Dip Dips Gap Split Plateau Modes Density Pairwise Spectral",
    "graphs and trees of rows": "Edges Spanning Rooted Reach Genie Source Proposal",
    "data": "Row Rows Block Blocks Memory Matrix Stack",
    "adjectives": "Fitted Exact Explicit Max Multiple Unsupervised Named Small Squared Of",
}
WORDS_OF_THE_FIELD = {word for words in WORDS.values() for word in words.split()}

# -- the way of a fit ----------------------------------------------------------------------


@dataclass
class Way:
    """What a fit crosses, in the order of the first visit; compiled code is not seen.

    Attributes
    ----------
    files : list of str
        The files of ours whose code runs.
    classes : list of str
        The classes of ours that are made, or whose methods run, without those of the runtime.
    """

    files: list[str] = field(default_factory=list)
    classes: list[str] = field(default_factory=list)

    @property
    def own_files(self) -> list[str]:
        """The files without the runtime, which a fit enters once, by a ``with`` block.

        Nor those that say where rows live, whose one verb is a pass over them. The sources of
        candidates have one interface: who knows one of them knows them all.
        """
        apart = ("_runtime/", "_core/", "blocks/")
        own = [file for file in self.files if not file.startswith(apart)]
        return list(dict.fromkeys(SOURCES if file.startswith(SOURCES) else file for file in own))

    @property
    def nouns(self) -> list[str]:
        """The classes whose names are not words of the field."""
        return [name for name in self.classes if not is_of_the_field(name)]


def is_of_the_field(name: str) -> bool:
    """Whether a class name is made of words that the field knows."""
    words = re.findall(r"[A-Z]+(?![a-z])|[A-Z][a-z0-9]*", name)
    return all(word in WORDS_OF_THE_FIELD for word in words)


def models() -> dict[str, tuple[Any, Any]]:
    """Return every estimator as it comes, and rows that it clusters well."""
    from sklearn.cluster import KMeans
    from sklearn.datasets import make_blobs, make_moons

    import maxmargin as mm

    moons, _ = make_moons(100, noise=0.05, random_state=0)
    blobs, _ = make_blobs(60, centers=3, cluster_std=0.3, random_state=0)
    foreign = KMeans(n_init=1, random_state=0)
    return {
        "MaxMarginClustering": (mm.MaxMarginClustering(2, random_state=0), moons),
        "MaxMarginClustering, any k": (mm.MaxMarginClustering(random_state=0), moons),
        "RLSClustering": (mm.RLSClustering(2, random_state=0), moons),
        "CuttingPlaneClustering": (mm.CuttingPlaneClustering(3, random_state=0), blobs),
        "IterativeSVRClustering": (mm.IterativeSVRClustering(2, random_state=0), moons),
        "MultipleKernelClustering": (mm.MultipleKernelClustering(3, random_state=0), blobs),
        "SDPClustering": (mm.SDPClustering(2, init_size=12, random_state=0), moons),
        "SupportVectorClustering": (mm.SupportVectorClustering(random_state=0), moons),
        "UnsupervisedSearch": (mm.UnsupervisedSearch(foreign, {"n_clusters": [2, 3]}), blobs),
    }


@cache
def way_of(name: str) -> Way:
    """Fit one of the ``models`` once to have everything imported, then again and watch."""
    import maxmargin

    model, X = models()[name]
    home, way = str(Path(maxmargin.__file__).parent) + os.sep, Way()
    known = set()

    def look(frame: FrameType, event: str, _: Any) -> None:
        owner = _owner(frame) if event == "call" else None
        if event != "call" or (frame.f_code, owner) in known:
            return
        known.add((frame.f_code, owner))
        if frame.f_code.co_filename.startswith(home):
            _note(way.files, Path(frame.f_code.co_filename.removeprefix(home)).as_posix())
        for met in _met(owner, frame.f_code.co_qualname):
            if met.__module__.startswith("maxmargin.") and "._runtime." not in met.__module__:
                _note(way.classes, met.__name__)

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        model.fit(X)
        with _profiled(look):
            model.fit(X)
    return way


def _owner(frame: FrameType) -> type | None:
    """Return the class of the object that a method is called on."""
    for name in ("self", "cls", "_cls"):
        if name in frame.f_locals:
            found = frame.f_locals[name]
            return found if isinstance(found, type) else type(found)
    return None


def _met(owner: type | None, method: str) -> Iterator[type]:
    """Return the class of an object, and the one that its method is written in."""
    if owner is not None:
        yield owner
        written = method.rpartition(".")[0]
        yield from (base for base in owner.__mro__[1:] if base.__qualname__ == written)


def _note(seen: list[str], name: str) -> None:
    if name not in seen:
        seen.append(name)


@contextmanager
def _profiled(look: Callable[[FrameType, str, Any], None]) -> Iterator[None]:
    before = sys.getprofile()
    threading.setprofile(look)
    sys.setprofile(look)
    try:
        yield
    finally:
        sys.setprofile(before)
        threading.setprofile(None)


# -- lengths -------------------------------------------------------------------------------


def files(tree: str, *endings: str) -> list[Path]:
    """Return the files of a tree with one of these endings."""
    found = [path for ending in endings for path in (ROOT / tree).rglob(f"*{ending}")]
    return sorted(path for path in found if "__pycache__" not in path.parts)


def lengths(tree: str) -> dict[str, int]:
    """Return the lines of each file, the longest first."""
    found = {short(path): len(_text(path).splitlines()) for path in files(tree, ".py", ".pyx")}
    return dict(sorted(found.items(), key=lambda item: -item[1]))


def median_length(tree: str) -> float:
    """Return the median of the lines of a file."""
    return statistics.median(lengths(tree).values())


def long_functions(tree: str, most: int) -> dict[str, int]:
    """Return functions with more lines of code, without docstring, comments and blank lines."""
    found = {}
    for path in files(tree, ".py"):
        text = _text(path)
        code = _lines_of_code(text)
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                lines = set(range(node.lineno, (node.end_lineno or 0) + 1)) & code
                n = len(lines - _docstring_lines(node))
                if n > most:
                    found[f"{short(path)}:{node.name}"] = n
    return found


def lines_of_code(tree: str) -> int:
    """Return the lines of all files without docstrings, comments and blank lines."""
    total = 0
    for path in files(tree, ".py"):
        text = _text(path)
        module = ast.parse(text)
        documented = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
        docstrings = (_docstring_lines(n) for n in ast.walk(module) if isinstance(n, documented))
        total += len(_lines_of_code(text).difference(*docstrings))
    return total


def _lines_of_code(text: str) -> set[int]:
    empty = {tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT}
    empty.add(tokenize.ENDMARKER)
    tokens = tokenize.generate_tokens(io.StringIO(text).readline)
    return {
        line
        for token in tokens
        if token.type not in empty
        for line in range(token.start[0], token.end[0] + 1)
    }


def _docstring_lines(node: Any) -> set[int]:
    if ast.get_docstring(node) is None:
        return set()
    first = node.body[0]
    return set(range(first.lineno, (first.end_lineno or 0) + 1))


# -- names ---------------------------------------------------------------------------------


def double_classes() -> dict[str, list[str]]:
    """Return the names that several classes of the source have, and where."""
    found = defaultdict(list)
    for path in files("src", ".py"):
        for node in ast.walk(ast.parse(_text(path))):
            if isinstance(node, ast.ClassDef):
                found[node.name].append(short(path))
    return {name: places for name, places in found.items() if len(places) > 1}


def ambiguous_constants() -> dict[str, list[str]]:
    """Return the names in capitals that stand for different values in different modules."""
    found: dict[str, dict[str, str]] = defaultdict(dict)
    for path in files("src", ".py"):
        for node in ast.parse(_text(path)).body:
            targets = node.targets if isinstance(node, ast.Assign) else [node]
            for target in targets:
                place = target.target if isinstance(target, ast.AnnAssign) else target
                value = getattr(node, "value", None)
                if isinstance(place, ast.Name) and place.id.isupper() and value is not None:
                    found[place.id][short(path)] = ast.unparse(value)
    return {
        name: [f"{place}: {value}" for place, value in places.items()]
        for name, places in found.items()
        if len(set(places.values())) > 1
    }


def cycle() -> list[str]:
    """Return modules that import each other in a circle, if there are any."""
    try:
        graphlib.TopologicalSorter(_imports()).prepare()
    except graphlib.CycleError as error:
        return error.args[1]
    return []


def _imports() -> dict[str, set[str]]:
    """Return what each module imports when it is imported itself."""
    paths = files("src", ".py")
    names = {".".join(p.relative_to(ROOT / "src").with_suffix("").parts): p for p in paths}
    modules = {name.removesuffix(".__init__"): path for name, path in names.items()}
    found: dict[str, set[str]] = {}
    for name, path in modules.items():
        found[name] = set()
        for node in ast.parse(_text(path)).body:  # not what only functions or mypy import
            if isinstance(node, ast.ImportFrom) and node.module in modules:
                inner = {f"{node.module}.{alias.name}" for alias in node.names}
                found[name] |= inner & set(modules) or {node.module}
            elif isinstance(node, ast.Import):
                found[name] |= {alias.name for alias in node.names} & set(modules)
    return found


def leftovers() -> list[str] | None:
    """Return tracked files that editors and merges leave behind; None without git."""
    try:
        found = subprocess.run(
            ["git", "-C", str(ROOT), "ls-files"], capture_output=True, text=True, check=True
        )
    except (OSError, subprocess.CalledProcessError):
        return None
    return [name for name in found.stdout.splitlines() if name.endswith(LEFTOVERS)]


def short(path: Path) -> str:
    """Return a path for people."""
    return path.relative_to(ROOT).as_posix()


def _text(path: Path) -> str:
    return path.read_text(encoding="utf-8")


def main() -> None:
    """Print everything."""
    print("the way from fit to labels_")
    for name in models():
        way = way_of(name)
        print(
            f"  {name}: {len(way.own_files)} files ({len(way.files)} in all), "
            f"{len(way.classes)} classes, {len(way.nouns)} nouns of ours\n"
            f"    files: {', '.join(way.own_files)}\n"
            f"    nouns: {', '.join(way.nouns)}\n"
            f"    words of the field: {', '.join(c for c in way.classes if c not in way.nouns)}"
        )
    for tree in TREES:
        found = lengths(tree)
        long = [f"{name} {n}" for name, n in found.items() if n > 400]
        print(
            f"{tree}: {len(found)} files, {sum(found.values())} lines, median "
            f"{median_length(tree):g}; {lines_of_code(tree)} lines of code\n"
            f"  over 400 lines: {', '.join(long) or 'none'}"
        )
        print(f"  functions over 60 lines of code: {long_functions(tree, 60) or 'none'}")
    for title, value in (
        ("classes of the same name", double_classes()),
        ("constants with several values", ambiguous_constants()),
        ("a circle of imports", cycle()),
        ("leftovers", leftovers()),
    ):
        print(f"{title}: {value or 'none'}")


if __name__ == "__main__":
    main()
