"""Files that name types of ours in ways that our files do not: nothing of them is built."""

import json
import zipfile

import pytest
from persistence.forge import forged, mapping, named, sequence, smuggled, text
from persistence.models import rls

from maxmargin import load, save
from maxmargin.persistence import ModelFileError
from maxmargin.persistence.type_names import TYPES

KERNEL = TYPES["Kernel"]

#: How loaders of skops that would call a class are filled.
CALLS = {
    "FunctionNode": {},
    "TypeNode": {},
    "JsonNode": {"content": "3"},
    "ListNode": {"content": [text("x")]},
    "SetNode": {"content": [text("x")]},
    "TupleNode": {"content": [text("x")]},
    "ConstructorFromReduceNode": {"content": sequence([text("x")], "tuple")},
    "DictNode": {"content": {}, "key_types": sequence([])},
    "NdArrayNode": {"content": [], "shape": sequence([], "tuple"), "type": "json"},
    "RandomStateNode": {"content": mapping({}, [])},
}


@pytest.fixture
def path(tmp_path):
    path = tmp_path / "model.skops"
    save(rls(), path)
    return path


def assert_refused(path, node, words, monkeypatch):
    """A file with such a node is refused before skops sees it, with these words."""
    forged(path, schema=smuggled(node))
    monkeypatch.setattr("skops.io.load", None)
    with pytest.raises(ModelFileError) as caught:
        load(path)
    assert f"nothing of it was built or executed: {words}." in str(caught.value)


@pytest.mark.parametrize(
    ("module", "name"),
    [
        *(place.rsplit(".", 1) for place in TYPES.values()),
        ("maxmargin", KERNEL.partition(".")[2]),
        (KERNEL.rsplit(".", 2)[0], ".".join(KERNEL.rsplit(".", 2)[1:])),
        ("maxmargin", "RLSClustering"),
        ("maxmargin", "load"),
        ("maxmargin/Kernel", "Kernel"),
    ],
)
def test_modules_of_ours(module, name, path, monkeypatch):
    node = named(module, name, "ObjectNode", content=mapping({}, []))
    assert_refused(path, node, f"{module}.{name}", monkeypatch)


@pytest.mark.parametrize("name", ["os", "", "kernel", "Kernel ", "Kernel.os", "../Kernel", KERNEL])
@pytest.mark.parametrize("loader", ["ObjectNode", "FunctionNode", "TypeNode"])
def test_names_that_are_not_in_the_table(name, loader, path, monkeypatch):
    assert_refused(path, named("maxmargin/", name, loader), f"maxmargin/{name}", monkeypatch)


@pytest.mark.parametrize("name", [None, 3, True, ["Kernel"], {"Kernel": 1}])
def test_names_that_are_no_text(name, path):
    for node in (named("maxmargin/", name, "ObjectNode"), named(name, "Kernel", "ObjectNode")):
        save(rls(), path)
        forged(path, schema=smuggled(node))
        with pytest.raises(ModelFileError):
            load(path)


@pytest.mark.parametrize("loader", CALLS)
def test_types_of_ours_are_only_objects(loader, path, monkeypatch):
    """So no file has an ``__init__`` of ours called."""
    node = named("maxmargin/", "Kernel", loader, **CALLS[loader])
    assert_refused(path, node, KERNEL, monkeypatch)


def test_types_of_ours_do_not_make_keys(path, monkeypatch):
    node = mapping({"x": text("x")}, [named("maxmargin/", "Kernel", "TypeNode")])
    assert_refused(path, node, KERNEL, monkeypatch)


def test_names_are_not_translated_in_the_ends_of_a_slice(path, monkeypatch):
    """The only data in a schema that could be taken for a node."""
    ends = {"start": named("maxmargin/", "Kernel", "ObjectNode"), "stop": None, "step": None}
    node = named("builtins", "slice", "SliceNode", content=ends)
    assert_refused(path, node, "builtins.slice", monkeypatch)


@pytest.mark.parametrize("protocol", [0, 1, -1, True])
def test_functions_where_older_protocols_name_them(protocol, path):
    content = dict(zip(("module_path", "function"), KERNEL.rsplit(".", 1), strict=True))
    node = named("numpy", "log", "FunctionNode", content=content)
    forged(path, schema=smuggled(node, protocol))
    with pytest.raises(ModelFileError, match=f"protocol {protocol} of skops"):
        load(path)


@pytest.mark.parametrize("name", ["Popen", "Kernel"])
def test_a_name_that_is_given_twice(name, path, monkeypatch):
    """In JSON the last one counts; skops sees only that one, too."""
    twice = '"__module__": "maxmargin/", "__module__": "subprocess"'
    node = f'{{{twice}, "__class__": "{name}", "__loader__": "ObjectNode"}}'
    with zipfile.ZipFile(path) as archive:
        schema = json.dumps(smuggled("HERE")(json.loads(archive.read("model.json"))))
    forged(path, members={"model.json": schema.replace('"HERE"', node).encode()})
    with pytest.raises(ModelFileError, match=f"not trusted.*subprocess.{name}"):
        load(path)


def test_a_schema_of_skops_besides_the_model(path):
    with zipfile.ZipFile(path) as archive:
        schema = archive.read("model.json")
    forged(path, members={"schema.json": schema})
    with pytest.raises(ModelFileError, match=r"it holds schema\.json besides model\.json"):
        load(path)
