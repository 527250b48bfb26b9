"""Many alphas from one eigendecomposition: the models are those of a fit for each."""

import numpy as np
import pytest
from scipy.sparse import csr_matrix
from sklearn.base import clone
from sklearn.datasets import load_iris, load_wine, make_blobs
from sklearn.metrics.pairwise import rbf_kernel

from maxmargin import RLSClustering, UnsupervisedSearch, rls_path
from maxmargin.estimators.kernel_path import MANY_ALPHAS
from maxmargin.objectives import spectrum

ALPHAS = np.logspace(-5, 0, 8)
BLOBS = make_blobs([40, 30, 25], 6, cluster_std=2.0, random_state=1)[0]
PINS = np.where(np.arange(len(BLOBS)) % 9, -1, np.repeat([0, 1, 2], [40, 30, 25]))
WEIGHTS = np.arange(len(BLOBS)) % 4 * 0.5


@pytest.fixture
def decompositions(monkeypatch):
    """How many there were."""
    calls, eigh = [], spectrum.eigh

    def counted(*args, **kwargs):
        calls.append(args)
        return eigh(*args, **kwargs)

    monkeypatch.setattr(spectrum, "eigh", counted)
    return calls


CASES = {
    "gaussian": (BLOBS, {}, {}),
    "single precision": (BLOBS.astype(np.float32), {}, {}),
    "laplacian, any sizes": (BLOBS, {"kernel": "laplacian", "proportions": None}, {}),
    "indefinite": (BLOBS, {"kernel": "sigmoid", "gamma": 0.01, "coef0": -1.0}, {}),
    "kernel matrix": (rbf_kernel(BLOBS, gamma=0.02), {"kernel": "precomputed"}, {}),
    "few rows": (BLOBS[::8], {"kernel": "linear"}, {}),
    "sparse": (csr_matrix(np.abs(BLOBS)), {}, {}),
    "pins": (BLOBS, {}, {"y": PINS}),
    "weights, some 0": (BLOBS, {"search": "steepest"}, {"sample_weight": WEIGHTS}),
    "features": (BLOBS, {"kernel": "linear"}, {}),
    "landmarks": (BLOBS, {"approximation": "nystroem", "n_components": 20}, {}),
}


@pytest.mark.parametrize("name", CASES)
@pytest.mark.filterwarnings("ignore:.*(positive semidefinite|ended without rows)")
def test_models_are_those_of_refits(name, decompositions):
    X, parameters, given = CASES[name]
    parameters = {"n_clusters": 3, "random_state": 0, "n_init": 2, **parameters}
    path = rls_path(X, alphas=ALPHAS, **parameters, **given)
    assert len(decompositions) == (name not in ("features", "landmarks"))
    for alpha, model in zip(ALPHAS, path, strict=True):
        alone = RLSClustering(alpha=alpha, **parameters).fit(X, **given)
        assert model.alpha == alpha
        np.testing.assert_array_equal(model.labels_, alone.labels_)
        assert model.objective_ == pytest.approx(alone.objective_, rel=1e-5)
        assert model.loo_score_ == pytest.approx(alone.loo_score_, rel=1e-4, abs=1e-5)
        assert "_path" not in vars(model)
        f, g = model.decision_function(X), alone.decision_function(X)
        np.testing.assert_allclose(f, g, atol=1e-4 * np.abs(g).max())


def test_width_and_rows_are_shared(decompositions):
    models = rls_path(BLOBS, alphas=ALPHAS, n_clusters=3)  # no seed
    assert len({model.gamma_ for model in models}) == 1
    assert all(model._space.basis is models[0]._space.basis for model in models)
    assert len(decompositions) == 1
    again = models[0].fit(BLOBS)  # and a fit by itself is one again
    assert len(decompositions) == 1
    assert again.labels_.shape == (95,)


def test_a_search_over_alpha_shares_it(decompositions):
    X = load_iris().data
    model = RLSClustering(3, random_state=0, n_init=2)
    grid = {"alpha": ALPHAS, "gamma": [0.1, 1.0]}
    search = UnsupervisedSearch(model, grid).fit(X)
    assert len(decompositions) == 2
    for i, setting in enumerate(search.cv_results_["params"]):
        alone = clone(model).set_params(**setting).fit(X)
        if i == search.best_index_:
            np.testing.assert_array_equal(search.labels_, alone.labels_)
        one = UnsupervisedSearch(model, {k: [v] for k, v in setting.items()})
        if i % 5 == 0:
            score = one.fit(X).best_score_
            assert search.cv_results_["score"][i] == pytest.approx(score, rel=1e-6)
    assert len(decompositions) == 2  # few alphas are cheaper alone
    parallel = UnsupervisedSearch(model, grid, n_jobs=2).fit(X)
    np.testing.assert_array_equal(parallel.cv_results_["score"], search.cv_results_["score"])
    np.testing.assert_array_equal(parallel.labels_, search.labels_)


def test_a_search_shares_with_pins_weights_and_bad_candidates(decompositions):
    grid = [{"alpha": ALPHAS, "n_init": [1]}, {"alpha": [*ALPHAS], "kernel": ["nonsense"]}]
    model = RLSClustering(3, random_state=0)
    search = UnsupervisedSearch(model, grid, error_score=-1.0)
    with pytest.warns(UserWarning, match="nonsense"):
        search.fit(BLOBS, PINS, sample_weight=np.maximum(WEIGHTS, 0.5))
    assert len(decompositions) == 1
    assert (search.cv_results_["score"][8:] == -1).all()
    pinned = PINS >= 0
    np.testing.assert_array_equal(search.labels_[pinned], PINS[pinned])


def test_fewer_alphas_are_fitted_alone(decompositions):
    grid = {"alpha": ALPHAS[: MANY_ALPHAS - 1]}
    UnsupervisedSearch(RLSClustering(3, random_state=0), grid).fit(load_wine().data)
    assert not decompositions


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"alphas": []}, "alphas must have at least one alpha"),
        ({"alphas": [0.1], "alpha": 1.0}, "alpha is what varies here"),
        ({"alphas": [0.1, -1.0]}, "alpha must be a finite number > 0 .*; got -1.0"),
        ({"alphas": [0.1], "n_clusters": 0}, "n_clusters must be"),
    ],
)
def test_errors_name_the_parameter(arguments, message):
    with pytest.raises(ValueError, match=message):
        rls_path(BLOBS, **arguments)
