"""Semidefinite programs: how they are written down, and who solves them."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csc_matrix, csr_matrix, vstack

from maxmargin._runtime.interrupts import while_answering

ROOT_2 = np.sqrt(2.0)


@dataclass(frozen=True)
class ConicSolution:
    """Where a solver ended.

    Attributes
    ----------
    x : ndarray
        The variables.
    duals : list of ndarray
        The dual matrix of each semidefinite constraint.
    objective, dual_objective : float
        The same at the optimum: what is between them is the duality gap.
    solved : bool
        Whether the solver says that it reached its tolerance.
    """

    x: NDArray[np.float64]
    duals: list[NDArray[np.float64]]
    objective: float
    dual_objective: float
    solved: bool


@dataclass
class ConicProgram:
    """Minimise cᵀx under linear inequalities and matrices that are positive semidefinite.

    Attributes
    ----------
    cost : ndarray of shape (p,)
    inequalities : list of (matrix, vector)
        A and b of A x ≤ b.
    matrices : list of (int, matrix, vector)
        The order of a symmetric matrix, and A and b of its upper triangle b − A x, column by
        column, whose entries off the diagonal count √2 times.
    """

    cost: NDArray[np.float64]
    inequalities: list[tuple[csr_matrix, NDArray[np.float64]]] = field(default_factory=list)
    matrices: list[tuple[int, csr_matrix, NDArray[np.float64]]] = field(default_factory=list)

    def at_most(self, A: Any, b: Any) -> None:
        """Ask for A x ≤ b."""
        A = csr_matrix(A)
        self.inequalities.append((A, np.broadcast_to(np.asarray(b, float), A.shape[:1]).copy()))

    def semidefinite(
        self,
        order: int,
        entries: tuple[NDArray[np.intp], NDArray[np.intp], NDArray[np.intp], Any],
        constant: NDArray[np.float64],
    ) -> None:
        """Ask for constant + Σ x_v E_v ⪰ 0.

        ``entries`` are rows i, columns j ≥ i, variables v and factors: arrays of one length.
        """
        i, j, v, factors = entries
        scale = np.where(i == j, 1.0, ROOT_2) * factors
        size = order * (order + 1) // 2
        A = csr_matrix((-scale, (place(i, j), v)), shape=(size, len(self.cost)))
        self.matrices.append((order, A, vector_of(constant)))

    @property
    def orders(self) -> list[int]:
        """The orders of the matrices."""
        return [order for order, _, _ in self.matrices]

    def solve(self, solver: str) -> ConicSolution:
        """Solve by ``"clarabel"`` or ``"scs"``."""
        return SOLVERS[solver](self)

    def stacked(self, by_columns: bool = True) -> tuple[csc_matrix, NDArray[np.float64], int]:
        """All rows of A and b, and how many of them are inequalities.

        Triangles are upper ones by columns, or the same by rows.
        """
        blocks, sides = [A for A, _ in self.inequalities], [b for _, b in self.inequalities]
        n_linear = sum(len(b) for b in sides)
        for order, A, b in self.matrices:
            rows = np.arange(len(b)) if by_columns else _by_rows(order)
            blocks.append(A[rows])
            sides.append(b[rows])
        return vstack(blocks).tocsc(), np.concatenate(sides), n_linear

    def duals_of(
        self, y: NDArray[np.float64], n_linear: int, by_columns: bool = True
    ) -> list[NDArray[np.float64]]:
        """The dual matrices that a solver returns as one vector."""
        found, at = [], n_linear
        for order in self.orders:
            size = order * (order + 1) // 2
            part = y[at : at + size]
            if not by_columns:
                part = part[np.argsort(_by_rows(order))]
            found.append(matrix_of(part, order))
            at += size
        return found


def place(i: NDArray[np.intp], j: NDArray[np.intp]) -> NDArray[np.intp]:
    """Where the entry (i, j), i ≤ j, stands in an upper triangle by columns."""
    return j * (j + 1) // 2 + i


def vector_of(matrix: NDArray[np.float64]) -> NDArray[np.float64]:
    """A symmetric matrix as a vector of the same length.

    Examples
    --------
    >>> import numpy as np
    >>> from maxmargin.solvers.conic import matrix_of, vector_of
    >>> vector_of(np.array([[1.0, 2.0], [2.0, 3.0]])).round(2).tolist()
    [1.0, 2.83, 3.0]
    >>> matrix_of(vector_of(np.eye(3)), 3).tolist()
    [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]
    """
    j, i = np.tril_indices(len(matrix))
    return np.where(i == j, 1.0, ROOT_2) * matrix[i, j]


def matrix_of(vector: NDArray[np.float64], order: int) -> NDArray[np.float64]:
    """The symmetric matrix of a vector."""
    j, i = np.tril_indices(order)
    matrix = np.zeros((order, order))
    matrix[i, j] = matrix[j, i] = vector / np.where(i == j, 1.0, ROOT_2)
    return matrix


def _by_rows(order: int) -> NDArray[np.intp]:
    """Where the entries of an upper triangle by rows stand in one by columns."""
    i, j = np.triu_indices(order)
    return place(i, j)


def _clarabel(program: ConicProgram) -> ConicSolution:
    clarabel = imported("clarabel")
    A, b, n_linear = program.stacked()
    cones = [clarabel.NonnegativeConeT(n_linear)] if n_linear else []
    cones += [clarabel.PSDTriangleConeT(order) for order in program.orders]
    settings = clarabel.DefaultSettings()
    settings.verbose = False
    p = len(program.cost)
    solver = clarabel.DefaultSolver(csc_matrix((p, p)), program.cost, A, b, cones, settings)
    found = while_answering(solver.solve)
    duals = program.duals_of(np.array(found.z), n_linear)
    solved = str(found.status) in ("Solved", "AlmostSolved")
    return ConicSolution(
        np.array(found.x), duals, float(found.obj_val), float(found.obj_val_dual), solved
    )


def _scs(program: ConicProgram) -> ConicSolution:
    scs = imported("scs")
    A, b, n_linear = program.stacked(by_columns=False)
    cones = {"l": n_linear, "s": program.orders}
    solver = scs.SCS(
        {"A": A, "b": b, "c": program.cost}, cones,
        verbose=False, eps_abs=1e-5, eps_rel=1e-5, max_iters=20_000,
    )  # fmt: skip
    found = while_answering(solver.solve)
    duals = program.duals_of(found["y"], n_linear, by_columns=False)
    info = found["info"]
    return ConicSolution(found["x"], duals, info["pobj"], info["dobj"], info["status"] == "solved")


def imported(name: str) -> Any:
    """The solver's package, or an error that says how to get it."""
    try:
        return __import__(name)
    except ImportError:
        raise ImportError(
            f"solver={name!r} needs the package {name}: pip install 'maxmargin[sdp]'."
        ) from None


#: What solves a program, by name.
SOLVERS: dict[str, Callable[[ConicProgram], ConicSolution]] = {"clarabel": _clarabel, "scs": _scs}
