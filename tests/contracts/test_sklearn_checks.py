"""scikit-learn's own checks, once for each class: the other contracts have the configurations."""

import pytest
from contracts.estimators import FIRST
from sklearn.utils.estimator_checks import parametrize_with_checks

from maxmargin import (
    CuttingPlaneClustering,
    MaxMarginClustering,
    RLSClustering,
    SupportVectorClustering,
    UnsupervisedSearch,
)

CLASSIFIER = "whoever has predict_proba is taken for a classifier of four classes"
STARTS = "widths and starts are those of rows, whatever they weigh; test_weights.py fixes both"
KINDS = 'gamma="auto" takes one row of each kind: copies count once there, and weights count'
COPIES = (
    "check_sample_weight_equivalence_on_dense_data",
    "check_sample_weight_equivalence_on_sparse_data",
)

EXPECTED = {
    MaxMarginClustering: dict.fromkeys(COPIES, STARTS)
    | dict.fromkeys(("check_estimator_sparse_array", "check_estimator_sparse_matrix"), CLASSIFIER),
    RLSClustering: dict.fromkeys(COPIES, STARTS),
    CuttingPlaneClustering: dict.fromkeys(COPIES, STARTS),
    UnsupervisedSearch: dict.fromkeys(COPIES, STARTS),
    SupportVectorClustering: dict.fromkeys(COPIES, KINDS),
}


def expected_failures(estimator):
    return EXPECTED.get(type(estimator), {})


@pytest.mark.filterwarnings("ignore::maxmargin.MaxMarginWarning")
@pytest.mark.filterwarnings("ignore::sklearn.exceptions.SkipTestWarning")
@parametrize_with_checks([case() for case in FIRST], expected_failed_checks=expected_failures)
def test_scikit_learn_check(estimator, check):
    check(estimator)
