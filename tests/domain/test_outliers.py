"""As many outliers as were asked for, also where many rows tie."""

import pickle

import numpy as np
import pytest
from sklearn.datasets import make_blobs

from maxmargin import MaxMarginWarning, SupportVectorClustering
from maxmargin.blocks import open_rows
from maxmargin.domain.domain import Domain
from maxmargin.domain.outliers import find_outliers

pytestmark = pytest.mark.filterwarnings(
    "ignore:.*min_cluster_size", "ignore:all rows are in one cluster"
)

#: So narrow that most rows are alone, and their f is the same to the last bit.
NARROW = 1e4


def seen_by(rows):
    return lambda domain: domain.heights(rows)


@pytest.mark.parametrize("share", [0.01, 0.02, 0.05, 0.3, 0.9])
@pytest.mark.parametrize("gamma", [NARROW, "auto"])
def test_ties_do_not_change_how_many(share, gamma, global_random_seed):
    X, _ = make_blobs(200, centers=2, random_state=global_random_seed)
    model = SupportVectorClustering(gamma, outlier_fraction=share, random_state=0).fit(X)
    assert np.sum(model.labels_ == -1) == round(share * len(X))
    np.testing.assert_array_equal(model.predict(X), model.labels_)
    alone = [int(model.predict(row)[0]) for row in X[:, np.newaxis]]
    np.testing.assert_array_equal(alone, model.labels_)
    other = pickle.loads(pickle.dumps(model))
    np.testing.assert_array_equal(other.predict(X[::-1]), model.labels_[::-1])


def test_of_rows_that_tie_the_loneliest_are_outliers():
    rows = np.append(np.random.default_rng(0).normal(size=40), [30.0, -50.0, 70.0])[:, np.newaxis]
    domain = Domain(rows, np.ones(43), gamma=1e9)
    rule, marked = find_outliers(domain, seen_by(rows), 3 / 43)
    assert sorted(marked) == [40, 41, 42]
    assert np.flatnonzero(rule.mark(rows, domain.heights(rows))).tolist() == [40, 41, 42]


def test_with_weights_they_are_a_share_of_the_weight():
    rows = np.arange(20.0)[:, np.newaxis] ** 2
    weights = np.repeat([1.0, 3.0], 10)
    domain = Domain(rows, np.ones(20), gamma=1e9)
    _, marked = find_outliers(domain, seen_by(rows), 0.25, weights)  # 10 of 40
    assert sorted(marked) == [17, 18, 19]
    assert find_outliers(domain, seen_by(rows), 0.0)[1].size == 0


def test_equal_rows_are_marked_together_and_that_is_said():
    X = np.repeat(np.random.default_rng(0).normal(size=(20, 2)), 5, axis=0)
    with pytest.warns(
        MaxMarginWarning, match=r"asks for 7 rows to be marked, and 5 are: rows that are equal"
    ):
        model = SupportVectorClustering(NARROW, outlier_fraction=0.07).fit(X)
    assert np.sum(model.labels_ == -1) == 5
    assert len(np.unique(X[model.labels_ == -1], axis=0)) == 1
    np.testing.assert_array_equal(model.predict(X), model.labels_)


def test_where_all_rows_are_equal_none_is_marked():
    with pytest.warns(MaxMarginWarning, match="asks for 6 rows to be marked, and 0 are"):
        model = SupportVectorClustering(1.0, outlier_fraction=0.6).fit(np.ones((10, 2)))
    assert set(model.labels_) == {0}


def test_the_next_fit_forgets_them():
    X, _ = make_blobs(60, centers=2, random_state=0)
    model = SupportVectorClustering(outlier_fraction=0.1).fit(X)
    model.set_params(outlier_fraction=0.0).fit(X)
    assert model.outlier_threshold_ == -np.inf
    assert (model.predict(X) >= 0).all()


def test_rows_in_blocks_tie_alike(tmp_path):
    X, _ = make_blobs(300, centers=2, random_state=0)
    np.save(tmp_path / "rows.npy", X)
    plain = SupportVectorClustering(NARROW, outlier_fraction=0.04, random_state=0)
    labels = plain.fit(X).labels_
    blocks = plain.fit(open_rows(tmp_path / "rows.npy"))
    np.testing.assert_array_equal(blocks.labels_, labels)
    np.testing.assert_array_equal(blocks.predict(X), labels)
