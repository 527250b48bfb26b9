"""A labelling as an answer: the model that it leaves, and how sure that is of each row."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from maxmargin.front_door.subsample import Subsample
from maxmargin.front_door.transfer import transfer
from maxmargin.objectives.classifier import KernelClassifier, fit_classifier
from maxmargin.objectives.leave_one_out import LeaveOneOut, r_squared
from maxmargin.selection.cells import Cell, Terrain
from maxmargin.selection.exemplars import exemplars
from maxmargin.spaces.kernel import Matrix

N_EXEMPLARS = 3


@dataclass(frozen=True, eq=False)
class FittedPartition:
    """Labels with their model.

    Attributes
    ----------
    cell : Cell
        The Gaussian cell of the model.
    classifier : KernelClassifier
    labels : ndarray of shape (n,)
        Of all rows.
    found : ndarray
        Of the rows that were looked at, as they were found.
    seen_labels : ndarray
        Of the same rows, as they are now.
    left_out : ndarray of shape (n, k)
        What models that never saw a row say of it.
    exemplars : list of arrays
        Rows that stand for each cluster.
    """

    cell: Cell
    classifier: KernelClassifier
    labels: NDArray[np.int32]
    found: NDArray[np.int32]
    seen_labels: NDArray[np.int32]
    left_out: NDArray[np.float64]
    exemplars: list[NDArray[np.intp]]

    @property
    def loo_score(self) -> float:
        """R² of what is said of rows left out; 0 for one cluster."""
        missed = self.left_out.copy()
        missed[np.arange(len(self.labels)), self.labels] -= 1
        return r_squared(missed, self.labels)


def fit_partition(
    scene: Subsample,
    terrain: Terrain,
    cell: Cell,
    criterion: LeaveOneOut,
    labels: NDArray[np.int32],
    rows: Matrix,
) -> FittedPartition:
    """Fit the classifier to labels of the rows seen, and carry it over to all rows."""
    k = scene.sizes.n_clusters
    kernel, dropped = terrain.gram(cell)
    classifier, left_out = fit_classifier(
        scene.geometry,
        scene.rows,
        scene.columns,
        terrain.gamma(cell),
        kernel,
        criterion,
        cell.strength * terrain.n,
        labels,
        k,
        dropped,
    )
    found = seen_labels = labels
    if not scene.whole:
        classifier, labels, left_out = transfer(
            scene.geometry,
            rows,
            scene.seen,
            classifier,
            cell.strength,
            scene.sizes,
            np.random.default_rng(0),
            found,
        )
        numbers = scene.sizes.numbers(labels)  # by size among all rows, not among those seen
        old = np.argsort(numbers)
        classifier, left_out = classifier.reordered(old), left_out[:, old]
        labels = numbers[labels]
        seen_labels = labels[scene.seen]
    typical = [
        scene.seen[members[exemplars(kernel[np.ix_(members, members)], N_EXEMPLARS)]]
        for members in (np.flatnonzero(seen_labels == c) for c in range(k))
    ]
    for c, rows_of_c in enumerate(typical):
        if not len(rows_of_c):  # so small that none of its rows was looked at
            typical[c] = np.flatnonzero(labels == c)[:N_EXEMPLARS]
    return FittedPartition(cell, classifier, labels, found, seen_labels, left_out, typical)
