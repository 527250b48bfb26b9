"""Figures that leave nothing behind."""

import pytest


@pytest.fixture(autouse=True)
def figures():
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("Agg")
    yield
    matplotlib.pyplot.close("all")
