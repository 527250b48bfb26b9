"""A further parameter of ``fit``, for all estimators that take it alike."""

import inspect
from collections.abc import Callable
from functools import wraps
from typing import Any, TypeVar

Fit = TypeVar("Fit", bound=Callable[..., Any])


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
