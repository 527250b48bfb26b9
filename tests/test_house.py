"""The house stays simple: short ways, small files, one name for one thing.

``python tests/house.py`` prints the figures.
"""

import house
import pytest

MOST_FILES = 15
MOST_FILES_IN_ALL = 40
MOST_NOUNS = 4
MOST_LINES = 400
MOST_MEDIAN_LINES = 100
MOST_LINES_OF_CODE = 60


@pytest.mark.parametrize(
    "name",
    [
        "MaxMarginClustering",
        "MaxMarginClustering, any k",
        "RLSClustering",
        "CuttingPlaneClustering",
        "IterativeSVRClustering",
        "MultipleKernelClustering",
        "SDPClustering",
        "SupportVectorClustering",
        "UnsupervisedSearch",
    ],
)
def test_the_way_from_fit_to_labels_crosses_few_files_and_nouns(name):
    way = house.way_of(name)
    assert len(way.own_files) <= MOST_FILES, way.own_files
    assert len(way.files) <= MOST_FILES_IN_ALL, way.files
    assert len(way.nouns) <= MOST_NOUNS, way.nouns


def test_the_way_is_seen():
    # what the count relies on: methods, inherited ones, and what dataclasses write themselves
    way = house.way_of("CuttingPlaneClustering")
    assert any(file.startswith("_runtime/") for file in way.files)
    assert "CuttingPlaneClustering" in way.classes
    assert len(way.own_files) > 5
    assert len(way.classes) > 5


def test_every_estimator_is_looked_at():
    import maxmargin

    estimators = {n for n in maxmargin.__all__ if n.endswith(("Clustering", "Search"))}
    assert {name.partition(",")[0] for name in house.models()} == estimators


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("KernelClassifier", True),
        ("RLSClustering", True),
        ("NumberOfClusters", True),
        ("Scene", False),
        ("KernelTerrain", False),
    ],
)
def test_words_of_the_field(name, expected):
    assert house.is_of_the_field(name) == expected


@pytest.mark.parametrize("tree", ["src", "tests", "benchmarks"])
def test_no_file_is_long(tree):
    long = {name: n for name, n in house.lengths(tree).items() if n > MOST_LINES}
    assert not long


def test_most_files_of_the_source_are_short():
    assert house.median_length("src") <= MOST_MEDIAN_LINES


@pytest.mark.parametrize("tree", ["src", "tests", "benchmarks"])
def test_no_function_is_long(tree):
    assert not house.long_functions(tree, MOST_LINES_OF_CODE)


def test_lines_of_code_are_without_docstring_comments_and_blank_lines(tmp_path, monkeypatch):
    monkeypatch.setattr(house, "ROOT", tmp_path)
    (tmp_path / "src").mkdir()
    (tmp_path / "src" / "a.py").write_text(
        'def f(\n    x,\n):\n    """Say.\n\n    More.\n    """\n'
        '    # why\n\n    y = """a\n\n    b"""\n    return y\n'
    )
    assert house.long_functions("src", 0) == {"src/a.py:f": 7}


def test_no_two_classes_have_the_same_name():
    assert not house.double_classes()


def test_a_constant_has_one_value():
    assert not house.ambiguous_constants()


def test_imports_make_no_circle():
    assert not house.cycle()


def test_nothing_is_left_behind_in_the_tree():
    found = house.leftovers()
    if found is None:
        pytest.skip("this is no git repository")
    assert not found


def test_every_package_and_module_is_installed():
    build = (house.SOURCE / "meson.build").read_text(encoding="utf-8")
    ours = [path for path in house.SOURCE.iterdir() if path.name not in ("_core", "__pycache__")]
    packages = [path.name for path in ours if path.is_dir()]
    modules = [path.name for path in ours if path.suffix in (".py", ".pyi")]
    assert [name for name in packages + modules if f"'{name}'" not in build] == []
