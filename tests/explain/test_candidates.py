"""What a model chose among."""

import numpy as np
import pytest
from sklearn.cluster import KMeans
from sklearn.datasets import make_blobs
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from maxmargin import MaxMarginClustering, SupportVectorClustering, UnsupervisedSearch
from maxmargin.explain.candidates import CandidateScores

X = make_blobs(60, centers=[[0, 0], [8, 0], [0, 8]], random_state=0)[0]


def search(grid, **parameters):
    estimator = KMeans(3, n_init=1, random_state=0)
    return UnsupervisedSearch(estimator, grid, criterion="split_gap", **parameters)


def test_the_front_door_by_rank():
    model = MaxMarginClustering(3, effort="fast", random_state=0).fit(X)
    found = CandidateScores.of(model)
    table = model.selection_
    first = int(np.argmin(table["rank"]))
    assert len(found.rows) == len(table["rank"])
    # what all of them share is left out of the names
    shown = table["source"][first].replace(", alpha=0.000488", "")
    assert found.rows[0] == f"1. {table['start'][first]} in {shown}"
    judges = [name for name in table if name.startswith("loo ")]
    assert found.columns[0] == judges[0].removeprefix("loo ").replace(", alpha=0.000488", "")
    for j, name in enumerate(judges):
        assert found.values[0, j] == table[name][first]
    row, column = found.chosen
    assert column == -1
    assert table["score"][np.argsort(table["rank"])][row] == model.chosen_["score"]
    assert model.chosen_["start"] in found.rows[row]


def test_an_alternative_is_the_choice_once_taken():
    overlapping = make_blobs(150, centers=4, cluster_std=2.5, random_state=3)[0]
    model = MaxMarginClustering(3, random_state=0).fit(overlapping)
    assert model.alternatives_
    other = model.use_alternative(0)
    row, _ = CandidateScores.of(other).chosen
    assert other.chosen_["source"].split(",")[0] in CandidateScores.of(other).rows[row]
    assert row != CandidateScores.of(model).chosen[0]


def test_widths_and_sizes_of_a_domain():
    model = SupportVectorClustering().fit(X)
    found = CandidateScores.of(model)
    table = model.candidates_
    assert found.rows == [f"{gamma:.4g}" for gamma in np.unique(table["gamma"])]
    at = int(np.flatnonzero(table["chosen"])[0])
    assert found.values[found.chosen] == table["split_gap"][at]
    assert np.nanmax(found.values) == found.values[found.chosen]
    assert not np.isinf(found.values).any()


def test_a_grid_of_two_parameters_is_a_table():
    model = search({"n_clusters": [2, 3, 4], "init": ["k-means++", "random"]}).fit(X)
    found = CandidateScores.of(model)
    assert (found.row_title, found.column_title) == ("init", "n_clusters")
    assert (found.rows, found.columns) == (["k-means++", "random"], ["2", "3", "4"])
    for setting, score in zip(model.cv_results_["params"], model.cv_results_["score"], strict=True):
        place = found.rows.index(setting["init"]), found.columns.index(str(setting["n_clusters"]))
        assert found.values[place] == score
    assert found.values[found.chosen] == model.best_score_


def test_other_grids_are_lists():
    model = search([{"n_clusters": [2, 3]}, {"n_clusters": [3], "init": ["random"]}]).fit(X)
    found = CandidateScores.of(model)
    assert found.rows == ["n_clusters=2", "n_clusters=3", "init=random, n_clusters=3"]
    assert found.chosen == (model.best_index_, 0)
    np.testing.assert_array_equal(found.values[:, 0], model.cv_results_["score"])
    assert CandidateScores.of(search({}).fit(X)).rows == ["default"]


def test_the_outermost_choice_also_inside_a_pipeline():
    model = make_pipeline(StandardScaler(), search({"n_clusters": [2, 3]})).fit(X)
    assert CandidateScores.of(model).rows == ["n_clusters=2", "n_clusters=3"]
    front = UnsupervisedSearch(
        MaxMarginClustering(effort="fast", random_state=0),
        {"n_clusters": [3]},
        criterion="split_gap",
    )
    assert CandidateScores.of(front.fit(X)).rows == ["n_clusters=3"]


@pytest.mark.parametrize("several", [False, True])
def test_searches_of_scikit_learn(several):
    def score(estimator, X, y=None):
        return estimator.score(X)

    model = GridSearchCV(
        KMeans(n_init=1, random_state=0),
        {"n_clusters": [2, 3]},
        scoring={"inertia": score} if several else score,
        refit="inertia" if several else True,
        cv=2,
    ).fit(X)
    found = CandidateScores.of(model)
    column = "mean_test_inertia" if several else "mean_test_score"
    np.testing.assert_array_equal(found.values[:, 0], model.cv_results_[column])


def test_no_choice_no_candidates():
    assert CandidateScores.of(KMeans(2, n_init=1).fit(X)) is None
    assert CandidateScores.of(MaxMarginClustering(1, effort="fast").fit(X)) is None
