"""The leave-one-out error of least squares on its own labels: a quadratic form too.

With A = I − R, a model with a bias that is not penalised leaves the residuals A_b H,

    A_b = A − A11ᵀA / (1ᵀA1),

and a model that never saw row j misses it by (A_b H)_j / A_b,jj. The sum of the squares is
Σ_c h_cᵀ B h_c with B = A_b D⁻² A_b, D = diag(A_b), so that it can be searched move by move, as
f can. Relative to n − Σ_c n_c²/n, the error of a model that knows the sizes only, it is
1 − R²; unlike f, R² does not reward one large cluster, and it is comparable between sizes.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from maxmargin._core.ratios import settle_ratios, value_inside
from maxmargin._runtime.memory import row_blocks
from maxmargin.sizes import Sizes
from maxmargin.spaces.pairwise import GaussianSettings, GraphSettings, PairwiseDistances
from maxmargin.spaces.quadratic_form import Labelling, QuadraticForm

#: 1 − R² below this is all as good as none: a perfect fit in one space must not outweigh all
#: the others.
SMALLEST_ERROR = 0.002
#: Added to errors that are compared between numbers of clusters: a perfect fit is not infinitely
#: better than a good one.
SMOOTHED_ERROR = 0.005
#: A_b,jj is positive in exact arithmetic; a row that the model reproduces whatever its label
#: says nothing about the labels, and must not be divided by its rounding error.
SMALLEST_RESIDUAL = 1e-6
#: The share of all rows below which a difference of two such sums is mostly rounding.
CANCELLED = 1e-6
#: Passes over all rows: a polish ends after five to ten.
MAX_PASSES = 40
#: A product of the factor with itself costs as much as n / 30 of its rows, made one by one as rows
#: move: half of that is tried before, as clear labels hardly move.
MOVES_PER_PRODUCT = 60
#: The relative fall of the error below which a move is rounding noise.
SMALLEST_FALL = 1e-7


@dataclass(frozen=True)
class LeaveOneOut:
    """The residuals A_b of a least-squares model with a bias.

    Attributes
    ----------
    residual : ndarray of shape (n, n), float32
        A_b. Four bytes are enough for a score; it is computed in eight.
    diagonal : ndarray of shape (n,)
        A_b,jj, not below ``SMALLEST_RESIDUAL``.
    bias : ndarray of shape (n,)
        A1 / 1ᵀA1: its product with the indicator of a cluster is the bias of its model.
    dropped : ndarray or None
        The eigenvectors that an indefinite kernel lost to become R.
    weights : ndarray of shape (n,) or None
        What rows count for, where A = W − R and all copies of a row are left out.
    squared : ErrorForm or None
        B, where it is kept: many clusters are scored faster by it.

    Examples
    --------
    >>> import numpy as np
    >>> from maxmargin.objectives.leave_one_out import LeaveOneOut
    >>> from maxmargin.spaces.quadratic_form import Labelling, QuadraticForm
    >>> X = np.array([[0.0], [0.1], [0.2], [3.0], [3.1], [3.2]])
    >>> form = QuadraticForm.from_gram(np.exp(-((X - X.T) ** 2)), lam=0.1)
    >>> criterion = LeaveOneOut.of_form(form)
    >>> good, bad = np.array([0, 0, 0, 1, 1, 1]), np.array([0, 0, 1, 1, 1, 0])
    >>> criterion.scores([good, bad]).round(2).tolist()
    [1.0, -0.8]
    """

    residual: NDArray[np.float32]
    diagonal: NDArray[np.float64]
    bias: NDArray[np.float64]
    dropped: NDArray[np.float64] | None = None
    weights: NDArray[np.float64] | None = None
    squared: "ErrorForm | None" = None

    @classmethod
    def of_form(
        cls, form: QuadraticForm, dropped: NDArray[np.float64] | None = None
    ) -> "LeaveOneOut":
        """Add a bias to the model behind a hollow form R in float64, and subtract from I."""
        n = form.n
        own = form.weights
        sums = own - form.diagonal - form.matrix.sum(axis=1)  # A1
        bias = _bias(sums, own)
        residual = np.empty((n, n), np.float32)
        for block in row_blocks(n, n):
            part = np.outer(sums[block], bias)
            part += form.matrix[block]
            np.negative(part, out=residual[block], casting="same_kind")
        diagonal = own - form.diagonal - sums * bias
        residual.flat[:: n + 1] = diagonal
        weights = own if isinstance(own, np.ndarray) else None
        return cls(residual, np.maximum(diagonal, SMALLEST_RESIDUAL * own), bias, dropped, weights)

    @classmethod
    def in_space(
        cls, distances: PairwiseDistances, settings: GaussianSettings | GraphSettings
    ) -> "LeaveOneOut":
        """The error of compared rows in the space of these settings."""
        space = settings.space(distances)
        return cls.of_form(space.form(distances, settings.lam(distances.n)), space.dropped)

    @property
    def n(self) -> int:
        """The number of rows."""
        return len(self.diagonal)

    def residuals(self, labels: NDArray[np.integer], k: int) -> NDArray[np.float64]:
        """What the models of the clusters leave unexplained, A_b H (n × k)."""
        return (self.residual @ _indicators([labels], [k])).astype(np.float64)

    def dual(self, residuals: NDArray[np.float64], lam: float) -> NDArray[np.float64]:
        """The coefficients α = A_b H/λ of the kernel as it is, of which R may know a part only."""
        coef = residuals / lam
        if self.dropped is not None:
            coef -= self.dropped @ (self.dropped.T @ coef)
        return coef

    def errors(self, labels: NDArray[np.integer], k: int) -> NDArray[np.float64]:
        """What the models of the clusters miss each row by when they do not see it (n × k)."""
        return self.residuals(labels, k) / self.diagonal[:, None]

    def scores(self, partitions: Sequence[NDArray[np.integer]]) -> NDArray[np.float64]:
        """R² of the leave-one-out predictions, one for each partition; 0 for one cluster.

        Many searches end alike: the same partition under other names is scored once.
        """
        different: dict[bytes, NDArray[np.integer]] = {}
        keys = [_names_by_first_row(labels).tobytes() for labels in partitions]
        for key, labels in zip(keys, partitions, strict=True):
            different.setdefault(key, labels)
        scores = dict(zip(different, self._scores(list(different.values())), strict=True))
        return np.array([scores[key] for key in keys])

    def _scores(self, partitions: Sequence[NDArray[np.integer]]) -> NDArray[np.float64]:
        if not partitions:
            return np.zeros(0)
        if self.squared is not None:
            return np.array([self.squared.score(labels, self.weights) for labels in partitions])
        counts = [np.bincount(labels, self.weights) for labels in partitions]
        widths = [len(count) for count in counts]
        first = np.concatenate([[0], np.cumsum(widths)[:-1]])
        left_out = (self.residual @ _indicators(partitions, widths)) / self.diagonal[:, None]
        squares = np.square(left_out)
        if self.weights is not None:
            squares *= self.weights[:, None]
        errors = np.add.reduceat(np.sum(squares, axis=0), first)
        scores = np.zeros(len(partitions))
        for i, count in enumerate(counts):
            if np.count_nonzero(count) > 1:
                scores[i] = 1 - errors[i] / spread_of(count)
        return scores

    def missed_pins(
        self, partitions: Sequence[NDArray[np.integer]], pins: NDArray[np.integer]
    ) -> NDArray[np.float64]:
        """How many pinned rows (pins ≥ 0) would go elsewhere if they were left out."""
        rows = np.flatnonzero(pins >= 0)
        missed = np.zeros(len(partitions))
        for i, labels in enumerate(partitions):
            H = _indicators([labels], [int(max(labels.max(), pins.max())) + 1])
            left_out = H[rows] - (self.residual[rows] @ H) / self.diagonal[rows, None]
            missed[i] = np.count_nonzero(np.argmax(left_out, axis=1) != pins[rows])
        return missed

    def form(self, once: bool = True) -> "ErrorForm":
        """B = A_b D⁻² A_b, to search by once or often; with weights A_b D⁻¹ W D⁻¹ A_b."""
        roots = 1 if self.weights is None else np.sqrt(self.weights)
        factor = self.residual * (roots / self.diagonal).astype(np.float32)
        return ErrorForm(factor, self.n // MOVES_PER_PRODUCT if once else 0)


class ErrorForm:
    """B as what a search needs of it: the product of its factor with itself, if many rows move.

    Parameters
    ----------
    factor : ndarray of shape (n, n), float32
        Z with B = ZZᵀ.
    few_moves : int, default=0
        How many moves are read from the factor before B is made.

    Attributes
    ----------
    diagonal : ndarray of shape (n,)
        That of B.
    """

    def __init__(self, factor: NDArray[np.float32], few_moves: int = 0) -> None:
        self._factor: NDArray[np.float32] | None = factor
        self._few_moves = few_moves
        self.diagonal = np.einsum("ij,ij->i", factor, factor).astype(np.float64)

    @property
    def matrix(self) -> NDArray[np.float32]:
        """B without its diagonal; made once, and the factor is given up."""
        if self._factor is not None:
            self._matrix = self._factor @ self._factor.T
            self._matrix.flat[:: len(self._matrix) + 1] = 0
            self._factor = None
        return self._matrix

    def _moves_from(self) -> tuple[NDArray[np.float32], bool, int]:
        """The factor as long as few rows moved, else B; which of the two, and for how many."""
        if self._factor is not None and self._few_moves > 0:
            return self._factor, True, self._few_moves
        return self.matrix, False, len(self.diagonal) ** 2

    def score(
        self, labels: NDArray[np.integer], weights: NDArray[np.float64] | None = None
    ) -> float:
        """R² of the leave-one-out predictions; 0 for one cluster."""
        members, stops = np.argsort(labels, kind="stable"), np.cumsum(np.bincount(labels))
        error = value_inside(self.matrix, members, stops) + float(self.diagonal.sum())
        return share_explained(error, labels, weights)

    def polish(
        self, labels: NDArray[np.int32], sizes: Sizes, rng: np.random.Generator
    ) -> NDArray[np.int32]:
        """Move rows, in random order, as long as a move within the limits raises R².

        Where the sizes are fixed no row can move by itself: then rows change places.
        """
        if np.array_equal(sizes.lower, sizes.upper):
            return self._swap(labels, sizes)
        n, k, mass = len(labels), sizes.n_clusters, sizes.mass
        labels = labels.copy()
        counts = sizes.counts(labels)
        scores = self._scores(labels, k)
        error = float(scores[labels, np.arange(n)].sum() + self.diagonal.sum())
        spread = spread_of(counts / mass.mean())
        movable = np.flatnonzero(sizes.movable)
        bounds = mass, sizes.lower, sizes.upper
        for _ in range(MAX_PASSES):
            order, moved = rng.permutation(movable), 0
            while order.size:
                matrix, factored, most = self._moves_from()
                moves, seen, error, spread = settle_ratios(
                    *(matrix, factored, labels, scores, counts, *bounds),
                    *(order, SMALLEST_FALL, error, spread, most),
                )
                self._few_moves -= moves
                moved, order = moved + moves, order[seen:]
            if moved == 0:
                break
        return labels

    def _swap(self, labels: NDArray[np.int32], sizes: Sizes) -> NDArray[np.int32]:
        """With fixed sizes the largest R² is the largest −Σ_c h_cᵀ B h_c."""
        shift = self.diagonal.max()  # on the diagonal it changes the value of no labelling more
        form = QuadraticForm(-self.matrix, shift - self.diagonal, False, 1.0)
        labelling = Labelling(form, sizes, labels.copy())
        labelling.polish()
        return labelling.labels

    def _scores(self, labels: NDArray[np.int32], k: int) -> NDArray[np.float64]:
        """BH without the rows' own votes (k × n)."""
        if self._factor is None or self._few_moves <= 0:
            return QuadraticForm(self.matrix, self.diagonal, False, 1.0).scores(labels, k)
        votes = self._factor @ (self._factor.T @ _indicators([labels], [k]))
        scores = np.ascontiguousarray(votes.T, dtype=np.float64)
        scores[labels, np.arange(len(labels))] -= self.diagonal
        return scores


def loo_errors(
    form: QuadraticForm, scores: NDArray[np.float64], labels: NDArray[np.int32]
) -> NDArray[np.float64]:
    """What models with a bias miss each row by when they do not see it (k × n).

    From the scores T = RH of the labels alone, for R in any form: as H1 = 1, the residuals AH of
    the clusters sum to A1. With weights A = W − R, and all copies of a row are left out.
    """
    residuals = form.residuals(scores, labels)
    sums = residuals.sum(axis=0)
    bias = _bias(sums, form.weights)
    diagonal = form.weights - form.diagonal - sums * bias
    diagonal = np.maximum(diagonal, SMALLEST_RESIDUAL * np.asarray(form.weights))
    return (residuals - np.outer(residuals.sum(axis=1), bias)) / diagonal


def loo_score(form: QuadraticForm, scores: NDArray[np.float64], labels: NDArray[np.int32]) -> float:
    """R² of the leave-one-out predictions of labels with these scores; 0 for one cluster."""
    weights = np.broadcast_to(form.weights, len(labels))
    squares = np.square(loo_errors(form, scores, labels))
    return share_explained(float(np.sum(weights * squares)), labels, weights)


def r_squared(
    errors: NDArray[np.floating],
    labels: NDArray[np.integer],
    weights: NDArray[np.float64] | None = None,
) -> float:
    """What errors of indicators leave of 1, relative to :func:`spread_of`; 0 for one cluster."""
    squares = np.square(errors)
    total = squares.sum() if weights is None else (weights @ squares).sum()
    return share_explained(float(total), labels, weights)


def share_explained(
    squared_error: float, labels: NDArray[np.integer], weights: NDArray[np.float64] | None = None
) -> float:
    """The same from the sum of squared errors."""
    counts = np.bincount(labels, weights)
    return 1 - squared_error / spread_of(counts) if np.count_nonzero(counts) > 1 else 0.0


def _bias(
    sums: NDArray[np.float64], weights: NDArray[np.float64] | float = 1.0
) -> NDArray[np.float64]:
    """A1 / 1ᵀA1; 0 where the model has a free constant already, as on a graph."""
    total = float(sums.sum())
    some = 1e-10 * len(sums) * float(np.mean(weights))
    return sums / total if total > some else np.zeros(len(sums))


def spread_of(counts: NDArray[Any]) -> float:
    """The squared error of a model that knows the sizes only: n − Σ_c n_c²/n."""
    sizes = counts.astype(np.float64)
    n = sizes.sum()
    spread = float(n - np.sum(np.square(sizes)) / n)
    if spread > CANCELLED * n:
        return spread
    others = np.delete(sizes, np.argmax(sizes))  # next to a row that outweighs all of them
    rest = others.sum()
    return float((rest * (2 * sizes.max() + rest) - np.sum(np.square(others))) / n)


def _names_by_first_row(labels: NDArray[np.integer]) -> NDArray[np.intp]:
    """The same partition whatever its clusters are called."""
    _, first, named = np.unique(labels, return_index=True, return_inverse=True)
    return np.argsort(np.argsort(first))[named]


def _indicators(
    partitions: Sequence[NDArray[np.integer]], widths: Sequence[int]
) -> NDArray[np.float32]:
    """The indicators of the clusters of all partitions, side by side."""
    return np.hstack(
        [
            (labels[:, None] == np.arange(k)).astype(np.float32)
            for labels, k in zip(partitions, widths, strict=True)
        ]
    )


def predictability(clusters: NDArray[np.integer], criteria: Sequence[LeaveOneOut]) -> float:
    """Minus the mean logarithm, over the criteria, of the leave-one-out error of the labels."""
    errors = [1 - criterion.scores([clusters])[0] for criterion in criteria] or [1.0]
    return float(-np.log(np.maximum(errors, 0) + SMOOTHED_ERROR).mean())
