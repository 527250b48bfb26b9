"""Sparse rows are clustered as the same rows dense, without being filled."""

import tracemalloc

import numpy as np
import pytest
from scipy import sparse
from sklearn.metrics import adjusted_rand_score

from maxmargin import SupportVectorClustering
from maxmargin.blocks import MemoryRows

RNG = np.random.default_rng(0)
KIND = np.repeat([0, 1, 2], [60, 50, 40])
DENSE = (RNG.random((150, 30)) < 0.15) * RNG.random((150, 30))
for shift in range(6):
    DENSE[np.arange(150), 10 * KIND + shift] += 2
DENSE[:, 9] = 0
ROWS = sparse.csr_matrix(DENSE)
NEW = np.abs(DENSE[::7] + RNG.normal(0, 0.05, DENSE[::7].shape)) * (DENSE[::7] > 0)

WAYS = {
    "defaults": {},
    "plateau": {"gamma": "plateau"},
    "weights bounded": {"gamma": 0.1, "C": 0.3},
    "gradients": {"gamma": 0.1, "solver": "sgd"},
    "one pass": {"gamma": 0.1, "nu": 0.3, "solver": "online"},
    "libsvm": {"gamma": 0.1, "nu": 0.2, "solver": "libsvm"},
    "peaks": {"gamma": 0.1, "nu": 0.2, "assignment": "equilibria"},
    "outliers": {"gamma": 0.1, "outlier_fraction": 0.1},
    "landmarks": {"n_landmarks": 60},
    "landmarks, width given": {"n_landmarks": 60, "gamma": 0.1},
}


@pytest.mark.parametrize("name", WAYS)
@pytest.mark.filterwarnings("ignore:.*(no row has abs|plateau of the number|plateau)")
def test_sparse_rows_are_clustered_as_dense_ones(name):
    models = [SupportVectorClustering(random_state=0, **WAYS[name]) for _ in range(2)]
    few, all_ = models[0].fit(ROWS), models[1].fit(DENSE)
    np.testing.assert_array_equal(few.labels_, all_.labels_)
    assert few.gamma_ == pytest.approx(all_.gamma_, rel=1e-9)
    assert sparse.issparse(few.support_vectors_)
    f = all_.decision_function(NEW)
    for model in models:
        for new in (NEW, sparse.csr_matrix(NEW), sparse.csc_matrix(NEW)):
            np.testing.assert_allclose(model.decision_function(new), f, atol=1e-6)
            np.testing.assert_array_equal(model.predict(new), all_.predict(NEW))
    if name == "defaults":
        assert adjusted_rand_score(KIND, few.labels_) == 1


def test_weights_and_copies_of_sparse_rows():
    weights = RNG.integers(0, 3, size=150).astype(float)
    models = [SupportVectorClustering(random_state=0) for _ in range(2)]
    for model, X in zip(models, (ROWS, DENSE), strict=True):
        model.fit(X, sample_weight=weights)
    np.testing.assert_array_equal(models[0].labels_, models[1].labels_)
    twice = sparse.vstack([ROWS, ROWS])
    labels = SupportVectorClustering(random_state=0).fit(twice).labels_
    np.testing.assert_array_equal(labels[:150], labels[150:])


@pytest.mark.parametrize("power", [-400, 400])
def test_units_of_sparse_rows(power):
    """Squares that would overflow or vanish."""
    plain = SupportVectorClustering(random_state=0).fit(ROWS)
    model = SupportVectorClustering(random_state=0).fit(ROWS * 2.0**power)
    np.testing.assert_array_equal(model.labels_, plain.labels_)
    np.testing.assert_array_equal(model.predict(NEW * 2.0**power), plain.predict(NEW))


def test_they_are_not_filled():
    """A million columns: dense rows would take 1.2 GB."""
    wide = sparse.hstack([ROWS, sparse.csr_matrix((150, 10**6))]).tocsr()
    tracemalloc.start()
    model = SupportVectorClustering(random_state=0).fit(wide)
    labels = model.predict(wide)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 2e8
    assert adjusted_rand_score(KIND, model.labels_) == 1
    np.testing.assert_array_equal(labels, model.labels_)


def test_rows_in_blocks_against_sparse_ones():
    model = SupportVectorClustering(random_state=0).fit(ROWS)
    np.testing.assert_array_equal(model.predict(MemoryRows(NEW)), model.predict(NEW))


def test_a_stream_takes_dense_rows():
    with pytest.raises(TypeError, match="dense"):
        SupportVectorClustering().partial_fit(ROWS)
