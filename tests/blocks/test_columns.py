"""Columns beside rows: the same numbers, in arrays and where rows are somewhere else."""

from functools import partial

import dask
import dask.array as da
import numpy as np
import pytest

from maxmargin.blocks import open_rows
from maxmargin.blocks.columns import keep, revise
from maxmargin.blocks.journal import JournaledRows
from maxmargin.blocks.remote_column import RemoteColumn

N = 40_000


@pytest.fixture(autouse=True)
def one_thread():
    with dask.config.set(scheduler="synchronous"):
        yield


@pytest.fixture(scope="module")
def X():
    return np.random.default_rng(0).normal(size=(N, 3))


def stores(X, tmp_path):
    return {
        "array": open_rows(X),
        "dask": open_rows(da.from_array(X, chunks=(7000, 3))),
        "journal of dask": JournaledRows(
            open_rows(da.from_array(X, chunks=(7000, 3))), tmp_path / "passes", {}
        ),
    }


def signs(shift, block, given):
    """Two columns, and two sums."""
    first = block.rows[:, 0] + shift + given
    return (first > 0).astype(np.int16), first, first.sum(), np.array([len(first)])


def where_larger(block, other, *revised):
    """A third of the rows change; how many they are."""
    which = np.flatnonzero(other > 1)
    news = np.array([old[which] + 10 * (i + 1) for i, old in enumerate(revised)])
    return which, news, len(which)


def test_columns_stay_where_rows_are(X, tmp_path):
    half = np.arange(N) / N
    positive = X[:, 0] + 0.5 + half
    for name, rows in stores(X, tmp_path).items():
        (sign, first), (total, counts) = keep(rows, 2, partial(signs, 0.5), half)
        assert isinstance(sign, RemoteColumn) == (name == "dask")
        assert len(sign) == N
        np.testing.assert_array_equal(np.asarray(sign), positive > 0)
        np.testing.assert_array_equal(np.asarray(first), positive)
        assert (total, counts.tolist()) == (pytest.approx(positive.sum()), [N])
        columns, (n_changed,) = revise(rows, [sign, first], where_larger, first)
        large = positive > 1
        assert n_changed == large.sum()
        for number, (column, old) in enumerate(zip(columns, (positive > 0, positive), strict=True)):
            np.testing.assert_array_equal(np.asarray(column), old + 10 * (number + 1) * large)


def test_one_number_for_all_rows_is_no_array(X):
    """It is sent as a number, and comes to a function as a part like others."""
    rows, none = open_rows(da.from_array(X, chunks=(7000, 3))), np.broadcast_to(np.int16(-1), N)

    def look(block, given):
        return given.copy(), int(given.sum())

    (column,), (total,) = keep(rows, 1, look, none)
    np.testing.assert_array_equal(np.asarray(column, dtype=int), np.full(N, -1))
    assert total == -N


def test_what_was_lost_is_made_again_from_what_it_rests_on(X):
    """Pieces that are forgotten one after the other, with a chain of revisions behind them."""
    rows, nothing = open_rows(da.from_array(X, chunks=(7000, 3))), np.zeros(N)
    (sign, first), _ = keep(rows, 2, partial(signs, 0.0), nothing)
    expected = X[:, 0].copy()
    for _ in range(3):
        (first,), _ = revise(rows, [first], where_larger, first)
        expected += 10 * (expected > 1)
    rows._workers._forget()
    (again,), (n_large,) = revise(rows, [first], where_larger, sign)
    assert n_large == 0
    np.testing.assert_array_equal(np.asarray(again), expected)
    np.testing.assert_array_equal(np.asarray(sign), X[:, 0] > 0)
