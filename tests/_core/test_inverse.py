import numpy as np
import pytest

from maxmargin._core.inverse import invert, mirror


@pytest.mark.parametrize("n", [1, 2, 5, 127, 128, 129, 300])
@pytest.mark.parametrize("block", [1, 7, 64, 128])
def test_the_inverse(n, block, rng):
    A = rng.normal(size=(n, n))
    K = A @ A.T + np.eye(n)
    S = K.copy()
    S[np.triu_indices(n, 1)] = np.nan  # only the lower triangle may be read
    assert invert(S, block) == 0
    mirror(S)
    np.testing.assert_allclose(S @ K, np.eye(n), atol=1e-8)


def test_it_is_as_accurate_as_lapack_when_ill_conditioned(rng):
    n = 200
    Q, _ = np.linalg.qr(rng.normal(size=(n, n)))
    K = (Q * np.logspace(0, -8, n)) @ Q.T
    K = (K + K.T) / 2
    S = K.copy()
    assert invert(S) == 0
    mirror(S)
    exact = (Q * np.logspace(0, 8, n)) @ Q.T
    ours = np.abs(S - exact).max()
    lapack = np.abs(np.linalg.inv(K) - exact).max()
    assert ours < 10 * lapack


def test_it_names_the_first_row_that_is_not_positive_definite():
    K = np.diag([1.0, 2.0, -1.0, 3.0])
    assert invert(K.copy(), 2) == 3
    assert invert(K.copy(), 128) == 3


@pytest.mark.usefixtures("stopped")
def test_a_set_flag_stops_it():
    with pytest.raises(KeyboardInterrupt):
        invert(np.eye(300))


def test_mirror_copies_below_to_above(rng):
    A = rng.normal(size=(150, 150))
    B = A.copy()
    mirror(B)
    np.testing.assert_array_equal(B, np.tril(A) + np.tril(A, -1).T)
