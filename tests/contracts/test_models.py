"""Models are objects: cloned, copied, pickled, and what they have is what they say."""

import copy
import inspect
import pickle
import re

import numpy as np
import pytest
from contracts.estimators import CASES, each_class, having
from sklearn.base import clone


@having()
def test_copies_and_pickles_are_the_same_model(case, blobs):
    X = case.given(blobs[0])
    model = case().fit(X)
    for other in (pickle.loads(pickle.dumps(model)), copy.deepcopy(model), copy.copy(model)):
        assert set(vars(other)) == set(vars(model))
        np.testing.assert_array_equal(other.labels_, model.labels_)
        np.testing.assert_array_equal(other.decision_function(X), model.decision_function(X))
        np.testing.assert_array_equal(other.predict(X), model.predict(X))


@having()
def test_clones_have_the_parameters_and_nothing_else(case, blobs):
    X = case.given(blobs[0])
    model = case()
    parameters = model.get_params(deep=False)
    again = clone(model.fit(X))
    assert set(vars(again)) == set(parameters)
    assert repr(again) == repr(model) == repr(case())
    assert repr(again.get_params()) == repr(model.get_params())
    for name, value in model.get_params(deep=False).items():  # fit does not change them
        assert value is parameters[name]
    np.testing.assert_array_equal(again.fit(X).labels_, model.labels_)


@each_class()
def test_parameters_are_set_and_shown(case):
    signature = inspect.signature(case.kind).parameters
    model = case()
    assert set(model.get_params(deep=False)) == set(signature)
    for name, parameter in signature.items():
        expected = case.parameters.get(name, parameter.default)
        assert getattr(model, name) is expected or name == "random_state"
        assert getattr(model.set_params(**{name: "changed"}), name) == "changed"
    assert "verbose='changed'" in repr(model)
    with pytest.raises(ValueError, match="nonsense"):
        model.set_params(nonsense=1)


def documented(kind):
    """The names in the section of attributes of a docstring."""
    section = inspect.getdoc(kind).split("Attributes\n----------\n")[1].split("\n\n")[0]
    names = re.findall(r"^(\w[\w, ]*) : ", section, flags=re.MULTILINE)
    return {name for line in names for name in line.split(", ")}


@each_class()
def test_the_docstring_names_every_attribute(case, blobs):
    """Each of them is there after the fit of some configuration, and no other one ever."""
    found = set()
    for other in CASES:
        if other.kind is case.kind:
            model = other().fit(other.given(blobs[0]))
            public = {name for name in dir(model) if re.fullmatch(r"[A-Za-z]\w*_", name)}
            assert public <= documented(case.kind)
            found |= public
    assert documented(case.kind) - found <= {"feature_names_in_", "reservoir_", "stability_"}
