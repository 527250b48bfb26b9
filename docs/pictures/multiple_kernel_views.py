"""Draw multiple-kernel-views.png: the figure of examples/plot_views.py."""

import runpy
from pathlib import Path

import matplotlib as mpl
import matplotlib.pyplot as plt

mpl.use("Agg")
HERE = Path(__file__).resolve().parent
runpy.run_path(str(HERE.parents[1] / "examples" / "plot_views.py"))
plt.gcf().savefig(HERE / "multiple-kernel-views.png", dpi=110)
