"""Files that want something: nothing of them is executed."""

import importlib
import io
import json
import pickle
import sys
import zipfile
from contextlib import suppress

import numpy as np
import pytest
import skops.io
from persistence.forge import forged, mapping, named, sequence, smuggled, text
from persistence.models import TEXTS, fitted, rls
from scipy.sparse import csc_matrix, save_npz
from sklearn.utils import check_random_state

from maxmargin import load, save
from maxmargin.persistence import ModelFileError
from maxmargin.persistence.archive import for_skops
from maxmargin.persistence.trust import trusted_types
from maxmargin.persistence.type_names import TYPES, read_names


@pytest.fixture
def canary(tmp_path):
    """A file that appears when anything of a hostile file runs."""
    return tmp_path / "canary"


@pytest.fixture
def path(tmp_path):
    path = tmp_path / "model.skops"
    save(rls(), path)
    return path


def calls(command):
    """Nodes that would call something, and the type that they have to name."""
    call = sequence([text(command)], "tuple")
    empty = mapping({}, [])
    system = named("os", "system")
    return {
        "a key that is called": ("os.system", mapping({command: text("x")}, [system])),
        "a type of keys": (
            "os.system",
            mapping({command: text("x")}, [{**system, "__loader__": "TypeNode"}]),
        ),
        "a constructor": (
            "os.system",
            named("os", "system", "ConstructorFromReduceNode", content=call),
        ),
        "eval": (
            "builtins.eval",
            named("builtins", "eval", "ConstructorFromReduceNode", content=call),
        ),
        "an object": (
            "subprocess.Popen",
            named("subprocess", "Popen", "ObjectNode", content=empty),
        ),
        "a list": ("os.system", named("os", "system", "ListNode", content=[text(command)])),
        "a set": ("os.system", named("os", "system", "SetNode", content=[text(command)])),
        "a tuple": ("os.system", named("os", "system", "TupleNode", content=[text(command)])),
        "a dict": (
            "os.getcwd",
            named("os", "getcwd", "DictNode", content={}, key_types=sequence([])),
        ),
    }


def others(command):
    """Nodes of other kinds, or of types that are not trusted."""
    call, empty = sequence([text(command)], "tuple"), mapping({}, [])
    system = named("os", "system")
    return {
        "a loss": (
            "os.system",
            named("os", "system", "LossNode", content=empty, __reduce__={"args": call}),
        ),
        "a partial": (
            "functools.partial",
            named(
                "functools",
                "partial",
                "PartialNode",
                content={"func": system, "args": call, "kwds": empty, "namespace": empty},
            ),
        ),
        "an operator": (
            "operator.methodcaller",
            named("operator", "methodcaller", "OperatorFuncNode", attrs=call),
        ),
        "a method": (
            "CuttingPlaneClustering",
            named(
                "maxmargin/",
                "CuttingPlaneClustering",
                "MethodNode",
                content={
                    "func": "_kernels",
                    "obj": named(
                        "maxmargin/", "CuttingPlaneClustering", "ObjectNode", content=empty
                    ),
                },
            ),
        ),
        "a function of scikit-learn": (
            "sklearn.utils._joblib",
            named("sklearn.utils._joblib", "load"),
        ),
        "a function of NumPy": ("numpy.load", named("numpy", "load")),
        "ours, but not of the list": (
            "maxmargin._runtime.parallel.one_thread",
            named("maxmargin._runtime.parallel", "one_thread"),
        ),
        "a node without a type": ("MethodNode", {"__loader__": "MethodNode", "content": {}}),
        "random numbers": (
            "numpy.random.Generator",
            named(
                "numpy.random",
                "Generator",
                "RandomGeneratorNode",
                content={
                    "bit_generator": mapping(
                        {"bit_generator": text("seed")}, [named("builtins", "str", "TypeNode")]
                    ),
                    "seed_seq": empty,
                },
            ),
        ),
    }


def attacks(command):
    """Nodes that would run a command, and the type that they have to name."""
    return calls(command) | others(command)


@pytest.mark.parametrize("protocol", [0, 1, 2])
@pytest.mark.parametrize("name", attacks(""))
def test_types_that_are_not_trusted(name, protocol, path, canary):
    kind, node = attacks(f"touch {canary}")[name]
    before = check_random_state(None).get_state()[1].copy()
    forged(path, schema=smuggled(node, protocol))
    with pytest.raises(ModelFileError) as caught:
        load(path)
    if protocol == 2:
        assert kind in str(caught.value)
        assert "nothing of it was built or executed" in str(caught.value)
    assert not canary.exists()
    np.testing.assert_array_equal(check_random_state(None).get_state()[1], before)


def test_the_canary_sings(path, canary):
    """The first attack would work with skops, were its type trusted."""
    _, node = attacks(f"touch {canary}")["a key that is called"]
    with path.open("rb") as file, zipfile.ZipFile(file) as archive:
        schema = smuggled(node)(json.loads(archive.read("model.json")))
        assert read_names(schema) == set()
        skops.io.load(for_skops(file, schema), trusted=[*trusted_types(), "os.system"])
    assert canary.exists()


@pytest.mark.parametrize(
    "loader", ["ObjectNode", "TypeNode", "FunctionNode", "ListNode", "DictNode"]
)
def test_no_module_is_imported_before_it_is_trusted(loader, path, canary, tmp_path, monkeypatch):
    (tmp_path / "module_with_a_canary.py").write_text(
        f"open({str(canary)!r}, 'w').close()\nclass Thing: pass\n"
    )
    monkeypatch.syspath_prepend(tmp_path)
    content = {"DictNode": {}, "ListNode": []}.get(loader)
    node = named("module_with_a_canary", "Thing", loader, content=content, key_types=sequence([]))
    forged(path, schema=smuggled(node))
    with pytest.raises(ModelFileError, match=r"module_with_a_canary\.Thing"):
        load(path)
    assert not canary.exists()
    assert "module_with_a_canary" not in sys.modules


class Bomb:
    def __init__(self, path):
        self.path = path

    def __reduce__(self):
        return open, (str(self.path), "w")


@pytest.mark.parametrize("kind", ["array", "plain pickle", "sparse"])
def test_pickles_inside_of_arrays(kind, path, canary):
    buffer = io.BytesIO()
    if kind == "plain pickle":
        pickle.dump(Bomb(canary), buffer)
    elif kind == "array":
        np.save(buffer, np.array([Bomb(canary)], dtype=object))
    else:
        np.savez(
            buffer, format=np.array([Bomb(canary)], dtype=object), shape=(1, 1), data=np.zeros(1)
        )
    if kind == "sparse":
        node = named(
            "scipy.sparse._csr", "csr_matrix", "SparseMatrixNode", type="scipy", file="x.npz"
        )
    else:
        node = named("numpy", "ndarray", "NdArrayNode", type="numpy", file="x.npz")
    forged(path, schema=smuggled(node), members={"x.npz": buffer.getvalue()})
    with pytest.raises(ModelFileError):
        load(path)
    assert not canary.exists()


@pytest.mark.parametrize("name", ["../secret.npy", "/etc/passwd", "..\\secret.npy"])
def test_members_are_not_sought_on_disk(name, path, tmp_path):
    np.save(tmp_path.parent / "secret.npy", np.arange(3))
    node = named("numpy", "ndarray", "NdArrayNode", type="numpy", file=name)
    forged(path, schema=smuggled(node))
    with pytest.raises(ModelFileError, match="no item named"):
        load(path)


def test_sparse_matrices_whose_indices_lead_astray(path):
    save(fitted("rls, sparse")[0], path)
    with zipfile.ZipFile(path) as archive:
        name = next(name for name in archive.namelist() if name.endswith(".npz"))
    for change in ("indices", "indptr"):
        wrong = TEXTS.copy()
        getattr(wrong, change)[-2] = 10**6
        buffer = io.BytesIO()
        save_npz(buffer, wrong)
        forged(path, members={name: buffer.getvalue()})
        with pytest.raises(ModelFileError):
            load(path)
    buffer = io.BytesIO()
    save_npz(buffer, csc_matrix(TEXTS))
    forged(path, members={name: buffer.getvalue()})
    with pytest.raises(ModelFileError, match="'csc', not 'csr'"):
        load(path)


def test_search_trees_are_in_no_file(path):
    """scikit-learn follows their indices without checks."""
    save(fitted("domains")[0], path)
    with zipfile.ZipFile(path) as archive:
        assert b"KDTree" not in archive.read("model.json")


#: What runs, or could, when an object is made or thrown away without anybody asking it anything.
HOOKS = ("__new__", "__setstate__", "__del__", "__call__", "__getattr__", "__setattr__")


def test_trusted_types_do_nothing_by_themselves():
    """A new hook has to be looked at: files can fill these objects with anything."""
    found = set()
    for path in TYPES.values():
        module, _, name = path.rpartition(".")
        for kind in getattr(importlib.import_module(module), name).__mro__:
            frozen = hasattr(kind, "__dataclass_params__")  # which refuses to be changed
            if kind.__module__.startswith("maxmargin."):
                hooks = [
                    h for h in HOOKS if h in vars(kind) and not (frozen and h == "__setattr__")
                ]
                found |= {(kind.__name__, hook) for hook in hooks}
    assert found == {
        ("Reservoir", "__setstate__"),  # makes PCG64 from numbers, which NumPy checks
        ("Violations", "__setstate__"),  # the same
        ("NearestRow", "__setstate__"),  # grows a search tree from rows, which it checks
        ("Kernel", "__call__"),  # takes two arguments, and no function comes from a file
        ("ReservoirMixin", "__getattr__"),  # fits a model to rows, when asked for a result
    }


def test_trusted_types_that_are_filled_with_anything(path):
    for name in TYPES:
        for items in ([], [text("x")], [text("x")] * 3):
            content = mapping(
                {f"a{i}": item for i, item in enumerate(items)},
                [named("builtins", "str", "TypeNode")] * len(items),
            )
            save(rls(), path)
            node = named("maxmargin/", name, "ObjectNode", content=content)
            forged(path, schema=smuggled(node))
            with suppress(ModelFileError):
                assert load(path).n_clusters == 3
