"""Charts: Vega-Lite made by Altair from numbers that are ready to draw, nothing left to sum."""
