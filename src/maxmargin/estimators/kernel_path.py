"""What least-squares models share that differ in alpha alone: their kernel, decomposed."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import joblib
import numpy as np
from numpy.typing import NDArray
from sklearn.base import clone
from sklearn.utils import get_tags
from sklearn.utils.validation import _num_samples

from maxmargin._runtime.memory import require_memory
from maxmargin._runtime.parallel import one_thread
from maxmargin._runtime.parameters import check_parameters
from maxmargin.blocks.rows import is_source, read_rows
from maxmargin.estimators.rls_clustering import RLSClustering
from maxmargin.estimators.weighted import some_of
from maxmargin.objectives.spectrum import Spectrum
from maxmargin.spaces.exact import SMALL_ALPHA, ExactKernel
from maxmargin.spaces.kernel import as_rows
from maxmargin.spaces.quadratic_form import QuadraticForm
from maxmargin.weights import read_weights

#: Alphas from which one eigendecomposition costs less than an inverse for each.
MANY_ALPHAS = 8


@dataclass(frozen=True, eq=False)
class KernelPath:
    """A kernel between rows, decomposed once for all alphas.

    Attributes
    ----------
    space : ExactKernel
    spectrum : Spectrum
    dropped : array or None
        The eigenvectors that an indefinite kernel has lost.
    dtype : dtype
        The precision in which R is searched.
    """

    space: ExactKernel
    spectrum: Spectrum
    dropped: NDArray[np.float64] | None
    dtype: np.dtype

    @classmethod
    def of(cls, model: RLSClustering, X: Any, sample_weight: Any = None) -> "KernelPath | None":
        """The kernel of a model; None where it works with features, which are as quick without."""
        if is_source(X):
            return None
        model, weights = clone(model), None
        check_parameters(model)
        if sample_weight is not None:
            weights = read_weights(sample_weight, _num_samples(X))
            some = np.flatnonzero(weights)
            X, weights = some_of(X, some, get_tags(model).input_tags.pairwise), weights[some]
        X = read_rows(model, X, accept_sparse="csr")
        space_rng, *_ = model._generators()
        with one_thread():
            space = model._space_for(X, model._kernel(), space_rng, weights)
            if not isinstance(space, ExactKernel):
                return None
            what = f"the eigenvectors of the kernel of {X.shape[0]} rows"
            require_memory(4 * 8 * X.shape[0] ** 2, what, "Fit one alpha after the other.")
            K, dropped = space.kernel.gram(as_rows(X, space.kernel.precomputed))
            dtype = X.dtype if weights is None else np.dtype(np.float64)
            return cls(space, Spectrum.of_gram(K, weights), dropped, dtype)

    def form(self, lam: float) -> QuadraticForm:
        """R = K(K + λI)⁻¹."""
        self.space.dropped = self.dropped
        small = lam < SMALL_ALPHA * len(self.spectrum.vectors)
        return self.spectrum.form(lam, np.float64 if small else self.dtype)

    @contextmanager
    def lent_to(self, model: RLSClustering) -> Iterator[None]:
        """Let a model be fitted with it."""
        model._path = self
        try:
            yield
        finally:
            del model._path


def shared_paths(
    models: Sequence[Any], X: Any, sample_weight: Any = None
) -> list[KernelPath | None]:
    """What models share that differ in ``alpha`` alone; None for those that share nothing.

    Where the kernel cannot be made, each model says so in its own fit.
    """
    groups: dict[str, list[int]] = {}
    for i, model in enumerate(models):
        if type(model) is RLSClustering:
            others = {name: v for name, v in model.get_params().items() if name != "alpha"}
            groups.setdefault(joblib.hash(others), []).append(i)
    many = [group for group in groups.values() if len(group) >= MANY_ALPHAS]
    paths: list[KernelPath | None] = [None] * len(models)
    for group in many:
        try:
            path = KernelPath.of(models[group[0]], X, sample_weight)
        except (ValueError, TypeError, MemoryError):
            continue
        for i in group:
            paths[i] = path
    return paths
