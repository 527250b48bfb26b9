import json
from datetime import UTC, datetime

import numpy as np
import pytest
import sklearn
from persistence.forge import forged
from persistence.models import UNFITTED, X, batches, fitted, rls

import maxmargin
from maxmargin import load, save
from maxmargin.persistence import ModelFileError, read_metadata


@pytest.fixture
def path(tmp_path):
    return tmp_path / "model.skops"


def test_what_a_file_says(path):
    model, _ = fitted("rls, table")
    before = datetime.now(UTC).replace(microsecond=0)
    save(model, path, metadata={"columns": ["a", "b", "c"], "seed": 3, "note": None})
    metadata = read_metadata(path)
    assert metadata["format"] == 2
    assert metadata["maxmargin"] == maxmargin.__version__
    assert metadata["scikit-learn"] == sklearn.__version__
    assert metadata["numpy"] == np.__version__
    assert metadata["estimator"] == "RLSClustering"
    assert metadata["parameters"] == model.get_params()
    assert before <= datetime.fromisoformat(metadata["saved"]) <= datetime.now(UTC)
    assert metadata["fitted"] == {
        "n_features_in_": 3,
        "feature_names_in_": ["a", "b", "c"],
        "n_clusters_": 3,
        "n_samples": len(X),
        "sizes": np.bincount(model.labels_).tolist(),
        "n_noise": 0,
    }
    assert metadata["metadata"] == {"columns": ["a", "b", "c"], "seed": 3, "note": None}


def test_outliers_are_no_cluster(path):
    model, _ = fitted("domains, outliers")
    save(model, path)
    found = read_metadata(path)["fitted"]
    assert found["n_noise"] == np.sum(model.labels_ == -1) > 0
    assert sum(found["sizes"]) + found["n_noise"] == found["n_samples"] == len(X)
    assert len(found["sizes"]) == found["n_clusters_"]


def test_a_pipeline_tells_what_its_ends_know(path):
    save(fitted("pipeline")[0], path)
    metadata = read_metadata(path)
    assert metadata["estimator"] == "Pipeline"
    assert metadata["fitted"]["n_features_in_"] == 3
    assert metadata["fitted"]["n_samples"] == len(X)


def test_before_a_fit_there_is_nothing_to_tell(path):
    for model in UNFITTED.values():
        save(model, path)
        assert read_metadata(path)["fitted"] == {}


def test_to_describe_a_model_does_not_fit_it(path):
    model = batches()
    save(model, path)
    assert "labels_" not in vars(model)
    assert read_metadata(path)["fitted"] == {"n_features_in_": 3}


def test_parameters_are_told_in_words_where_json_has_none(path):
    save(rls(init=np.arange(5), alpha=np.float64(0.5), max_size=np.inf), path)
    told = read_metadata(path)["parameters"]
    assert (told["init"], told["alpha"], told["max_size"]) == (
        "array of int64, shape (5,)",
        0.5,
        "inf",
    )


@pytest.mark.parametrize("metadata", [None, {}, [], "text", 1.5, {"a": {"b": [1, None, True]}}])
def test_metadata_come_back(metadata, path):
    save(rls(), path, metadata=metadata)
    assert read_metadata(path)["metadata"] == metadata


def endless():
    loop = []
    loop.append(loop)
    return loop


@pytest.mark.parametrize("metadata", [{1, 2}, np.arange(3), {"a": float("nan")}, endless(), rls()])
def test_metadata_that_json_cannot_hold(metadata, path):
    with pytest.raises(ValueError, match="metadata must be something that JSON can hold"):
        save(rls(), path, metadata=metadata)
    assert not path.exists()


def test_metadata_are_read_without_skops_and_without_building(path, monkeypatch):
    save(fitted("rls, table")[0], path)
    forged(path, schema=lambda schema: {"__loader__": "nonsense"})
    monkeypatch.setitem(__import__("sys").modules, "skops", None)
    assert read_metadata(path)["estimator"] == "RLSClustering"
    with pytest.raises(ImportError, match=r"maxmargin\[models\]"):
        load(path)
    with pytest.raises(ImportError, match=r"maxmargin\[models\]"):
        save(rls(), path)


# -- versions ----------------------------------------------------------------------------


def test_a_newer_format_says_who_wrote_it(path):
    save(rls(), path)
    forged(path, metadata=lambda old: {**old, "format": 3, "maxmargin": "7.1"})
    for read in (load, read_metadata):
        with pytest.raises(ModelFileError, match=r"maxmargin 7\.1 in format 3.*upgrade maxmargin"):
            read(path)


def test_an_older_format_says_what_to_do(path):
    save(rls(), path)
    forged(path, metadata=lambda old: {**old, "format": 1, "maxmargin": "0.0.9"})
    for read in (load, read_metadata):
        with pytest.raises(ModelFileError, match=r"maxmargin 0\.0\.9 in format 1.*fit the model"):
            read(path)


@pytest.mark.parametrize("number", [None, "1", 0, -1, True, 1.0, [1]])
def test_a_format_that_is_none(number, path):
    save(rls(), path)
    forged(path, metadata=lambda old: {**old, "format": number})
    with pytest.raises(ModelFileError, match="its format is"):
        load(path)


def test_an_older_version_is_read(path):
    save(fitted("rls, rbf")[0], path)
    forged(path, metadata=lambda old: {**old, "maxmargin": "0.0.9", "scikit-learn": "1.2.0"})
    assert load(path).n_clusters == 3  # and no warning: nothing of scikit-learn is in it


def test_an_older_version_that_cannot_be_read_is_named(path):
    save(fitted("rls, rbf")[0], path)

    def without_alpha(schema):
        attributes = schema["content"]
        place = list(attributes["content"]).index("alpha")
        del attributes["content"]["alpha"], attributes["key_types"]["content"][place]
        return schema

    forged(path, metadata=lambda old: {**old, "maxmargin": "0.0.9"}, schema=without_alpha)
    with pytest.raises(ModelFileError, match=r"alpha.*maxmargin 0\.0\.9 wrote it, and this is"):
        load(path)


def test_objects_of_another_scikit_learn_are_told_once(path):
    model, rows = fitted("front door")
    save(model, path)

    def older(schema):
        return json.loads(json.dumps(schema).replace(sklearn.__version__, "1.2.0"))

    forged(path, metadata=older, schema=older)
    with pytest.warns(maxmargin.MaxMarginWarning, match=r"1\.2\.0 \(StandardScaler\)") as caught:
        loaded = load(path)
    assert len(caught) == 1
    assert caught[0].filename == __file__
    np.testing.assert_array_equal(loaded.predict(rows), model.predict(rows))
