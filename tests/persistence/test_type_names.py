"""Our types have names in model files that stay when a class moves."""

import json
import re
import sys
import warnings
import zipfile
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest
from persistence.models import MODELS, UNFITTED, fitted, rls
from persistence.same import assert_same

from maxmargin import MaxMarginWarning, load, save
from maxmargin.persistence import read_metadata
from maxmargin.persistence.archive import nodes
from maxmargin.persistence.saveable import parts
from maxmargin.persistence.type_names import PREFIX, TYPES, stable_name

GOLDEN = sorted(Path(__file__).with_name("golden").glob("*.skops"))


def class_of(name):
    module, _, kind = TYPES[name].rpartition(".")
    return getattr(import_module(module), kind)


def text_of(path):
    with zipfile.ZipFile(path) as archive:
        return archive.read("model.json").decode()


def names_in(path):
    """The stable names in a model file."""
    found = nodes(json.loads(text_of(path)))
    return {node["__class__"] for node in found if node.get("__module__") == PREFIX}


def test_each_name_stands_for_one_class_and_each_class_has_one_name():
    assert len({class_of(name) for name in TYPES}) == len(TYPES)
    for name in TYPES:
        assert re.fullmatch(r"[A-Z]\w+", name)
        assert f"{class_of(name).__module__}.{class_of(name).__name__}" == TYPES[name]
        assert stable_name(class_of(name)) == name


def test_every_type_of_the_table_is_in_some_model(tmp_path):
    """A table that only grows would trust what is long gone."""
    found = set()
    for name in MODELS:
        save(fitted(name)[0], tmp_path / "model.skops")
        found |= names_in(tmp_path / "model.skops")
    assert found == set(TYPES)


def test_every_type_of_ours_in_a_model_is_in_the_table():
    models = [*(fitted(name)[0] for name in MODELS), *UNFITTED.values()]
    kinds = {type(part) for model in models for part in parts(model)}
    ours = {kind for kind in kinds if kind.__module__.startswith("maxmargin.")}
    assert ours == {class_of(name) for name in TYPES}


@pytest.mark.parametrize("name", MODELS)
def test_no_module_of_ours_is_in_a_file(name, tmp_path):
    save(fitted(name)[0], tmp_path / "model.skops")
    text = text_of(tmp_path / "model.skops")
    assert f'"{PREFIX}"' in text
    assert "maxmargin." not in text


@contextmanager
def every_class_moved(monkeypatch):
    """Let every class of the table be in another module, under another name."""
    elsewhere = ModuleType("maxmargin._elsewhere")
    were = {name: class_of(name) for name in TYPES}
    try:
        with monkeypatch.context() as patch:
            patch.setitem(sys.modules, elsewhere.__name__, elsewhere)
            for name, kind in were.items():
                patch.delattr(import_module(kind.__module__), kind.__name__)
                patch.setattr(kind, "__module__", elsewhere.__name__)
                kind.__name__ = f"Another{name}"
                setattr(elsewhere, kind.__name__, kind)
                patch.setitem(TYPES, name, f"{elsewhere.__name__}.{kind.__name__}")
            yield
    finally:
        for name, kind in were.items():
            kind.__name__ = TYPES[name].rpartition(".")[2]


@pytest.mark.parametrize(
    "name", ["front door", "rls, nystroem", "several, views", "domains, plateau", "search, objects"]
)
def test_files_are_read_after_every_class_moved(name, tmp_path, monkeypatch):
    old, new = tmp_path / "old.skops", tmp_path / "new.skops"
    model, rows = fitted(name)
    save(model, old)
    with every_class_moved(monkeypatch):
        loaded = load(old)
        assert type(loaded).__module__ == "maxmargin._elsewhere"
        assert_same(model, loaded)
        save(loaded, new)
    assert names_in(new) == names_in(old)
    assert read_metadata(new)["estimator"] == read_metadata(old)["estimator"]
    assert_same(load(new).predict(rows), model.predict(rows))


@pytest.mark.parametrize("path", GOLDEN, ids=lambda path: path.stem)
def test_files_of_earlier_versions_are_read(path):
    """If this fails, a class no longer reads what it wrote: see golden/write.py."""
    known = read_metadata(path)["metadata"]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", MaxMarginWarning)  # of another scikit-learn
        model = load(path)
    np.testing.assert_array_equal(model.predict(known["rows"]), known["predicted"])
    assert len(np.unique(known["predicted"])) == 3


def test_there_is_a_file_for_each_kind_of_model():
    assert len(GOLDEN) == 6


def test_names_that_are_data_stay_what_they_are(tmp_path):
    """Keys and values that look like the names of types are not translated."""
    looks = {
        "__module__": PREFIX,
        "__class__": "Kernel",
        "__loader__": "ObjectNode",
        "names": ["maxmargin/Kernel", "maxmargin.spaces.kernel.Kernel"],
        "slice": slice("maxmargin/", "Kernel"),
        "array": np.array(["maxmargin/Kernel"]),
        "objects": np.array(["maxmargin/", None], dtype=object),
    }
    save(rls(kernel_params=looks), tmp_path / "model.skops", metadata=PREFIX)
    assert_same(load(tmp_path / "model.skops").kernel_params, looks)
    assert read_metadata(tmp_path / "model.skops")["metadata"] == PREFIX
