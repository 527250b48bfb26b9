"""The features of several maps in one matrix."""

from collections.abc import Sequence

import numpy as np
from scipy import sparse

from maxmargin._runtime.memory import require_memory
from maxmargin.spaces.feature_map import FeatureMap
from maxmargin.spaces.widths import Matrix


class SideBySide:
    """Several maps, each of a table of its own with the same rows.

    Parameters
    ----------
    maps : sequence of FeatureMap

    Attributes
    ----------
    views : tuple of slice
        The columns of each map among all features; those that are empty are left out.
    """

    views: tuple[slice, ...]

    def __init__(self, maps: Sequence[FeatureMap]) -> None:
        self.maps = list(maps)

    def fit_transform(self, tables: Sequence[Matrix], rng: np.random.Generator) -> Matrix:
        """Fit each map to its table, and put the features side by side; CSR if any is."""
        parts = []
        for place, (one, table) in enumerate(zip(self.maps, tables, strict=True)):
            try:
                parts.append(one.filled(one.fit(table, rng).transform(table)))
            except (ValueError, TypeError) as error:
                kind = TypeError if isinstance(error, TypeError) else ValueError
                raise kind(f"kernels[{place}]: {error}") from error
        ends = np.cumsum([part.shape[1] for part in parts])
        self.views = tuple(
            slice(int(end - part.shape[1]), int(end)) for end, part in zip(ends, parts, strict=True)
        )
        if len(parts) == 1:
            return parts[0]
        if any(sparse.issparse(part) for part in parts):
            return sparse.hstack([sparse.csr_array(part) for part in parts], format="csr")
        n, dtype = parts[0].shape[0], np.result_type(*parts)
        require_memory(
            n * int(ends[-1]) * dtype.itemsize,
            f"the features of {len(parts)} kernels for {n} rows",
            "Use fewer kernels or fewer n_components.",
        )
        features = np.empty((n, ends[-1]), dtype)
        for view in reversed(self.views):
            features[:, view] = parts.pop()
        return features
