"""Numbers as parameters: of whatever type and size, an answer or an error that names them."""

import inspect
from fractions import Fraction
from numbers import Integral, Real

import numpy as np
import pytest
from contracts.estimators import FIRST, having

ROWS = np.concatenate(
    [np.random.default_rng(i).normal(size=(8, 3)) + 9 * np.eye(3)[i] for i in range(3)]
)

#: Numbers that overflow, round or vanish somewhere, and some that are none at all.
ODD = [
    *(
        10**400,
        -(10**400),
        2**63,
        2**31,
        1e308,
        -1e308,
        5e-324,
        1e100,
        1e-100,
        np.nan,
        np.inf,
        -np.inf,
    ),
    *(0, -1, 0.0, -0.0, 1, 2, 3, 0.5, True, "2", None, 2 + 0j, np.array(2), np.array([2, 2])),
    *(np.int8(100), np.uint8(3), np.uint8(200), np.int64(2), np.uint64(2**63), np.bool_(True)),
    *(np.float16(0.5), np.float32(0.5), np.float32(1e-40), np.longdouble(0.5), Fraction(1, 3)),
]
#: Long work that was asked for.
LONG = {"n_init": 4, "max_iter": np.inf, "n_jobs": np.inf, "time_budget": np.inf}
#: Parameters that are no numbers.
NO_NUMBERS = {"estimator", "param_grid", "verbose", "kernel", "kernels", "metric", "solver"}
ALSO = {  # the parts that belong to a parameter, for those who change it
    "n_jobs": {"n_init": 2},
    "degree": {"kernel": "poly"},
    "coef0": {"kernel": "sigmoid"},
    "n_components": {"approximation": "nystroem"},
}


def is_number(value):
    return isinstance(value, Real) and not isinstance(value, (bool, np.bool_))


def parameters(kind):
    return sorted(set(inspect.signature(kind).parameters) - NO_NUMBERS)


def with_parameter(case, name, value):
    known = inspect.signature(case.kind).parameters
    also = {key: v for key, v in ALSO.get(name, {}).items() if key in known}
    return case(**also, **{name: value})


def outcome(case, name, value):
    """What a fit says of a value: nothing, or its error."""
    try:
        with_parameter(case, name, value).fit(ROWS)
    except (ValueError, MemoryError) as error:
        return str(error)
    return None


@pytest.mark.filterwarnings("ignore::maxmargin.MaxMarginWarning")
@pytest.mark.parametrize(
    ("case", "name"),
    [pytest.param(c, name, id=f"{c.name}-{name}") for c in FIRST for name in parameters(c.kind)],
)
def test_a_number_is_answered_or_named(case, name):
    for value in ODD:
        if not (is_number(value) and value > LONG.get(name, np.inf)):
            said = outcome(case, name, value)
            assert said is None or name in said, value
            assert said is None or len(said) < 1000, value


SMALL_TYPES = [np.int8, np.uint8, np.float16, np.float32, Fraction]


@pytest.mark.parametrize("kind", SMALL_TYPES, ids=lambda kind: kind.__name__)
@having()
def test_a_number_is_worth_the_same_in_any_type(case, kind, blobs):
    """100 of 300 rows as np.int8 wrap around where they are added or multiplied."""
    X = case.given(blobs[0])
    given = case().get_params(deep=False)
    odd, plain = {}, {}
    for name, value in given.items():
        whole = isinstance(value, Integral)
        if is_number(value) and whole == issubclass(kind, Integral) and name != "random_state":
            odd[name] = kind(min(value, 100))
            plain[name] = int(odd[name]) if whole else float(odd[name])
    model, expected = case(**odd).fit(X), case(**plain).fit(X)
    np.testing.assert_array_equal(model.labels_, expected.labels_)
    np.testing.assert_array_equal(model.decision_function(X), expected.decision_function(X))
    for name, value in odd.items():
        assert getattr(model, name) is value, "a parameter stays what the user gave"
