"""Units do not matter, and rows that are far are far: with kernels that only know distances."""

import numpy as np
import pytest
from sklearn.metrics import adjusted_rand_score

from maxmargin import CuttingPlaneClustering, MultipleKernelClustering, RLSClustering

NYSTROEM = {"approximation": "nystroem", "n_components": 20}
MODELS = {
    "rls": lambda **how: RLSClustering(2, **how),
    "rls, neighbors": lambda **how: RLSClustering(2, gamma="neighbors", init="k-means++", **how),
    "rls, nystroem": lambda **how: RLSClustering(
        2, approximation="nystroem", n_components=20, **how
    ),
    "rls, laplacian": lambda **how: RLSClustering(2, kernel="laplacian", **how),
    "cutting plane": lambda **how: CuttingPlaneClustering(2, kernel="rbf", n_init=2, **how),
    "kernels": lambda **how: MultipleKernelClustering(2, kernels=["rbf"], n_init=1, **how),
}
each_model = pytest.mark.parametrize("model", MODELS)


@pytest.fixture
def rows(rng):
    """Two clear blobs."""
    y = np.repeat([0, 1], [40, 30])
    X = rng.normal(size=(70, 2))
    X[:, 0] += 14 * y
    return X, y


@each_model
@pytest.mark.parametrize("power", [-1000, -560, -330, -40, 1, 40, 330, 480, 990])
def test_a_power_of_two_changes_nothing(model, power, rows):
    X, _ = rows
    expected = MODELS[model](random_state=0).fit(X)
    fitted = MODELS[model](random_state=0).fit(np.ldexp(X, power))
    np.testing.assert_array_equal(fitted.labels_, expected.labels_)
    np.testing.assert_array_equal(
        fitted.predict(np.ldexp(X[::-1], power)), expected.predict(X[::-1])
    )
    assert fitted.objective_ == expected.objective_


@each_model
def test_a_far_row_is_far_however_far_it_is(model, rows):
    X, y = rows
    labels = []
    for far in (1e4, 1e9, 1e15, 1e30, 1e200, 1e307):
        fitted = MODELS[model](random_state=0).fit(np.vstack([X, [[far, far]]]))
        labels.append(fitted.labels_[:70])
        assert np.all(np.isfinite(fitted.decision_function([[-far, far], [0.0, 0.0]])))
    assert all(np.array_equal(labels[0], other) for other in labels)
    if model not in ("rls, laplacian", "rls, neighbors"):  # whose kernels have other optima
        assert adjusted_rand_score(y, labels[0]) == 1


@pytest.mark.parametrize("unit", [1e-165, 1e-200, 1e-300, 1e200])
def test_three_blobs_in_odd_units(unit, rng):
    y = np.repeat([0, 1, 2], 40)
    X = rng.normal(size=(120, 2)) + np.array([[0, 0], [14, 0], [0, 14]])[y]
    fitted = RLSClustering(3, random_state=0).fit(unit * X)
    assert adjusted_rand_score(y, fitted.labels_) == 1
