"""Why there are so many clusters: what three rules measured, and the number that each says."""

from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from maxmargin.explain.clustering import nested_estimators
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


@dataclass(frozen=True, eq=False)
class NumberEvidence:
    """What was measured at each number of clusters.

    Attributes
    ----------
    curve : dict of arrays
        ``"k"``, ``"split_gap"``, ``"smallest_dip"`` and, where it is known,
        ``"predictability"``.
    k : int
        The number that was chosen.
    agreement : int
        How many of the three rules say it.

    Examples
    --------
    >>> import numpy as np
    >>> from maxmargin.explain.number import NumberEvidence
    >>> curve = {"k": np.array([2, 3, 4]), "split_gap": np.array([0.1, 0.5, 0.2])}
    >>> curve["smallest_dip"] = np.array([np.inf, 0.9, 0.1])
    >>> [(rule.title, rule.says) for rule in NumberEvidence(curve, 3, 2).rules]
    [('split gap', 3), ('smallest dip', 3)]
    """

    curve: dict[str, NDArray[Any]]
    k: int
    agreement: int

    @classmethod
    def of(cls, estimator: Any) -> Self | None:
        """The evidence of a fitted estimator; None if it did not choose the number."""
        model = nested_estimators(estimator)[-1]
        if not hasattr(model, "k_curve_"):
            return None
        return cls(model.k_curve_, int(model.n_clusters_), int(model.k_confidence_))

    @property
    def tried(self) -> NDArray[np.intp]:
        """The numbers of clusters that were tried."""
        return np.asarray(self.curve["k"])

    @property
    def rules(self) -> list[RuleCurve]:
        """The rules of :mod:`maxmargin.selection.number`; each says 1 if nothing was tried."""
        tried, curve = self.tried, self.curve
        gaps, dips = (np.asarray(curve[n], dtype=float) for n in ("split_gap", "smallest_dip"))
        k_gap = int(tried[np.argmax(gaps)]) if len(tried) else 1
        k_dip = int(tried[dips > SMALLEST_DIP].max(initial=1))
        rules = [
            RuleCurve("split_gap", gaps, k_gap, "the highest"),
            RuleCurve("smallest_dip", dips, k_dip, "the last above the line", SMALLEST_DIP),
        ]
        if "predictability" in curve:
            fit = np.asarray(curve["predictability"], dtype=float)
            k_drop = int(steepest_drop(tried.tolist(), fit.tolist()))
            rules.append(RuleCurve("predictability", fit, k_drop, "before the steepest fall"))
        return rules
