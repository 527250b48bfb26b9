"""Bars of the report."""

import numpy as np

from maxmargin.report.charts.bars import sizes_figure, weights_figure


def values_of(figure):
    return figure.charts[0].spec["datasets"]["values"]


def test_the_sizes_of_clusters_outliers_last():
    figure = sizes_figure(np.array([1, -1, 0, 0, 1, 1]), "sizes")
    assert [(v["c"], v["n"]) for v in values_of(figure)] == [(0, 2), (1, 3), (-1, 1)]
    assert figure.table.rows[-1] == ["outliers", 1, "17%"]


def test_the_weights_of_kernels_in_their_order():
    figure = weights_figure({"rbf": 0.25, "<b>": 0.75}, "weights")
    assert [v["w"] for v in values_of(figure)] == [0.25, 0.75]
    assert [v["name"] for v in values_of(figure)] == ["1. rbf", "2. <b>"]
