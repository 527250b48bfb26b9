"""The same questions to any fitted clusterer."""

import numpy as np
import pytest
from scipy.sparse import csr_array, issparse
from sklearn.cluster import DBSCAN, KMeans
from sklearn.compose import ColumnTransformer
from sklearn.datasets import make_blobs
from sklearn.ensemble import IsolationForest
from sklearn.exceptions import NotFittedError
from sklearn.impute import SimpleImputer
from sklearn.mixture import GaussianMixture
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler

from maxmargin import (
    MaxMarginClustering,
    RLSClustering,
    SupportVectorClustering,
    UnsupervisedSearch,
)
from maxmargin.explain.clustering import Clustering, nested_estimators

X, Y = make_blobs(60, centers=[[0, 0], [8, 0], [0, 8]], random_state=0)
FRONT = MaxMarginClustering(3, effort="fast", random_state=0).fit(X)


def test_a_model_of_the_package_says_everything():
    found = Clustering.of(FRONT, X)
    assert found.estimator is found.model is FRONT
    np.testing.assert_array_equal(found.labels, FRONT.labels_)
    np.testing.assert_array_equal(found.margin, FRONT.margin_)  # of models that saw no row
    np.testing.assert_array_equal(found.values, FRONT.left_out_)  # and so are these
    new = Clustering.of(FRONT, X, new=True)
    np.testing.assert_array_equal(new.values, FRONT.decision_function(X))
    np.testing.assert_array_equal(new.labels, FRONT.predict(X))
    np.testing.assert_array_equal(found.memberships, FRONT.predict_proba(X))
    assert found.names == ["column 1", "column 2"]
    assert found.clusters.tolist() == [0, 1, 2]
    assert found.sizes.tolist() == [20, 20, 20]
    assert not found.pairwise


def test_rows_that_were_not_fitted_are_predicted():
    found = Clustering.of(FRONT, X[:7])
    np.testing.assert_array_equal(found.labels, FRONT.predict(X[:7]))
    own = found.values[np.arange(7), found.labels]
    rest = np.where(np.eye(3, dtype=bool)[found.labels], -np.inf, found.values).max(axis=1)
    np.testing.assert_allclose(found.margin, own - rest)
    with pytest.raises(ValueError, match=r"DBSCAN cannot predict others; got 7 rows"):
        Clustering.of(DBSCAN(eps=2).fit(X), X[:7])


def test_two_models_as_one_difference():
    model = RLSClustering(2, random_state=0).fit(X)
    found = Clustering.of(model, X)
    np.testing.assert_allclose(found.values[:, 1] - found.values[:, 0], model.decision_function(X))


def test_other_clusterers_say_what_they_can():
    noisy = Clustering.of(DBSCAN(eps=0.7).fit(X), X)
    assert noisy.labels.min() == -1
    assert -1 not in noisy.clusters
    assert noisy.sizes.sum() == np.sum(noisy.labels >= 0)
    assert noisy.values is noisy.margin is noisy.memberships is None
    mixed = GaussianMixture(3, random_state=0).fit(X)
    np.testing.assert_array_equal(Clustering.of(mixed, X).memberships, mixed.predict_proba(X))
    assert Clustering.of(IsolationForest(n_estimators=10, random_state=0).fit(X), X).margin is None


def test_the_margin_in_a_domain_is_the_height_above_the_end_of_the_cluster():
    domain = SupportVectorClustering(outlier_fraction=0.1).fit(X)
    found = Clustering.of(domain, X)
    assert np.any(domain.levels_ != 0)
    outliers = domain.labels_ < 0
    np.testing.assert_array_equal(found.margin < 0, outliers)
    ends = np.maximum(domain.levels_, domain.outlier_threshold_)[domain.labels_[~outliers]]
    heights = domain.decision_function(X)[~outliers]
    np.testing.assert_allclose(found.margin[~outliers], heights - ends)
    classic = SupportVectorClustering(1.0, nu=0.2).fit(X)
    np.testing.assert_array_equal(Clustering.of(classic, X).margin, classic.decision_function(X))


def test_no_cluster_at_all():
    found = Clustering.of(DBSCAN(eps=1e-9, min_samples=5).fit(X), X)
    assert len(found.clusters) == len(found.sizes) == 0


def test_rows_as_they_reach_the_model():
    inner = make_pipeline(StandardScaler(), KMeans(3, n_init=1, random_state=0))
    search = UnsupervisedSearch(inner, {"kmeans__n_clusters": [2, 3]}, criterion="split_gap")
    outer = make_pipeline(StandardScaler(with_std=False), search).fit(X * [1, 100])
    found = Clustering.of(outer, X * [1, 100])
    assert [type(layer) for layer in nested_estimators(outer)] == [
        type(inner),
        UnsupervisedSearch,
        type(inner),
        KMeans,
    ]
    np.testing.assert_allclose(found.rows.std(axis=0), 1)
    np.testing.assert_array_equal(found.X, X * [1, 100])
    np.testing.assert_array_equal(found.labels, outer.predict(X * [1, 100]))


@pytest.mark.parametrize("library", ["pandas", "polars"])
def test_new_rows_come_as_the_others(library):
    table = pytest.importorskip(library).DataFrame({"$a$": X[:, 0], "b_c": X[:, 1]})
    model = KMeans(3, n_init=1, random_state=0).fit(table)
    if not hasattr(model, "feature_names_in_"):
        pytest.skip(f"this version of scikit-learn does not see names in {library}")
    found = Clustering.of(model, table)
    assert found.names == ["$a$", "b_c"]
    np.testing.assert_array_equal(model.predict(found.like_given(X)), found.labels)
    assert list(found.like_given(X).columns) == found.names


def test_columns_that_are_numbers_are_no_names():
    table = pytest.importorskip("pandas").DataFrame(X)
    model = KMeans(3, n_init=1, random_state=0).fit(table)
    found = Clustering.of(model, table)
    assert found.names == ["0", "1"]
    np.testing.assert_array_equal(model.predict(found.like_given(X)), found.labels)


def test_arrays_stay_arrays_and_lists_have_names():
    assert Clustering.of(FRONT, X).like_given(X) is X
    assert Clustering.of(FRONT, X.tolist()).names == ["column 1", "column 2"]


def test_sparse_rows():
    rows = csr_array(np.abs(X))
    found = Clustering.of(RLSClustering(3, random_state=0).fit(rows), rows)
    assert found.values.shape == (60, 3)
    assert issparse(found.like_given(X))


def test_matrices_of_pairs():
    kernel = X @ X.T
    model = RLSClustering(3, kernel="precomputed", random_state=0).fit(kernel)
    assert Clustering.of(model, kernel).pairwise


def test_not_fitted():
    with pytest.raises(NotFittedError):
        Clustering.of(KMeans(), X)


def test_names_may_be_given():
    named = Clustering.of(FRONT, X, columns=[f"<{j}>" for j in range(X.shape[1])])
    assert named.names[0] == "<0>"


def test_pipelines_that_make_numbers_of_text_and_gaps():
    pandas = pytest.importorskip("pandas")
    table = pandas.DataFrame({"size": [1.0, None, 9.0, 8.0] * 5, "kind": ["a", "a", "b", "b"] * 5})
    numbers = ColumnTransformer(
        [("size", SimpleImputer(), ["size"]), ("kind", OneHotEncoder(), ["kind"])]
    )
    model = make_pipeline(numbers, KMeans(2, random_state=0)).fit(table)
    found = Clustering.of(model, table)
    np.testing.assert_array_equal(found.labels, model[-1].labels_)
    assert found.names == ["size__size", "kind__kind_a", "kind__kind_b"]
    assert found.X.shape == (20, 3)
    with pytest.raises(ValueError, match="could not convert string to float"):
        Clustering.of(KMeans(2).fit([[0.0], [1.0]]), table)
