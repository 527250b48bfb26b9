"""Displays beside the charts: they show the same numbers."""

import pytest


@pytest.fixture
def no_screen():
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("Agg")
    yield
    matplotlib.pyplot.close("all")
