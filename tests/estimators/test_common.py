"""scikit-learn's own checks, for every estimator of the package."""

import pytest
from sklearn.utils.estimator_checks import parametrize_with_checks

from maxmargin import RLSClustering

# Expected failures, each with its reason; there are none today.
EXPECTED_FAILURES: dict[type, dict[str, str]] = {RLSClustering: {}}

ESTIMATORS = [
    RLSClustering(),
    RLSClustering(search="steepest"),
    RLSClustering(search="stochastic"),
    RLSClustering(search="evolutionary"),
    RLSClustering(kernel="linear"),
    RLSClustering(approximation="nystroem", n_components=5),
]


@pytest.mark.filterwarnings("ignore::maxmargin.MaxMarginWarning")
@pytest.mark.filterwarnings("ignore::sklearn.exceptions.SkipTestWarning")
@parametrize_with_checks(
    ESTIMATORS, expected_failed_checks=lambda estimator: EXPECTED_FAILURES[type(estimator)]
)
def test_scikit_learn_check(estimator, check):
    check(estimator)
