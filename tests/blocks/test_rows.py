"""Rows in blocks: each row once, in order, and the same sums for any number of jobs."""

import numpy as np
import pytest
from scipy import sparse

from maxmargin.blocks import Block, MemoryRows, rows
from maxmargin.blocks.rows import as_line, csr_rows

FORMS = ("C", "F", "csr_array", "csr_matrix")


def shaped(X, form):
    if form in ("C", "F"):
        return np.asarray(X, order=form)
    return getattr(sparse, form)(X)


def dense(X):
    return X.toarray() if sparse.issparse(X) else X


@pytest.fixture
def small_blocks(monkeypatch):
    """Blocks of 256 rows in tiles of 128."""
    monkeypatch.setattr(rows, "MICRO_ROWS", 256)
    monkeypatch.setattr(rows, "TILE_ENTRIES", 1)


@pytest.fixture
def X(rng):
    return np.where(rng.random((1000, 5)) < 0.5, 0, rng.normal(size=(1000, 5)))


@pytest.mark.parametrize("n_jobs", [None, 1, 3])
@pytest.mark.parametrize("form", FORMS)
@pytest.mark.usefixtures("small_blocks")
def test_tiles_are_all_rows_once_and_in_order(form, n_jobs, X):
    def partial(block):
        assert 0 < block.stop - block.start <= 256
        first = block.start  # lists add up in their order
        return ([(slice(first + at.start, first + at.stop), tile) for at, tile in block.tiles()],)

    (tiles,) = MemoryRows(shaped(X, form), n_jobs).sum(partial)
    assert [(at.start, at.stop) for at, _ in tiles] == [
        (start, min(start + 128, 1000)) for start in range(0, 1000, 128)
    ]
    for at, tile in tiles:
        np.testing.assert_array_equal(dense(tile), X[at])
        assert sparse.issparse(tile) or tile.flags.c_contiguous


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("form", FORMS)
@pytest.mark.usefixtures("small_blocks")
def test_sums_do_not_depend_on_the_jobs(form, dtype, X):
    data = shaped((X * 10.0 ** np.arange(-8, 7, 3)).astype(dtype), form)

    def partial(block):
        return block.rows.sum(axis=0), float(block.rows.sum()), block.stop - block.start

    one, *others = (MemoryRows(data, n_jobs).sum(partial) for n_jobs in (1, 2, 3))
    np.testing.assert_allclose(np.ravel(one[0]), dense(data).sum(axis=0), rtol=1e-4, atol=1e-8)
    assert one[2] == 1000
    for other in others:
        np.testing.assert_array_equal(other[0], one[0])
        assert other[1:] == one[1:]


def test_blocks_of_their_true_size(rng):
    """Not made small for a test: 16384 rows, and the rest."""
    data = rng.normal(size=(3 * 16384 + 5, 2))

    def partial(block):
        return [block.stop], block.rows.sum(axis=0)

    one, two = (MemoryRows(data, n_jobs).sum(partial) for n_jobs in (1, 2))
    assert one[0] == two[0] == [16384, 32768, 49152, 49157]
    np.testing.assert_array_equal(one[1], two[1])


def test_what_is_known_of_rows_goes_out_and_comes_back(small_blocks, X):
    weights, out = np.arange(1000.0), np.zeros(1000)

    def weighted(block, weights):
        sums = block.rows.sum(axis=1) * weights
        return sums, len(weights)

    (n,) = MemoryRows(X, 2).sum(weighted, weights, out=(out,))
    assert n == 1000
    np.testing.assert_array_equal(out, X.sum(axis=1) * weights)


def test_a_block_has_more_rows_than_features_and_a_tile_stays_small():
    narrow, wide = MemoryRows(np.empty((10, 3))), MemoryRows(sparse.csr_array((10, 100_000)))
    assert (narrow.micro, wide.micro) == (16384, 262_144)
    assert narrow.width == 3
    assert wide.width == 1  # rows may be empty, and are still worth a unit of work
    assert narrow.step == wide.step == 4096
    assert MemoryRows(np.empty((1, 5000))).step == 128


@pytest.mark.parametrize("index", [np.int32, np.int64])
@pytest.mark.parametrize("kind", ["csr_array", "csr_matrix"])
def test_some_rows_of_csr_share_its_arrays(kind, index, X):
    X[[0, 7, 8, -1]] = 0
    whole = shaped(X, kind)
    whole.indices, whole.indptr = whole.indices.astype(index), whole.indptr.astype(index)
    for start, stop in [(0, 1000), (0, 1), (3, 9), (7, 9), (500, 1000), (999, 1000)]:
        part = csr_rows(whole, start, stop)
        assert type(part) is type(whole)
        assert part.shape == (stop - start, 5)
        assert part.dtype == whole.dtype
        assert part.indices.dtype == part.indptr.dtype == index
        np.testing.assert_array_equal(part.toarray(), X[start:stop])
        assert part.nnz == 0 or np.shares_memory(part.data, whole.data)
        assert part.nnz == 0 or np.shares_memory(part.indices, whole.indices)
        np.testing.assert_array_equal(part @ np.eye(5), X[start:stop])


def test_rows_of_csr_need_not_be_in_order(X):
    """Columns that are not sorted stay as they are, and stay right."""
    whole = sparse.csr_array(X)
    for start, stop in zip(whole.indptr[:-1], whole.indptr[1:], strict=True):
        for part in (whole.data[start:stop], whole.indices[start:stop]):
            part[:] = part[::-1].copy()
    np.testing.assert_array_equal(csr_rows(whole, 10, 200).toarray(), X[10:200])
    np.testing.assert_array_equal(csr_rows(whole, 10, 200) @ np.eye(5), X[10:200])


def test_rows_in_a_line(X):
    """What the compiled loops take: values, ends and columns, and no copy."""
    values, ends, columns, width = as_line(X)
    assert np.shares_memory(values, X)
    assert (len(ends), len(columns), width) == (0, 0, 5)
    whole = sparse.csr_array(X)
    assert as_line(whole) == (whole.data, whole.indptr, whole.indices, 5)


def test_a_block_that_is_one_tile(X):
    ((at, tile),) = Block(40, 50, X, 128).tiles()
    assert at == slice(0, 10)
    np.testing.assert_array_equal(tile, X[40:50])
    assert np.shares_memory(tile, X)
