"""Why there are so many clusters: what three rules measured, and the number that each says."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from maxmargin.selection.number import SMALLEST_DIP, steepest_drop


@dataclass(frozen=True, eq=False)
class RuleCurve:
    """One rule for the number of clusters.

    Attributes
    ----------
    name : {"split_gap", "smallest_dip", "predictability"}
    values : ndarray of shape (t,)
        What was measured at each number that was tried; infinite where clusters do not touch.
    says : int
        The number of clusters by this rule.
    reason : str
        Which of the values the rule takes.
    threshold : float or None
        The value that must be passed, where the rule has one.
    """

    name: str
    values: NDArray[np.float64]
    says: int
    reason: str
    threshold: float | None = None

    @property
    def title(self) -> str:
        """What was measured, as words."""
        return self.name.replace("_", " ")


def rules_of(curve: dict[str, NDArray[Any]]) -> list[RuleCurve]:
    """What each rule of :mod:`maxmargin.selection.number` says; 1 if nothing was tried.

    ``curve`` is ``k_curve_`` of :class:`~maxmargin.MaxMarginClustering`.

    Examples
    --------
    >>> import numpy as np
    >>> from maxmargin.explain.number import rules_of
    >>> curve = {"k": np.array([2, 3, 4]), "split_gap": np.array([0.1, 0.5, 0.2])}
    >>> curve["smallest_dip"] = np.array([np.inf, 0.9, 0.1])
    >>> [(rule.title, rule.says) for rule in rules_of(curve)]
    [('split gap', 3), ('smallest dip', 3)]
    """
    tried = curve["k"]
    gaps, dips = curve["split_gap"], curve["smallest_dip"]
    k_gap = int(tried[np.argmax(gaps)]) if len(tried) else 1
    k_dip = int(tried[dips > SMALLEST_DIP].max(initial=1))
    rules = [
        RuleCurve("split_gap", gaps, k_gap, "the highest"),
        RuleCurve("smallest_dip", dips, k_dip, "the last above the line", SMALLEST_DIP),
    ]
    if "predictability" in curve:
        fit = curve["predictability"]
        k_drop = steepest_drop(tried.tolist(), fit.tolist())
        rules.append(RuleCurve("predictability", fit, k_drop, "before the steepest fall"))
    return rules
