"""The mixed tables of the study: the same draws for the same seeds."""

import numpy as np
import pandas as pd
from numpy.testing import assert_allclose

from benchmarks.datasets.mixed_tables import FAMILIES, tables
from benchmarks.methods.geometries import WAYS, scaled
from maxmargin import TableEncoder


def test_draws_are_repeated_and_told_apart():
    first, again = list(tables(0, 1)), list(tables(0, 1))
    assert len(first) == len(FAMILIES) == 12
    for (name, frame, classes, k), (_, same, *_) in zip(first, again, strict=True):
        pd.testing.assert_frame_equal(frame, same)
        assert len(frame) == len(classes) == 300, name
        assert len(np.unique(classes)) == k
    assert not next(tables(1, 2))[1].equals(first[0][1])


def test_our_way_is_the_one_of_the_encoder():
    for name, frame, _, _ in tables(0, 1):
        X = TableEncoder(standardize=False).fit_transform(frame)
        ours = np.clip(TableEncoder().fit_transform(frame), -3, 3)
        assert_allclose(scaled(X, *WAYS["apart sqrt(1/2), ours"]), ours, atol=1e-9, err_msg=name)
