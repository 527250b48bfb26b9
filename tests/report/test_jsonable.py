"""Values for JSON."""

import json

import numpy as np
import pytest

from maxmargin.report.jsonable import jsonable, rounded


def test_whatever_it_is_json_takes_it():
    value = {
        1: np.arange(3),
        "b": (np.float32(0.5), np.inf, np.nan, None, True, np.bool_(False)),
        "c": {"d": np.array([[np.nan, 1.0]]), "e": range},
    }
    found = jsonable(value)
    assert json.loads(json.dumps(found, allow_nan=False)) == found
    assert found["1"] == [0, 1, 2]
    assert found["b"] == [0.5, None, None, None, True, False]
    assert found["c"]["d"] == [[None, 1.0]]


@pytest.mark.parametrize("offset", [0.0, 1e3, -1e6, 1e12])
def test_rounded_values_keep_their_differences(offset, rng):
    values = offset + rng.uniform(-1, 1, size=100)
    found = np.array(rounded(values))
    assert np.abs(found - values).max() <= 5e-4  # a fifth of a pixel in 400
    assert max(len(repr(value)) for value in rounded(values)) <= 9 + len(str(int(abs(offset))))


def test_nothing_to_round():
    assert rounded([]) == []
    assert rounded([np.nan, np.inf]) == [None, None]
    assert rounded([0.123456789]) == [0.12346]
