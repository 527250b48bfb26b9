"""Candidate labellings: several starts in every cell, each polished by the cell's own error."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby

import numpy as np
from numpy.typing import NDArray

from maxmargin.objectives.leave_one_out import ErrorForm, LeaveOneOut
from maxmargin.search import Problem, Shaking, Start
from maxmargin.selection.cells import Cell, Terrain
from maxmargin.selection.spectral import leading_vectors, spectral_labels
from maxmargin.sizes import Sizes
from maxmargin.spaces.quadratic_form import QuadraticForm


@dataclass(frozen=True)
class Candidate:
    """A labelling, and where it comes from.

    Attributes
    ----------
    labels : ndarray of shape (n,)
    source : str
        The cell that it was found in.
    start : str
        What the search began with: ``"spectral"``, ``"shaking"`` or ``"mixture"``.
    """

    labels: NDArray[np.int32]
    source: str
    start: str


@dataclass(frozen=True)
class Explored:
    """What a cell found for each number of clusters, and its criterion where that is kept."""

    cell: Cell
    criterion: LeaveOneOut | None
    candidates: dict[int, list[Candidate]]


def by_affinity(cells: Sequence[Cell]) -> list[tuple[Cell, ...]]:
    """Group the cells that share a kernel matrix: it and its eigenvectors are made once."""
    key = lambda cell: (cell.kernel, cell.width)  # noqa: E731
    return [tuple(group) for _, group in groupby(sorted(cells, key=key), key)]


def explore(
    terrain: Terrain,
    cells: Sequence[Cell],
    limits: Mapping[int, Sizes],
    n_shakes: int,
    seed: np.random.SeedSequence,
    keep: Collection[Cell] = (),
) -> list[Explored]:
    """Find candidates in the cells of one affinity.

    Parameters
    ----------
    terrain : Terrain
    cells : sequence of Cell
        All with the same kernel and width.
    limits : mapping of int to Sizes
        The numbers of clusters that are asked for, with their size limits.
    n_shakes : int
        Runs of shaking from random labels in each cell, besides the spectral start.
    seed : SeedSequence
        Of this group: results do not depend on what other groups do.
    keep : collection of Cell
        The cells whose criteria are needed later; each has 4n² bytes.
    """
    rng = np.random.default_rng(seed)
    affinity = terrain.affinity(cells[0])
    vectors = leading_vectors(affinity, max(limits), rng)
    starts = {k: spectral_labels(vectors, k, int(rng.integers(2**31))) for k in limits}
    found = []
    for number, cell in enumerate(cells):
        last = number == len(cells) - 1
        form = terrain.form(cell, affinity if last else affinity.copy())
        criterion = LeaveOneOut.of_form(form)
        errors = criterion.form()
        form = replace(form, matrix=form.matrix.astype(np.float32))  # claims read it row by row
        candidates = {
            k: list(_search(terrain, cell, form, errors, sizes, starts[k], n_shakes, rng))
            for k, sizes in limits.items()
        }
        found.append(Explored(cell, criterion if cell in keep else None, candidates))
    return found


def _search(
    terrain: Terrain,
    cell: Cell,
    form: QuadraticForm,
    errors: ErrorForm,
    sizes: Sizes,
    spectral: NDArray[np.int32],
    n_shakes: int,
    rng: np.random.Generator,
) -> Iterator[Candidate]:
    problem = Problem(form, sizes)
    labels = within_limits(problem, spectral)
    yield Candidate(errors.polish(labels, sizes, rng), cell.name, "spectral")
    for number in range(n_shakes):
        # Aims at other sizes from the third run on, where they are free.
        quota = sizes.draw_quota(rng, max(0, number - 1))
        start = Start(sizes.random_labels(rng, quota), False, quota, number)
        found = Shaking().run(problem, start, rng).labelling
        labels = within_limits(problem, found.labels)
        yield Candidate(errors.polish(labels, sizes, rng), cell.name, "shaking")


def within_limits(problem: Problem, labels: NDArray[np.int32]) -> NDArray[np.int32]:
    """Name the clusters by the pins, put the pins in, and bring the sizes within their limits."""
    pins = problem.sizes.pins
    labels = problem.sizes.matched_by_size(labels)
    labelling = problem.labelling(np.where(pins >= 0, pins, labels).astype(np.int32))
    labelling.align()
    labelling.repair()
    return labelling.labels
