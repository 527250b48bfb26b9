import pickle

import numpy as np
import pytest
from scipy.stats import binom

from maxmargin.estimators.streaming import Reservoir

N, SIZE, RUNS = 20, 5, 1500


def stream(order, batches, seed):
    """The numbers of the rows that are kept of 20 that come in some order."""
    sample = Reservoir(SIZE, np.random.default_rng(seed))
    for batch in np.array_split(order, batches):
        sample = sample.grown(batch[:, np.newaxis].astype(float))
    assert sample.n_seen == len(order)
    return sample.rows[:, 0].astype(int)


@pytest.mark.parametrize("batches", [1, 3, 10])
@pytest.mark.parametrize("backwards", [False, True])
def test_every_row_has_the_same_chance(batches, backwards, global_random_seed):
    """Whatever its place in the stream: within what 1500 fair draws allow."""
    order = np.arange(N)[::-1] if backwards else np.arange(N)
    counts = np.zeros(N)
    for run in range(RUNS):
        kept = stream(order, batches, [global_random_seed, run])
        assert len(set(kept)) == SIZE  # no row twice
        counts[kept] += 1
    low, high = binom.ppf([1e-5, 1 - 1e-5], RUNS, SIZE / N)
    assert low <= counts.min()
    assert counts.max() <= high


def test_pairs_of_rows_have_the_same_chance(global_random_seed):
    """First and last, neighbours: a sample of all subsets, not only of all rows."""
    both = np.zeros((N, N))
    for run in range(RUNS):
        kept = stream(np.arange(N), 4, [global_random_seed, 1, run])
        both[np.ix_(kept, kept)] += 1
    chance = SIZE * (SIZE - 1) / (N * (N - 1))
    low, high = binom.ppf([1e-6, 1 - 1e-6], RUNS, chance)
    pairs = both[np.triu_indices(N, 1)]
    assert low <= pairs.min()
    assert pairs.max() <= high


def test_few_rows_are_all_kept_in_order(rng):
    X = rng.normal(size=(7, 3))
    sample = Reservoir(100, rng).grown(X[:2]).grown(X[2:3]).grown(X[3:])
    np.testing.assert_array_equal(sample.rows, X)
    assert sample.n_seen == 7


def test_an_earlier_sample_stays_as_it_is(rng):
    X = rng.normal(size=(200, 2))
    samples, seen = [Reservoir(10, rng)], [np.empty((0, 0))]
    for batch in np.array_split(X, 20):
        samples.append(samples[-1].grown(batch))
        seen.append(samples[-1].rows.copy())
    for sample, rows in zip(samples, seen, strict=True):
        np.testing.assert_array_equal(sample.rows, rows)
    assert [s.n_seen for s in samples] == [10 * i for i in range(21)]
    assert (samples[0].size, len(samples[-1].rows)) == (10, 10)


def test_the_batch_is_copied(rng):
    X = rng.normal(size=(5, 2))
    sample = Reservoir(10, rng).grown(X)
    X[:] = 0
    assert (sample.rows != 0).all()


def test_the_sample_holds_rows_that_came(rng):
    X = rng.normal(size=(500, 2))
    sample = Reservoir(20, rng).grown(X[:3]).grown(X[3:])
    assert {tuple(row) for row in sample.rows} <= {tuple(row) for row in X}


def test_it_is_reproducible():
    first, second = (stream(np.arange(N), 5, 3) for _ in range(2))
    np.testing.assert_array_equal(first, second)


def test_a_copy_goes_on_with_the_same_numbers(rng):
    sample = Reservoir(5, np.random.default_rng(3)).grown(rng.normal(size=(20, 2)))
    copied = pickle.loads(pickle.dumps(sample))
    more = rng.normal(size=(50, 2))
    np.testing.assert_array_equal(copied.grown(more).rows, sample.grown(more).rows)
    assert not any(isinstance(v, np.random.Generator) for v in sample.__getstate__().values())
