"""Labels, predictions and decision values belong together."""

import numpy as np
import pytest
from contracts.estimators import having
from sklearn.exceptions import NotFittedError
from sklearn.metrics import adjusted_rand_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler


@having("finds")
def test_clear_clusters_are_found_and_numbered_by_size(case, blobs):
    X, y = case.given(blobs[0]), blobs[1]
    model = case().fit(X)
    inside = model.labels_ >= 0
    assert adjusted_rand_score(y[inside], model.labels_[inside]) == 1
    assert np.mean(inside) == pytest.approx(1 - getattr(model, "outlier_fraction", 0))
    assert model.n_clusters_ == 3
    assert model.complete_
    sizes = np.bincount(model.labels_[inside])
    first = [int(np.argmax(model.labels_ == c)) for c in range(3)]
    order = [*zip(-sizes, first, strict=True)]  # ties by the first row
    assert order == sorted(order)


@having()
@pytest.mark.filterwarnings("ignore::maxmargin.MaxMarginWarning")
def test_labels_are_those_of_predict_but_for_the_disagreements(case, rng):
    rows = rng.normal(size=(60, 2))  # one cloud: the labels of some rows are in doubt
    X = case.given(rows)
    model = case()
    labels = model.fit_predict(X)
    assert labels is model.labels_
    assert labels.dtype == model.predict(X).dtype == np.int32
    assert labels.shape == (60,)
    wrong = np.sum(model.predict(X) != labels)
    assert wrong == getattr(model, "n_disagreements_", wrong) <= 12
    assert len(set(labels) - {-1}) == model.n_clusters_


def models(case):
    """With several numbers of clusters, where that can be set."""
    return [case(n_clusters=k) for k in (1, 2, 4)] if "k" in case.can else [case()]


@having("values")
def test_the_largest_decision_value_is_predicted(case, blobs, rng):
    rows, _ = blobs
    X, new = case.given(rows), case.given(5 * rng.normal(size=(40, 2)), rows)
    for model in models(case):
        values = model.fit(X).decision_function(new)
        k = getattr(model, "n_clusters", None) or 3
        assert values.shape == ((40,) if k == 2 else (40, k))
        assert np.all(np.isfinite(values))
        largest = values > 0 if k == 2 else values.argmax(axis=1)
        np.testing.assert_array_equal(model.predict(new), largest)
        if k == 1:
            assert not model.labels_.any()
            assert model.n_clusters_ == 1
            assert getattr(model, "loo_score_", 0) == 0  # by definition


@having("proba")
def test_memberships_sum_to_one_and_the_largest_is_predicted(case, blobs, rng):
    rows, _ = blobs
    new = case.given(8 * rng.normal(size=(100, 2)), rows)
    for model in models(case):
        memberships = model.fit(case.given(rows)).predict_proba(new)
        assert memberships.shape == (100, model.n_clusters_)
        assert memberships.min() >= 0
        np.testing.assert_allclose(memberships.sum(axis=1), 1)
        np.testing.assert_array_equal(memberships.argmax(axis=1), model.predict(new))


@having("rows")
def test_new_rows_are_predicted_one_by_one_and_in_any_order(case, blobs, rng):
    model = case().fit(blobs[0])
    new, order = 6 * rng.normal(size=(100, 2)), rng.permutation(100)
    np.testing.assert_array_equal(model.predict(new)[order], model.predict(new[order]))
    np.testing.assert_array_equal(model.predict(new[:1]), model.predict(new)[:1])
    near = model.predict(blobs[0] + 1e-3 * rng.normal(size=(60, 2)))
    if "finds" in case.can and not getattr(model, "outlier_fraction", 0):
        np.testing.assert_array_equal(near, model.labels_)


@having()
def test_a_model_that_was_not_fitted_says_so(case, blobs):
    X, model = case.given(blobs[0]), case()
    for method in ("predict", "decision_function", "predict_proba"):
        if hasattr(model, method):
            with pytest.raises(NotFittedError):
                getattr(model, method)(X)
    assert not hasattr(model, "labels_")


@having("rows finds")
def test_it_works_at_the_end_of_a_pipeline(case, blobs):
    X, y = blobs
    center = StandardScaler(with_std=False)
    pipeline = make_pipeline(center, case())
    labels = pipeline.fit_predict(X, y)
    centred = center.fit_transform(X)
    np.testing.assert_array_equal(labels, case().fit(centred).labels_)
    np.testing.assert_array_equal(pipeline.predict(X), pipeline[-1].predict(centred))


#: Rows that tie: copies, symmetric ones, and such that are between the clusters.
TIED = {
    "copies": np.repeat([[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]], 4, axis=0),
    "a grid": np.stack(np.meshgrid(np.arange(5.0), np.arange(5.0)), axis=-1).reshape(-1, 2),
    "a line": np.arange(24.0)[:, None] * [[1.0, 1.0]],
    "symmetric": np.array([[x, y] for x in (-2.0, -1.0, 0.0, 1.0, 2.0) for y in (-1.0, 1.0)]),
    "equal": np.full((12, 2), 0.1),
    "far apart": np.append(np.arange(22.0).reshape(11, 2), [[1e6, 1e6]], axis=0),
}


@having("values")
@pytest.mark.parametrize("dtype", [np.float64, np.float32])
@pytest.mark.parametrize("name", TIED)
@pytest.mark.filterwarnings("ignore::maxmargin.MaxMarginWarning")
def test_disagreements_are_exact_and_rows_alone_are_as_in_company(case, name, dtype):
    X = case.given(TIED[name].astype(dtype))
    model = case().fit(X)
    together = model.predict(X)
    counted = getattr(model, "best_estimator_", model).n_disagreements_
    assert counted == np.sum(together != model.labels_)
    if isinstance(X, list):  # several kernels
        alone = [model.predict([K[i : i + 1] for K in X])[0] for i in range(len(X[0]))]
    else:
        alone = [model.predict(X[i : i + 1])[0] for i in range(len(X))]
    np.testing.assert_array_equal(alone, together)
