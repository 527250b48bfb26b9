"""How hard to look: what each level of effort of the front door means."""

from dataclasses import dataclass, replace
from typing import Any

from maxmargin._runtime.parameters import OneOf
from maxmargin.spaces.pairwise import GAUSSIANS, GaussianSettings, GraphSettings

#: Rows for each cluster below which there is nothing to see.
ROWS_PER_CLUSTER = 5
KINDS = ("gaussian", "graph")
GRAPHS = tuple(GraphSettings(12, smoothing) for smoothing in (3.0, 30.0))
#: All spaces that judge; the final model is in one of the Gaussian ones.
JUDGES = (*GAUSSIANS, GRAPHS[0])
#: Where the neighbours of a row are nearly as far as any other row (texts), Gaussian kernels
#: see hardly more than noise, and only who is nearest means something.
CONCENTRATED = 0.85
CONCENTRATED_JUDGE = GRAPHS[0]


@dataclass(frozen=True)
class Effort:
    """The work of one fit.

    Attributes
    ----------
    spaces : tuple of GaussianSettings and GraphSettings
        Where candidates are sought. Those among ``JUDGES`` also judge all candidates.
    n_shakes : int
        Random starts in each space, besides the spectral one.
    max_rows : int
        Rows on which everything is chosen; with more rows, a random subset of so many.
    n_init : int, default=5
        k-means starts of each spectral cut.
    """

    spaces: tuple[GaussianSettings | GraphSettings, ...]
    n_shakes: int
    max_rows: int
    n_init: int = 5

    def restricted(self, kinds: Any) -> "Effort":
        """Seek candidates in spaces of these kinds only; the parameter ``kernels``."""
        if not isinstance(kinds, (list, tuple, set, frozenset)) or not kinds:
            raise ValueError(
                f"kernels must be None or a list of {', '.join(map(repr, KINDS))}; got {kinds!r}."
            )
        for kind in kinds:
            OneOf(*KINDS).check("kernels", kind)
        spaces = tuple(space for space in self.spaces if space.kernel in kinds)
        return replace(self, spaces=spaces)


EFFORTS = {
    "fast": Effort((GAUSSIANS[1], GAUSSIANS[3], GRAPHS[0]), 1, 1000),
    "normal": Effort((*GAUSSIANS, *GRAPHS), 2, 2000),
    "thorough": Effort(
        (
            *(
                GaussianSettings(space.width, 2.0**exponent)
                for space in GAUSSIANS
                for exponent in (-14, -11, -8)
            ),
            *GRAPHS,
        ),
        4,
        4000,
    ),
}
