"""Evolutionary search: Algorithm 1 of EvoMMC."""

import numpy as np
from numpy.typing import NDArray

from maxmargin._core.evolve import Population
from maxmargin._runtime.parameters import POSITIVE, Integer
from maxmargin.search.engine import Found, Problem, Search, Start


class Evolutionary(Search):
    """Mutation and selection: the best μ of μ parents and ν mutants live on.

    In generation t a mutant is a parent with max(1, n/(t + 1)) rows moved to another cluster
    at random; where a move would break a size limit, two rows change places instead. With
    ``approximation="nystroem"`` this is FastEvoMMC, which takes n_parents = n_children = 1.

    Parameters
    ----------
    n_parents : int, default=10
        μ, the number of labellings that live.
    n_children : int, default=10
        ν, the number of mutants in a generation.
    patience : float, default=5.0
        Stop when ``patience`` · n mutants in a row have not raised the best value. With n
        rows a single improving move is overlooked with probability exp(−patience).
    max_generations : int, default=10_000_000
        Ends the search at the latest.

    References
    ----------
    .. [1] Gieseke, Pahikkala and Kramer, "Fast Evolutionary Maximum Margin Clustering",
       ICML 2009.

    Examples
    --------
    >>> from sklearn.datasets import make_blobs
    >>> from maxmargin import RLSClustering
    >>> X, _ = make_blobs(200, centers=2, random_state=0)
    >>> model = RLSClustering(2, search="evolutionary", random_state=0).fit(X)
    >>> model.labels_.shape
    (200,)
    """

    random = True
    _parameters = {
        "n_parents": Integer(1),
        "n_children": Integer(1),
        "patience": POSITIVE,
        "max_generations": Integer(1),
    }

    def __init__(
        self,
        n_parents: int = 10,
        n_children: int = 10,
        patience: float = 5.0,
        max_generations: int = 10_000_000,
    ) -> None:
        self.n_parents = n_parents
        self.n_children = n_children
        self.patience = patience
        self.max_generations = max_generations

    def run(self, problem: Problem, start: Start, rng: np.random.Generator) -> Found:
        """Evolve the start and μ − 1 random labellings."""
        form, sizes = problem.form, problem.sizes
        rows = np.flatnonzero(sizes.movable)
        first = problem.labelling(start.labels)
        first.repair()
        if len(rows) == 0 or sizes.n_clusters < 2:
            return Found(first, [first.value], 0)
        population = self._population(problem, first.labels, rows, rng)
        patience = int(min(2**62, np.ceil(self.patience * len(rows) / self.n_children)))
        path = []
        next_report = 1
        while population.quiet < patience and population.generation < self.max_generations:
            # f at the generations 1, 2, 4, 8, …: enough to draw, whatever their number
            until = min(next_report, self.max_generations)
            population.run(form.matrix, form.factored, patience, until)
            path.append(population.best_fitness)
            next_report *= 2
        return Found(problem.labelling(population.best_labels), path, population.generation)

    def _population(
        self,
        problem: Problem,
        first: NDArray[np.int32],
        rows: NDArray[np.intp],
        rng: np.random.Generator,
    ) -> Population:
        form, sizes = problem.form, problem.sizes
        k, slots = sizes.n_clusters, self.n_parents + self.n_children
        labels = np.empty((slots, form.n), np.int32)
        labels[:] = first
        for i in range(1, self.n_parents):
            labels[i] = sizes.random_labels(rng)
            if not sizes.hold(labels[i]):  # rows with weights cannot be cut
                drawn = problem.labelling(labels[i])
                drawn.repair()
                labels[i] = drawn.labels
        counts = np.array([sizes.counts(row) for row in labels])
        states = np.zeros((slots, k, form.matrix.shape[1]))
        fitness = np.zeros(slots)
        for i in range(self.n_parents):
            states[i] = form.state(labels[i], k)
            fitness[i] = form.value(labels[i], k)
        return Population(
            labels, counts, sizes.mass, states, fitness, form.diagonal, self.n_parents,
            self.n_children, rows, sizes.lower, sizes.upper, int(rng.integers(2**63)),
        )  # fmt: skip
