"""How the objective changed during the fit."""

import numpy as np
import pytest
from sklearn.datasets import make_blobs

from maxmargin import CuttingPlaneClustering, RLSClustering
from maxmargin.explain.objective import ObjectivePath

X = make_blobs(60, centers=3, random_state=0)[0]


def test_least_squares_are_one_stretch_and_larger_is_better():
    model = RLSClustering(3, random_state=0).fit(X)
    path = ObjectivePath.of(model)
    (values,) = path.stretches
    np.testing.assert_array_equal(values, model.objective_path_)
    assert path.larger
    assert path.objective == model.objective_
    assert path.axes == ("round", "objective (larger is better)")


def test_cutting_planes_have_a_stretch_for_each_problem():
    model = CuttingPlaneClustering(3, n_init=1, random_state=0).fit(X)
    path = ObjectivePath.of(model)
    assert len(path.stretches) == len(path.steps) == len(model.objective_path_) > 1
    np.testing.assert_array_equal(
        np.concatenate(path.steps), 1 + np.arange(sum(map(len, model.objective_path_)))
    )
    assert path.axes == ("problem solved, or round", "objective (smaller is better)")


@pytest.mark.parametrize("empty", [0, 1])
def test_empty_stretches_have_no_start(empty):
    stretches = [np.array([2.0, 1.0])]
    stretches.insert(empty, np.array([]))
    path = ObjectivePath(stretches, 1.0)
    assert path.starts == [(1, 2.0)]
    assert path.axes[0] == "round"
