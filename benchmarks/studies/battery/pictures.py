"""Draw a set of the battery three times: the reference, our answer, the best peer's."""

import io
from collections.abc import Callable, Sequence
from pathlib import Path

import matplotlib

matplotlib.use("Agg")
import numpy as np
from matplotlib import pyplot as plt
from PIL import Image
from scipy.optimize import linear_sum_assignment
from sklearn.decomposition import PCA
from sklearn.metrics.cluster import contingency_matrix

from benchmarks.datasets.battery import BatterySet, Labels, ari, number_of

MOST_POINTS = 1500
#: Pictures are kept small: so many colours are enough.
N_COLOURS = 48
GREY = "#bbbbbb"
#: Neighbours in this list are told apart by readers who see few colours.
COLOURS = (
    *("#0072B2", "#E69F00", "#009E73", "#D55E00", "#CC79A7", "#56B4E9", "#8A7500", "#222222"),
    *("#7F3C8D", "#11A579", "#E73F74", "#80BA5A", "#A5AA99", "#4B4B8F", "#F97B72", "#008695"),
)

Panel = tuple[str, Labels, Labels]  # title, labels, the reference that they are scored with


def best_pair(
    data: BatterySet, labels_for: Callable[[int], Labels | None]
) -> tuple[Labels, Labels, float]:
    """The reference that labels for its own k agree with most, these labels, and their ARI."""
    pairs = ((r, labels_for(number_of(r))) for r in data.references)
    scored = [(r, labels, ari(r, labels)) for r, labels in pairs if labels is not None]
    return max(scored, key=lambda item: item[2])


def matched(labels: Labels, reference: Labels) -> Labels:
    """Numbers for the clusters such that as many rows as possible have that of the reference."""
    table = contingency_matrix(labels, reference)
    names = np.unique(reference)
    table[:, names == 0] = 0
    rows, columns = linear_sum_assignment(-table)
    free = iter(range(int(reference.max()) + 1, int(reference.max()) + 1 + len(table)))
    numbers = {row: int(names[c]) for row, c in zip(rows, columns, strict=True) if names[c] != 0}
    order = np.unique(labels, return_inverse=True)[1]
    return np.array([numbers.get(i) or next(free) for i in range(len(table))])[order]


def plane(X: np.ndarray) -> np.ndarray:
    """Two columns: the rows themselves or their leading directions."""
    return X if X.shape[1] == 2 else PCA(2).fit_transform((X - X.mean(axis=0)) / X.std())


def draw(data: BatterySet, panels: Sequence[Panel], path: Path) -> None:
    """Write the panels side by side as a small PNG."""
    X = plane(data.X) if data.X.shape[1] > 1 else np.column_stack([data.X, 0 * data.X])
    shown = np.random.default_rng(0).permutation(len(X))[:MOST_POINTS]
    figure, axes = plt.subplots(1, len(panels), figsize=(2 * len(panels), 2.1), squeeze=False)
    for axis, (title, labels, reference) in zip(axes[0], panels, strict=True):
        numbers = labels if labels is reference else matched(labels, reference)
        colours = [GREY if c == 0 else COLOURS[(c - 1) % len(COLOURS)] for c in numbers[shown]]
        axis.scatter(*X[shown].T, s=2.5 if len(shown) > 500 else 6, c=colours, linewidths=0)
        axis.set_title(title, fontsize=7)
        axis.set(xticks=[], yticks=[])
        axis.set_aspect("equal", "datalim") if data.X.shape[1] <= 2 else None
    figure.tight_layout(pad=0.3)
    save(figure, path)


def save(figure: plt.Figure, path: Path) -> None:
    """Write a figure with few colours."""
    buffer = io.BytesIO()
    figure.savefig(buffer, dpi=80)
    plt.close(figure)
    image = Image.open(buffer).convert("RGB").quantize(N_COLOURS, dither=Image.Dither.NONE)
    path.parent.mkdir(parents=True, exist_ok=True)
    image.save(path, optimize=True)
