"""Bad input: an answer or an error that names the parameter, never a NumPy warning or a hang."""

import numpy as np
import pytest

from maxmargin import MaxMarginWarning, RLSClustering
from maxmargin.search import Evolutionary, Shaking

X = np.random.default_rng(0).normal(size=(20, 3))
K = X @ X.T


def test_an_alpha_that_overflows_is_named():
    with pytest.raises(
        ValueError, match=r"alpha must be a finite number > 0 \(1e-100 to 1e100\); got 1e\+308"
    ):
        RLSClustering(2, alpha=1e308).fit(X)


@pytest.mark.parametrize(
    ("search", "message"),
    [
        ("Shaking(rounds=0)", "rounds must be an int >= 1"),
        ("Shaking(first_round=2000)", "first_round must be None or an int from 0 to 100"),
        ("Shaking(first_round=-1)", "first_round must be None or an int from 0"),
        ("Stochastic(max_sweeps=0)", "max_sweeps"),
        ("Stochastic(shuffle=2)", "shuffle must be True or False"),
        ("Evolutionary(n_parents=0)", "n_parents must be"),
        ("Evolutionary(n_children=1.5)", "n_children must be"),
        ("Evolutionary(patience=0)", "patience must be"),
        ("Evolutionary(max_generations=0)", "max_generations must be"),
    ],
)
def test_a_wrong_parameter_of_a_search_is_named(search, message):
    import maxmargin.search

    searched = eval(search, vars(maxmargin.search))
    with pytest.raises(ValueError, match=message):
        RLSClustering(2, search=searched).fit(X)


def test_rounding_alone_is_no_indefiniteness():
    model = RLSClustering(2, kernel="precomputed", random_state=0)
    assert model.fit(K).n_disagreements_ == 0  # rank 3 of 20: eigenvalues of ± 1e-15
    model.fit(K.astype(np.float32))


def test_nystroem_needs_rows():
    with pytest.raises(ValueError, match='approximation="nystroem" needs the rows'):
        RLSClustering(2, kernel="precomputed", approximation="nystroem").fit(K)


def test_more_landmarks_than_rows_is_said():
    with pytest.warns(MaxMarginWarning, match="n_components = 100 is more than the 20 rows"):
        RLSClustering(2, approximation="nystroem").fit(X)


def test_clusters_that_died_are_said():
    rows = np.repeat([[0.0], [1.0]], 15, axis=0)
    with pytest.warns(MaxMarginWarning, match="ended without rows; set min_size"):
        model = RLSClustering(3, min_size=0, alpha=1.0, search="steepest", n_init=1).fit(rows)
    assert model.n_clusters_ < 3
    assert len(np.unique(model.labels_)) == model.n_clusters_


@pytest.mark.parametrize(
    "rows",
    [
        np.ones((12, 2)),
        np.zeros((12, 1)),
        np.repeat(np.arange(4.0)[:, None], 3, axis=0),
        np.column_stack([np.arange(12.0), np.full(12, 7.0)]),
        np.arange(3.0)[:, None],
        np.full((12, 2), 1e140) * np.arange(12)[:, None],
        np.full((12, 2), 1e-300) * np.arange(12)[:, None],
    ],
    ids=["equal", "zero", "duplicates", "constant", "n=k", "huge", "tiny"],
)
@pytest.mark.parametrize("kernel", ["rbf", "linear", "cosine", "laplacian"])
@pytest.mark.parametrize("approximation", [None, "nystroem"])
def test_degenerate_data_gets_an_answer_from_every_kernel(rows, kernel, approximation):
    model = RLSClustering(
        3, kernel=kernel, approximation=approximation, n_components=3, n_init=2, random_state=0
    )
    if kernel == "linear" and approximation is None and rows.max() > 1e100:
        with pytest.raises(ValueError, match="alpha is too small"):
            model.fit(rows)
        return
    if kernel == "linear" and 0 < rows.max() < 1e-200:
        with pytest.raises(ValueError, match="whose squares vanish; rescale"):
            model.fit(rows)
        return
    model.fit(rows)
    assert model.labels_.shape == (len(rows),)
    assert np.all(np.isfinite(model.decision_function(rows)))
    assert np.isfinite(model.objective_)
    assert np.isfinite(model.loo_score_)


def test_what_does_not_fit_in_memory_says_so(monkeypatch):
    monkeypatch.setattr("maxmargin._runtime.memory.available_memory", lambda: 1000)
    with pytest.raises(MemoryError, match=r"RLSClustering on 20 rows needs .* Use approximation"):
        RLSClustering(2).fit(X)


def test_extreme_but_legal_parameters_of_searches_work():
    assert RLSClustering(2, search=Shaking(rounds=3000), random_state=0).fit(X).n_iter_ <= 3000
    search = Evolutionary(patience=1e300, max_generations=50)
    assert RLSClustering(2, search=search, random_state=0).fit(X).n_iter_ == 50
    assert RLSClustering(2, min_size=np.array(0.1), random_state=0).fit(X).n_clusters_ == 2


def test_an_indefinite_kernel_is_said_with_landmarks_too():
    with pytest.warns(MaxMarginWarning, match="not positive semidefinite"):
        RLSClustering(
            2, kernel="sigmoid", gamma=1.0, coef0=-1, approximation="nystroem", n_components=15
        ).fit(X)
