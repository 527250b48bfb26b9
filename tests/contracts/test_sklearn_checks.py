"""scikit-learn's own checks, once for each class: the other contracts have the configurations."""

import pytest
from contracts.estimators import FIRST
from sklearn.utils.estimator_checks import parametrize_with_checks

from maxmargin import MaxMarginClustering

CLASSIFIER = "whoever has predict_proba is taken for a classifier of four classes"


def expected_failures(estimator):
    if not isinstance(estimator, MaxMarginClustering):
        return {}
    return dict.fromkeys(
        ("check_estimator_sparse_array", "check_estimator_sparse_matrix"), CLASSIFIER
    )


@pytest.mark.filterwarnings("ignore::maxmargin.MaxMarginWarning")
@pytest.mark.filterwarnings("ignore::sklearn.exceptions.SkipTestWarning")
@parametrize_with_checks([case() for case in FIRST], expected_failed_checks=expected_failures)
def test_scikit_learn_check(estimator, check):
    check(estimator)
