"""A wrong parameter is named, with its value and what is allowed, before rows are looked at."""

import inspect
import re

import numpy as np
import pytest
from contracts.estimators import FIRST

NAN, INF = np.nan, np.inf
ROWS = np.random.default_rng(0).normal(size=(20, 3))

#: Checked by scikit-learn, by joblib, or not at all.
NOT_OURS = {"random_state", "n_jobs", "verbose", "estimator", "param_grid"}
#: Read with the rows, for now at least by some.
WITH_ROWS = {
    *("proportions", "min_size", "max_size", "init", "kernel", "kernels", "kernel_weights"),
    *("gamma", "degree", "coef0", "kernel_params", "approximation", "n_components"),
    "on_interrupt",
}

#: What is allowed, and values that are not: the same word means the same everywhere.
WRONG = {
    "C": ("a finite number > 0", [0, -1.0, INF, NAN, "1"]),
    "alpha": ("a finite number > 0", [0, -1.0, NAN, INF, "large", None, [1.0], True]),
    "approximation": ("one of None, 'nystroem'", ["rff", 1]),
    "assignment": ("one of 'graph', 'equilibria'", ["knn", None]),
    "average": ("True or False", ["yes", None]),
    "balance": ("a finite number >= 0", [-0.1, INF, None]),
    "center": ("True or False", ["yes", None]),
    "coef0": ("a finite number", [None, INF, "a"]),
    "criterion": ("one of 'loo', 'split_gap'", ["nonsense", 3]),
    "degree": ("a finite number", ["a", NAN]),
    "effort": ("one of 'fast', 'normal', 'thorough'", ["max", 1, ["fast"]]),
    "epsilon": ("a finite number > 0", [0]),
    "error_score": ("a number or .raise", ["ignore", None, True]),
    "gamma": (" > 0", [0, -1.0, NAN, INF, "wide", None, True, [1.0, 2.0], np.array([1.0, 2.0])]),
    "init": ("one of .*'k-means", ["kmeans", ""]),
    "init_size": ("an int >= 1", [0, "all", 1.5]),
    "kernel": ("one of .*'rbf'", ["gauss", 3, ["rbf"], np.array([1, 2])]),
    "kernel_params": ("None or", [{"gamma": 5}]),
    "kernels": ("None", ["rbf", {"kernel": "rbf"}, 5]),
    "kernel_weights": (
        '"learned".* numbers >= 0',
        [[-1, 2], [NAN, 1], [INF, 1], [1], [[1, 2]], [0, 0], 1, None, "even", {"rbf": 1}],
    ),
    "loss": ("one of 'absolute_error', 'squared_error'", ["hinge", None]),
    "max_iter": ("an int", [0, None, 1.5, 1e6]),
    "max_size": ("", [-1, INF, NAN, "a"]),
    "metric": ("one of 'euclidean', 'cosine', 'precomputed'", ["l1", None]),
    "min_cluster_size": (r"an int >= 1 .*\(0, 1\)", [0, -3, True, 1.5, 0.0, NAN, "5"]),
    "min_epochs": ("a finite number >= 0", [-1, INF]),
    "min_size": ("", [-1, NAN, "half", {1, 2}]),
    "n_clusters": ("an int", [0, -3, 2.0, True, "auto"]),
    "n_components": ("an int >= 1", [0, 1.5]),
    "n_init": ("an int from 1", [0, 1.5, 10**7]),
    "n_landmarks": ("an int >= 2", [1, 0, 2.5, True]),
    "norm": ("a number >= 1", [0.5, NAN, "2", True, None, -INF, [2], 2 + 0j]),
    "nu": (r"a number in \(0, 1\)", [0, 0.0, 1, 1.0, -0.5, NAN, "a", True]),
    "on_interrupt": ("one of 'raise', 'keep'", ["no", None]),
    "optimizer": ("one of 'auto', 'cccp', 'alternation'", ["sgd", None]),
    "outlier_fraction": (r"a number in \[0, 1\)", [1, 1.0, -0.1, NAN, None]),
    "polish": ("True or False", ["yes", None]),
    "proportions": ("", ["equal", 3]),
    "relaxation": ("one of 'mmc', 'gmmc', 'multiclass'", ["max-cut", None]),
    "sdp_solver": ("one of 'clarabel', 'scs'", ["mosek", None]),
    "search": ("one of 'shaking', 'steepest'", ["tabu", 5]),
    "solver": ("one of 'exact', 'sgd', 'online', 'libsvm'", ["smo", None, ["exact"]]),
    "standardize": ("True or False", ["yes", None]),
    "theta": ("a finite number > 0", [0, -0.01]),
    "time_budget": ("a finite number > 0", [0, -1.0, NAN, "1h"]),
    "tol": ("a finite number > 0", [0, 0.0, "a"]),
}


class Odd:
    """No value of any parameter."""

    def __repr__(self):
        return "Odd()"


def wrong_values():
    """Each parameter of each class with each wrong value."""
    for case in FIRST:
        for name in sorted(set(inspect.signature(case.kind).parameters) - NOT_OURS):
            allowed, values = WRONG.get(name, ("", []))
            for value in (Odd(), *values):
                yield pytest.param(
                    *(case, name, value, allowed), id=f"{case.name}-{name}-{value!r}"
                )


@pytest.mark.parametrize(("case", "name", "value", "allowed"), [*wrong_values()])
def test_a_wrong_value_is_named(case, name, value, allowed):
    got = "" if name == "init" else re.escape(repr(value))
    message = rf"(?s){name} must .*{allowed}.*; got {got}"
    model = case(**{name: value})
    with pytest.raises(ValueError, match=message):
        model.fit(ROWS)
    for fit in ("fit", "partial_fit"):
        if name not in WITH_ROWS and hasattr(model, fit):
            with pytest.raises(ValueError, match=message):
                getattr(model, fit)("no rows at all")


@pytest.mark.parametrize(
    ("init", "got"),
    [
        ([0, 1], r"an array of shape \(2,\)"),
        (np.full(20, 3), r"values \[3"),
        (np.full(20, 0.5), r"values \[0.5"),
        (np.full(20, -1), r"values \[-1"),
        (np.full(20, NAN), r"values \[nan"),
        ([[0], [1, 2]], ""),
        ([0, "a"] * 10, ""),
    ],
    ids=str,
)
def test_labels_to_start_with_that_are_none_are_named(init, got):
    for case in FIRST:
        if "init" in inspect.signature(case.kind).parameters:
            with pytest.raises(ValueError, match=rf"init must be .* 20 labels from 0 to 2.*{got}"):
                case(init=init).fit(ROWS)


@pytest.mark.parametrize("name", sorted(WITH_ROWS))
def test_a_wrong_value_is_named_before_rows_are_looked_at(name):
    late = []
    for case in FIRST:
        if name in inspect.signature(case.kind).parameters:
            with pytest.raises(ValueError) as error:
                case(**{name: Odd()}).fit("no rows at all")
            late += [case.name] if name not in str(error.value) else []
    if late:
        pytest.xfail(f"{name} is read with the rows by {', '.join(late)}")
