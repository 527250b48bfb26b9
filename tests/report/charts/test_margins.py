"""The margins in the report."""

import numpy as np
from sklearn.datasets import make_moons

from maxmargin import MaxMarginClustering
from maxmargin.explain.margins import MarginHistogram
from maxmargin.plots import MarginsDisplay
from maxmargin.report.charts.margins import margins_figure


def test_the_display_has_the_same_bars(no_screen):
    X = make_moons(200, noise=0.3, random_state=0)[0]
    model = MaxMarginClustering(2, effort="fast", random_state=0).fit(X)
    display = MarginsDisplay.from_estimator(model, X)
    figure = margins_figure(MarginHistogram.of(model.margin_, model.labels_), "Sure.", "margins")
    spec = figure.charts[0].spec
    values = spec["datasets"]["values"]
    assert sum(bar["n"] for bar in values) == 200
    for place, strip in enumerate(display.strips_):
        tops, edges, base = strip.get_data()
        filled = np.flatnonzero(tops < base)
        own = [bar for bar in values if bar["y0"] == place + 1]
        np.testing.assert_allclose([bar["x0"] for bar in own], edges[filled], atol=1e-4)
        heights = [bar["y0"] - bar["y1"] for bar in own]
        np.testing.assert_allclose(heights, (base - tops)[filled], atol=1e-4)
    ends = spec["layer"][0]["encoding"]["x"]["scale"]["domain"]
    np.testing.assert_allclose(ends, display.ax_.get_xlim(), atol=1e-4)
    assert figure.description.startswith("Sure. ")
