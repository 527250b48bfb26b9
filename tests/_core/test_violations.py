import numpy as np
import pytest
from oracles import domain as oracle

from maxmargin._core.one_class import RowCache
from maxmargin._core.violations import descend


def cache(X, gamma):
    K = oracle.kernel(X, X, gamma)
    return RowCache(K.__getitem__, len(X), len(X))


def go(X, draws, gamma=1.0, C=3.0, theta=0.0, first_end=0, cuts=(), nu=0.0, most=np.inf):
    """Run the rounds, in one call or in several."""
    sums, counts, moments = np.zeros((3, len(X)))
    t, norm, ended = 1, 0.0, False
    rows = cache(X, gamma)
    for part in np.split(np.asarray(draws, dtype=np.intp), cuts):
        t, norm, C, ended = descend(
            *(rows, C, nu, most, part, t, norm, theta, first_end), *(sums, counts, moments)
        )
    np.testing.assert_allclose(sums, oracle.kernel(X, X, gamma) @ counts, rtol=1e-9)
    return t, C**2 * norm, counts, moments, ended


def test_rounds_by_hand():
    """C = 3: row 0 violates w = 0; then 3 ≥ 1 at round 2, 3/2 at 3, and 1 at 4 is no violation."""
    X = np.array([[0.0], [100.0]])
    t, squared_norm, counts, moments, ended = go(X, [0, 0, 0, 0])
    assert (t, counts.tolist(), ended) == (5, [1, 0], False)
    assert moments.tolist() == [6, 0]  # 1 · 2 · 3
    assert squared_norm == pytest.approx((3 / 4) ** 2)
    # w = 3/4 at round 5: it violates again
    t, squared_norm, counts, moments, _ = go(X, [0, 0, 0, 0, 0, 1])
    assert counts.tolist() == [2, 1]
    assert moments.tolist() == [6 + 5 * 6 * 7, 6 * 7 * 8]
    assert squared_norm == pytest.approx((6 / 6) ** 2 + (3 / 6) ** 2)


def test_the_norm_is_carried_along(rng):
    X = rng.normal(size=(12, 3))
    drawn = rng.integers(12, size=300)
    K = oracle.kernel(X, X, 1.0)
    steps, lengths, _ = oracle.algorithm_1(K, 3.0, drawn, -1.0, 0)
    for rounds in (1, 2, 7, 100, 300):
        t, squared_norm, counts, _, _ = go(X, drawn[:rounds])
        assert t == rounds + 1
        w = steps[rounds - 1]
        assert squared_norm == pytest.approx(w @ K @ w, rel=1e-9)
        np.testing.assert_allclose(3.0 * counts / rounds, w, atol=1e-12)
    # it ends at the first round with a step that small, not before first_end
    for theta in (0.3, 0.05, 0.01):
        for first_end in (0, 50, 200):
            short = [r for r, length in enumerate(lengths, 1) if r >= first_end and length <= theta]
            t, *_, ended = go(X, drawn, theta=theta, first_end=first_end)
            assert ended == bool(short)
            assert t - 1 == (short[0] if short else 300)


def test_calls_can_be_cut_anywhere(rng):
    X, drawn = rng.normal(size=(12, 3)), rng.integers(12, size=300)
    whole = go(X, drawn)
    for cuts in ([1], [100, 101], [7, 256, 299]):
        for a, b in zip(whole, go(X, drawn, cuts=cuts), strict=True):
            np.testing.assert_array_equal(a, b)


def test_C_follows_the_share_of_violations(rng):
    X, nu = rng.normal(size=(40, 2)), 0.3
    drawn = np.tile(np.arange(40), 60)
    K = oracle.kernel(X, X, 1.0)
    steps, C = oracle.online(K[np.ix_(drawn, drawn)], nu, most=40.0)
    t, squared_norm, counts, *_ = go(X, drawn, C=1 / nu, nu=nu, most=40.0)
    assert pytest.approx(nu, abs=0.02) == counts.sum() / (t - 1)
    assert 0 < C < 40
    np.testing.assert_allclose(counts / (t - 1), steps[-1].reshape(60, 40).sum(axis=0), atol=1e-12)
    w = C * counts / (t - 1)
    assert squared_norm == pytest.approx(w @ K @ w, rel=1e-6)


@pytest.mark.usefixtures("stopped")
def test_a_flag_stops_it(rng):
    X = rng.normal(size=(5, 1))
    with pytest.raises(KeyboardInterrupt):
        descend(
            *(cache(X, 1.0), 1.0, 0.0, np.inf, np.zeros(1000, dtype=np.intp), 1, 0.0, 0.0, 0),
            *np.zeros((3, 5)),
        )
