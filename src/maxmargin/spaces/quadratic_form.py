"""Regularised least squares as a function of the labels: the quadratic form R.

With indicators H (n × k, 0/1), the models f_c = argmin ‖h_c − f_c(X)‖² + λ‖f_c‖² predict
RH on their own rows, R = K(K + λI)⁻¹, and their summed objective is n − f with

    f(labels) = Σ_c h_cᵀ R h_c,

to be maximised. It is the objective of UMC-RLS, whose Q = kn + (4 − k) 1ᵀR1 − 4f for ±1
targets (eqs. 13 and 15, where Lemma 1 should read n − yᵀRy), and of EvoMMC (eq. 10), whose
fitness is Q/(2n) for two clusters. A :class:`Labelling` keeps its value up to date move by move.

With weights W = diag(w), where a row counts as w copies of it, Σ_j w_j (h_j − f(x_j))² + λ‖f‖² is
at least Σ_j w_j minus the same f, with R = W^½ K̃(K̃ + λI)⁻¹W^½ and K̃ = W^½KW^½; RH are the
predictions times w.
"""

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import LinAlgError, cholesky, solve_triangular
from scipy.optimize import linear_sum_assignment
from scipy.sparse import issparse

from maxmargin._core.inverse import invert, mirror
from maxmargin._core.moves import claim, descend, fill_scores, swap_sweep
from maxmargin._runtime.memory import row_blocks
from maxmargin.sizes import Sizes
from maxmargin.spaces.in_place import narrowed, scale_sides
from maxmargin.spaces.many_moves import MANY_TO_MOVE, claim_together, settle
from maxmargin.spaces.metric import Matrix, Weights
from maxmargin.spaces.regularisation import require_some_left, too_small

#: Larger than any gain, and finite as the compiled loops want it.
BARRIER = 1e300
#: What the compiled loops take: R, the labels, their scores and own ones, counts, masses, barrier.
Floats = NDArray[np.float64]
Ints = NDArray[np.intp]
Arrays = tuple[NDArray[Any], bool, NDArray[np.int32], Floats, Floats, Ints, Ints, Floats]
#: From so many times the trace of K on, λ leaves R = K/λ to eight digits; 1 − (1 − R) has fewer.
HEAVY = 1e8


@dataclass(frozen=True)
class QuadraticForm:
    """R, as what the searches need of it.

    Attributes
    ----------
    matrix : ndarray of shape (n, n) or (n, r), float32 or float64
        R without its diagonal, or a factor Z with R = ZZᵀ.
    diagonal : ndarray of shape (n,)
        R_jj, always in float64.
    factored : bool
        Which of the two ``matrix`` is.
    lam : float
        λ, the regularisation of the sum over all rows.
    root : ndarray of shape (r, r) or None
        With a factor of features Φ: the lower Cholesky factor L of ΦᵀWΦ + λI, Z = WΦL⁻ᵀ.
    weights : ndarray of shape (n,) or 1
        What each row counts for.
    """

    matrix: NDArray[np.floating]
    diagonal: NDArray[np.float64]
    factored: bool
    lam: float
    root: NDArray[np.float64] | None = None
    weights: NDArray[np.float64] | float = 1.0

    @classmethod
    def from_gram(
        cls,
        K: NDArray[np.float64],
        lam: float,
        *,
        weights: Weights = None,
        dtype: type[np.floating] | np.dtype = np.float64,
    ) -> "QuadraticForm":
        """Turn K into R in place; only the lower triangle of K is read.

        R = I − λ(K + λI)⁻¹ costs one inverse, in K's own memory: K must own it, and is not to
        be used afterwards. It is computed in float64 and kept in ``dtype``: searching in
        float32 finds the same labels, factorising in float32 does not.
        """
        n = len(K)
        if weights is not None:
            scale_sides(K, np.sqrt(weights))
        trace = float(K.trace())
        heavy = lam >= HEAVY * trace
        if heavy:
            require_some_left(trace, lam)
        else:
            K.flat[:: n + 1] += lam
            if invert(K) != 0:
                raise too_small(lam)
        with np.errstate(all="ignore"):  # whatever is above the diagonal
            K *= 1 / lam if heavy else -lam  # now K/λ, or −λ(K + λI)⁻¹
        mirror(K)
        own = 1.0 if weights is None else weights
        diagonal = own * ((not heavy) + K.diagonal())
        if weights is not None:
            scale_sides(K, np.sqrt(weights))
        K.flat[:: n + 1] = 0
        R = narrowed(K) if dtype == np.float32 else K
        return cls(R, diagonal, False, lam, weights=own)

    @classmethod
    def from_graph(
        cls, W: NDArray[np.float64], smoothing: float, weights: Weights = None
    ) -> "QuadraticForm":
        """Turn the edges W of a graph into R = (I + μL)⁻¹ in place.

        L = (diag(W1) − W) / mean degree (at least 1): least squares where values that differ
        between neighbours are penalised, a constant costs nothing. With weights V: V(V + μL)⁻¹V.
        """
        n = len(W)
        own = 1.0 if weights is None else weights
        W *= -smoothing / max(float(W.sum(axis=1).mean()), 1.0)
        W.flat[:: n + 1] += own - W.sum(axis=1)
        invert(W)  # now (I + μL)⁻¹, whose eigenvalues are in (0, 1] without weights
        mirror(W)
        if weights is not None:
            scale_sides(W, weights)
        diagonal = W.diagonal().copy()
        W.flat[:: n + 1] = 0
        return cls(W, diagonal, False, 1 / smoothing, weights=own)

    @classmethod
    def from_features(
        cls, features: Matrix, lam: float, weights: Weights = None
    ) -> "QuadraticForm":
        """R = Φ(ΦᵀΦ + λI)⁻¹Φᵀ as its factor Z = ΦL⁻ᵀ: no n × n array."""
        n, r = features.shape
        narrow = features.dtype == np.float32 and weights is None
        dtype = np.float32 if narrow else np.float64
        covariance = np.zeros((r, r))
        for block in row_blocks(n, r):
            rows = _dense64(features[block])
            if weights is not None:
                rows = rows * np.sqrt(weights[block, None])
            covariance += rows.T @ rows
        covariance.flat[:: r + 1] += lam
        try:
            root = cholesky(covariance.T, lower=True, overwrite_a=True)
        except LinAlgError:
            raise too_small(lam) from None
        Z = np.empty((n, r), dtype=dtype)
        diagonal = np.empty(n)
        for block in row_blocks(n, r):
            rows = solve_triangular(root, _dense64(features[block]).T, lower=True).T
            if weights is not None:
                rows = rows * weights[block, None]
            Z[block] = rows
            diagonal[block] = np.einsum("ij,ij->i", rows, rows)
        return cls(Z, diagonal, True, lam, root, 1.0 if weights is None else weights)

    def narrowed(self) -> "QuadraticForm":
        """The same in float32, if no row is lighter: enough for a search, and half to read."""
        dtype = self.matrix.dtype if np.ndim(self.weights) else np.float32
        return replace(self, matrix=self.matrix.astype(dtype, copy=False))

    @property
    def n(self) -> int:
        """The number of rows."""
        return len(self.diagonal)

    @property
    def tol(self) -> float:
        """The gain below which a move is rounding noise."""
        heaviest = float(np.max(self.weights))
        largest = float(self.diagonal.max()) / heaviest
        scale = min(1.0, self.n * largest) if largest > 0 else 1.0  # a bound on |T|
        return max(1e-10, 16 * float(np.finfo(self.matrix.dtype).eps)) * scale * heaviest

    def projections(self, labels: NDArray[np.int32], k: int) -> NDArray[np.float64]:
        """U = (ZᵀH)ᵀ of shape (k, r), summed in float64."""
        U = np.zeros((k, self.matrix.shape[1]))
        for c in range(k):
            members = self.matrix[labels == c]
            U[c] = members.sum(axis=0, dtype=np.float64)
        return U

    def scores(self, labels: NDArray[np.int32], k: int) -> NDArray[np.float64]:
        """T = RH of shape (k, n) without the rows' own votes R_jj."""
        T = np.empty((k, self.n))
        if not self.factored:
            fill_scores(self.matrix, labels, T)
            return T
        U = self.projections(labels, k).T
        for block in row_blocks(self.n, self.matrix.shape[1]):
            T[:, block] = (_dense64(self.matrix[block]) @ U).T
        T[labels, np.arange(self.n)] -= self.diagonal
        return T

    def state(self, labels: NDArray[np.int32], k: int) -> NDArray[np.float64]:
        """What a search that looks at one row at a time keeps up to date: T, or U."""
        return self.projections(labels, k) if self.factored else self.scores(labels, k)

    def value(self, labels: NDArray[np.int32], k: int) -> float:
        """F = Σ_c h_cᵀ R h_c."""
        if self.factored:
            return float(np.sum(np.square(self.projections(labels, k))))
        return value_from_scores(self.scores(labels, k), labels, self.diagonal)

    def predictions(
        self, scores: NDArray[np.float64], labels: NDArray[np.int32]
    ) -> NDArray[np.float64]:
        """The model's values on its own rows, T with the rows' own votes (k × n)."""
        full = scores.copy()
        full[labels, np.arange(self.n)] += self.diagonal
        return full

    def residuals(
        self, scores: NDArray[np.float64], labels: NDArray[np.int32]
    ) -> NDArray[np.float64]:
        """WH − RH of shape (k, n), without cancellation: R_jj is never added and taken away."""
        P = -scores
        P[labels, np.arange(self.n)] += self.weights - self.diagonal
        return P

    def coefficients(
        self, scores: NDArray[np.float64], labels: NDArray[np.int32]
    ) -> NDArray[np.float64]:
        """The model fitted to the labels.

        Dual coefficients (K + λW⁻¹)⁻¹H (n × k), or with features their weights
        (ΦᵀWΦ + λI)⁻¹ΦᵀWH (r × k).
        """
        if self.root is None:
            return self.residuals(scores, labels).T / self.lam
        U = self.projections(labels, len(scores))
        return solve_triangular(self.root, U.T, lower=True, trans="T")


class Labelling:
    """Labels, their scores T = RH and their value f, kept up to date move by move.

    A move costs O(n) with R at hand and O(nr) with a factor.

    Parameters
    ----------
    form : QuadraticForm
    sizes : Sizes
    labels : ndarray of shape (n,)
        Changed in place.
    """

    def __init__(self, form: QuadraticForm, sizes: Sizes, labels: NDArray[np.int32]) -> None:
        self.form = form
        self.sizes = sizes
        self.movable, self.mass = sizes.movable, sizes.mass
        self.barrier = np.zeros(form.n)
        self.n_moves = 0
        self.relabel(labels)

    @property
    def many(self) -> bool:
        """Whether moves one by one, each of which looks at all rows, would have no end."""
        return self.form.factored and self.form.n > MANY_TO_MOVE

    def relabel(self, labels: NDArray[np.int32]) -> None:
        """Take other labels, and compute everything anew."""
        self.labels = labels
        self.counts = self.sizes.counts(labels)
        self.scores = self.form.scores(labels, self.sizes.n_clusters)
        self.own = self.scores[labels, np.arange(self.form.n)]
        self.value = value_from_scores(self.scores, labels, self.form.diagonal)

    def claim(self, cluster: int, quota: int) -> None:
        """Let a cluster take the rows that serve it best, whatever the size limits say."""
        self.barrier[:] = np.where(self.movable, 0.0, BARRIER)
        if self.many:
            claim_together(self, cluster, quota)
            return
        taken, gained = claim(*self._arrays(), cluster, max(0, quota))
        self._count(taken, gained)

    def descend(self) -> int:
        """Take the steepest single moves within the limits until none gains; count them."""
        if self.many:
            settle(self)
        return self._descend(self.sizes.lower, self.sizes.upper, self.form.tol, 2**62)

    def align(self) -> None:
        """Name the clusters so that they fit the pins best.

        A search may gather the rows around a pinned one under another name, and no single
        move would lead back. f depends on the names only through the votes of free rows for
        pinned ones, Σ_c Σ_{j pinned to π(c)} T_free[c, j]: an assignment problem. Clusters
        trade names if their sizes allow it, or, where limits are broken anyway, if they have the
        same ones.
        """
        k, pins = self.sizes.n_clusters, self.sizes.pins
        if self.sizes.n_pinned == 0 or k == 1:
            return
        named = np.where(pins >= 0, pins, k).astype(np.int32)
        votes = self.scores - self.form.scores(named, k + 1)[:k]
        worth = np.column_stack([votes[:, pins == c].sum(axis=1) for c in range(k)])
        free = np.bincount(self.labels[pins < 0], self.mass[pins < 0], minlength=k)
        counts = free[:, None] + np.bincount(pins[pins >= 0], self.mass[pins >= 0], minlength=k)
        fits = (counts >= self.sizes.lower) & (counts <= self.sizes.upper)
        if not self.sizes.hold(self.labels):  # then no name fits, and any may be mended
            fits |= self.sizes.alike()
        worth[~fits] = -BARRIER
        _, names = linear_sum_assignment(worth, maximize=True)
        if not np.array_equal(names, np.arange(k)):
            self.relabel(np.where(pins >= 0, pins, names[self.labels]).astype(np.int32))

    def repair(self) -> None:
        """Bring the sizes within their limits by the moves that cost least."""
        lower, upper = self.sizes.lower, self.sizes.upper
        beyond = self.mass.max() - 1  # a heavy row may go past a limit, to the other side
        while True:
            over = np.maximum(self.counts - upper, 0)
            under = np.maximum(lower - self.counts, 0)
            if over.any():  # rows may leave the clusters that are too large only
                least = np.where(over, np.maximum(lower, upper - beyond), self.counts)
                limits, wanted = (least, np.where(over, 0, upper)), over.sum()
            elif under.any():  # rows may join the clusters that are too small only
                most = np.where(under, np.minimum(upper, lower + beyond), 0)
                limits, wanted = (lower, most), under.sum()
            else:
                return
            if self._descend(*limits, -BARRIER, 1 if beyond else wanted) == 0:
                raise ValueError(
                    "the size limits cannot be met: the pinned rows in y leave no row to move."
                )

    def polish(self) -> None:
        """Reach a local optimum: no single move within the limits gains, and where limits
        stand in the way of moves, no swap of two rows gains either (for many rows, one pass).
        """  # noqa: D205
        while True:
            self.descend()
            least, most = self.counts - self.mass.max(), self.counts + self.mass.max()
            tight = (least < self.sizes.lower) | (most > self.sizes.upper)
            if not tight.any() or self._swap() == 0 or self.many:  # a pass looks at all pairs
                return

    def _descend(
        self, lower: NDArray[np.intp], upper: NDArray[np.intp], tol: float, max_moves: int
    ) -> int:
        moves, gained = descend(
            *self._arrays(),
            self.movable,
            lower.astype(np.intp, copy=False),
            upper.astype(np.intp, copy=False),
            tol,
            int(max_moves),
        )
        self._count(moves, gained)
        return moves

    def _swap(self) -> int:
        limits = self.sizes.lower, self.sizes.upper
        swaps, gained = swap_sweep(
            *self._arrays(), self.movable, *limits, self.form.diagonal, self.form.tol
        )
        self._count(2 * swaps, gained)
        return swaps

    def _arrays(self) -> Arrays:
        return (
            self.form.matrix,
            self.form.factored,
            self.labels,
            self.scores,
            self.own,
            self.counts,
            self.mass,
            self.barrier,
        )

    def _count(self, moves: int, gained: float) -> None:
        self.n_moves += moves
        self.value += gained


def value_from_scores(
    scores: NDArray[np.float64], labels: NDArray[np.int32], diagonal: NDArray[np.float64]
) -> float:
    """F = Σ_j (T[c_j, j] + R_jj)."""
    return float(np.sum(scores[labels, np.arange(len(labels))]) + np.sum(diagonal))


def _dense64(rows: Matrix) -> NDArray[np.float64]:
    return np.asarray(rows.toarray() if issparse(rows) else rows, dtype=np.float64)
