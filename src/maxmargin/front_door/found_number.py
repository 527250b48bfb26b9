"""The number of clusters that was found, and how sure that is."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from maxmargin._runtime.warnings import warn_user

WEAK_EVIDENCE = 0.3  # the probability below which it is called so


@dataclass(frozen=True, eq=False)
class NumberOfClusters:
    """How many clusters there are, and how sure that is.

    Attributes
    ----------
    k : int
        The number with most evidence.
    confidence : float
        The probability that it is exact.
    curve : dict of arrays
        ``"k"``; ``"evidence"``, which is ``"separation"``, the sum over the borders of the tree,
        and a multiple of the fall of ``"predictability"`` to the next number, minus the mean
        logarithm of the leave-one-out errors; ``"weakest_border"`` of the tree. Of latent
        classes, ``"evidence"`` is the logarithm of their probability.
    of : str, default="clusters"
        What is counted: clusters, or latent classes where columns have few values.
    """

    k: int
    confidence: float
    curve: dict[str, NDArray[Any]]
    of: str = "clusters"

    @property
    def next_best(self) -> int | None:
        """The number with most evidence of those that are not beside the chosen one."""
        far = np.flatnonzero(np.abs(self.curve["k"] - self.k) > 1)
        if not len(far):
            return None
        return int(self.curve["k"][far[np.argmax(self.curve["evidence"][far])]])

    @property
    def why(self) -> str:
        """The evidence for the number, as a sentence."""
        evidence = dict(zip(self.curve["k"].tolist(), self.curve["evidence"], strict=True))
        told = [f"{evidence[k]:.2f} for {k}" for k in (self.k, self.next_best) if k in evidence]
        return (
            f"The number of {self.of} is the one with most evidence: {', '.join(told)}; "
            f"it is exact with probability {self.confidence:.2f}."
        )


def warn_of_weak_evidence(k: int, found: NumberOfClusters) -> None:
    """Say so where little speaks for the number."""
    if found.confidence < WEAK_EVIDENCE:
        other = f"; {found.next_best} is the next to consider" if found.next_best else ""
        warn_user(
            f"the evidence for n_clusters = {k} is weak: it is exact with probability "
            f"{found.confidence:.2f}{other}. See k_curve_."
        )
