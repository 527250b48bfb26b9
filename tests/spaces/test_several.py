"""Features of several spaces stand in one matrix, in order."""

import numpy as np
import pytest
from scipy import sparse
from sklearn.decomposition import TruncatedSVD
from sklearn.kernel_approximation import RBFSampler
from sklearn.preprocessing import StandardScaler

from maxmargin.spaces.features import explicit_space
from maxmargin.spaces.kernel import Kernel
from maxmargin.spaces.several import NamedSpace, Several
from maxmargin.spaces.transformer import Transformer


def explicit(kernel, n_components=50, **parameters):
    return explicit_space(Kernel(kernel, **parameters), n_components)


def several(*spaces):
    return Several([NamedSpace(f"kernel {i}", space) for i, space in enumerate(spaces)])


def dense(features):
    return features.toarray() if sparse.issparse(features) else features


@pytest.fixture
def text(rng):
    """Rows with entries in a few columns."""
    X = np.zeros((30, 40))
    X[:, rng.permutation(40)[:6]] = rng.normal(size=(30, 6)) + 3
    return sparse.csr_matrix(X)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_features_stand_in_the_order_of_the_spaces(dtype, rng):
    X = rng.normal(size=(30, 4)).astype(dtype)
    spaces = Several(
        [
            NamedSpace("a", explicit("rbf", gamma=0.5)),
            NamedSpace("b", explicit("linear"), np.array([0, 1])),
            NamedSpace("c", Transformer(StandardScaler())),
            NamedSpace("d", explicit("cosine"), np.array([3])),
        ]
    )
    features = spaces.fit_represent(X, np.random.default_rng(0))
    assert features.dtype == dtype
    assert features.flags.c_contiguous
    assert spaces.names == ["a", "b", "c", "d"]
    ends = [0]
    for one, part in zip(spaces.spaces, spaces.slices, strict=True):
        np.testing.assert_array_equal(features[:, part], one.space.represent(one.part(X)))
        assert part.start == ends[-1]
        ends.append(part.stop)
    assert features.shape == (30, ends[-1])
    assert ends[2:] == [ends[1] + 2, ends[1] + 6, ends[1] + 7]
    np.testing.assert_array_equal(spaces.represent(X), features)
    assert spaces.memory(X) >= features.nbytes


def test_one_linear_space_takes_no_copy(rng):
    for X in (rng.normal(size=(30, 4)), sparse.csr_matrix(rng.normal(size=(30, 4)))):
        spaces = several(explicit("linear"))
        assert spaces.fit_represent(X, rng) is X
        assert spaces.slices == (slice(0, 4),)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("wrap", [sparse.csr_matrix, sparse.csr_array])
def test_features_are_sparse_if_any_of_them_are(wrap, dtype, text):
    X = wrap(text.astype(dtype))
    svd = Transformer(TruncatedSVD(2))
    spaces = several(explicit("rbf", gamma=0.1), explicit("linear"), svd, explicit("cosine"))
    features = spaces.fit_represent(X, np.random.default_rng(0))
    assert features.format == "csr"
    assert features.dtype == dtype
    assert [part.stop - part.start for part in spaces.slices[1:]] == [40, 2, 40]
    for one, part in zip(spaces.spaces, spaces.slices, strict=True):
        np.testing.assert_array_equal(dense(features)[:, part], dense(one.space.represent(X)))


def test_features_of_sparse_rows_may_all_be_dense(text, rng):
    spaces = several(explicit("rbf"), Transformer(TruncatedSVD(2)))
    assert isinstance(spaces.fit_represent(text, rng), np.ndarray)


def test_matrices_of_different_precision_become_float64(rng):
    K = (lambda X: X @ X.T)(rng.normal(size=(30, 4)))
    spaces = [
        NamedSpace(f"kernel {i}", explicit("precomputed"), matrix=i, source=i) for i in range(2)
    ]
    features = Several(spaces).fit_represent([K, K.astype(np.float32)], rng)
    assert features.dtype == np.float64


def test_equal_generators_give_equal_features(rng):
    X = rng.normal(size=(60, 4))

    def features(seed):
        sampler = Transformer(RBFSampler(n_components=5))
        spaces = several(explicit("rbf", 10), sampler, explicit("poly", 8))
        return spaces.fit_represent(X, np.random.default_rng(seed))

    np.testing.assert_array_equal(features(3), features(3))
    assert features(3).shape == (60, 23)
    assert not np.array_equal(features(3), features(4))


@pytest.mark.parametrize("form", ["dense", "csr"])
def test_values_are_those_of_the_features_with_some_of_the_spaces_too(form, text, rng):
    X = text if form == "csr" else rng.normal(size=(30, 4))
    spaces = several(explicit("linear"), explicit("rbf"), explicit("cosine")).fit(X, rng)
    coef = rng.normal(size=(spaces.slices[-1].stop, 3))
    expected = dense(spaces.represent(X)) @ coef + [1, 2, 3]
    np.testing.assert_allclose(spaces.values(X, coef, [1, 2, 3]), expected)
    kept = spaces.kept(np.array([True, False, True]))
    assert kept.names == ["kernel 0", "kernel 2"]
    columns = np.r_[spaces.slices[0], spaces.slices[2]]
    assert kept.slices[-1].stop == len(columns)
    expected = dense(spaces.represent(X))[:, columns] @ coef[columns]
    np.testing.assert_allclose(kept.values(X, coef[columns]), expected)


def test_an_error_says_which_of_the_kernels_it_is_about(rng):
    with pytest.raises(ValueError, match=r"kernels\[1\]: kernel='chi2' needs X >= 0"):
        several(explicit("linear"), explicit("chi2")).fit(rng.normal(size=(30, 4)), rng)


def test_features_that_do_not_fit_into_memory_are_refused_beforehand(monkeypatch, rng):
    X = rng.normal(size=(30, 3))
    monkeypatch.setattr("maxmargin._runtime.memory.available_memory", lambda: 1000)
    with pytest.raises(MemoryError, match=r"features of 2 kernels for 30 rows .* fewer kernels"):
        several(explicit("linear"), explicit("linear")).fit(X, rng)
