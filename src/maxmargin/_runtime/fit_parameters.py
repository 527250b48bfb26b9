"""A further parameter of ``fit``, for all estimators that take it alike."""

import inspect
from collections.abc import Callable
from functools import wraps
from typing import Any, TypeVar

Fit = TypeVar("Fit", bound=Callable[..., Any])

#: What to do where a fit does not take a parameter that others take.
INSTEAD = {
    "constraints": "Use MaxMarginClustering, RLSClustering or another one that pins rows.",
    "sample_weight": "MaxMarginClustering, RLSClustering, CuttingPlaneClustering and "
    "SupportVectorClustering take it. Or repeat rows: X[np.repeat(np.arange(len(X)), copies)].",
}


def without_others(fit: Callable[..., Any], name: str, given: dict[str, Any]) -> dict[str, Any]:
    """What is given to the fit of an estimator of that name, without what is None there.

    A ValueError says what to do instead if it does not take what others take.
    """
    others = INSTEAD.keys() & given.keys() - inspect.signature(fit).parameters.keys()
    for other in others:
        if given[other] is not None:
            raise ValueError(f"{name} takes no {other}. {INSTEAD[other]}")
    return {known: value for known, value in given.items() if known not in others}


def fit_parameter(name: str, doc: str, fit_with: Callable[..., Any]) -> Callable[[Fit], Fit]:
    """Make a decorator that gives ``fit`` a keyword.

    Where it is not None, ``fit_with(fit, estimator, X, y, value, **others)`` fits the estimator,
    with the other keywords that were given. Signature and docstring tell of it, and so does
    scikit-learn's metadata routing.
    """

    def decorate(fit: Fit) -> Fit:
        @wraps(fit)
        def extended(self: Any, X: Any, y: Any = None, **given: Any) -> Any:
            value = given.pop(name, None)
            if value is None:
                return fit(self, X, y, **given)
            return fit_with(fit, self, X, y, value, **given)

        known = inspect.signature(fit)
        parameter = inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=None)
        extended.__signature__ = known.replace(  # type: ignore[attr-defined]
            parameters=list({**known.parameters, name: parameter}.values())
        )
        before = "\n\n        Returns\n        -------"
        extended.__doc__ = (fit.__doc__ or "").replace(before, f"\n        {doc}{before}", 1)
        return extended  # type: ignore[return-value]

    return decorate
