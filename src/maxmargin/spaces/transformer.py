"""A scikit-learn transformer as a space: its output is taken for features."""

from typing import Any

import numpy as np
from sklearn.base import clone
from sklearn.utils import check_array

from maxmargin._runtime.context import foreign_code
from maxmargin.blocks import Rows
from maxmargin.spaces.kernel import (
    LARGEST,
    as_rows,
    entries_in_a_row,
    largest_value,
    require_squares,
)
from maxmargin.spaces.metric import Matrix
from maxmargin.spaces.space import Space


class Transformer(Space):
    """The features that a transformer makes of rows.

    Parameters
    ----------
    transformer : estimator with ``fit`` and ``transform``
        It is cloned, and fitted without y.
    """

    def __init__(self, transformer: Any) -> None:
        self.transformer = transformer

    def memory(self, X: Matrix) -> int:
        """As much as the rows themselves, as far as anybody can tell beforehand."""
        return X.shape[0] * entries_in_a_row(X) * X.dtype.itemsize

    def fit(self, X: Matrix, rng: np.random.Generator) -> "Transformer":
        """Fit a clone; whatever is random in it and has no seed gets one of ours."""
        if isinstance(X, Rows):
            raise ValueError(
                f"a transformer in kernels sees all rows at once, and X is read in blocks; got "
                f"{self.transformer!r}. Use a kernel by its name, or fit a sample: X[:100_000]."
            )
        self.transformer = clone(self.transformer)
        require_squares(X)  # which transformers compute, and do not ask for
        parameters = self.transformer.get_params()
        self.transformer.set_params(
            **{
                name: int(rng.integers(2**31 - 1))
                for name in sorted(parameters)
                if name.split("__")[-1] == "random_state" and parameters[name] is None
            }
        )
        with foreign_code():
            self.transformer.fit(X.copy())  # other kernels may see the same rows
        return self

    def represent(self, X: Matrix) -> Matrix:
        """Ask the transformer, and check what it says; in the precision of X."""
        who = type(self.transformer).__name__
        with foreign_code():
            features = self.transformer.transform(X.copy())
        try:
            features = check_array(
                features, accept_sparse="csr", dtype=X.dtype, input_name=f"the output of {who}"
            )
        except (ValueError, TypeError) as error:
            raise ValueError(f"the output of {who} is no table of numbers: {error}") from None
        features = as_rows(features)
        if largest_value(features) > LARGEST[features.dtype.itemsize]:
            raise ValueError(
                f"the output of {who} has values up to {largest_value(features):.3g}, whose "
                f"squares overflow; rescale them."
            )
        if features.shape[0] != X.shape[0]:
            raise ValueError(
                f"a transformer in kernels must give a row of features for each row; "
                f"{type(self.transformer).__name__} gave {features.shape[0]} for {X.shape[0]}."
            )
        return features
