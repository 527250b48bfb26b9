"""The rows' share in a cut: each kernel does what its plain twin does, for every layout."""

import itertools

import numpy as np
import pytest
from oracles import hinge as oracle
from scipy import sparse

from maxmargin._core.cuts import label_losses, rank_rows, relink_cuts, sum_cut
from maxmargin.blocks.rows import as_line
from maxmargin.objectives.hinge import UNWEIGHTED

K = 4
LAYOUTS = [
    *itertools.product(["dense"], [np.float32, np.float64], [None]),
    *itertools.product(["csr"], [np.float32, np.float64], [np.int32, np.int64]),
]


def lay_out(X, layout):
    """The rows in a layout, and as the kernels take them."""
    kind, dtype, index = layout
    if kind == "dense":
        return as_line(X.astype(dtype))
    rows = sparse.csr_array(X.astype(dtype))
    rows.indices, rows.indptr = rows.indices.astype(index), rows.indptr.astype(index)
    if rows.nnz:
        rows.data[:: max(1, rows.nnz // 5)] = 0  # stored zeros
        X[:] = rows.toarray()
    return as_line(rows)


@pytest.fixture(params=["full", "holes", "one column", "nothing"])
def X(request, rng):
    """Rows of whole numbers, so that sums in any order are the same."""
    X = rng.integers(-4, 5, size=(60, 7)).astype(float)
    if request.param == "holes":
        X[rng.random(X.shape) < 0.6] = 0
        X[[0, 5, 6, -1]] = 0
    elif request.param == "one column":
        X[:, np.arange(7) != 3] = 0
    elif request.param == "nothing":
        X[:] = 0
    return X


def random_pairs(rng, n):
    """Labels, and rivals that are others or none."""
    labels = rng.integers(K, size=n)
    rivals = (labels + rng.integers(1, K, size=n)) % K
    return labels.astype(np.int16), np.where(rng.random(n) < 0.3, -1, rivals).astype(np.int16)


# -- ranks and losses --------------------------------------------------------------------


def ranked(scores, offsets, held, weights=UNWEIGHTED):
    labels, rivals = np.empty(len(scores), np.int16), np.empty(len(scores), np.int16)
    offsets, held = np.asarray(offsets, float), held.astype(np.int16)
    counts = np.zeros(len(offsets), np.intp)
    loss = rank_rows(scores, offsets, held, labels, rivals, weights, counts)
    np.testing.assert_array_equal(counts, np.bincount(labels, minlength=len(offsets)))
    return labels, rivals, loss


@pytest.mark.parametrize("k", [2, 3, 6])
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("ties", [False, True])
def test_ranks_are_those_of_the_twin(ties, dtype, k, rng):
    """Whole numbers bring ties, and margins of exactly 1."""
    scores = rng.integers(3, size=(200, k)) if ties else rng.normal(size=(200, k))
    scores = scores.astype(dtype)
    offsets = np.zeros(k) if ties else rng.normal(size=k) / 10
    held = np.where(rng.random(200) < 0.3, rng.integers(k, size=200), -1)
    labels, rivals, loss = ranked(scores, offsets, held)
    expected = oracle.rank(scores.astype(float) + offsets, held)
    np.testing.assert_array_equal(labels, expected[0])
    np.testing.assert_array_equal(rivals, expected[1])
    assert loss == pytest.approx(expected[2], rel=1e-12)
    assert (rivals < 0).any()
    assert (rivals >= 0).any()


def test_ranks_by_hand():
    scores = np.array([[2.0, 0, 0.5], [1, 1, 0], [0, 1, 0], [0, 0.5, 0.5]])
    labels, rivals, loss = ranked(scores, [0, 0, 0], np.array([-1, -1, -1, 0]))
    assert labels.tolist() == [0, 0, 1, 0]
    assert rivals.tolist() == [-1, 1, -1, 1]
    assert loss == pytest.approx(0 + 1 + 0 + 1.5)


def test_weights_count_losses_as_copies_do(rng):
    scores, held = rng.normal(size=(50, 3)), np.full(50, -1)
    copies = rng.integers(1, 5, size=50)
    again = np.repeat(np.arange(50), copies)
    labels, rivals, loss = ranked(scores, np.zeros(3), held, copies.astype(float))
    expected = ranked(scores[again], np.zeros(3), held[again])
    np.testing.assert_array_equal(labels[again], expected[0])
    np.testing.assert_array_equal(rivals[again], expected[1])
    assert loss == pytest.approx(expected[2], rel=1e-12)


def test_one_cluster_has_no_rivals_and_no_losses(rng):
    scores = rng.normal(size=(5, 1))
    labels, rivals, loss = ranked(scores, [0], np.full(5, -1))
    assert (labels.tolist(), rivals.tolist(), loss) == ([0] * 5, [-1] * 5, 0)
    losses = np.empty((5, 1), np.float32)
    label_losses(scores, np.zeros(1), losses)
    assert not losses.any()


@pytest.mark.parametrize("k", [2, 3, 6])
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("ties", [False, True])
def test_losses_are_the_definition(ties, dtype, k, rng):
    scores = (rng.integers(3, size=(100, k)) if ties else rng.normal(size=(100, k))).astype(dtype)
    offsets = rng.normal(size=k)
    losses = np.empty((100, k), np.float32)
    label_losses(scores, offsets, losses)
    expected = oracle.losses(scores.astype(float) + offsets)
    np.testing.assert_allclose(losses, expected, rtol=1e-6, atol=1e-7)


# -- sums --------------------------------------------------------------------------------


@pytest.mark.parametrize("layout", LAYOUTS, ids=str)
def test_the_sums_of_a_cut_are_those_of_the_twin(layout, X, rng):
    line = lay_out(X, layout)
    labels, rivals = random_pairs(rng, len(X))
    gradient, counts = np.ones((K, X.shape[1])), np.ones(K)  # sums go on from there
    active = sum_cut(*line, labels, rivals, UNWEIGHTED, gradient, counts)
    expected = oracle.cut(X, labels, rivals, K)
    np.testing.assert_array_equal(gradient, 1 + expected[0])
    np.testing.assert_array_equal(counts, 1 + expected[1])
    assert active == expected[2]


class Cuts:
    """The sums of some cuts at the same labels, and their rivals; of copies, with weights."""

    def __init__(self, X, line, labels, rivals, weights=UNWEIGHTED):
        self.X, self.line, self.labels, self.rivals = X, line, labels, rivals
        self.weights = weights
        again = np.repeat(np.arange(len(X)), weights.astype(int) if len(weights) else 1)
        sums = [oracle.cut(X[again], labels[again], one[again], K) for one in rivals]
        self.gradients = np.array([one[0] for one in sums])
        self.counts = np.array([one[1] for one in sums], float)
        self.active = np.array([one[2] for one in sums], float)

    def move(self, labels, swap):
        moved = np.flatnonzero(labels != self.labels)
        part = np.ascontiguousarray(self.rivals[:, moved])
        relink_cuts(
            *self.line, moved, self.labels, labels, part, swap, self.weights,
            self.gradients, self.counts, self.active,
        )  # fmt: skip
        self.rivals[:, moved] = part
        self.labels = labels

    def check(self):
        fresh = Cuts(self.X, self.line, self.labels, self.rivals, self.weights)
        np.testing.assert_array_equal(self.gradients, fresh.gradients)
        np.testing.assert_array_equal(self.counts, fresh.counts)
        np.testing.assert_array_equal(self.active, fresh.active)


@pytest.mark.parametrize("weighted", [False, True], ids=["alike", "weighted"])
@pytest.mark.parametrize("swap", [True, False])
@pytest.mark.parametrize("layout", LAYOUTS, ids=str)
def test_sums_stay_true_while_labels_change(layout, swap, weighted, X, rng):
    line = lay_out(X, layout)
    n = len(X)
    labels, _ = random_pairs(rng, n)
    rivals = np.array([random_pairs(rng, n)[1] for _ in range(5)])
    rivals[rivals == labels] = -1
    weights = rng.integers(1, 4, size=n).astype(float) if weighted else UNWEIGHTED
    cuts = Cuts(X, line, labels, rivals, weights)
    for share in (0.3, 0, 1, 0.5, 0.1):
        new = np.where(rng.random(n) < share, rng.integers(K, size=n), cuts.labels).astype(np.int16)
        expected = oracle.relink(cuts.rivals, cuts.labels, new, swap)
        cuts.move(new, swap)
        np.testing.assert_array_equal(cuts.rivals, expected)
        if swap:
            assert not np.any(cuts.rivals == cuts.labels)
        cuts.check()


@pytest.mark.parametrize("swap", [True, False])
def test_a_row_that_moves_to_its_rival(swap):
    """One row x = 3 with label 0, rival 1 in the first cut, 2 in the second, none in the third.

    It moves to 1 and then to 2. In the first cut it is against 0 with a swap. Without one it
    counts for nothing at label 1, and is against 1 again at label 2.
    """
    X = np.array([[3.0]])
    start, none = np.zeros(1, np.int16), -1
    cuts = Cuts(X, as_line(X), start, np.array([[1], [2], [none]], np.int16))
    cuts.move(np.array([1], np.int16), swap)
    first = [-3, 3, 0, 0] if swap else [0, 0, 0, 0]
    assert cuts.gradients[:, :, 0].tolist() == [first, [0, 3, -3, 0], [0, 0, 0, 0]]
    assert cuts.active.tolist() == ([1, 1, 0] if swap else [0, 1, 0])
    cuts.move(np.array([2], np.int16), swap)
    first, second = ([-3, 0, 3, 0], [0, -3, 3, 0]) if swap else ([0, -3, 3, 0], [0, 0, 0, 0])
    assert cuts.gradients[:, :, 0].tolist() == [first, second, [0, 0, 0, 0]]
    assert cuts.rivals.ravel().tolist() == ([0, 1, none] if swap else [1, 2, none])
    cuts.check()


@pytest.mark.parametrize("k", [2, 4])
def test_with_a_swap_no_cut_rises_where_rows_go_to_their_largest_value(k, rng):
    """1 − f_label + f_rival, summed up, at the hyperplanes that choose the labels."""
    X, W, b = rng.normal(size=(80, 3)), rng.normal(size=(k, 3)), rng.normal(size=k)
    labels = rng.integers(k, size=80).astype(np.int16)
    rivals = ((labels + rng.integers(1, k, size=(6, 80))) % k).astype(np.int16)
    cuts = Cuts(X, as_line(X), labels, rivals)
    pad = np.zeros((K, 3))
    pad[:k] = W
    offsets = np.r_[b, np.zeros(K - k)]

    def heights():
        return cuts.active - np.tensordot(cuts.gradients, pad) - cuts.counts @ offsets

    before = heights()
    cuts.move(np.argmax(X @ W.T + b, axis=1).astype(np.int16), True)
    assert np.all(heights() <= before)
    assert np.all(cuts.active == 80)
