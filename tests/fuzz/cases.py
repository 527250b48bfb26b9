"""A case: an estimator, its parameters, rows and a y; a fit of it, an answer or a refusal."""

import copy
import traceback
import warnings
from dataclasses import dataclass, field, replace
from inspect import signature
from typing import Any

import numpy as np
from fuzz.given import LINKS, WEIGHTS, make_given
from fuzz.limits import no_hang
from fuzz.parameters import ESTIMATORS, parameters
from fuzz.rows import Rows, clear_rows, rows
from fuzz.targets import TARGETS, make_target
from hypothesis import strategies as st

from maxmargin import MaxMarginWarning

#: The innermost line of an error that is meant for the user stands in one of these.
OURS = ("/maxmargin/", "/sklearn/utils/", "/sklearn/base.py", "/joblib/")  # of other processes
#: Words of which a message has at least one, besides the names of the parameters.
ABOUT = ("X", "y", "rows", "Input", "array", "sample", "feature", "sparse", "dtype", "data")
ABOUT += ("constraints",)


class Foreign(AssertionError):
    """An error or a warning that is not meant for the user."""


@dataclass(frozen=True)
class Case:
    """A recipe of a fit; its repr is Python that makes it again."""

    estimator: str
    parameters: dict[str, Any] = field(default_factory=dict)
    rows: Rows = field(default_factory=Rows)
    target: str = "none"
    invariant: str = ""
    weights: str = "none"
    links: str = "none"

    def model(self, **more: Any) -> Any:
        """A new estimator, not fitted."""
        kind = ESTIMATORS[self.estimator]
        return kind(**{**copy.deepcopy(self.parameters), **more})

    def y(self, n: int) -> Any:
        """The y for n rows."""
        k = self.parameters.get("n_clusters", 3)
        k = int(k) if isinstance(k, (int, np.integer)) and 0 < k < 100 else 3
        return make_target(self.target, n, k, self.rows.seed)

    def given(self, n: int) -> dict[str, Any]:
        """What else ``fit`` gets, as far as it takes it."""
        takes = signature(ESTIMATORS[self.estimator].fit).parameters
        made = make_given(self.weights, self.links, n, self.rows.seed)
        return {name: value for name, value in made.items() if name in takes}


@dataclass(frozen=True)
class Fit:
    """A fit that gave an answer."""

    case: Case
    model: Any
    X: Any
    y: Any
    given: dict[str, Any] = field(default_factory=dict)

    @property
    def n(self) -> int:
        """The number of rows."""
        return len(self.model.labels_)

    def again(self, X: Any = None, **more: Any) -> Any:
        """Fit a new model, with other rows or parameters; None if it refuses them."""
        rows_ = self.X if X is None else X
        return fit_quietly(self.case.model(**more), rows_, self.case.y(self.n), **self.given)


def fit_quietly(model: Any, X: Any, y: Any, **given: Any) -> Any:
    """Fit, and None for a refusal; what is foreign is a failure."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            warnings.simplefilter("ignore", MaxMarginWarning)
            return model.fit(X, y, **given)
    except (ValueError, TypeError) as error:
        check_refusal(error, model)
        return None


def check_refusal(error: Exception, model: Any) -> None:
    """A refusal comes from where parameters and rows are checked, and says what it is about."""
    inner = traceback.extract_tb(error.__traceback__)[-1]
    if not any(place in inner.filename for place in OURS):
        raise Foreign(f"{type(error).__name__} of {inner.filename}:{inner.lineno}") from error
    words = (*ABOUT, *model.get_params(deep=False))
    if not any(word in str(error) for word in words):
        raise Foreign(f"{type(error).__name__} that names nothing") from error


def run(case: Case) -> str:
    """Fit the case and check what is promised; says what came of it."""
    from fuzz.invariants import check

    with no_hang():
        X = case.rows.make()
        n = case.rows.numbers().shape[0]
        y, given = case.y(n), case.given(n)
        model = fit_quietly(case.model(), X, y, **given)
        if model is None:
            return "refused"
        check(Fit(case, model, X, y, given))
    return "answered"


def cases(estimator: str, invariants: Any) -> st.SearchStrategy[Case]:
    """Cases of one estimator: rows of any kind, or clear ones that more is promised for."""
    any_rows = st.one_of(rows(), rows(), clear_rows())
    return st.builds(
        Case,
        estimator=st.just(estimator),
        parameters=parameters(ESTIMATORS[estimator]),
        rows=any_rows,
        target=st.one_of(st.just("none"), st.just("none"), st.sampled_from(sorted(TARGETS))),
        invariant=st.sampled_from(sorted(invariants)),
        weights=_rarely(WEIGHTS),
        links=_rarely(LINKS),
    )


def _rarely(kinds: Any) -> st.SearchStrategy[str]:
    return st.one_of(*[st.just("none")] * 4, st.sampled_from(sorted(kinds)))


def plain(case: Case) -> Case:
    """The same numbers as an array of their type."""
    return replace(case, rows=replace(case.rows, storage="C"))
