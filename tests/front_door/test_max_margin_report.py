"""What a fit tells about itself: candidates, alternatives, exemplars, reasons."""

import itertools

import numpy as np
import pytest
from clusterings import cluster
from sklearn.datasets import make_blobs
from sklearn.metrics import adjusted_rand_score
from sklearn.preprocessing import StandardScaler

from maxmargin import MaxMarginClustering, MaxMarginWarning, Report
from maxmargin.front_door.effort import EFFORTS, JUDGES
from maxmargin.objectives.leave_one_out import SMALLEST_ERROR, LeaveOneOut
from maxmargin.spaces.pairwise import PairwiseDistances


@pytest.fixture
def square(global_random_seed):
    """Four blobs on a square: two clusters of them can be had in several ways."""
    centers = np.array([[0, 0], [5, 0], [0, 5], [5, 5]])
    return make_blobs(120, centers=centers, random_state=global_random_seed)


# The table of candidates


@pytest.mark.parametrize("effort", EFFORTS)
def test_the_table_has_a_line_for_each_candidate(effort, square):
    X, _ = square
    model = cluster(2, effort=effort).fit(X)
    table = model.selection_
    plan = EFFORTS[effort]
    mixtures = int(np.sum(table["start"] == "mixture"))
    assert mixtures <= 1
    others = {"gap tree", "reach tree", "Genie", "density modes"}
    proposed = np.array([source.split(",")[0] in others for source in table["source"]])
    assert {source.split(",")[0] for source in table["source"][proposed]} == others
    n = len(plan.spaces) * (1 + plan.n_shakes) + mixtures + proposed.sum()
    assert {len(column) for column in table.values()} == {n}
    assert sorted(table["rank"]) == list(range(1, n + 1))
    assert table["score"][table["rank"] == 1] == table["score"].max()
    assert np.all(np.diff(table["score"][np.argsort(table["rank"])]) <= 0)
    names = {space.name for space in plan.spaces}
    assert set(table["source"][~proposed]) <= names | {"gaussian mixture"}
    assert set(table["start"][~proposed]) <= {"spectral", "shaking", "mixture"}
    judges = [f"loo {space.name}" for space in JUDGES if space in plan.spaces]
    assert [name for name in table if name.startswith("loo ")] == judges
    assert np.all(table["smallest_size"] >= 6)  # a tenth of 120 / 2
    assert np.all((table["vote"] >= 0) & (table["vote"] <= 1 + 1e-9))


def test_scores_are_one_minus_the_geometric_mean_of_the_errors(square):
    X, _ = square
    table = cluster(2).fit(X).selection_
    errors = 1 - np.column_stack([table[name] for name in table if name.startswith("loo ")])
    expected = 1 - np.exp(np.log(np.maximum(errors, SMALLEST_ERROR)).mean(axis=1))
    np.testing.assert_allclose(table["score"], expected)


def test_the_scores_of_the_chosen_one_are_those_of_the_criteria(square):
    X, _ = square
    model = cluster(2).fit(X)
    rows = np.clip(StandardScaler().fit_transform(X), -3, 3)
    distances = PairwiseDistances(rows)
    judges = [space for space in JUDGES if space in EFFORTS["fast"].spaces]
    columns = np.column_stack([model.selection_[f"loo {space.name}"] for space in judges])
    for labels, score in (
        (model.labels_, model.chosen_["score"]),
        *((a.labels, a.score) for a in model.alternatives_),
    ):
        expected = [LeaveOneOut.in_space(distances, space).scores([labels])[0] for space in judges]
        line = np.argmin(np.abs(columns - expected).sum(axis=1))
        np.testing.assert_allclose(columns[line], expected, atol=1e-5)
        assert model.selection_["score"][line] == pytest.approx(score, abs=1e-5)


def test_the_number_of_candidates_does_not_depend_on_the_seed_of_others(square):
    """A space finds the same, whichever other spaces are explored besides."""
    X, _ = square
    both = cluster(2).fit(X).selection_
    assert np.sum(both["start"] == "spectral") == 3


# What was chosen


def test_what_was_chosen_is_said(blobs):
    X, _ = blobs
    model = cluster(3).fit(X)
    chosen = model.chosen_
    found, model_of = {"why", "source", "start", "score"}, {"kernel", "gamma", "alpha"}
    assert set(chosen) == {*found, *model_of, "standardized", "left_out"}
    assert chosen["standardized"]
    assert chosen["why"].startswith("3 clusters of 60, 50, 40 rows: ")
    assert chosen["why"].endswith(".")
    assert f"gamma {chosen['gamma']:.3g}" in chosen["why"]
    assert chosen["kernel"] == "gaussian"
    assert chosen["alpha"] > 0
    assert chosen["score"] in model.selection_["score"]
    line = np.flatnonzero(
        (model.selection_["source"] == chosen["source"])
        & (model.selection_["start"] == chosen["start"])
    )
    assert chosen["score"] in model.selection_["score"][line]


def test_one_cluster_is_said_to_be_one():
    chosen = cluster(1).fit(np.arange(8.0)[:, None]).chosen_
    assert chosen["why"].startswith("1 cluster of 8 rows: one cluster was asked for.")
    assert chosen["score"] == 0


def test_a_mixture_is_chosen_where_it_describes_the_rows(global_random_seed):
    """Two long Gaussians side by side: the shortest boundary cuts both in the middle."""
    rng = np.random.default_rng(global_random_seed)
    y = np.repeat([0, 1], 150)
    X = rng.normal(size=(300, 2)) * [6, 0.5] + np.array([[0, 1.5], [0, -1.5]])[y]
    model = cluster(2, standardize=False).fit(X)
    assert model.chosen_["start"] == "mixture"
    assert "a mixture of 2 Gaussians describes the rows" in model.chosen_["why"]
    assert adjusted_rand_score(y, model.labels_) > 0.9


# Alternatives


def test_alternatives_differ_from_the_answer_and_from_each_other(square):
    X, _ = square
    model = cluster(2, effort="normal").fit(X)
    assert 1 <= len(model.alternatives_) <= 3
    groupings = [model.labels_, *(a.labels for a in model.alternatives_)]
    for one, other in itertools.combinations(groupings, 2):
        assert adjusted_rand_score(one, other) < 0.8
    # what the search says by itself, and what most sources say, may come first
    scores = [a.score for a in model.alternatives_[2:]]
    assert scores == sorted(scores, reverse=True)
    alone = cluster(2, effort="normal", kernels=["gaussian"]).fit(X)
    scores = [a.score for a in alone.alternatives_]
    assert scores == sorted(scores, reverse=True)
    for a in model.alternatives_:
        assert a.agreement == pytest.approx(adjusted_rand_score(model.labels_, a.labels))
        np.testing.assert_array_equal(a.rows, np.arange(120))
        np.testing.assert_array_equal(a.sizes, np.bincount(a.labels))
        assert np.all(np.diff(a.sizes) <= 0)  # numbered by size too
        assert a.sizes.min() >= 6
        assert a.score in model.selection_["score"]


def test_an_alternative_becomes_a_model_of_its_own(square):
    X, _ = square
    model = cluster(2).fit(X)
    before = {name: np.copy(getattr(model, name)) for name in ("labels_", "margin_")}
    values, chosen, others = model.decision_function(X), dict(model.chosen_), model.alternatives_
    other = model.use_alternative(0)
    np.testing.assert_array_equal(other.labels_, model.alternatives_[0].labels)
    assert np.sum(other.predict(X) != other.labels_) == other.n_disagreements_
    assert other.chosen_["score"] == model.alternatives_[0].score
    assert "alternative 0 was taken" in other.chosen_["why"]
    assert other.loo_score_ != model.loo_score_
    np.testing.assert_array_equal(other.uncertain_, other.margin_ < 0)
    for c, rows in enumerate(other.exemplars_):
        assert np.all(other.labels_[rows] == c)
    for name, value in before.items():
        np.testing.assert_array_equal(getattr(model, name), value)
    np.testing.assert_array_equal(model.decision_function(X), values)
    assert model.chosen_ == chosen
    assert model.alternatives_ is others
    np.testing.assert_array_equal(other.alternatives_[0].labels, model.labels_)


def test_there_and_back_is_the_same_model(square):
    X, _ = square
    model = cluster(2).fit(X)
    again = model.use_alternative(0).use_alternative(0)
    np.testing.assert_array_equal(again.labels_, model.labels_)
    np.testing.assert_allclose(again.decision_function(X), model.decision_function(X))
    np.testing.assert_allclose(again.margin_, model.margin_)
    assert again.loo_score_ == pytest.approx(model.loo_score_)
    assert again.chosen_["score"] == model.chosen_["score"]


def test_the_agreement_of_alternatives_is_with_the_answer_of_their_model(square):
    X, _ = square
    model = cluster(2, effort="normal").fit(X)
    for i in range(len(model.alternatives_)):
        other = model.use_alternative(i)
        for a in other.alternatives_:
            expected = adjusted_rand_score(other.labels_, a.labels)
            assert a.agreement == pytest.approx(expected)


@pytest.mark.parametrize("i", [-1, 99, 0.0, True, "0", None])
def test_an_alternative_that_is_not_there_is_an_error(i, square):
    X, _ = square
    model = cluster(2).fit(X)
    with pytest.raises(ValueError, match=r"i must be an int from 0 to \d; got"):
        model.use_alternative(i)


def test_without_alternatives_there_is_none_to_use():
    model = cluster(1).fit(np.arange(8.0)[:, None])
    with pytest.raises(ValueError, match="no alternatives"):
        model.use_alternative(0)


# Exemplars


def test_exemplars_belong_to_their_cluster_and_the_first_is_near_its_centre(blobs):
    X, _ = blobs
    model = cluster(3).fit(X)
    assert len(model.exemplars_) == 3
    for c, rows in enumerate(model.exemplars_):
        assert len(rows) == len(set(rows)) == 3
        assert np.all(model.labels_[rows] == c)
        members = X[model.labels_ == c]
        distances = np.linalg.norm(members - members.mean(axis=0), axis=1)
        first = np.linalg.norm(X[rows[0]] - members.mean(axis=0))
        assert first < np.median(distances)


def test_a_cluster_of_two_rows_has_two_exemplars(rng):
    X = np.concatenate([rng.normal(size=(30, 2)), [[40.0, 40.0], [40.5, 40.5]]])
    model = cluster(2, standardize=False, min_size=1).fit(X)
    assert np.bincount(model.labels_).tolist() == [30, 2]
    assert sorted(model.exemplars_[1]) == [30, 31]


# Time and words


@pytest.mark.parametrize("effort", EFFORTS)
@pytest.mark.parametrize("kernels", [None, ["graph"], ["gaussian"]])
def test_a_budget_that_is_too_small_gives_an_answer_and_says_so(effort, kernels, blobs):
    X, y = blobs
    model = cluster(3, effort=effort, kernels=kernels, time_budget=1e-9)
    if kernels == ["graph"]:  # one group of spaces, and one is always explored
        model.fit(X)
        assert model.complete_
    else:
        with pytest.warns(MaxMarginWarning, match="time_budget = 1e-09 s ended before all spaces"):
            model.fit(X)
        assert not model.complete_
    assert adjusted_rand_score(y, model.labels_) == 1
    np.testing.assert_array_equal(model.predict(X), model.labels_)
    assert len(set(model.selection_["source"]) - {"gaussian mixture"}) >= 1


@pytest.mark.filterwarnings("ignore::maxmargin.MaxMarginWarning")
def test_a_budget_holds_for_the_number_of_clusters_too(blobs, monkeypatch):
    """Only one group of spaces may be explored after the budget has ended, whatever for."""
    from maxmargin.front_door import candidates

    explored = []
    search_group = candidates._search_group

    def counted(distances, spaces, *args):
        explored.append(spaces)
        return search_group(distances, spaces, *args)

    monkeypatch.setattr(candidates, "_search_group", counted)
    X, _ = blobs
    model = cluster(None, time_budget=1e-9).fit(X)
    assert not model.complete_
    assert len(set(explored)) == 1


def test_a_budget_that_is_large_enough_changes_nothing(blobs):
    X, _ = blobs
    model, expected = cluster(3, time_budget=600.0).fit(X), cluster(3).fit(X)
    assert model.complete_
    assert expected.complete_
    np.testing.assert_array_equal(model.margin_, expected.margin_)


def test_a_report_names_columns_that_the_fit_knew_by_their_places(rng):
    y = np.repeat([0, 1], 100)
    X = np.column_stack([rng.normal(size=(200, 2)) + 6 * y[:, None], rng.normal(size=200)])
    model = MaxMarginClustering(2, effort="fast", random_state=0).fit(X)
    assert model.chosen_["left_out"] == [2]
    report = Report(model, X, columns=["age", "height", "noise"])
    assert "Columns left out: 'noise';" in report.summary["method"]["why"]
