"""What every estimator with a parameter ``kernel`` says of kernels that are none."""

from inspect import signature

import numpy as np
import pytest
from contracts.estimators import FIRST
from scipy import sparse

from maxmargin import MaxMarginWarning, RLSClustering

ROWS = np.random.default_rng(0).normal(size=(20, 3))
K = ROWS @ ROWS.T

with_a_kernel = pytest.mark.parametrize(
    "case", [pytest.param(c, id=c.name) for c in FIRST if "kernel" in signature(c.kind).parameters]
)


def changed(value, place=(0, 1)):
    matrix = K.copy()
    matrix[place] = value
    return matrix


@with_a_kernel
@pytest.mark.parametrize(
    ("parameters", "X", "message"),
    [
        ({"kernel": "poly", "degree": -1}, ROWS, "degree must be a number >= 0; got -1"),
        ({"kernel": "rbf", "gamma": "mean"}, ROWS, "gamma must be .* one of 'auto', 'median'"),
        ({"kernel": lambda a, b: a[0] - b[1]}, ROWS, "kernel must be a symmetric function"),
        ({"kernel": lambda a, b: np.inf}, ROWS, "kernel='callable' gives .* not finite"),
        ({"kernel": "chi2"}, ROWS, "kernel='chi2' needs X >= 0"),
        ({"kernel": "chi2"}, sparse.csr_matrix(abs(ROWS)), "kernel='chi2' needs dense data"),
        ({"kernel": "precomputed"}, ROWS, r"square kernel matrix; got shape \(20, 3\)"),
        ({"kernel": "precomputed"}, changed(K[0, 1] + 0.5), "must be symmetric; .* up to 0.5"),
        ({"kernel": "precomputed"}, changed(np.nan), "NaN"),
        ({"kernel": "precomputed"}, changed(np.inf), "infinity"),
    ],
)
def test_what_is_no_kernel_is_refused(case, parameters, X, message):
    with pytest.raises(ValueError, match=message):
        case(**parameters).fit(X)


@with_a_kernel
def test_an_indefinite_kernel_matrix_is_clipped_with_a_warning(case):
    values, vectors = np.linalg.eigh(K)
    values[0] = -2.0
    indefinite = (vectors * values) @ vectors.T
    clipped = (vectors * np.clip(values, 0, None)) @ vectors.T
    with pytest.warns(MaxMarginWarning, match="smallest eigenvalue is -2 .*are set to 0") as said:
        model = case(kernel="precomputed").fit((indefinite + indefinite.T) / 2)
    assert {w.filename for w in said} == {__file__}
    start = {"init": model.labels_} if "init" in signature(case.kind).parameters else {}
    expected = case(kernel="precomputed", **start).fit((clipped + clipped.T) / 2)
    assert model.objective_ == pytest.approx(expected.objective_, abs=0.02)


@pytest.mark.parametrize("kernel", ["chi2", "additive_chi2"])
@pytest.mark.filterwarnings("ignore::maxmargin.MaxMarginWarning")
def test_rows_that_must_not_be_written(kernel):
    """As those of pandas are; loops of scikit-learn for these kernels ask for more."""
    X = np.abs(np.random.default_rng(0).normal(size=(30, 3)))
    expected = RLSClustering(2, kernel=kernel, random_state=0).fit(X.copy())
    X.flags.writeable = False
    model = RLSClustering(2, kernel=kernel, random_state=0).fit(X)
    np.testing.assert_array_equal(model.labels_, expected.labels_)
    np.testing.assert_array_equal(model.predict(X[:5]), expected.labels_[:5])
