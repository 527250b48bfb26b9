"""Criteria that need no labels; they see labellings and spaces, never estimators.

``criteria.py``
    Two of them as objects, for any clusterer: fit them to rows, score labels.
``mixture.py``
    A judge for the case in which margins are the wrong question: a mixture of Gaussians.
``split_gap.py``
    Clusters that are harder to split than to tell from each other.
"""

from maxmargin.selection.criteria import LeaveOneOutCriterion, SplitGapCriterion

__all__ = ["LeaveOneOutCriterion", "SplitGapCriterion"]
