"""Several spaces side by side, each with a name and a part of the data of its own."""

from collections import Counter
from collections.abc import Hashable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from itertools import compress
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from maxmargin._runtime.memory import require_memory
from maxmargin._runtime.parameters import Allowed, Listed, OneOf, as_floats, shown
from maxmargin.blocks import Rows
from maxmargin.spaces.features import explicit_space, require_features
from maxmargin.spaces.kernel import MANY_CLUSTERS, Kernel, require_squares
from maxmargin.spaces.metric import BY_PRODUCTS, Matrix, warn_of_far_rows
from maxmargin.spaces.space import Space
from maxmargin.spaces.transformer import Transformer

#: The Gaussian kernels that stand for all widths, as multiples of the gamma of a rule.
GAMMA_MULTIPLES = (1.0, 4.0, 16.0)


@dataclass(frozen=True)
class NamedSpace:
    """One of several spaces: what it is called, and the part of the data that it sees.

    Attributes
    ----------
    name : str
    space : Space
    columns : ndarray of int or None
        The columns of X that it sees; None for all.
    matrix : int or None
        Which of several kernel matrices it is, where these are given.
    source : hashable
        Where it gets what it knows: kernels of the same columns have the same source, a
        transformer and a kernel matrix have one of their own.
    """

    name: str
    space: Space
    columns: NDArray[np.intp] | None = None
    matrix: int | None = None
    source: Hashable = None

    def part(self, X: Any) -> Matrix:
        """What this space sees of the data."""
        if self.matrix is not None:
            return X[self.matrix]
        return X if self.columns is None else X[:, self.columns]

    @property
    def kernel(self) -> str:
        """The name of its kernel; none where it has no kernel."""
        return self.space.kernel.name if hasattr(self.space, "kernel") else ""

    @property
    def sees_rows(self) -> bool:
        """Whether it sees rows of X, and not what somebody else made of them."""
        return self.matrix is None and not isinstance(self.space, Transformer)


class Several(Space):
    """The features of several spaces in one matrix.

    Parameters
    ----------
    spaces : sequence of NamedSpace

    Attributes
    ----------
    slices : tuple of slice
        The columns of each space among all features.
    """

    slices: tuple[slice, ...]

    def __init__(self, spaces: Sequence[NamedSpace]) -> None:
        self.spaces = list(spaces)

    @property
    def names(self) -> list[str]:
        """What the spaces are called."""
        return [one.name for one in self.spaces]

    @property
    def several_sources(self) -> bool:
        """Whether they know what they know from different places."""
        return len({one.source for one in self.spaces}) > 1

    def memory(self, X: Any) -> int:
        """What all of them need."""
        return sum(one.space.memory(one.part(X)) for one in self.spaces)

    def fit(self, X: Any, rng: np.random.Generator) -> "Several":
        """Fit each space to its part of the data."""
        self.fit_represent(X, rng)
        return self

    def tables(self, X: Any) -> list[Matrix | None]:
        """The rows that each space sees; None where it sees what somebody else made of them."""
        return [one.part(X) if one.sees_rows else None for one in self.spaces]

    def fit_represent(self, X: Any, rng: np.random.Generator) -> Matrix:
        """Fit each space to its part of the data, and put the features side by side."""
        for place, one in enumerate(self.spaces):
            with _naming(place):
                part = one.part(X)
                require_features(one.space, part)
                one.space.fit(part, rng)
        by_products = [one for one in self.spaces if one.sees_rows and one.kernel in BY_PRODUCTS]
        for one in by_products[:1]:
            warn_of_far_rows(one.part(X), one.kernel)
        if isinstance(X, Rows):
            self.slices = _in_a_row([part.shape[1] for part in self._parts(X[:2])])
            return self.features(X)
        parts = self._parts(X)
        self.slices = _in_a_row([part.shape[1] for part in parts])
        return _side_by_side(parts, self.slices)

    def stride(self, X: Matrix) -> int:
        """The largest of all: a power of two, so that it holds whole blocks of the others."""
        return max(one.space.stride(one.part(X)) for one in self.spaces)

    def represent(self, X: Any) -> Matrix:
        """The features of all spaces, CSR if those of any are."""
        return _side_by_side(self._parts(X), self.slices)

    def values(self, X: Any, coef: NDArray[np.floating], intercept: Any = 0.0) -> Any:
        """The values of linear models, space by space."""
        parts = (
            one.space.values(one.part(X), np.ascontiguousarray(coef[part]))
            for one, part in zip(self.spaces, self.slices, strict=True)
        )
        return sum(parts, np.asarray(intercept))

    def kept(self, which: NDArray[np.bool_]) -> "Several":
        """Some of the spaces, as they were fitted."""
        some = Several(list(compress(self.spaces, which)))
        some.slices = _in_a_row([one.stop - one.start for one in compress(self.slices, which)])
        return some

    def _parts(self, X: Any) -> list[Matrix]:
        parts = []
        for place, one in enumerate(self.spaces):
            with _naming(place):
                parts.append(one.space.represent(one.part(X)))
        return parts


@contextmanager
def _naming(place: int) -> Iterator[None]:
    """Say in an error which of the kernels it is about."""
    try:
        yield
    except (ValueError, TypeError) as error:
        kind = TypeError if isinstance(error, TypeError) else ValueError
        raise kind(f"kernels[{place}]: {error}") from error


def _in_a_row(widths: Sequence[int]) -> tuple[slice, ...]:
    ends = np.cumsum(widths)
    return tuple(slice(int(end - w), int(end)) for end, w in zip(ends, widths, strict=True))


def _side_by_side(parts: list[Matrix], slices: Sequence[slice]) -> Matrix:
    """Features in one matrix; the list of parts is empty afterwards, and their memory free."""
    if len(parts) == 1:
        return parts[0]
    if any(sparse.issparse(part) for part in parts):
        return sparse.hstack([sparse.csr_array(part) for part in parts], format="csr")
    n, dtype = parts[0].shape[0], np.result_type(*parts)
    require_memory(
        n * slices[-1].stop * dtype.itemsize,
        f"the features of {len(parts)} kernels for {n} rows",
        "Use fewer kernels or fewer n_components.",
    )
    features = np.empty((n, slices[-1].stop), dtype)
    for one in reversed(slices):
        features[:, one] = parts.pop()
    return features


def default_kernels(
    X: Matrix, n_components: int, rng: np.random.Generator, n_clusters: int
) -> list[NamedSpace]:
    """Linear, polynomial and Gaussian at three widths; linear and cosine for sparse rows.

    Many clusters in few columns get the Gaussian ones only.
    """
    require_squares(X)
    named: dict[str, Kernel] = {}
    if sparse.issparse(X):
        named = {"linear": Kernel("linear"), "cosine": Kernel("cosine")}
    elif not many_in_few_columns(n_clusters, X):
        named = {"linear": Kernel("linear"), "poly(degree=2)": Kernel("poly", degree=2)}
    if not sparse.issparse(X):
        widths = gaussians(X, "auto", rng, n_clusters)
        named |= {f"rbf(gamma={one.gamma:.3g})": one for one in widths}
    return [NamedSpace(name, explicit_space(one, n_components)) for name, one in named.items()]


def many_in_few_columns(n_clusters: int, X: Matrix) -> bool:
    """Whether hyperplanes through one point do not part so many clusters of dense rows."""
    return not sparse.issparse(X) and n_clusters > max(MANY_CLUSTERS, X.shape[1] + 1)


def gaussians(
    X: Matrix, gamma: float | str, rng: np.random.Generator, n_clusters: int
) -> list[Kernel]:
    """Gaussian kernels of several widths, the widest by the rule."""
    widest = Kernel("rbf", gamma=gamma, n_clusters=n_clusters).fit(X, rng).gamma_
    assert widest is not None, "a Gaussian kernel has a width"
    return [Kernel("rbf", gamma=width * widest) for width in GAMMA_MULTIPLES]


#: What the parameter ``kernel_weights`` may be.
KERNEL_WEIGHTS = Allowed(
    '"learned", "uniform" or numbers >= 0, one for each kernel',
    (OneOf("learned", "uniform") | Listed("numbers")).accepts,
)


def read_weights(given: Any, n_kernels: int) -> NDArray[np.float64] | None:
    """Turn the parameter ``kernel_weights`` into weights with sum 1; None if they are learned."""
    allowed = f'"learned", "uniform" or {n_kernels} numbers >= 0, one for each kernel'
    if isinstance(given, str):
        if given not in ("learned", "uniform"):
            raise ValueError(f"kernel_weights must be {allowed}; got {shown(given)}.")
        return None if given == "learned" else np.full(n_kernels, 1 / n_kernels)
    weights = as_floats(given)
    if (
        weights.shape != (n_kernels,)
        or not np.all(np.isfinite(weights))
        or np.any(weights < 0)
        or not np.any(weights > 0)
    ):
        raise ValueError(f"kernel_weights must be {allowed} and not all 0; got {shown(given)}.")
    weights = weights / weights.max()  # a sum of large ones would overflow
    return weights / weights.sum()


def with_names_of_their_own(spaces: Sequence[NamedSpace]) -> list[NamedSpace]:
    """Number spaces of the same name."""
    often = Counter(one.name for one in spaces)
    seen: Counter[str] = Counter()
    taken = set(often)
    out = []
    for one in spaces:
        name = one.name
        while often[one.name] > 1:
            seen[one.name] += 1
            name = f"{one.name} #{seen[one.name]}"
            if name not in taken:
                taken.add(name)
                break
        out.append(replace(one, name=name))
    return out
