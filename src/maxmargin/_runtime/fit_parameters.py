"""A further parameter of ``fit``, for all estimators that take it alike."""

import inspect
from collections.abc import Callable, Mapping
from functools import wraps
from typing import Any, TypeVar

Fit = TypeVar("Fit", bound=Callable[..., Any])

#: What to do where a fit does not take a parameter that others take.
INSTEAD = {
    "sample_weight": "RLSClustering takes it, and so does a search with it. Or repeat rows: "
    "X[np.repeat(np.arange(len(X)), copies)]."
}


def refuse_others(fit: Callable[..., Any], estimator: Any, given: Mapping[str, Any]) -> None:
    """Raise a TypeError if a fit is given what it does not take, and other ones do."""
    for name, instead in INSTEAD.items():
        if name in given and name not in inspect.signature(fit).parameters:
            raise TypeError(f"{type(estimator).__name__} takes no {name}. {instead}")


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
