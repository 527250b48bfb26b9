"""The compiled pass over the rows does what its plain twin does, and its sums stay true."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from oracles import forms
from oracles import leave_one_out as oracle

from maxmargin._core.ratios import settle_ratios, value_inside

TOL = 1e-7


def random_error_form(rng, n=40, dtype=np.float64):
    """B of a Gaussian kernel, in the given precision: hollow, its diagonal, and whole."""
    A = oracle.residual(forms.random_gram(rng, n), 0.2)
    G = A / A.diagonal()[:, None]
    B = G.T @ G
    matrix = ((B + B.T) / 2).astype(dtype)
    np.fill_diagonal(matrix, 0)
    return matrix, B.diagonal().copy(), matrix.astype(float) + np.diag(B.diagonal())


class Pass:
    """The arrays of a labelling, and what the oracle says of them."""

    def __init__(self, matrix, B, labels, k):
        self.matrix, self.B, self.k = matrix, B, k
        self.labels = labels.astype(np.int32)
        self.scores = self.true_scores()
        self.counts = np.bincount(labels, minlength=k)
        self.error, self.spread = oracle.error(B, labels, k), oracle.spread(labels, k)

    def true_scores(self):
        H = self.labels[:, None] == np.arange(self.k)
        return np.ascontiguousarray((self.matrix.astype(float) @ H).T)

    def run(self, lower, upper, order, tol=TOL, factor=None, most=10**9):
        moves, self.seen, self.error, self.spread = settle_ratios(
            self.matrix if factor is None else factor, factor is not None,
            self.labels, self.scores, self.counts, np.ones(len(self.labels), np.intp),
            np.asarray(lower, np.intp), np.asarray(upper, np.intp), np.asarray(order, np.intp),
            tol, self.error, self.spread, most,
        )  # fmt: skip
        return moves

    def check(self):
        """All that is kept up to date equals what the labels give."""
        np.testing.assert_allclose(self.scores, self.true_scores(), atol=1e-9)
        np.testing.assert_array_equal(self.counts, np.bincount(self.labels, minlength=self.k))
        assert self.error == pytest.approx(oracle.error(self.B, self.labels, self.k), rel=1e-9)
        assert self.spread == pytest.approx(oracle.spread(self.labels, self.k), rel=1e-9)


def test_a_case_computed_by_hand():
    """Rows 0 and 1 repel row 2; B = I but for B_02 = B_12 = 1, labels 0, 1, 1.

    error = 3 + 2 = 5, spread = 3 − 5/3 = 4/3. Row 0 may join 1: one cluster, not allowed.
    Row 1 to 0: error 3, spread 4/3: taken. Row 2 to 0: error 3 + 4 > 3: not taken.
    """
    matrix = np.array([[0, 0, 1], [0, 0, 1], [1, 1, 0]], float)
    one = Pass(matrix, matrix + np.eye(3), np.array([0, 1, 1]), 2)
    assert (one.error, one.spread) == (pytest.approx(5), pytest.approx(4 / 3))
    assert one.run([1, 1], [3, 3], [0, 1, 2]) == 1
    assert one.labels.tolist() == [0, 0, 1]
    assert (one.error, one.spread) == (pytest.approx(3), pytest.approx(4 / 3))
    one.check()


@pytest.mark.parametrize("k", [2, 3, 5])
@pytest.mark.parametrize("limits", [(0, 40), (6, 40), (0, 14), (5, 12)])
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_it_is_the_plain_twin(dtype, limits, k, rng):
    matrix, _, B = random_error_form(rng, 40, dtype)
    lower, upper = np.full(k, limits[0]), np.full(k, max(limits[1], 40 // k + 2))
    compiled = Pass(matrix, B, rng.permutation(np.arange(40) % k), k)
    total = 0
    for _ in range(3):
        order = rng.permutation(40)
        expected, moves = oracle.settle_ratios(B, compiled.labels, k, lower, upper, order, TOL)
        assert compiled.run(lower, upper, order) == moves
        np.testing.assert_array_equal(compiled.labels, expected)
        compiled.check()
        total += moves
    assert total > 3


def test_a_factor_is_as_good_as_the_form(rng):
    A = oracle.residual(forms.random_gram(rng, 40), 0.2)
    Z = np.ascontiguousarray((A / A.diagonal()[:, None]).T)
    matrix = Z @ Z.T
    np.fill_diagonal(matrix, 0)
    start = rng.integers(4, size=40)
    by_form, by_factor = (Pass(matrix, Z @ Z.T, start, 4) for _ in range(2))
    order = rng.permutation(40)
    moves = by_form.run([1] * 4, [40] * 4, order)
    assert by_factor.run([1] * 4, [40] * 4, order, factor=Z) == moves > 3
    np.testing.assert_array_equal(by_factor.labels, by_form.labels)
    by_factor.check()


def test_a_pass_ends_after_so_many_moves_and_can_go_on(rng):
    matrix, _, B = random_error_form(rng, 40)
    start, order = rng.integers(4, size=40), rng.permutation(40)
    whole, parts = Pass(matrix, B, start, 4), Pass(matrix, B, start, 4)
    moves = whole.run([0] * 4, [40] * 4, order)
    assert (whole.seen, moves > 3) == (40, True)
    left, done = order, 0
    while left.size:
        made = parts.run([0] * 4, [40] * 4, left, most=2)
        assert made <= 2
        done, left = done + made, left[parts.seen :]
    assert done == moves
    np.testing.assert_array_equal(parts.labels, whole.labels)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_every_move_lowers_the_ratio(dtype, rng):
    matrix, _, B = random_error_form(rng, 40, dtype)
    one = Pass(matrix, B, rng.integers(4, size=40), 4)
    taken = 0
    for j in np.tile(rng.permutation(40), 4):
        before, labels = oracle.ratio(B, one.labels, 4), one.labels.copy()
        moves = one.run(np.zeros(4), np.full(4, 40), [j])
        changed = np.flatnonzero(labels != one.labels)
        assert changed.tolist() == ([j] if moves else [])
        if moves:
            assert oracle.ratio(B, one.labels, 4) < before * (1 - TOL / 2)
        one.check()
        taken += moves
    assert taken > 5


@settings(max_examples=60, deadline=None)
@given(
    seed=st.integers(0, 2**32 - 1),
    n=st.integers(2, 25),
    k=st.integers(1, 6),
    slack=st.integers(0, 5),
    share=st.floats(0, 1),
)
def test_bounds_and_rows_left_out_hold(seed, n, k, slack, share):
    """Whatever the start: sizes within bounds stay there, and rows not in order stay."""
    rng = np.random.default_rng(seed)
    matrix, _, B = random_error_form(rng, n)
    labels = rng.integers(k, size=n)
    counts = np.bincount(labels, minlength=k)
    lower = np.maximum(counts - rng.integers(slack + 1, size=k), 0)
    upper = counts + rng.integers(slack + 1, size=k)
    order = np.flatnonzero(rng.random(n) < share)
    one = Pass(matrix, B, labels, k)
    before = one.error, one.spread
    if before[1] <= 0:
        return
    one.run(lower, upper, rng.permutation(order))
    assert np.all(one.counts >= lower)
    assert np.all(one.counts <= upper)
    rest = np.setdiff1d(np.arange(n), order)
    np.testing.assert_array_equal(one.labels[rest], labels[rest])
    assert one.error / one.spread <= before[0] / before[1]
    assert np.count_nonzero(one.counts) > 1
    one.check()


def test_bounds_that_fix_all_sizes_leave_all_rows(rng):
    matrix, _, B = random_error_form(rng, 30)
    one = Pass(matrix, B, np.arange(30) % 3, 3)
    assert one.run([10] * 3, [10] * 3, np.arange(30)) == 0
    assert one.run([0] * 3, [10] * 3, np.arange(30)) == 0
    assert one.run([10] * 3, [30] * 3, np.arange(30)) == 0
    assert one.run([0] * 3, [30] * 3, []) == 0
    np.testing.assert_array_equal(one.labels, np.arange(30) % 3)


def test_a_fall_below_the_tolerance_is_no_reason_to_move(rng):
    matrix, _, B = random_error_form(rng, 30)
    one = Pass(matrix, B, rng.integers(3, size=30), 3)
    ratios = oracle.move_ratios(B, one.labels, 3, [0] * 3, [30] * 3, np.arange(30))
    j = int(np.argmin(ratios.min(axis=1)))
    fall = 1 - ratios[j].min() / oracle.ratio(B, one.labels, 3)
    assert fall > 0
    assert one.run([0] * 3, [30] * 3, [j], tol=1.001 * fall) == 0
    assert one.run([0] * 3, [30] * 3, [j], tol=0.999 * fall) == 1


@pytest.mark.parametrize("n", [3, 5, 10, 20, 28])
def test_the_last_two_clusters_never_become_one(n, rng):
    """The ratio of one cluster is 0 / 0: in floating point it may be anything."""
    for dtype in (np.float32, np.float64):
        for _ in range(10):
            matrix, _, B = random_error_form(rng, n, dtype)
            labels = np.zeros(n, int)
            labels[rng.integers(n)] = 1
            one = Pass(matrix, B, labels, 2)
            for _ in range(5):
                one.run([0, 0], [n, n], rng.permutation(n))
                assert np.count_nonzero(one.counts) == 2
            one.check()


@pytest.mark.usefixtures("stopped")
def test_the_flag_ends_a_pass(rng):
    matrix, _, B = random_error_form(rng, 20)
    one = Pass(matrix, B, np.arange(20) % 2, 2)
    bounds = np.zeros(2, np.intp), np.full(2, 20)
    with pytest.raises(KeyboardInterrupt):
        settle_ratios(
            matrix, False, one.labels, one.scores, one.counts, np.ones(20, np.intp), *bounds,
            np.arange(20), TOL, one.error, one.spread, 20,
        )  # fmt: skip


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("k", [1, 3, 7])
def test_the_value_inside_clusters_is_that_of_the_form(k, dtype, rng):
    n = 40
    B = rng.normal(size=(n, n))
    B = (B + B.T).astype(dtype)
    B.flat[:: n + 1] = 0
    labels = rng.integers(k, size=n)
    labels[labels == 1] = 0  # a cluster without rows
    H = np.eye(k)[labels]
    members, stops = np.argsort(labels, kind="stable"), np.cumsum(np.bincount(labels, minlength=k))
    found = value_inside(B, members, stops)
    assert found == pytest.approx(np.trace(H.T @ B.astype(np.float64) @ H), abs=1e-4)
