"""Bad input: an answer or an error that names the parameter, never a NumPy warning or a hang."""

import numpy as np
import pytest
from scipy import sparse

from maxmargin import MaxMarginWarning, RLSClustering
from maxmargin.search import Evolutionary, Shaking

X = np.random.default_rng(0).normal(size=(20, 3))
K = X @ X.T


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"n_clusters": 0}, "n_clusters must be an int >= 1; got 0"),
        ({"n_clusters": 2.0}, "n_clusters must be an int >= 1; got 2.0"),
        ({"n_clusters": True}, "n_clusters must be an int"),
        ({"n_clusters": 21}, "n_clusters must be at most n_samples = 20; got 21"),
        ({"alpha": 0}, "alpha must be a finite number > 0; got 0"),
        ({"alpha": -1.0}, "alpha must be a finite number > 0"),
        ({"alpha": np.nan}, "alpha must be a finite number > 0"),
        ({"alpha": np.inf}, "alpha must be a finite number > 0"),
        ({"alpha": "auto"}, "alpha must be a finite number > 0; got 'auto'"),
        ({"gamma": 0.0}, "gamma must be a finite number > 0; got 0.0"),
        ({"gamma": -2}, "gamma must be"),
        ({"gamma": "auto"}, "gamma must be a number > 0 or one of 'median'"),
        ({"gamma": None}, "gamma must be"),
        ({"kernel": "gauss"}, "kernel must be one of .*'rbf'.*; got 'gauss'"),
        ({"kernel": 3}, "kernel must be one of"),
        ({"kernel": ["rbf"]}, "kernel must be one of"),
        ({"kernel": np.array([1, 2])}, "kernel must be one of"),
        ({"degree": "a"}, "degree must be a finite number; got 'a'"),
        ({"kernel": "poly", "degree": -1}, "degree must be a number >= 0; got -1"),
        ({"coef0": None}, "coef0 must be a finite number; got None"),
        ({"coef0": np.inf}, "coef0 must be a finite number"),
        ({"kernel_params": {"gamma": 5}}, "kernel_params must be None or"),
        ({"kernel": lambda a, b: a[0] - b[1]}, "kernel must be a symmetric function"),
        ({"alpha": 1e308}, "alpha is too large"),
        ({"init": [[0], [1, 2]]}, "init must be"),
        ({"init": [0, "a"] * 10}, "init must be"),
        ({"min_size": 10**30}, "min_size asks for"),
        ({"min_size": 1e300}, "min_size asks for"),
        ({"min_size": object()}, "min_size must be"),
        ({"min_size": {1, 2}}, "min_size must be"),
        ({"search": "tabu"}, "search must be one of 'shaking'.*; got 'tabu'"),
        ({"search": 5}, "search must be one of"),
        ({"polish": "yes"}, "polish must be True or False; got 'yes'"),
        ({"n_init": 0}, "n_init must be an int >= 1; got 0"),
        ({"n_components": 0}, "n_components must be an int >= 1"),
        ({"approximation": "rff"}, "approximation must be one of None, 'nystroem'; got 'rff'"),
        ({"init": "kmeans"}, "init must be one of 'random', 'k-means\\+\\+'; got 'kmeans'"),
        ({"init": [0, 1]}, "init must be .* 20 labels from 0 to 1; got an array of shape"),
        ({"init": np.full(20, 2)}, "init must be .* values \\[2"),
        ({"proportions": [0.5, 0.6]}, "proportions must be .* sum to 1"),
        ({"min_size": 11}, "min_size asks for 22 rows in all, and X has 20"),
        ({"max_size": 9}, "max_size leaves room for 18 rows"),
        ({"kernel": "precomputed"}, "square kernel matrix; got shape \\(20, 3\\)"),
        ({"kernel": "chi2"}, "kernel='chi2' needs X >= 0"),
    ],
)
def test_a_wrong_parameter_is_named(parameters, message):
    with pytest.raises(ValueError, match=message):
        RLSClustering(**{"n_clusters": 2, **parameters}).fit(X)


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


@pytest.mark.parametrize("bad", [np.nan, np.inf])
@pytest.mark.parametrize("kernel", ["rbf", "precomputed"])
def test_nan_and_inf_are_refused(bad, kernel):
    data = (K if kernel == "precomputed" else X).copy()
    data[2, 1] = data[1, 2] = bad
    with pytest.raises(ValueError, match=r"NaN|infinity"):
        RLSClustering(2, kernel=kernel).fit(data)


def test_a_kernel_matrix_must_be_symmetric():
    crooked = K.copy()
    crooked[0, 1] += 0.5
    with pytest.raises(ValueError, match=r"must be symmetric; .* differ by up to 0.5"):
        RLSClustering(2, kernel="precomputed").fit(crooked)


def test_an_indefinite_kernel_matrix_is_clipped_with_a_warning():
    values, vectors = np.linalg.eigh(K)
    values[0] = -2.0
    indefinite = (vectors * values) @ vectors.T
    indefinite = (indefinite + indefinite.T) / 2
    with pytest.warns(MaxMarginWarning, match="smallest eigenvalue is -2 .*are set to 0"):
        model = RLSClustering(2, kernel="precomputed", random_state=0).fit(indefinite)
    clipped = (vectors * np.clip(values, 0, None)) @ vectors.T
    expected = RLSClustering(2, kernel="precomputed", random_state=0).fit(clipped)
    assert model.objective_ == pytest.approx(expected.objective_)


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


def test_chi2_and_sparse_is_said():
    with pytest.raises(ValueError, match="kernel='chi2' needs dense data"):
        RLSClustering(2, kernel="chi2").fit(sparse.csr_matrix(np.abs(X)))


def test_clusters_that_died_are_said():
    rows = np.repeat([[0.0], [1.0]], 15, axis=0)
    with pytest.warns(MaxMarginWarning, match="ended without rows; set min_size"):
        model = RLSClustering(3, min_size=0, alpha=1.0, search="steepest", n_init=1).fit(rows)
    assert model.n_clusters_ < 3
    assert len(np.unique(model.labels_)) == model.n_clusters_


@pytest.mark.parametrize("search", ["shaking", "steepest", "stochastic", "evolutionary"])
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
def test_degenerate_data_gets_an_answer(search, rows, kernel, approximation):
    model = RLSClustering(
        3,
        search=search,
        kernel=kernel,
        approximation=approximation,
        n_components=3,
        n_init=2,
        random_state=0,
    )
    if kernel == "linear" and approximation is None and rows.max() > 1e100:
        with pytest.raises(ValueError, match="alpha is too small"):
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


def test_values_whose_squares_overflow_are_refused():
    with pytest.raises(ValueError, match=r"X has values up to 1e\+200, whose squares overflow"):
        RLSClustering(2).fit(np.array([[1e200], [1.0], [2.0]]))


def test_a_kernel_that_overflows_is_named():
    with pytest.raises(ValueError, match="kernel='callable' gives values on X that are not finite"):
        RLSClustering(2, kernel=lambda a, b: np.inf).fit(X)


def test_extreme_but_legal_parameters_of_searches_work():
    assert RLSClustering(2, search=Shaking(rounds=3000), random_state=0).fit(X).n_iter_ <= 3000
    search = Evolutionary(patience=1e300, max_generations=50)
    assert RLSClustering(2, search=search, random_state=0).fit(X).n_iter_ == 50
    assert RLSClustering(2, min_size=np.array(0.1), random_state=0).fit(X).n_clusters_ == 2


def test_values_too_small_for_a_width_are_refused():
    with pytest.raises(ValueError, match="its values are too small or too large; rescale X"):
        RLSClustering(2).fit(X * 1e-160)


def test_an_indefinite_kernel_is_said_with_landmarks_too():
    with pytest.warns(MaxMarginWarning, match="not positive semidefinite"):
        RLSClustering(
            2, kernel="sigmoid", gamma=1.0, coef0=-1, approximation="nystroem", n_components=15
        ).fit(X)


def test_classes_coded_as_minus_one_and_one_are_noticed():
    y = np.where(np.arange(20) < 10, -1, 1)
    with pytest.warns(MaxMarginWarning, match="50% of the rows are pinned to cluster 1"):
        RLSClustering(2).fit(X, y)


@pytest.mark.parametrize("y", [np.array([0] + [-1] * 19, dtype=object), [0.0] + [-1.0] * 19])
def test_pins_of_any_numeric_kind_are_read(y):
    assert RLSClustering(2).fit(X, y).n_pinned_ == 1
