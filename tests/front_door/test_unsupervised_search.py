import gc
import weakref

import numpy as np
import pandas as pd
import pytest
from scipy.sparse import csr_matrix
from sklearn.base import BaseEstimator, ClusterMixin, clone
from sklearn.cluster import DBSCAN, FeatureAgglomeration, KMeans
from sklearn.datasets import make_blobs, make_moons
from sklearn.decomposition import PCA
from sklearn.metrics import adjusted_rand_score, silhouette_score
from sklearn.metrics.pairwise import euclidean_distances
from sklearn.mixture import GaussianMixture
from sklearn.model_selection import ParameterGrid, ParameterSampler
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from maxmargin import MaxMarginWarning, RLSClustering, UnsupervisedSearch
from maxmargin.selection import LeaveOneOutCriterion, SplitGapCriterion

BY_K = {"n_clusters": [2, 3, 4, 5]}


pytestmark = pytest.mark.filterwarnings('ignore:criterion="loo" prefers few')


def kmeans(**parameters):
    return KMeans(n_init=3, random_state=0, **parameters)


@pytest.fixture
def blobs():
    return make_blobs(120, centers=3, cluster_std=0.6, random_state=1)


class Fragile(ClusterMixin, BaseEstimator):
    """Splits by the first column, unless it is told to fail."""

    def __init__(self, how="fine", at=0.0):
        self.how = how
        self.at = at

    def fit(self, X, y=None):
        if self.how == "fails":
            raise RuntimeError("out of luck")
        if self.how == "interrupted":
            raise KeyboardInterrupt
        self.y_ = y
        self.labels_ = (np.asarray(X)[:, 0] > self.at).astype(int)
        return self


# -- what it chooses --------------------------------------------------------------------------


@pytest.mark.parametrize("criterion", ["loo", "split_gap"])
def test_it_chooses_the_radius_of_dbscan(criterion, global_random_seed):
    X, y = make_moons(300, noise=0.05, random_state=global_random_seed)
    grid = {"eps": [0.01, 0.03, 0.05, 0.1, 0.2, 0.5, 2.0]}
    search = UnsupervisedSearch(DBSCAN(), grid, criterion=criterion).fit(X)
    clustered = search.labels_ >= 0
    assert adjusted_rand_score(y[clustered], search.labels_[clustered]) > 0.97
    assert clustered.mean() > 0.9
    assert search.n_clusters_ == 2
    assert search.cv_results_["n_clusters"][-1] == 1
    assert search.cv_results_["n_noise"][0] > 200


def test_it_chooses_the_width_of_a_kernel(global_random_seed):
    X, y = make_moons(150, noise=0.05, random_state=global_random_seed)
    widths = [0.01, 0.1, 1.0, 10.0, 100.0]
    model = RLSClustering(random_state=0)
    search = UnsupervisedSearch(model, {"gamma": widths}).fit(X)
    truth = [adjusted_rand_score(y, model.set_params(gamma=g).fit_predict(X)) for g in widths]
    assert truth[search.best_index_] > max(truth) - 0.05
    assert adjusted_rand_score(y, search.labels_) == truth[search.best_index_]


def test_it_chooses_the_number_of_clusters(blobs):
    X, y = blobs
    search = UnsupervisedSearch(kmeans(), BY_K, criterion="split_gap").fit(X)
    assert search.best_params_ == {"n_clusters": 3}
    assert adjusted_rand_score(y, search.labels_) == 1


def test_it_sets_the_steps_of_pipelines(blobs):
    X, y = blobs
    X = np.column_stack([X, 1000 * np.random.default_rng(0).normal(size=(len(X), 2))])
    pipe = make_pipeline(StandardScaler(), PCA(), make_pipeline(kmeans()))
    grid = [
        {"pca__n_components": [2, 4], "pipeline__kmeans__n_clusters": [3]},
        {"standardscaler": ["passthrough"], "pca": [PCA(2), "passthrough"]},
    ]
    search = UnsupervisedSearch(pipe, grid, criterion="split_gap").fit(X, y)
    assert search.best_estimator_.steps[0][0] == "standardscaler"
    np.testing.assert_array_equal(search.predict(X), search.labels_)
    np.testing.assert_array_equal(search.best_estimator_[-1][-1].labels_, search.labels_)
    column = search.cv_results_["param_pca__n_components"]
    assert column.tolist() == [2, 4, None, None]
    assert column.mask.tolist() == [False, False, True, True]
    assert search.n_features_in_ == 4


def test_estimators_without_labels_are_asked_to_predict(blobs):
    X, y = blobs
    grid = {"n_components": [2, 3, 4]}
    model = GaussianMixture(random_state=0)
    search = UnsupervisedSearch(model, grid, criterion="split_gap").fit(X)
    assert search.best_params_ == {"n_components": 3}
    assert adjusted_rand_score(y, search.labels_) == 1
    np.testing.assert_array_equal(search.labels_, search.predict(X))
    assert search.predict_proba(X).shape == (120, 3)
    pipe = make_pipeline(StandardScaler(), model)
    same = UnsupervisedSearch(pipe, {"gaussianmixture__n_components": [3]}).fit(X)
    assert adjusted_rand_score(y, same.labels_) == 1


# -- criteria ---------------------------------------------------------------------------------


def test_a_function_is_a_criterion(blobs):
    X, _ = blobs
    search = UnsupervisedSearch(kmeans(), BY_K, criterion=silhouette_score).fit(X)
    by_hand = [silhouette_score(X, kmeans(n_clusters=k).fit(X).labels_) for k in range(2, 6)]
    np.testing.assert_allclose(search.cv_results_["score"], by_hand)
    assert search.best_index_ == np.argmax(by_hand)
    assert search.best_score_ == max(search.cv_results_["score"])


@pytest.mark.parametrize(
    ("name", "criterion"), [("loo", LeaveOneOutCriterion()), ("split_gap", SplitGapCriterion())]
)
def test_a_name_an_object_and_a_function_score_alike(name, criterion, blobs):
    X, _ = blobs

    def score(X, labels):
        return clone(criterion).fit(X).score(labels)

    scores = [
        UnsupervisedSearch(kmeans(), BY_K, criterion=c).fit(X).cv_results_["score"]
        for c in (name, criterion, score)
    ]
    np.testing.assert_allclose(scores[1], scores[0])
    np.testing.assert_allclose(scores[2], scores[0])
    assert not hasattr(criterion, "n_rows_")  # it was cloned, not fitted


def test_the_criterion_sees_the_rows_as_they_were_given(blobs):
    X, _ = blobs
    frame = pd.DataFrame(X, columns=["a", "b"])
    seen = []

    def look(X, labels):
        seen.append(X)
        return 0.0

    UnsupervisedSearch(
        make_pipeline(StandardScaler(), kmeans()), {"kmeans__n_clusters": [2]}, criterion=look
    ).fit(frame)
    assert seen[0] is frame


def test_precomputed_distances_need_a_criterion_of_distances():
    X, _ = make_moons(200, noise=0.05, random_state=0)
    D = euclidean_distances(X)
    grid = {"eps": [0.05, 0.2, 1.0]}
    wanted = UnsupervisedSearch(DBSCAN(), grid, criterion=LeaveOneOutCriterion(standardize=False))
    wanted.fit(X)
    criterion = LeaveOneOutCriterion(metric="precomputed")
    model = DBSCAN(metric="precomputed")
    search = UnsupervisedSearch(model, grid, criterion=criterion).fit(D)
    np.testing.assert_array_equal(search.labels_, wanted.labels_)
    np.testing.assert_allclose(
        search.cv_results_["score"], wanted.cv_results_["score"], rtol=1e-4, atol=1e-6
    )
    with pytest.raises(ValueError, match=r'metric="precomputed"'):
        UnsupervisedSearch(model, grid).fit(D)
    with pytest.raises(ValueError, match=r'metric="precomputed"'):
        UnsupervisedSearch(DBSCAN(), {"metric": ["euclidean", "precomputed"]}).fit(D)


# -- the interface ----------------------------------------------------------------------------


def test_the_result_does_not_depend_on_the_jobs(blobs):
    X, _ = blobs
    one, two = (UnsupervisedSearch(kmeans(), BY_K, n_jobs=n_jobs).fit(X) for n_jobs in (1, 2))
    np.testing.assert_array_equal(one.labels_, two.labels_)
    np.testing.assert_array_equal(one.cv_results_["score"], two.cv_results_["score"])
    assert one.best_params_ == two.best_params_


def test_the_table(blobs):
    X, _ = blobs
    search = UnsupervisedSearch(kmeans(), BY_K).fit(X)
    table = pd.DataFrame(search.cv_results_)
    assert set(table) == {
        "params",
        "param_n_clusters",
        "score",
        "rank_score",
        "n_clusters",
        "n_noise",
        "fit_time",
        "score_time",
    }
    assert table["param_n_clusters"].tolist() == table["n_clusters"].tolist() == [2, 3, 4, 5]
    assert table["params"].tolist() == [{"n_clusters": k} for k in range(2, 6)]
    assert (table["n_noise"] == 0).all()
    assert (table[["fit_time", "score_time"]] > 0).all(axis=None)
    order = table.sort_values("rank_score")["score"]
    assert order.is_monotonic_decreasing
    assert table["rank_score"][search.best_index_] == 1
    assert search.best_params_ == table["params"][search.best_index_]


def test_values_of_parameters_can_be_sequences_or_estimators(blobs):
    X, _ = blobs
    starts = [X[:2], X[5:8]]
    search = UnsupervisedSearch(
        KMeans(n_init=1), [{"init": starts[:1], "n_clusters": [2]}, {"init": [starts[1]]}]
    )
    search.estimator.set_params(n_clusters=3)
    search.fit(X)
    assert search.cv_results_["param_init"][1] is starts[1]
    assert search.cv_results_["n_clusters"].tolist() == [2, 3]


def test_random_candidates(blobs):
    X, _ = blobs
    sampler = ParameterSampler({"n_clusters": range(2, 9)}, 3, random_state=0)
    search = clone(UnsupervisedSearch(kmeans(), sampler)).fit(X)
    assert list(search.cv_results_["params"]) == list(sampler)
    same = UnsupervisedSearch(kmeans(), ParameterGrid(BY_K)).fit(X)
    assert list(same.cv_results_["params"]) == list(ParameterGrid(BY_K))


def test_the_best_estimator_is_the_one_that_was_scored(blobs):
    """A second fit of an estimator without a seed would have other labels."""
    X, _ = blobs
    model = KMeans(n_init=1)
    search = UnsupervisedSearch(model, {"n_clusters": [6, 7]}, criterion=silhouette_score).fit(X)
    assert search.best_estimator_.labels_ is search.labels_
    assert search.best_score_ == pytest.approx(silhouette_score(X, search.labels_))
    assert not hasattr(model, "labels_")


def test_of_the_fitted_candidates_only_the_best_is_kept(blobs):
    alive, most = weakref.WeakSet(), []

    class Counted(Fragile):
        def fit(self, X, y=None):
            alive.add(self)
            gc.collect()
            most.append(len(alive))
            return super().fit(X)

    UnsupervisedSearch(Counted(), {"at": np.linspace(-5, 0, 12)}).fit(blobs[0])
    assert max(most) <= 4  # the best, this one, and what joblib has in its hands


def test_parameters_of_its_parts_can_be_set():
    search = UnsupervisedSearch(kmeans(), BY_K, criterion=LeaveOneOutCriterion())
    search.set_params(estimator__n_init=1, criterion__max_rows=50)
    other = clone(search)
    assert other.get_params()["estimator__n_init"] == 1
    assert other.criterion.max_rows == 50


def test_methods_are_those_of_the_estimator(blobs):
    X, _ = blobs
    search = UnsupervisedSearch(kmeans(), BY_K).fit(X)
    np.testing.assert_allclose(search.transform(X), search.best_estimator_.transform(X))
    assert not hasattr(search, "decision_function")
    assert not hasattr(search, "predict_proba")
    assert not hasattr(UnsupervisedSearch(DBSCAN(), {}), "predict")
    search = UnsupervisedSearch(RLSClustering(random_state=0), {"alpha": [1e-4]})
    assert hasattr(search, "decision_function")
    labels = search.fit_predict(X)
    np.testing.assert_array_equal(search.decision_function(X) > 0, labels == 1)


def test_sparse_rows_are_judged_by_every_criterion(blobs):
    X, _ = blobs
    for criterion in ("loo", "split_gap"):
        search = UnsupervisedSearch(kmeans(), BY_K, criterion=criterion).fit(csr_matrix(X))
        assert np.isfinite(search.cv_results_["score"]).all()


def test_y_is_handed_on_only_if_it_holds_pins(blobs):
    X, y = blobs
    search = UnsupervisedSearch(Fragile(), {"at": [0.0]})
    assert search.fit(X, y).best_estimator_.y_ is None
    assert search.fit(X, y.astype(str)).best_estimator_.y_ is None
    pins = np.where(np.arange(120) < 6, y > 0, -1)
    assert search.fit(X, pins).best_estimator_.y_ is pins
    search = UnsupervisedSearch(RLSClustering(3, random_state=0), {"alpha": [1e-4, 1e-2]})
    pins = np.where(np.arange(120) < 6, y, -1)
    assert search.fit(X, pins).best_estimator_.n_pinned_ == 6
    np.testing.assert_array_equal(search.fit_predict(X, pins)[:6], y[:6])


# -- what goes wrong --------------------------------------------------------------------------


@pytest.mark.parametrize("error_score", [np.nan, 5.0])
def test_candidates_that_fail_are_last(error_score, blobs):
    X, _ = blobs
    search = UnsupervisedSearch(
        Fragile(), {"how": ["fails", "fine"], "at": [0.0, 99.0]}, error_score=error_score
    )
    with pytest.warns(MaxMarginWarning, match="fit of candidate .*'how': 'fails'.*out of luck"):
        search.fit(X)
    table = search.cv_results_
    failed = table["param_how"] == "fails"
    np.testing.assert_array_equal(table["score"][failed], error_score)
    assert set(table["rank_score"][failed]) == {3}
    assert search.best_params_ == {"at": 0.0, "how": "fine"}
    assert table["n_clusters"][failed].tolist() == [0, 0]


def test_a_score_that_fails_is_a_failure(blobs):
    """Silhouettes need two clusters."""
    X, _ = blobs
    search = UnsupervisedSearch(Fragile(), {"at": [99.0, -4.0]}, criterion=silhouette_score)
    with pytest.warns(MaxMarginWarning, match=r"score of candidate 0 failed.*'at': 99"):
        search.fit(X)
    assert search.best_index_ == 1
    assert search.cv_results_["n_clusters"].tolist() == [1, 2]
    with pytest.raises(ValueError, match="Number of labels is 1"):
        search.set_params(error_score="raise").fit(X)


def test_no_candidate_left_is_an_error(blobs):
    X, _ = blobs
    search = UnsupervisedSearch(Fragile("fails"), {"at": [0.0, 1.0]})
    with (
        pytest.warns(MaxMarginWarning),
        pytest.raises(ValueError, match=r"None of the 2 candidates.*out of luck"),
    ):
        search.fit(X)
    with pytest.raises(RuntimeError, match="out of luck"):
        search.set_params(error_score="raise").fit(X)
    with pytest.raises(ValueError, match="scores are NaN"):
        UnsupervisedSearch(Fragile(), {}, criterion=lambda X, labels: np.nan).fit(X)


def test_nan_is_last_and_the_first_of_equals_wins(blobs):
    scores = iter([np.nan, 1.0, 2.0, 2.0, -np.inf])
    search = UnsupervisedSearch(
        Fragile(), {"at": [0, 1, 2, 3, 4]}, criterion=lambda X, labels: next(scores)
    ).fit(blobs[0])
    assert search.cv_results_["rank_score"].tolist() == [4, 3, 1, 1, 4]
    assert search.best_index_ == 2


def test_an_interrupt_is_not_a_failure(blobs):
    with pytest.raises(KeyboardInterrupt):
        UnsupervisedSearch(Fragile("interrupted"), {}).fit(blobs[0])


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"param_grid": []}, "param_grid must hold at least one candidate"),
        ({"param_grid": {"eps": []}}, "eps"),
        *(({"param_grid": g}, "param_grid must be a dict") for g in (None, 3, [1], np.array(2))),
        *(({"estimator": g}, "estimator must be an estimator") for g in (None, [], {}, DBSCAN)),
        ({"param_grid": {"nonsense": [1]}}, "nonsense"),
        ({"criterion": "nonsense"}, "criterion must be one of 'loo', 'split_gap'.*'nonsense'"),
        ({"criterion": LeaveOneOutCriterion}, "criterion must be one of"),
        ({"criterion": 3}, "criterion must be one of"),
        ({"error_score": "ignore"}, "error_score must be a number or 'raise'; got 'ignore'"),
    ],
)
def test_bad_parameters(parameters, message, blobs):
    with pytest.raises(ValueError, match=message):
        UnsupervisedSearch(**{"estimator": DBSCAN(), "param_grid": {}} | parameters).fit(blobs[0])


def test_estimators_that_do_not_label_rows(blobs):
    X, _ = blobs
    with pytest.raises(TypeError, match="PCA has neither"):
        UnsupervisedSearch(PCA(), {}, error_score="raise").fit(X)
    with pytest.raises(ValueError, match="FeatureAgglomeration gave labels of shape"):
        UnsupervisedSearch(FeatureAgglomeration(), {}, error_score="raise").fit(X)


def test_the_number_of_clusters_by_the_leave_one_out_error_is_warned_of():
    X, _ = make_blobs(90, centers=3, random_state=0)
    for estimator, name in (
        (KMeans(n_init=1, random_state=0), "n_clusters"),
        (make_pipeline(StandardScaler(), KMeans(n_init=1, random_state=0)), "kmeans__n_clusters"),
    ):
        with pytest.warns(MaxMarginWarning, match="split_gap"):
            UnsupervisedSearch(estimator, {name: [2, 3]}).fit(X)
