"""Charts of the report: Altair makes Vega-Lite from numbers that are ready to draw."""
