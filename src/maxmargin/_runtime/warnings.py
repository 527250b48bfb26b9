"""The class of all warnings of this package."""


class MaxMarginWarning(UserWarning):
    """Something was approximated, stopped early or replaced.

    Filter it to silence or to raise what this package has to say, and nothing else.

    Examples
    --------
    >>> import warnings
    >>> from maxmargin import MaxMarginWarning
    >>> warnings.simplefilter("error", MaxMarginWarning)
    """
