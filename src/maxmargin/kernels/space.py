"""The space that a method works in: a kernel itself, or explicit features."""

import numpy as np
from scipy.sparse import issparse

from maxmargin._runtime.memory import require_memory
from maxmargin._runtime.validation import check_choice, check_int
from maxmargin._runtime.warnings import warn_user
from maxmargin.kernels.definite import check_precomputed
from maxmargin.kernels.kernel import Kernel, Matrix
from maxmargin.kernels.nystroem import NystroemMap


class Space:
    """A kernel with or without an explicit map, fitted to the rows of X.

    Parameters
    ----------
    kernel : Kernel
    approximation : None or "nystroem"
    n_components : int
        The number of landmarks of the Nyström map.

    Attributes
    ----------
    explicit : bool
        Whether there are features to work with in the primal: those of the Nyström map, or
        the columns of X for a linear kernel if there are at least four rows for each.
    """

    def __init__(self, kernel: Kernel, approximation: str | None, n_components: int) -> None:
        check_choice("approximation", approximation, (None, "nystroem"))
        check_int("n_components", n_components, low=1)
        if approximation is not None and kernel.precomputed:
            raise ValueError(
                'approximation="nystroem" needs the rows themselves; with kernel="precomputed" '
                "use approximation=None."
            )
        self.kernel = kernel
        self.approximation = approximation
        self.n_components = n_components
        self.map: NystroemMap | None = None
        self.explicit = False

    def fit(self, X: Matrix, rng: np.random.Generator) -> "Space":
        """Choose the width of the kernel and draw the landmarks."""
        n = X.shape[0]
        self.explicit = self._is_explicit(X)
        if self.kernel.precomputed:
            check_precomputed(X)
        self.kernel.fit(X, rng)
        if self.approximation == "nystroem":
            if self.n_components > n:
                warn_user(
                    f"n_components = {self.n_components} is more than the {n} rows of X; all rows "
                    f"are landmarks."
                )
            landmarks = np.sort(rng.permutation(n)[: self.n_components])
            self.map = NystroemMap(self.kernel, X[landmarks])
        return self

    def _is_explicit(self, X: Matrix) -> bool:
        """A linear kernel has features where the n × n matrix would be much larger than X.

        Near n = d a claim costs a pass over all of X in the primal, and one row in the dual.
        """
        n, d = X.shape
        return self.approximation is not None or (self.kernel.linear and 4 * d <= n)

    def require_memory(self, X: Matrix, who: str) -> None:
        """Raise a MemoryError if the kernel, or the features, would not fit. Before ``fit``."""
        n, d = X.shape
        kept = X.dtype.itemsize
        if self._is_explicit(X):
            rank = d if self.approximation is None else min(n, self.n_components)
            size = n * rank * kept + 24 * rank**2  # the map, and small matrices in float64
        else:  # in float64 and in place; a check of definiteness needs a copy
            size = 8 * n * n * (1 if self.kernel.surely_psd else 2)
        require_memory(
            size,
            f"{who} on {n} rows",
            'Use approximation="nystroem" with a few hundred n_components.',
        )

    def features(self, X: Matrix) -> Matrix:
        """The explicit features of rows, old or new."""
        return self.kernel.prepare(X) if self.map is None else self.map.transform(X)


def as_rows(X: Matrix, precomputed: bool = False) -> Matrix:
    """X, rows or a kernel matrix, as the space takes it.

    A kernel matrix is as large dense as the method itself. Entries of a sparse row that stand
    in the same place are added up, in a copy: norms would take them for two.
    """
    if not issparse(X):
        return X
    if precomputed:
        return X.toarray()
    if not X.has_canonical_format:
        X = X.copy()
        X.sum_duplicates()
    return X
