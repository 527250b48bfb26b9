"""The linear kernel around the mean of the rows, and through the origin."""

import numpy as np
import pytest
from scipy import sparse
from sklearn.metrics import adjusted_rand_score

from maxmargin import RLSClustering


@pytest.fixture(params=[3, 100], ids=["primal", "dual"])
def rows(request, rng):
    """Two clear clusters in few columns or in many, as small integers that shift exactly."""
    y = np.repeat([0, 1], [40, 30])
    X = np.round(8 * rng.normal(size=(70, request.param))) / 8
    X[:, 0] += 12.0 * y
    return X, y


@pytest.mark.parametrize("kind", [np.array, sparse.csr_array], ids=["dense", "sparse"])
@pytest.mark.parametrize("shift", [0.0, 4.0, -32.0, 1024.0])
def test_the_origin_does_not_matter(rows, kind, shift):
    X, y = rows
    how = {"kernel": "linear", "alpha": 1.0, "random_state": 0}
    model = RLSClustering(2, **how).fit(kind(X + shift))
    expected = RLSClustering(2, **how).fit(X)
    assert adjusted_rand_score(y, model.labels_) == 1
    np.testing.assert_array_equal(model.labels_, expected.labels_)
    np.testing.assert_allclose(model.objective_, expected.objective_, rtol=1e-6)
    values = expected.decision_function(X)
    for new in (np.array, sparse.csr_array):
        np.testing.assert_allclose(model.decision_function(new(X + shift)), values, atol=1e-6)


def test_the_form_of_the_paper_goes_through_the_origin(rows):
    X, _ = rows
    how = {"alpha": 0.01, "center": False, "random_state": 0}
    model = RLSClustering(2, kernel="linear", **how).fit(X)
    matrix = RLSClustering(2, kernel="precomputed", **how).fit(X @ X.T)
    np.testing.assert_allclose(model.objective_, matrix.objective_, rtol=1e-6)
    np.testing.assert_array_equal(model.labels_, matrix.labels_)
    zero = model.decision_function(np.zeros((1, X.shape[1])))
    np.testing.assert_allclose(zero, 0, atol=1e-12)


def test_centering_is_that_of_the_rows(rows):
    X, _ = rows
    centred = X - X.mean(axis=0)
    model = RLSClustering(2, kernel="linear", alpha=0.01, random_state=0).fit(X)
    other = RLSClustering(2, kernel="linear", alpha=0.01, center=False, random_state=0)
    np.testing.assert_allclose(model.objective_, other.fit(centred).objective_, rtol=1e-9)
