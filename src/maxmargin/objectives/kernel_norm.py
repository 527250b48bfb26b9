"""The penalty of hyperplanes over several kernels, and the kernel weights that belong to it.

The features of M kernels stand side by side, and v_m are the weights of hyperplanes for those
of kernel m. Eq. 2.6 of MKC penalises ½ Σ_m ‖v_m‖²/β_m under Σ_m β_m^p ≤ 1. The best β is

    β_m ∝ ‖v_m‖^{2/(p+1)},

which leaves ½ ‖(‖v_1‖, …, ‖v_M‖)‖_q² with q = 2p/(p+1): the ℓ_1 norm for p = 1, which drops
kernels, towards ℓ_2, which keeps all alike, for p → ∞. One kernel has ½ ‖v‖² whatever p is.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True)
class KernelNorm:
    """Which features belong to which kernel, and how their weights are penalised together.

    Attributes
    ----------
    views : tuple of slice
        The features of each kernel.
    p : float
        The norm of the kernel weights, from 1 to infinity.

    Examples
    --------
    >>> import numpy as np
    >>> from maxmargin.objectives.kernel_norm import KernelNorm
    >>> norm = KernelNorm((slice(0, 2), slice(2, 3)), p=1)
    >>> planes = np.array([[3.0, 0.0, 1.0], [0.0, 4.0, 0.0]])
    >>> norm.lengths(planes).tolist(), norm.penalty(planes)
    ([5.0, 1.0], 18.0)
    >>> norm.kernel_weights(norm.lengths(planes)).round(3).tolist()
    [0.833, 0.167]
    """

    views: tuple[slice, ...] = (slice(None),)
    p: float = 1.0

    def lengths(self, weights: NDArray[np.float64]) -> NDArray[np.float64]:
        """‖v_m‖ of the weights (k × d) for each kernel."""
        return np.array([np.linalg.norm(weights[:, view]) for view in self.views])

    def penalty(self, weights: NDArray[np.float64]) -> float:
        """½ Σ ‖v_m‖²/β_m for the best β."""
        return self.penalty_of(self.lengths(weights))

    def penalty_of(self, lengths: NDArray[np.float64]) -> float:
        """The penalty of weights of these lengths."""
        return 0.5 * float(np.linalg.norm(lengths, ord=2 / (1 + 1 / self.p))) ** 2

    def dual_penalty(self, squares: NDArray[np.float64]) -> float:
        """½ max_β Σ β_m s_m for s ≥ 0: what the penalty is in the dual."""
        p = self.p
        conjugate = np.inf if p == 1 else 1.0 if np.isinf(p) else p / (p - 1)
        largest = float(squares.max(initial=0))
        if largest == 0:
            return 0.0
        # Powers as large as p* underflow or overflow unless the largest is 1.
        return 0.5 * largest * float(np.linalg.norm(squares / largest, ord=conjugate))

    def kernel_weights(self, lengths: NDArray[np.float64]) -> NDArray[np.float64]:
        """The best β for weights of these lengths; all alike where there are none."""
        longest = lengths.max(initial=0)
        shares = lengths / longest if longest > 0 else np.ones(len(self.views))
        weights = np.where(shares > 0, shares ** (2 / (self.p + 1)), 0.0)  # 0⁰ for p = ∞
        return weights / np.linalg.norm(weights, ord=self.p)

    def grams(self, gradients: NDArray[np.float64]) -> NDArray[np.float64]:
        """The products of gradients (m × k × d), for each kernel (M × m × m)."""
        m = len(gradients)
        parts = (gradients[:, :, view] for view in self.views)
        flat = (part.reshape(m, part.shape[1] * part.shape[2]) for part in parts)
        return np.array([part @ part.T for part in flat])

    def of_columns(self, columns: NDArray[np.intp]) -> "KernelNorm":
        """The norm of features that have these columns only, in their order."""
        if self.views == (slice(None),):
            return self
        widths = [
            np.count_nonzero((columns >= view.start) & (columns < view.stop)) for view in self.views
        ]
        ends = np.cumsum(widths)
        kept = zip(ends, widths, strict=True)
        return KernelNorm(tuple(slice(int(end - w), int(end)) for end, w in kept if w), self.p)

    def columns(self, which: NDArray[np.bool_]) -> NDArray[np.intp]:
        """The features of some of the kernels."""
        views = [view for view, chosen in zip(self.views, which, strict=True) if chosen]
        return np.concatenate([np.arange(view.start, view.stop) for view in views])

    def scaled(
        self, weights: NDArray[np.float64], factors: NDArray[np.float64]
    ) -> NDArray[np.float64]:
        """Multiply the weights of each kernel by its factor, in place."""
        for view, factor in zip(self.views, factors, strict=True):
            weights[:, view] *= factor
        return weights


ONE_KERNEL = KernelNorm()
