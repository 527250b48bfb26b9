"""The domain of support vector clustering in the plane."""

import numpy as np
from sklearn.datasets import make_moons

from maxmargin import SupportVectorClustering
from maxmargin.explain.clustering import Clustering
from maxmargin.explain.domain import domain_surface, outlines

X = make_moons(200, noise=0.05, random_state=0)[0]


def test_the_surface_is_what_the_model_says():
    model = SupportVectorClustering().fit(X)
    x0, x1, values, regions = domain_surface(Clustering.of(model, X, new=True), 7, 0.0)
    grid = np.column_stack([x0.ravel(), x1.ravel()])
    np.testing.assert_array_equal(values.ravel(), model.decision_function(grid))
    np.testing.assert_array_equal(regions.ravel(), model.predict(grid))  # no outliers


def test_an_outline_is_where_its_cluster_is_nearest_and_above_its_level():
    values = np.array([[0.5, 0.2, 0.4], [0.1, -0.2, -0.3]])
    regions = np.array([[0, 0, 1], [0, 2, 2]])
    found = list(outlines(values, regions, np.array([0.15, 0.0, 0.0])))
    assert [(cluster, level) for cluster, level, _ in found] == [(0, 0.15), (1, 0.0)]  # 2: unseen
    for cluster, level, inside in found:
        np.testing.assert_array_equal(inside > level, (regions == cluster) & (values > level))
        assert np.isfinite(inside).all()
