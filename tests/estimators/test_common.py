"""scikit-learn's own checks, for every estimator of the package."""

import pytest
from sklearn.decomposition import PCA
from sklearn.utils.estimator_checks import parametrize_with_checks

from maxmargin import (
    CuttingPlaneClustering,
    MaxMarginClustering,
    MultipleKernelClustering,
    RLSClustering,
    SupportVectorClustering,
)

# Expected failures, each with its reason.
CLASSIFIER = "whoever has predict_proba is taken for a classifier of four classes"
EXPECTED_FAILURES: dict[type, dict[str, str]] = {
    CuttingPlaneClustering: {},
    MaxMarginClustering: {
        "check_estimator_sparse_array": CLASSIFIER,
        "check_estimator_sparse_matrix": CLASSIFIER,
    },
    MultipleKernelClustering: {},
    RLSClustering: {},
    SupportVectorClustering: {},
}

ESTIMATORS = [
    CuttingPlaneClustering(),
    CuttingPlaneClustering(n_clusters=3, kernel="rbf"),
    CuttingPlaneClustering(kernel="auto", n_init=2),
    CuttingPlaneClustering(optimizer="alternation"),
    CuttingPlaneClustering(optimizer="cpm3c", n_init=2, max_iter=20),
    MultipleKernelClustering(n_init=1),
    MultipleKernelClustering(
        n_clusters=3, kernels=[{"kernel": "rbf", "columns": [0]}, PCA(1)], init="mixed", n_init=1
    ),
    MultipleKernelClustering(optimizer="mkc", norm=2, n_init=2),
    MaxMarginClustering(n_clusters=2),
    MaxMarginClustering(n_clusters=3, effort="fast"),
    RLSClustering(),
    RLSClustering(search="steepest"),
    RLSClustering(search="stochastic"),
    RLSClustering(search="evolutionary"),
    RLSClustering(kernel="linear"),
    RLSClustering(approximation="nystroem", n_components=5),
    SupportVectorClustering(),
    SupportVectorClustering(gamma="plateau"),
    SupportVectorClustering(gamma=1.0, nu=0.3, n_landmarks=20, solver="libsvm"),
    SupportVectorClustering(gamma=1.0, C=0.1, solver="sgd", assignment="equilibria"),
]


@pytest.mark.filterwarnings("ignore::maxmargin.MaxMarginWarning")
@pytest.mark.filterwarnings("ignore::sklearn.exceptions.SkipTestWarning")
@parametrize_with_checks(
    ESTIMATORS, expected_failed_checks=lambda estimator: EXPECTED_FAILURES[type(estimator)]
)
def test_scikit_learn_check(estimator, check):
    check(estimator)
