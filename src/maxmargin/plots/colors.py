"""The colours and markers of clusters, which every picture shares."""

from maxmargin.explain.colors import MARKERS, OUTLIER, PALETTE, style_of

__all__ = ["MARKERS", "OUTLIER", "PALETTE", "style_of"]
