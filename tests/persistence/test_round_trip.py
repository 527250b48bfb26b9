import json

import numpy as np
import pytest
from persistence.models import MANY, MODELS, UNFITTED, X, batches, fitted
from persistence.same import assert_same
from sklearn.base import BaseEstimator

import maxmargin
from maxmargin import load, save
from maxmargin.persistence import read_metadata


def answers(model, rows):
    """What a model says of rows, by every method that it has."""
    if rows is None:
        return {}
    methods = ("predict", "decision_function", "predict_proba", "transform")
    return {name: getattr(model, name)(rows) for name in methods if hasattr(model, name)}


def there_and_back(model, folder):
    save(model, folder / "model.skops")
    return load(folder / "model.skops")


@pytest.mark.parametrize("name", MODELS)
def test_fitted_models_come_back_bit_for_bit(name, tmp_path):
    model, rows = fitted(name)
    loaded = there_and_back(model, tmp_path)
    assert_same(model, loaded)
    assert_same(model.get_params(), loaded.get_params(), "get_params()")
    said = answers(model, rows)
    assert said or rows is None
    assert_same(said, answers(loaded, rows), "answers")
    metadata = read_metadata(tmp_path / "model.skops")
    json.dumps(metadata, allow_nan=False)
    assert metadata["fitted"].get("n_features_in_", 1) >= 1
    assert name == "domains, refit due" or metadata["fitted"]["n_samples"] > 1


@pytest.mark.parametrize("name", UNFITTED)
def test_models_come_back_before_a_fit(name, tmp_path):
    assert_same(UNFITTED[name], there_and_back(UNFITTED[name], tmp_path))


def test_every_estimator_is_tried():
    ours = {n for n in maxmargin.__all__ if isinstance(getattr(maxmargin, n), type)}
    ours = {name for name in ours if issubclass(getattr(maxmargin, name), BaseEstimator)}
    assert len(ours) >= 6
    tried = {type(fitted(name)[0]).__name__ for name in MODELS}
    assert ours - {"TableEncoder"} <= tried  # it clusters nothing: a step of a pipeline
    assert ours <= {type(model).__name__ for model in UNFITTED.values()}


@pytest.mark.parametrize("name", ["front door", "front door, sparse matrix"])
def test_alternatives_can_be_used_after_loading(name, tmp_path):
    model, rows = fitted(name)
    loaded = there_and_back(model, tmp_path)
    assert model.alternatives_
    for i in range(len(model.alternatives_)):
        one, other = model.use_alternative(i), loaded.use_alternative(i)
        assert_same(one, other)
        assert_same(answers(one, rows), answers(other, rows), "answers")


def test_alternatives_of_many_rows_can_be_used_after_loading(tmp_path):
    model, rows = fitted("front door, many rows")
    loaded = there_and_back(model, tmp_path)
    assert model.alternatives_
    assert len(model.alternatives_[0].labels) < len(MANY)
    one, other = model.use_alternative(0, MANY), loaded.use_alternative(0, MANY)
    assert_same(answers(one, rows), answers(other, rows), "answers")


@pytest.mark.parametrize("asked", [False, True])
def test_batches_go_on_after_loading(asked, tmp_path):
    model = batches()
    if asked:
        model.predict(X)
    loaded = there_and_back(model, tmp_path)
    assert ("labels_" in vars(loaded)) == asked
    for more in (X + 0.2, X - 0.3):
        model.partial_fit(more)
        loaded.partial_fit(more)
    assert_same(model.predict(X), loaded.predict(X))
    assert_same(model, loaded)


def test_a_loaded_model_can_be_fitted_and_saved_again(tmp_path):
    for name in ("front door", "rls, random state", "several, views", "domains"):
        model, _ = fitted(name)
        loaded = there_and_back(there_and_back(model, tmp_path), tmp_path)
        assert_same(model, loaded)


def test_saving_leaves_the_model_as_it_is(tmp_path):
    model = batches()
    before = dict(vars(model))
    save(model, tmp_path / "model.skops")
    assert list(vars(model)) == list(before)
    assert all(vars(model)[name] is value for name, value in before.items())


def test_shared_arrays_are_written_once(tmp_path):
    model, _ = fitted("front door")
    save(model, tmp_path / "model.skops")
    loaded = load(tmp_path / "model.skops")
    assert model.labels_ is model._partition.labels
    assert loaded.labels_ is loaded._partition.labels


def test_callbacks_are_left_out(tmp_path):
    model, rows = fitted("pipeline")
    bar = [lambda step: print(step)]
    model.steps[0][1]._skl_callbacks = model._skl_callbacks = bar
    try:
        loaded = there_and_back(model, tmp_path)
        assert model._skl_callbacks is model.steps[0][1]._skl_callbacks is bar
    finally:
        del model._skl_callbacks, model.steps[0][1]._skl_callbacks
    assert_same(model, loaded)
    assert_same(answers(model, rows), answers(loaded, rows))


def test_arrays_that_were_mapped_from_disk_are_in_the_file(tmp_path):
    np.save(tmp_path / "rows.npy", X)
    mapped = np.load(tmp_path / "rows.npy", mmap_mode="r")
    model = maxmargin.RLSClustering(3, init=mapped[:, 0].astype(int), random_state=0)
    model.init = np.memmap(tmp_path / "init", dtype=np.int64, mode="w+", shape=(len(X),))
    loaded = there_and_back(model, tmp_path)
    assert type(loaded.init) is np.ndarray
    np.testing.assert_array_equal(loaded.init, model.init)


@pytest.mark.parametrize("path", ["model.skops", "model", "with.many.dots", "ä ö.x"])
def test_paths_are_taken_as_they_are(path, tmp_path):
    save(UNFITTED["rls"], str(tmp_path / path))
    assert [file.name for file in tmp_path.iterdir()] == [path]
    assert_same(load(str(tmp_path / path)), load(tmp_path / path))
