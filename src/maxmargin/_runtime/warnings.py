"""The class of all warnings of this package, and the line that they name."""

import sys
import warnings

#: Frames of these modules are not the user's.
INSIDE = ("maxmargin.", "sklearn.", "joblib.", "contextlib")


class MaxMarginWarning(UserWarning):
    """Something was approximated, stopped early or replaced.

    Filter it to silence or to raise what this package has to say, and nothing else.

    Examples
    --------
    >>> import warnings
    >>> from maxmargin import MaxMarginWarning
    >>> warnings.simplefilter("error", MaxMarginWarning)
    """


class InterruptedWarning(MaxMarginWarning):
    """Ctrl-C ended a fit early, and the best so far is its answer."""


def warn_user(message: str, category: type[MaxMarginWarning] = MaxMarginWarning) -> None:
    """Warn with a line that is that of the user who called, however deep."""
    level, frame = 2, sys._getframe(1)
    while frame.f_back and frame.f_globals.get("__name__", "").startswith(INSIDE):
        level, frame = level + 1, frame.f_back
    warnings.warn(message, category, stacklevel=level)
