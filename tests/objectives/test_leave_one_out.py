import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from oracles import forms
from oracles import leave_one_out as oracle
from sklearn.linear_model import Ridge
from sklearn.model_selection import LeaveOneOut as Folds
from sklearn.model_selection import cross_val_predict

from maxmargin.objectives.leave_one_out import ErrorForm, LeaveOneOut, spread_of
from maxmargin.sizes import read_sizes
from maxmargin.spaces.quadratic_form import QuadraticForm

NO_PINS = np.full(40, -1, np.int32)


def of_gram(K, lam):
    return LeaveOneOut.of_form(QuadraticForm.from_gram(K.copy(), lam))


def random_graph(rng, n=30, p=0.15):
    W = np.triu(rng.random((n, n)) < p, 1).astype(float)
    W[0, 1:] = np.maximum(W[0, 1:], np.arange(1, n) == 1)  # at least one edge
    return W + W.T


def two_blobs(rng):
    """The kernel of two blobs of 20 rows, much smaller than its width and far apart."""
    X = 0.3 * rng.normal(size=(40, 2)) + 20 * np.repeat([0, 1], 20)[:, None]
    return np.exp(-0.1 * ((X[:, None] - X) ** 2).sum(-1))


def whole(form: ErrorForm):
    return form.matrix.astype(float) + np.diag(form.diagonal)


@pytest.fixture
def case(rng):
    K = forms.random_gram(rng, 40)
    return K, 0.2, rng.integers(3, size=40).astype(np.int32), 3


# The errors


@pytest.mark.parametrize("alpha", [2.0**-11, 0.005, 1.0])
@pytest.mark.parametrize("gamma", [0.1, 0.5, 5.0])
def test_errors_are_those_of_refits(alpha, gamma, rng):
    K = forms.random_gram(rng, 40, gamma=gamma)
    labels = rng.integers(3, size=40)
    criterion = of_gram(K, alpha * 40)
    assert criterion.residual.dtype == np.float32
    expected = oracle.errors(K, alpha * 40, labels, 3)
    np.testing.assert_allclose(criterion.errors(labels, 3), expected, atol=1e-5)
    spread = oracle.spread(labels, 3)
    assert criterion.scores([labels])[0] == pytest.approx(
        1 - np.sum(expected**2) / spread, abs=1e-4
    )


def test_errors_of_a_linear_kernel_are_those_of_scikit_learns_ridge(rng):
    """Its intercept is not penalised either."""
    X = rng.normal(size=(30, 4)) + 2
    labels = rng.integers(3, size=30)
    H = np.eye(3)[labels]
    predicted = cross_val_predict(Ridge(alpha=0.7), X, H, cv=Folds())
    np.testing.assert_allclose(of_gram(X @ X.T, 0.7).errors(labels, 3), H - predicted, atol=1e-5)


@pytest.mark.parametrize("lam", [0.01, 0.2, 30.0])
def test_a_free_bias_is_a_downdate_of_the_residuals(lam, rng):
    """A_b = A − A11ᵀA / (1ᵀA1) is what the bordered system leaves."""
    K = forms.random_gram(rng, 40)
    A = lam * np.linalg.inv(K + lam * np.eye(40))
    expected = oracle.residual(K, lam)
    sums = A.sum(axis=1)
    np.testing.assert_allclose(A - np.outer(sums, sums) / sums.sum(), expected, atol=1e-10)
    criterion = of_gram(K, lam)
    np.testing.assert_allclose(criterion.residual, expected, atol=2e-7)
    np.testing.assert_allclose(criterion.diagonal, expected.diagonal(), atol=1e-10)
    np.testing.assert_array_equal(criterion.residual, criterion.residual.T)


def test_a_constant_in_the_kernel_changes_nothing(case):
    """The bias has it already."""
    K, lam, labels, k = case
    np.testing.assert_allclose(
        of_gram(K + 5, lam).errors(labels, k), of_gram(K, lam).errors(labels, k), atol=1e-5
    )


@pytest.mark.parametrize("n", [2, 3, 10])
def test_equal_rows_by_hand(n):
    """Left out, a row is predicted by the mean of the others: it is missed by n / (n − 1) of
    what the mean of all misses it by, so that R² = 1 − (n / (n − 1))² whatever the labels.
    """
    criterion = of_gram(np.ones((n, n)), 0.3)
    labels = np.arange(n) % 2
    H = np.eye(2)[labels]
    expected = n / (n - 1) * (H - H.mean(axis=0))
    np.testing.assert_allclose(criterion.errors(labels, 2), expected, atol=1e-5)
    alone = np.arange(n)
    np.testing.assert_allclose(criterion.scores([labels, alone]), 1 - (n / (n - 1)) ** 2, atol=1e-4)


def test_rows_are_worked_through_in_blocks(case, monkeypatch):
    K, lam, _, _ = case
    expected = of_gram(K, lam)
    monkeypatch.setattr("maxmargin._runtime.memory.BLOCK_BYTES", 8 * 40 * 7)
    np.testing.assert_array_equal(of_gram(K, lam).residual, expected.residual)


def test_permuted_rows_have_permuted_errors(case, rng):
    K, lam, labels, k = case
    order = rng.permutation(40)
    permuted = of_gram(K[np.ix_(order, order)], lam)
    expected = of_gram(K, lam).errors(labels, k)[order]
    np.testing.assert_allclose(permuted.errors(labels[order], k), expected, atol=1e-5)


def test_scores_are_one_minus_error_over_spread(case, rng):
    K, lam, _, _ = case
    criterion = of_gram(K, lam)
    partitions = [rng.integers(k, size=40) for k in (2, 3, 7)]
    scores = criterion.scores(partitions)
    for labels, score in zip(partitions, scores, strict=True):
        k = labels.max() + 1
        missed = criterion.errors(labels, k)
        assert score == pytest.approx(1 - np.sum(missed**2) / oracle.spread(labels, k), abs=1e-6)
    assert criterion.scores([]).shape == (0,)


@pytest.mark.parametrize("counts", [[3, 4], [5, 0, 2], [1, 1, 1], [9]])
def test_the_spread_is_the_error_of_the_means(counts):
    labels = np.repeat(np.arange(len(counts)), counts)
    expected = oracle.spread(labels, len(counts))
    assert spread_of(np.array(counts)) == pytest.approx(expected, abs=1e-12)


def test_the_error_is_a_quadratic_form(case, rng):
    K, lam, _, _ = case
    criterion = of_gram(K, lam)
    form = criterion.form()
    A = oracle.residual(K, lam)
    D = np.diag(1 / A.diagonal() ** 2)
    np.testing.assert_allclose(whole(form), A @ D @ A, rtol=1e-4, atol=1e-5)
    np.testing.assert_array_equal(form.matrix, form.matrix.T)
    assert np.all(form.matrix.diagonal() == 0)
    for k in (2, 3, 6):
        labels = rng.integers(k, size=40)
        score = 1 - oracle.error(whole(form), labels, k) / oracle.spread(labels, k)
        assert criterion.scores([labels])[0] == pytest.approx(score, abs=1e-4)


def test_one_cluster_scores_zero(case):
    K, lam, _, _ = case
    criterion = of_gram(K, lam)
    scores = criterion.scores([np.zeros(40, int), np.full(40, 3)])
    assert scores.tolist() == [0, 0]
    # and without the special case its error is 0: the bias knows it
    np.testing.assert_allclose(criterion.errors(np.zeros(40, int), 1), 0, atol=1e-4)


def test_names_of_clusters_do_not_matter(case):
    K, lam, labels, k = case
    criterion = of_gram(K, lam)
    names = np.array([4, 0, 2])  # with gaps: empty clusters miss nothing
    np.testing.assert_allclose(
        criterion.errors(names[labels], 5)[:, names], criterion.errors(labels, k), atol=1e-6
    )
    one, other = criterion.scores([labels, names[labels]])
    assert one == pytest.approx(other, abs=1e-6)


def test_a_row_alone_scores_below_zero(case):
    """No model can know a cluster whose only row it has not seen: both indicators are missed
    by 1 there, and 2 is more than the spread 2(n − 1)/n. One cluster is a local optimum.
    """
    K, lam, _, _ = case
    criterion = of_gram(K, lam)
    alone = [(np.arange(40) == j).astype(int) for j in range(40)]
    assert criterion.scores(alone).max() < 1 - 40 / 39 + 1e-5


@pytest.mark.parametrize("smoothing", [0.1, 3.0, 30.0])
@pytest.mark.parametrize("p", [0.0, 0.05, 0.3, 1.0])
def test_a_graph_is_the_inverse_of_its_laplacian(p, smoothing, rng):
    """With an edge or two only, isolated vertices, in one piece, and complete."""
    W = random_graph(rng, 30, p)
    form = QuadraticForm.from_graph(W.copy(), smoothing)
    R = np.linalg.inv(np.eye(30) + smoothing * oracle.laplacian(W))
    np.testing.assert_allclose(forms.dense(form), R, atol=1e-12)
    np.testing.assert_allclose(forms.dense(form).sum(axis=1), 1, atol=1e-12)
    np.testing.assert_array_equal(form.matrix, form.matrix.T)
    assert np.all(form.matrix.diagonal() == 0)
    isolated = W.sum(axis=1) == 0
    np.testing.assert_allclose(form.diagonal[isolated], 1, rtol=1e-15)
    assert np.all(form.matrix[isolated] == 0)


def test_weights_are_relative_to_the_mean_degree(rng):
    W = random_graph(rng, 20, 0.3) * rng.uniform(0.5, 2, size=(20, 20))
    W = W + W.T
    one, other = (QuadraticForm.from_graph(c * W, 3.0) for c in (1, 50))
    np.testing.assert_allclose(one.matrix, other.matrix, atol=1e-12)
    R = np.linalg.inv(np.eye(20) + 3 * oracle.laplacian(W))
    np.testing.assert_allclose(forms.dense(one), R, atol=1e-12)


def test_two_vertices_by_hand():
    """L = [[1, −1], [−1, 1]]: (I + μL)⁻¹ = [[1 + μ, μ], [μ, 1 + μ]] / (1 + 2μ)."""
    form = QuadraticForm.from_graph(np.array([[0.0, 1], [1, 0]]), 3.0)
    np.testing.assert_allclose(forms.dense(form), np.array([[4, 3], [3, 4]]) / 7, atol=1e-15)
    # left out, a vertex takes the value of the other
    errors = LeaveOneOut.of_form(form).errors(np.array([0, 1]), 2)
    np.testing.assert_allclose(errors, [[1, -1], [-1, 1]], atol=1e-6)


@pytest.mark.parametrize("smoothing", [0.1, 3.0, 30.0])
def test_errors_on_a_graph_are_those_without_the_rows_label(smoothing, rng):
    W = random_graph(rng, 30, 0.2)
    np.fill_diagonal(W[1:], 1)  # a path: in one piece
    W = np.maximum(W, W.T)
    labels = rng.integers(3, size=30)
    criterion = LeaveOneOut.of_form(QuadraticForm.from_graph(W.copy(), smoothing))
    expected = oracle.graph_errors(W, smoothing, labels, 3)
    np.testing.assert_allclose(criterion.errors(labels, 3), expected, atol=1e-5)
    score = 1 - np.sum(expected**2) / oracle.spread(labels, 3)
    assert criterion.scores([labels])[0] == pytest.approx(score, abs=1e-4)


def test_errors_on_a_graph_in_two_pieces(rng):
    W = np.zeros((20, 20))
    for piece in (slice(0, 8), slice(8, 20)):
        W[piece, piece] = random_graph(rng, W[piece, piece].shape[0], 0.2)
        np.fill_diagonal(W[piece, piece][1:], 1)
    W = np.maximum(W, W.T)
    criterion = LeaveOneOut.of_form(QuadraticForm.from_graph(W.copy(), 3.0))
    labels = rng.integers(3, size=20)
    expected = oracle.graph_errors(W, 3.0, labels, 3)
    np.testing.assert_allclose(criterion.errors(labels, 3), expected, atol=1e-5)
    pieces = np.repeat([0, 1], [8, 12])
    np.testing.assert_allclose(criterion.errors(pieces, 2), 0, atol=1e-5)
    assert criterion.scores([pieces])[0] == pytest.approx(1)


def test_an_isolated_vertex_says_nothing(rng):
    """Nothing is known of it without its label: it is left out of the sum."""
    W = np.zeros((15, 15))
    W[:14, :14] = 1 - np.eye(14)
    criterion = LeaveOneOut.of_form(QuadraticForm.from_graph(W, 3.0))
    labels = rng.integers(2, size=15)
    assert np.all(criterion.errors(labels, 2)[14] == 0)
    edgeless = LeaveOneOut.of_form(QuadraticForm.from_graph(np.zeros((5, 5)), 3.0))
    assert np.all(edgeless.errors(np.arange(5), 5) == 0)


def check_local_optimum(form, labels, sizes):
    """No single move of a free row within the bounds raises R²."""
    B, k = whole(form), sizes.n_clusters
    rows = np.flatnonzero(sizes.movable)
    after = oracle.move_ratios(B, labels, k, sizes.lower, sizes.upper, rows)
    assert after.min(initial=np.inf) >= oracle.ratio(B, labels, k) * (1 - 2e-7)


def random_pins(rng, n, k, count):
    pins = np.full(n, -1, np.int32)
    pins[rng.choice(n, count, replace=False)] = np.arange(count) % k
    return pins


@pytest.mark.parametrize("k", [2, 3, 5])
@pytest.mark.parametrize("limits", [(None, None), (5, None), (None, 1.3), (0.8, 1.2)])
@pytest.mark.parametrize("pinned", [0, 8])
def test_a_polish_leaves_no_move_that_raises_the_score(k, limits, pinned, rng):
    K = forms.random_gram(rng, 40)
    criterion = of_gram(K, 0.2)
    form = criterion.form()
    sizes = read_sizes(40, k, None, *limits, random_pins(rng, 40, k, pinned))
    start = sizes.random_labels(rng)
    given_labels = start.copy()
    found = form.polish(start, sizes, rng)
    np.testing.assert_array_equal(start, given_labels)
    assert found.dtype == np.int32
    assert sizes.hold(found)
    assert oracle.ratio(whole(form), found, k) < oracle.ratio(whole(form), start, k)
    check_local_optimum(form, found, sizes)
    before, after = criterion.scores([start, found])
    assert after > before
    # and a second polish finds nothing
    np.testing.assert_array_equal(form.polish(found, sizes, rng), found)


@pytest.mark.parametrize("k", [2, 3, 4])
@pytest.mark.parametrize("pinned", [0, 8])
def test_with_exact_sizes_a_polish_leaves_no_swap_that_raises_the_score(k, pinned, rng):
    criterion = of_gram(forms.random_gram(rng, 40), 0.2)
    form = criterion.form()
    shares = np.arange(1, k + 1) + 2
    sizes = read_sizes(40, k, shares / shares.sum(), None, None, random_pins(rng, 40, k, pinned))
    start = sizes.random_labels(rng)
    found = form.polish(start, sizes, rng)
    np.testing.assert_array_equal(np.bincount(found, minlength=k), sizes.lower)
    assert sizes.hold(found)
    B, rows = whole(form), np.flatnonzero(sizes.movable)
    error = oracle.error(B, found, k)
    assert error < oracle.error(B, start, k)
    assert oracle.swap_errors(B, found, k, rows).min() >= error - 1e-5
    before, after = criterion.scores([start, found])
    assert after > before


@pytest.mark.parametrize("shares", [None, [0.5, 0.5]])
def test_a_polish_repairs_two_blobs(shares, rng):
    K = two_blobs(rng)
    truth = np.repeat([0, 1], 20).astype(np.int32)
    start = truth.copy()
    start[[2, 5, 27, 33]] ^= 1
    sizes = read_sizes(40, 2, shares, None, None, NO_PINS)
    found = of_gram(K, 0.2).form().polish(start, sizes, rng)
    np.testing.assert_array_equal(found, truth)


def test_pins_hold_against_the_data(rng):
    """A row pinned to the wrong blob stays there, with moves and with swaps."""
    K = two_blobs(rng)
    pins = NO_PINS.copy()
    pins[[0, 20]] = [1, 0]
    form = of_gram(K, 0.2).form()
    for shares in (None, [0.5, 0.5]):
        sizes = read_sizes(40, 2, shares, None, None, pins)
        start = np.repeat([0, 1], 20).astype(np.int32)
        start[[0, 20]] = [1, 0]
        start[[7, 30]] = [1, 0]
        found = form.polish(start, sizes, rng)
        assert found[[0, 20]].tolist() == [1, 0]
        assert found[[7, 30]].tolist() == [0, 1]


@settings(max_examples=50, deadline=None)
@given(
    seed=st.integers(0, 2**32 - 1),
    n=st.integers(2, 30),
    k=st.integers(1, 5),
    exact=st.booleans(),
    graph=st.booleans(),
)
def test_a_polish_keeps_its_promises_on_small_problems(seed, n, k, exact, graph):
    """Few rows, equal rows, empty clusters, isolated vertices: limits hold, R² never falls."""
    rng = np.random.default_rng(seed)
    k = min(k, n)
    if graph:
        form = LeaveOneOut.of_form(QuadraticForm.from_graph(random_graph(rng, n), 3.0)).form()
    else:
        X = rng.integers(4, size=(n, 2))
        K = np.exp(-((X[:, None] - X) ** 2).sum(-1) / 2)
        form = of_gram(K, n * 2.0**-11).form()
    shares = np.full(k, 1 / k) if exact else None
    sizes = read_sizes(n, k, shares, None, None, np.full(n, -1, np.int32))
    start = sizes.random_labels(rng)
    if not exact:
        start = rng.integers(k, size=n).astype(np.int32)
    found = form.polish(start, sizes, rng)
    assert sizes.hold(found)
    if np.ptp(start):
        assert np.ptp(found)  # two clusters are never made one
        before, after = (oracle.ratio(whole(form), x, k) for x in (start, found))
        assert after <= before + 1e-9
    elif np.ptp(found):  # one cluster has R² = 0, and is left for a better fit only
        assert oracle.ratio(whole(form), found, k) < 1


@pytest.mark.parametrize("n", [4, 6, 12, 30])
def test_a_polish_with_exact_sizes_ends_where_all_swaps_are_equal(n, rng):
    """Equal rows, and rows on a circle: the diagonal of B is constant, gains are ties."""
    angles = 2 * np.pi * np.arange(n) / n
    chords = 4 * np.sin((angles[:, None] - angles) / 2) ** 2
    for squared in (np.zeros((n, n)), chords):
        form = of_gram(np.exp(-squared), 0.01 * n).form()
        sizes = read_sizes(n, 2, [0.5, 0.5], None, None, np.full(n, -1, np.int32))
        start = sizes.random_labels(rng)
        found = form.polish(start, sizes, rng)
        assert sizes.hold(found)
        assert oracle.error(whole(form), found, 2) <= oracle.error(whole(form), start, 2) + 1e-9


def test_the_same_seed_gives_the_same_labels(case):
    K, lam, labels, k = case
    sizes = read_sizes(40, k, None, None, None, NO_PINS)
    form = of_gram(K, lam).form()
    one, other = (form.polish(labels, sizes, np.random.default_rng(3)) for _ in range(2))
    np.testing.assert_array_equal(one, other)
