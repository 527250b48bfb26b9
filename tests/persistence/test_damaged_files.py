"""Files that are damaged: one kind of error, or the same model."""

import io
import json
import os
import pickle
import zipfile

import numpy as np
import pytest
import skops.io
from persistence.forge import forged
from persistence.models import fitted, rls
from persistence.same import assert_same
from scipy.sparse import csr_matrix, save_npz

from maxmargin import load, save
from maxmargin.persistence import ModelFileError, read_metadata

N_FLIPS = 150
N_MUTATIONS = 250


@pytest.fixture
def path(tmp_path):
    return tmp_path / "model.skops"


@pytest.fixture
def content(path):
    """The bytes of a good file."""
    save(fitted("domains")[0], path)
    return path.read_bytes()


def first(node, wanted):
    """The first node of a schema that is wanted."""
    if isinstance(node, dict):
        if wanted(node):
            return node
        node = list(node.values())
    if isinstance(node, list):
        for item in node:
            found = first(item, wanted)
            if found is not None:
                return found
    return None


def test_a_file_that_is_not_there(path):
    for read in (load, read_metadata):
        with pytest.raises(FileNotFoundError):
            read(path)
        with pytest.raises((IsADirectoryError, PermissionError)):
            read(path.parent)


@pytest.mark.parametrize(
    "content",
    [b"", b"PK", b"labels\n0\n1\n", pickle.dumps(rls()), os.urandom(3000), b"PK\5\6" + bytes(18)],
    ids=["empty", "two bytes", "text", "pickle", "noise", "empty zip"],
)
def test_what_is_no_model_file(content, path):
    path.write_bytes(content)
    for read in (load, read_metadata):
        with pytest.raises(ModelFileError, match="is no model file of maxmargin") as caught:
            read(path)
        assert str(path) in str(caught.value)


def test_a_file_of_skops_alone(path):
    skops.io.dump(rls(), path)
    with pytest.raises(ModelFileError, match=r"skops\.io\.load reads it"):
        load(path)


def test_a_file_that_was_cut_off(path, content):
    lengths = {*range(40), *np.linspace(0, len(content) - 1, 60).astype(int), len(content) - 1}
    for length in lengths:
        path.write_bytes(content[:length])
        with pytest.raises(ModelFileError):
            load(path)


def test_bytes_that_flipped(path, content, global_random_seed):
    rng = np.random.default_rng(global_random_seed)
    good = load(path)
    directory = content.rindex(b"PK\5\6") - 1500  # where names and sizes are
    places = [*rng.integers(len(content), size=N_FLIPS // 2)]
    places += [*rng.integers(directory, len(content), size=N_FLIPS // 2)]
    refused = 0
    for place in places:
        damaged = bytearray(content)
        damaged[place] ^= 1 << int(rng.integers(8))
        path.write_bytes(damaged)
        try:
            assert_same(load(path), good)
        except ModelFileError:
            refused += 1
    assert refused > N_FLIPS / 4


def test_a_schema_that_was_changed_at_random(path, content, global_random_seed):
    """The zip is right, the structure is not: no other error comes out."""
    rng = np.random.default_rng(global_random_seed)
    junk = [None, True, -1, 1e300, "x", "os", "../../etc/passwd", [], {}, [[]], "ObjectNode", "5"]
    refused = 0
    for _ in range(N_MUTATIONS):

        def mutate(schema):
            node = schema
            while isinstance(node, (dict, list)) and node:
                keys = list(node) if isinstance(node, dict) else range(len(node))
                parent, key = node, keys[int(rng.integers(len(keys)))]
                node = parent[key]
                if rng.random() < 0.1:
                    break
            parent[key] = junk[int(rng.integers(len(junk)))]
            return schema

        path.write_bytes(content)
        forged(path, schema=mutate)
        try:
            load(path)
        except (ModelFileError, MemoryError):
            refused += 1
    assert refused > N_MUTATIONS / 4


@pytest.mark.parametrize(
    "text", ["", "{", "[]", "3", "null", "[" * 100_000, '{"a":' * 100_000, "\xff\xfe", "{}"]
)
@pytest.mark.parametrize("member", ["model.json", "maxmargin.json"])
def test_json_that_is_none(text, member, path, content):
    forged(path, members={member: text.encode("latin-1")})
    with pytest.raises(ModelFileError):
        load(path)


def test_a_schema_that_is_too_deep(path, content):
    node = {"__class__": "list", "__module__": "builtins", "__loader__": "ListNode", "content": []}
    deep = json.dumps(node).replace('"content": []', '"content": [DEEPER]')
    text = "DEEPER"
    for _ in range(12):  # 2048 levels
        text = text.replace("DEEPER", deep) if text == "DEEPER" else text.replace("DEEPER", text)
    text = text.replace("DEEPER", "")
    forged(path, members={"model.json": text[:-1] + ', "protocol": 2}'})
    with pytest.raises(ModelFileError, match="RecursionError"):
        load(path)


def test_members_that_are_missing_or_packed_otherwise(path, content):
    with zipfile.ZipFile(path) as archive:
        members = {name: archive.read(name) for name in archive.namelist()}
    array = next(name for name in members if name.endswith(".npy"))
    for gone in ("model.json", array):
        with zipfile.ZipFile(path, "w") as archive:
            for name in set(members) - {gone}:
                archive.writestr(name, members[name])
        with pytest.raises(ModelFileError):
            load(path)
    with zipfile.ZipFile(path, "w", zipfile.ZIP_LZMA) as archive:
        for name in members:
            archive.writestr(name, members[name])
    with pytest.raises(ModelFileError, match="packed in another way"):
        load(path)
    with zipfile.ZipFile(path, "w") as archive:
        for name in members:
            archive.writestr(name, members[name])
        with pytest.warns(UserWarning, match="Duplicate name"):
            archive.writestr(array, members[array])
    with pytest.raises(ModelFileError, match="packed in another way"):
        load(path)


def test_another_model_than_the_file_says(path):
    save(rls(), path)
    forged(path, metadata=lambda old: {**old, "estimator": "MaxMarginClustering"})
    with pytest.raises(ModelFileError, match="'MaxMarginClustering', and holds 'RLSClustering'"):
        load(path)
    forged(path, schema=lambda schema: {**schema["content"], "protocol": 2})
    with pytest.raises(ModelFileError, match="holds 'dict'"):
        load(path)


# -- what would not fit ------------------------------------------------------------------


@pytest.fixture
def one_megabyte(monkeypatch):
    monkeypatch.setattr("maxmargin._runtime.memory.available_memory", lambda: 2**20)


def bomb(size):
    """The bytes of an array of zeros, which a zip archive makes tiny."""
    buffer = io.BytesIO()
    np.save(buffer, np.zeros(size // 8))
    return buffer.getvalue()


def test_an_array_that_is_larger_than_memory(path, content, one_megabyte):
    load(path)
    node = first(
        json.loads(zipfile.ZipFile(path).read("model.json")),
        lambda node: str(node.get("file")).endswith(".npy"),
    )
    forged(path, members={node["file"]: bomb(2**21)})
    assert path.stat().st_size < 2**17
    with pytest.raises(MemoryError, match=r"the model in .*model\.skops needs"):
        load(path)


@pytest.mark.parametrize("member", ["model.json", "maxmargin.json"])
def test_json_that_is_larger_than_memory(member, path, content, one_megabyte):
    forged(path, members={member: b"[" + b" " * 2**20 + b"]"})
    with pytest.raises(MemoryError):
        load(path)


def test_one_array_that_is_read_many_times(path, content, one_megabyte):
    def again(schema):
        node = first(schema, lambda node: str(node.get("file")).endswith(".npy"))
        copies = [{**node, "__id__": 10**6 + i} for i in range(40)]
        node.update(__class__="list", __loader__="ListNode", __module__="builtins", content=copies)
        forged(path, members={node.pop("file"): bomb(2**15)})
        return schema

    with zipfile.ZipFile(path) as archive:
        schema = again(json.loads(archive.read("model.json")))
    forged(path, members={"model.json": json.dumps(schema).encode()})
    with pytest.raises(MemoryError):
        load(path)


@pytest.mark.parametrize("ending", ["npz", "npy"])
def test_an_archive_in_the_archive(ending, path, one_megabyte):
    save(fitted("rls, sparse")[0], path)
    load(path)
    buffer = io.BytesIO()
    save_npz(buffer, csr_matrix((2**18, 3)))

    def renamed(schema):
        first(schema, lambda node: node.get("type") == "scipy")["file"] = f"bomb.{ending}"
        return schema

    forged(path, schema=renamed, members={f"bomb.{ending}": buffer.getvalue()})
    assert path.stat().st_size < 2**17
    with pytest.raises(MemoryError):
        load(path)


def test_an_array_that_says_it_is_huge(path, content):
    header = io.BytesIO()
    described = {"descr": "<f8", "fortran_order": False, "shape": (10**13,)}
    np.lib.format.write_array_header_1_0(header, described)
    with zipfile.ZipFile(path) as archive:
        name = next(name for name in archive.namelist() if name.endswith(".npy"))
    forged(path, members={name: header.getvalue()})
    with pytest.raises(ModelFileError):
        load(path)
