"""Draw support-vector-domain.png: the figure of examples/plot_domain.py."""

import runpy
from pathlib import Path

import matplotlib as mpl
import matplotlib.pyplot as plt

mpl.use("Agg")
HERE = Path(__file__).resolve().parent
runpy.run_path(str(HERE.parents[1] / "examples" / "plot_domain.py"))
plt.gcf().savefig(HERE / "support-vector-domain.png", dpi=110)
