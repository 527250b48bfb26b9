"""EvoMMC and FastEvoMMC: runs at one cell (λ, σ), and the choice of the cell."""

from collections.abc import Callable
from dataclasses import dataclass
from itertools import product
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.cluster import KMeans
from sklearn.metrics import pairwise_distances

from benchmarks.methods.least_squares import free_sizes, run_once
from maxmargin import RLSClustering
from maxmargin.objectives.spectrum import Spectrum
from maxmargin.search import Evolutionary

LAMBDAS = (2, 200, 1000)  # λ = 1/(2n), 1/(200n), 1/(1000n): the paper multiplies it by n
WIDTHS = (1, 3, 5)  # σ in units of s, the diagonal of the box around the data
BEST_OF = 10

Cell = tuple[int, int]  # of LAMBDAS and WIDTHS
GRID: tuple[Cell, ...] = tuple(product(LAMBDAS, WIDTHS))


@dataclass(frozen=True)
class Outcome:
    """The errors (%), objectives and leave-one-out scores of some runs at one cell."""

    error: NDArray[np.float64]
    objective: NDArray[np.float64]
    loo: NDArray[np.float64]

    @classmethod
    def of(cls, y: NDArray, runs: list[Any]) -> "Outcome":
        """Of labels, objectives and scores."""
        labels, objective, loo = zip(*runs, strict=True)
        errors = [clustering_error(y, one) for one in labels]
        return cls(np.array(errors), np.array(objective), np.array(loo))

    @property
    def oracle(self) -> NDArray[np.float64]:
        """The best of every ten runs by the true labels, as in the paper."""
        return self.error.reshape(-1, BEST_OF).min(axis=1)

    @property
    def picked(self) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """The error and leave-one-out score of the best of every ten runs by objective."""
        tens = self.objective.reshape(-1, BEST_OF).argmax(axis=1)
        rows = np.arange(len(tens))
        return (
            self.error.reshape(-1, BEST_OF)[rows, tens],
            self.loo.reshape(-1, BEST_OF)[rows, tens],
        )


def clustering_error(y: NDArray, labels: NDArray) -> float:
    """Percent of rows on the wrong side, for the better of the two numberings."""
    wrong = float(np.mean(y != labels))
    return 100 * min(wrong, 1 - wrong)


def box_diagonal(X: NDArray) -> float:
    """The paper's s."""
    return float(np.linalg.norm(np.ptp(X, axis=0)))


def estimator(X: NDArray, cell: Cell, l: float, seed: int, share: float | None) -> RLSClustering:  # noqa: E741
    """EvoMMC, or FastEvoMMC with r = share · n, to the letter; |Σy| ≤ l·n is a least size."""
    inverse_lambda, width = cell
    fast = share is not None
    return RLSClustering(
        2,
        gamma=1 / (width * box_diagonal(X)) ** 2,
        alpha=1 / (inverse_lambda * len(X)),
        search=Evolutionary(1, 1) if fast else Evolutionary(10, 10),
        approximation="nystroem" if fast else None,
        n_components=max(1, int(share * len(X))) if fast else 1,
        polish=False,
        min_size=1 - l,
        n_init=1,
        random_state=seed,
    )


#: Gives the outcome of runs number first, first + 1, … at a cell.
Runner = Callable[[Cell, range], Outcome]


def evommc(X: NDArray, y: NDArray, l: float) -> Runner:  # noqa: E741
    """EvoMMC; the eigenvectors for the last width are kept for its other λ."""
    squares = np.square(pairwise_distances(X)) / box_diagonal(X) ** 2
    sizes = free_sizes(len(y), 2, 1 - l)
    spectra: dict[int, Spectrum] = {}

    def run(cell: Cell, seeds: range) -> Outcome:
        inverse_lambda, width = cell
        if width not in spectra:
            spectra[width] = Spectrum.of_gram(np.exp(-squares / width**2))
        form = spectra[width].form(1 / inverse_lambda)
        runs = [run_once(form, Evolutionary(10, 10), sizes, seed) for seed in seeds]
        return Outcome.of(y, [(one.labels, one.objective, one.loo_score) for one in runs])

    return run


def fastevommc(X: NDArray, y: NDArray, l: float, share: float) -> Runner:  # noqa: E741
    """FastEvoMMC; every run has landmarks of its own."""

    def run(cell: Cell, seeds: range) -> Outcome:
        models = [estimator(X, cell, l, seed, share).fit(X) for seed in seeds]
        return Outcome.of(y, [(one.labels_, one.objective_, one.loo_score_) for one in models])

    return run


def kmeans(X: NDArray, y: NDArray, repeats: int) -> Outcome:
    """k-means from ten starts; its objective is minus the inertia."""
    models = [KMeans(2, n_init=1, random_state=seed).fit(X) for seed in range(repeats * BEST_OF)]
    return Outcome.of(y, [(model.labels_, -model.inertia_, 0.0) for model in models])


def tune(
    run: Runner, scout: int, repeats: int, grid: tuple[Cell, ...] = GRID
) -> tuple[Cell, Outcome, Cell, Outcome]:
    """Return the cell with the smallest error and the one with the largest LOO score.

    Every cell is tried with ``scout`` times ten runs; the two that are chosen are then run
    ``repeats`` times ten with new seeds (0: the scout's own runs stand).
    """
    tried = {cell: run(cell, range(scout * BEST_OF)) for cell in grid}
    oracle = min(grid, key=lambda cell: tried[cell].oracle.mean())
    blind = max(grid, key=lambda cell: tried[cell].picked[1].mean())
    if repeats == 0:
        return oracle, tried[oracle], blind, tried[blind]
    seeds = range(1000, 1000 + repeats * BEST_OF)
    final = {cell: run(cell, seeds) for cell in {oracle, blind}}
    return oracle, final[oracle], blind, final[blind]


def cell_name(cell: Cell) -> str:
    """As the tables have it."""
    return f"λ=1/({cell[0]}n) σ={cell[1]}s"
