"""Clusters by splits in two, one after another; what clusterers of that kind have in common."""

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import issparse

from maxmargin._core.inverse import mirror
from maxmargin._runtime.memory import require_memory
from maxmargin._runtime.ties import TIES, first_of_largest
from maxmargin._runtime.validation import validate_data
from maxmargin._runtime.warnings import warn_user
from maxmargin.estimators.base import ModelMixin
from maxmargin.solvers.bisection import Bisection
from maxmargin.spaces.exact import ExactKernel
from maxmargin.spaces.kernel import Kernel, as_rows, require_differences
from maxmargin.spaces.metric import Matrix, warn_of_far_rows


class BisectingMixin(ModelMixin):
    """Cut rows in two with a kernel, until there are ``n_clusters`` parts.

    A part that m clusters are to come from is cut into those of half of them each. A row belongs
    to the cluster that the signs of the splits on its way lead to; the value of a cluster is
    the smallest of those on the way to it.
    """

    _rounding: Any = 0.0  # of models in files that do not say it

    def _read_rows(self, X: Any) -> tuple[Matrix, Kernel]:
        kernel = Kernel(
            self.kernel,
            gamma=self.gamma,
            degree=self.degree,
            coef0=self.coef0,
            params=self.kernel_params,
        )
        X = validate_data(self, X, accept_sparse="csr", dtype=[np.float64, np.float32])
        if not issparse(X) and not kernel.precomputed and not kernel.knows_distances_only:
            require_differences(X)
        if self.n_clusters > X.shape[0]:
            raise ValueError(
                f"n_clusters must be at most n_samples = {X.shape[0]}; got {self.n_clusters}."
            )
        return X, kernel

    def _gram(self, X: Matrix, kernel: Kernel, rng: np.random.Generator) -> NDArray[np.float64]:
        """All rows against all, with the kernel that is kept for new ones."""
        self._space = ExactKernel(kernel)
        warn_of_far_rows(X, kernel.name)
        n = X.shape[0]
        require_memory(3 * 8 * n**2, f"{type(self).__name__} on {n} rows", "Use fewer rows.")
        X = as_rows(X, kernel.precomputed)
        K, self._space.dropped = self._space.fit(X, rng).kernel.gram(X)
        if kernel.surely_psd:
            mirror(K)
        return K

    def _keep_splits(
        self, K: NDArray[np.float64], split: Callable[[NDArray[np.intp], int], Bisection]
    ) -> list[Bisection]:
        """Split until there are enough clusters, and keep the model; the splits that were made.

        ``split`` cuts rows in two, which so many clusters are still to come from.
        """
        n, k = len(K), self.n_clusters
        coef, intercept = np.zeros((n, k - 1)), np.zeros(k - 1)
        sides = np.zeros((k, k - 1), np.int8)  # of each cluster, where it lies of each split
        made: list[Bisection] = []
        parts = [(np.arange(n), np.arange(k))]  # rows, and the clusters to come from them
        leaves: list[NDArray[np.intp]] = [np.empty(0, np.intp)] * k
        while parts:
            rows, clusters = parts.pop()
            if len(clusters) == 1:
                leaves[clusters[0]] = rows
                continue
            found, node = split(rows, len(clusters)), len(made)
            coef[rows, node], intercept[node] = found.coef, found.intercept
            n_left = _clusters_on_the_left(found.right, len(clusters))
            left, right = clusters[:n_left], clusters[n_left:]
            sides[left, node], sides[right, node] = -1, 1
            parts += [(rows[found.right], right), (rows[~found.right], left)]
            made.append(found)
        order = sorted(range(k), key=lambda number: (-len(leaves[number]), leaves[number][0]))
        self.labels_ = np.empty(n, np.int32)
        for label, number in enumerate(order):
            self.labels_[leaves[number]] = label
        self._sides = sides[order]
        self.dual_coef_, self.intercept_ = self._space.dual(coef), intercept
        self._describe(K, made)
        return made

    def _describe(self, K: NDArray[np.float64], made: list[Bisection]) -> None:
        """What else is known of the model when the splits are made."""
        self.__dict__.pop("gamma_", None)  # of an earlier fit with another kernel
        if self._space.kernel.gamma_ is not None:
            self.gamma_ = self._space.kernel.gamma_
        total = sum(len(found.right) * found.objective for found in made)
        self.objective_ = total / max(1, sum(len(found.right) for found in made))
        size = np.abs(K) @ np.abs(self.dual_coef_) + np.abs(self.intercept_)
        self._rounding = TIES[8] * size.max(axis=0)
        self.n_clusters_ = len(self._sides)
        if not all(found.clear for found in made):
            warn_user(
                "rows that are equal to the kernel had to be put into different clusters: the "
                "labels are by chance there."
            )

    def _count_disagreements(self, X: Matrix) -> None:
        """Ask ``predict`` for the rows of ``fit``."""
        said = first_of_largest(self._values(X), X)
        self.n_disagreements_ = int(np.count_nonzero(said != self.labels_))

    # -- the parts of predict ------------------------------------------------------------

    def _values(self, X: Matrix) -> NDArray[np.floating]:
        X = as_rows(X, self._space.kernel.precomputed)
        return self._leaf_values(self._space.values(X, self.dual_coef_, self.intercept_))

    def _leaf_values(self, splits: NDArray[np.float64]) -> NDArray[np.float64]:
        """The value of each cluster (n × k) from those of the splits (n × k − 1).

        What rounding alone tells from 0 is 0: on neither side, in whatever company.
        """
        splits = np.where(np.abs(splits) <= self._rounding, 0.0, splits)
        values = np.zeros((len(splits), len(self._sides)))
        for cluster, sides in enumerate(self._sides):
            on_the_way = np.flatnonzero(sides)
            if len(on_the_way):
                values[:, cluster] = np.min(splits[:, on_the_way] * sides[on_the_way], axis=1)
        return values

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        tags.input_tags.pairwise = isinstance(self.kernel, str) and self.kernel == "precomputed"
        return tags


def _clusters_on_the_left(right: NDArray[np.bool_], k: int) -> int:
    """Half of the clusters; of an odd number the larger half for the larger side, if it has rows.

    No side gets more clusters than it has rows.
    """
    n, n_right = len(right), int(np.count_nonzero(right))
    n_left = n - n_right
    half = k // 2 if n_left < n_right else k - k // 2
    return int(np.clip(half, k - n_right, n_left))
