"""Why there are so many clusters: the evidence for each number, and what it is made of."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True, eq=False)
class EvidenceCurve:
    """The evidence for each number of clusters, or one of its parts.

    Attributes
    ----------
    name : {"evidence", "separation", "predictability"}
    values : ndarray of shape (t,)
        What was measured at each number that was tried.
    says : int
        The number of clusters that it alone would say.
    reason : str
        Which of the values that is.
    """

    name: str
    values: NDArray[np.float64]
    says: int
    reason: str

    @property
    def title(self) -> str:
        """What was measured, as words."""
        return self.name.replace("_", " ")


def evidence_curves(curve: dict[str, NDArray[Any]]) -> list[EvidenceCurve]:
    """The evidence of :mod:`maxmargin.front_door.number` and its parts.

    ``curve`` is ``k_curve_`` of :class:`~maxmargin.MaxMarginClustering`. Each says 1 if
    nothing was tried.

    Examples
    --------
    >>> import numpy as np
    >>> from maxmargin.explain.number import evidence_curves
    >>> curve = {"k": np.array([2, 3, 4]), "evidence": np.array([0.1, 2.5, 1.2])}
    >>> curve |= {"separation": np.array([0.1, 1.5, 1.6])}
    >>> curve |= {"predictability": np.array([3.0, 3.1, 2.1])}
    >>> [(part.name, part.says) for part in evidence_curves(curve)]
    [('evidence', 3), ('separation', 4), ('predictability', 3)]
    """
    tried = curve["k"]

    def largest(values: NDArray[np.float64]) -> int:
        return int(tried[np.argmax(values)]) if len(values) else 1

    fit = curve["predictability"]
    falls = fit[:-1] - fit[1:] if len(fit) > 1 else fit  # of the last one it is not known
    return [
        EvidenceCurve("evidence", curve["evidence"], largest(curve["evidence"]), "the highest"),
        EvidenceCurve(
            "separation", curve["separation"], largest(curve["separation"]), "the highest"
        ),
        EvidenceCurve("predictability", fit, largest(falls), "before the steepest fall"),
    ]
