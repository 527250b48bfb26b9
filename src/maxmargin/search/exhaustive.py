"""All labellings of a few rows: what no search can miss."""

import numpy as np
from numpy.typing import NDArray

from maxmargin.search.engine import Found, Problem, Search, Start
from maxmargin.sizes import Sizes
from maxmargin.spaces.quadratic_form import QuadraticForm

TINY = 16
MOST = 200_000  # labellings: a tenth of a second
AT_ONCE = 1 << 14


class Exhaustive(Search):
    """The best of all labellings within the limits; for problems that are small enough.

    Examples
    --------
    >>> import numpy as np
    >>> from maxmargin.search.exhaustive import all_labellings
    >>> from maxmargin.sizes import read_sizes
    >>> free = np.full(4, -1, np.int32)
    >>> all_labellings(read_sizes(4, 2, None, 2, None, free)).tolist()
    [[0, 1, 1, 0], [0, 1, 0, 1], [0, 0, 1, 1]]
    """

    def run(self, problem: Problem, start: Start, rng: np.random.Generator) -> Found:
        """Look at all of them, or keep the start if they are too many."""
        found = all_labellings(problem.sizes)
        labels = start.labels if found is None else found[_best(problem.form, found)]
        labelling = problem.labelling(labels.astype(np.int32))
        labelling.repair()
        return Found(labelling, [labelling.value], 1 if found is None else len(found))


def all_labellings(sizes: Sizes) -> NDArray[np.int8] | None:
    """Every labelling that keeps the limits, a row each; None if there are too many.

    Clusters that nobody can tell apart are named in the order of their first rows.
    """
    n, k = len(sizes.pins), sizes.n_clusters
    if n > TINY:
        return None
    alike = bool(sizes.alike().all()) and sizes.n_pinned == 0
    labels = np.empty((1, 0), np.int8)
    ahead = sizes.mass.sum()
    for pin, mass in zip(sizes.pins, sizes.mass, strict=True):
        before = sizes.mass[: labels.shape[1]]
        counts = np.stack([(labels == c) @ before for c in range(k)], axis=1)
        ahead -= mass
        longer = []
        for c in range(k) if pin < 0 else [int(pin)]:
            may = counts[:, c] + mass <= sizes.upper[c]
            if alike and c > 0:
                may &= counts[:, c - 1] > 0
            missing = np.maximum(sizes.lower - counts[may], 0)
            missing[:, c] = np.maximum(missing[:, c] - mass, 0)
            may[may] = missing.sum(axis=1) <= ahead
            longer.append(np.pad(labels[may], ((0, 0), (0, 1)), constant_values=c))
        labels = np.concatenate(longer)
        if len(labels) > MOST:
            return None
    return labels


def _best(form: QuadraticForm, labels: NDArray[np.int8]) -> int:
    """Which of them has the largest Σ_c h_cᵀ R h_c."""
    R = form.matrix.astype(np.float64)
    R = R @ R.T if form.factored else R + np.diag(form.diagonal)
    values = np.zeros(len(labels))
    for c in range(int(labels.max()) + 1):
        for begin in range(0, len(labels), AT_ONCE):
            part = slice(begin, begin + AT_ONCE)
            H = (labels[part] == c).astype(np.float64)
            values[part] += np.einsum("ij,ij->i", H @ R, H)
    return int(np.argmax(values))
