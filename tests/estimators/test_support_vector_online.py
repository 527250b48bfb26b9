"""partial_fit with solver="online": one pass, bounded memory, and a model after any batch."""

import numpy as np
import pytest
from oracles import domain as oracle
from scipy.stats import f_oneway
from sklearn.datasets import make_moons
from sklearn.metrics import adjusted_rand_score

from maxmargin import MaxMarginWarning, SupportVectorClustering
from maxmargin.estimators.arrival import GROUP, Arrival
from maxmargin.solvers import SMO, OnlineSGD

X, Y = make_moons(6000, noise=0.05, random_state=0)
POINTS = X[::40]


def streamed(rows, batches=12, budget=1000, n_landmarks=500, **parameters):
    parameters = {"nu": 0.1, "random_state": 0, "n_landmarks": n_landmarks, **parameters}
    parameters = {"gamma": 8.0, **parameters}
    model = SupportVectorClustering(solver=OnlineSGD(budget), **parameters)
    for batch in np.array_split(rows, batches):
        model.partial_fit(batch)
    return model


def test_a_stream_is_clustered(global_random_seed):
    """In random order, as stochastic gradients want it."""
    order = np.random.default_rng(global_random_seed).permutation(len(X))
    model = streamed(X[order], random_state=global_random_seed)
    assert adjusted_rand_score(Y, model.predict(X)) > 0.95
    assert model.n_samples_seen_ == len(X)


def test_it_never_solves_the_exact_problem_nor_keeps_more(monkeypatch):
    monkeypatch.setattr(SMO, "solve", None)
    model = streamed(X, budget=400)
    assert len(model.reservoir_) == 900  # 500 and the budget
    labels = model.predict(POINTS)
    assert model.n_clusters_ == labels.max() + 1 == 2
    assert model.nu_ == pytest.approx(0.1, abs=0.02)
    assert np.isnan(model.duality_gap_)
    assert model.labels_.shape == (900,)
    # the violations are the last of the rows that were kept, and the support
    np.testing.assert_array_equal(model.support_, np.arange(500, 900))
    np.testing.assert_allclose(model.support_vectors_, model.reservoir_[500:])


def test_the_domain_is_the_streams_own():
    """f is the weighted sum over the violations, whatever rows the clusters are found among."""
    model = streamed(X)
    f = model.decision_function(POINTS)
    heights = oracle.heights(POINTS, model.support_vectors_, model.dual_coef_[0], 8.0)
    np.testing.assert_allclose(f, heights - 1, atol=1e-9)
    exact = SupportVectorClustering(8.0, nu=0.1, n_landmarks=None).fit(X[:2000])
    assert np.abs(f - exact.decision_function(POINTS)).mean() < 0.1


@pytest.mark.filterwarnings("ignore:all rows are in one cluster", "ignore:.*are in pieces of fewer")
@pytest.mark.parametrize("batches", [1, 12, 1000])
def test_a_stream_in_an_order_is_named(batches):
    """Sorted by a class, which no column need follow from one end to the other, or by a column."""
    both = np.argsort(Y, kind="stable")
    thirds = np.concatenate([both[:1500], both[3000:], both[1500:3000]])
    for order in (both, thirds, np.argsort(X[:, 0])):
        model = streamed(X[order], batches)
        with pytest.warns(MaxMarginWarning, match="rows of partial_fit came in an order"):
            model.predict(POINTS)


def test_a_stream_in_no_order_is_not_named(global_random_seed):
    """Nor one of few rows, of heavy tails, of copies or of columns that say nothing."""
    rng = np.random.default_rng(global_random_seed)
    n = 2000
    streams = {
        "tails": rng.standard_cauchy((n, 2)),
        "far": np.vstack([rng.normal(size=(n, 2)), [[1e200, -1e200]]]),
        "equal": np.column_stack([rng.normal(size=n), np.full(n, 0.1)]),
        "copies": rng.normal(size=(3, 2))[rng.integers(3, size=n)],
        "far from the origin": 1e8 + rng.normal(size=(n, 2)),
        "in turn": rng.normal(size=(n, 2)) + 9 * (np.arange(n)[:, None] % 2),
        "few": np.sort(rng.normal(size=(300, 2)), axis=0),
        "many columns": rng.normal(size=(n, 200)),
    }
    for name, rows in streams.items():
        arrival = Arrival()
        for batch in np.array_split(rows, 30):
            arrival = arrival.grown(batch)
        assert not arrival.in_order, name


def test_how_far_groups_are_apart_is_what_an_analysis_of_variance_says(rng):
    rows = rng.normal(size=(16 * GROUP, 3)) + np.repeat(rng.normal(size=(16, 3)), GROUP, axis=0)
    arrival = Arrival().grown(rows[:100]).grown(rows[100:])
    known = f_oneway(*np.split(rows, 16)).statistic
    n = len(rows)
    between = (arrival.between - arrival.sums**2 / n) / 15
    within = (arrival.squares - arrival.between) / (n - 16)
    np.testing.assert_allclose(between / within, known)


def test_batches_do_not_matter():
    few, many = streamed(X, 1), streamed(X, 30)
    np.testing.assert_array_equal(few.reservoir_[500:], many.reservoir_[500:])
    np.testing.assert_allclose(few.decision_function(POINTS), many.decision_function(POINTS))


def test_it_goes_on_after_predict_and_far_from_the_origin():
    model = streamed(X[:3000], n_landmarks=300)
    before = model.predict(POINTS)
    assert (model.n_samples_seen_, before.max()) == (3000, 1)
    model.partial_fit(X[3000:])
    assert model.n_samples_seen_ == 6000
    assert adjusted_rand_score(model.predict(POINTS), before) > 0.9
    tiny = streamed(X * 2.0**-200, n_landmarks=300, gamma=8.0 * 2.0**400)
    plain = streamed(X, n_landmarks=300)
    np.testing.assert_array_equal(tiny.predict(POINTS * 2.0**-200), plain.predict(POINTS))


def test_outliers_are_a_share_of_the_fair_sample():
    model = streamed(X, outlier_fraction=0.05)
    assert 0.02 < np.mean(model.predict(X) < 0) < 0.09


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"gamma": "auto"}, "gamma must be a number for partial_fit .*; got 'auto'. A fit to"),
        ({"C": 0.1}, "solver='online'.* C"),
    ],
)
def test_what_a_stream_cannot_know(parameters, message):
    model = SupportVectorClustering(**{"gamma": 1.0, "solver": "online", **parameters})
    with pytest.raises(ValueError, match=message):
        model.partial_fit(X[:20])
    assert not hasattr(model, "reservoir_")
