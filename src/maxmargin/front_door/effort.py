"""How hard to look: what each level of effort of the front door means."""

from dataclasses import dataclass

from maxmargin.selection.cells import GRAPHS, Cell, gaussians

KERNELS = ("gaussian", "graph")


@dataclass(frozen=True)
class Effort:
    """The work of one fit.

    Attributes
    ----------
    cells : tuple of Cell
        Where candidates are sought. Those among ``JUDGES`` also judge all candidates.
    n_shakes : int
        Random starts in each cell, besides the spectral one.
    max_rows : int
        Rows on which everything is chosen; with more rows, a random subset of so many.
    """

    cells: tuple[Cell, ...]
    n_shakes: int
    max_rows: int

    def restricted(self, kernels: tuple[str, ...]) -> "Effort":
        """Seek candidates in cells of these kernels only."""
        cells = tuple(cell for cell in self.cells if cell.kernel in kernels)
        return Effort(cells, self.n_shakes, self.max_rows)


#: The Gaussian cells that judge, and that the final model is one of.
GAUSSIANS = gaussians()
#: All cells that judge.
JUDGES = (*GAUSSIANS, GRAPHS[0])
#: Where the neighbours of a row are nearly as far as any other row (texts), Gaussian kernels
#: see hardly more than noise, and only who is nearest means something.
CONCENTRATED = 0.85
CONCENTRATED_JUDGE = GRAPHS[0]

EFFORTS = {
    "fast": Effort((GAUSSIANS[1], GAUSSIANS[3], GRAPHS[0]), 1, 1000),
    "normal": Effort((*GAUSSIANS, *GRAPHS), 2, 2000),
    "thorough": Effort((*gaussians(strengths=(2.0**-14, 2.0**-11, 2.0**-8)), *GRAPHS), 4, 4000),
}
