"""Runs with pinned rows: what the other rows say by themselves, and what the pins say of them.

A few pins in random starts push a search about: with three for each class least squares is worse
than without. So the runs look for clusters as if no row were pinned, and these get the names and
the rows of the pins; others begin with the labels that the pins alone predict. These must be
predicted better to be taken.
"""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from maxmargin.search.engine import Engine, Found, Problem, Run, Search, Start, best_run
from maxmargin.search.steepest import Steepest
from maxmargin.sizes import Sizes
from maxmargin.spaces.quadratic_form import QuadraticForm

#: The R² of leave-one-out predictions by which labels that begin with the pins must be better.
BETTER = 0.005


def without_pins(sizes: Sizes) -> Sizes:
    """The same limits with no pinned row."""
    return replace(sizes, pins=np.full_like(sizes.pins, -1))


class Unpinned(Search):
    """A search that does not know the pins; they name what it found, and take their places.

    Parameters
    ----------
    search : Search
    polish : bool
        Whether it goes on to a local optimum before it hears of them.
    """

    def __init__(self, search: Search, polish: bool) -> None:
        self.search = search
        self.polish = polish

    def run(self, problem: Problem, start: Start, rng: np.random.Generator) -> Found:
        """Search without pins, and put them in."""
        sizes = problem.sizes
        found = Engine(problem.form, without_pins(sizes), self.polish).run(self.search, start, rng)
        labelling = problem.labelling(sizes.pinned(found.labels))
        labelling.n_moves = found.n_moves
        return Found(labelling, found.path, found.n_iter)


def said_by_pins(form: QuadraticForm, sizes: Sizes) -> NDArray[np.int32]:
    """The labels that least squares predicts from the pins alone, those of a cluster as one."""
    k = sizes.n_clusters
    named = np.where(sizes.pins >= 0, sizes.pins, k).astype(np.int32)
    votes = form.scores(named, k + 1)[:k].T
    counts = np.bincount(sizes.pins[sizes.pins >= 0], minlength=k)
    values = votes / np.maximum(counts, 1)
    if np.ndim(form.weights):  # runs bring sums of weights within their limits
        return sizes.pinned(np.argmax(values, axis=1))
    return sizes.assign(values)


def jobs_from_pins(
    search: Search, form: QuadraticForm, sizes: Sizes, rng: np.random.Generator
) -> list[tuple[Search, Start, np.random.Generator]]:
    """Runs that begin with what the pins say: a plain descent, and a search less and less mild."""
    start = Start(said_by_pins(form, sizes), True, sizes.quota, 0)
    return [(one, start, rng) for one in (Steepest(), *search.from_labels())]


def best_of_pinned(runs: Sequence[Run], n_unpinned: int, by_loo: bool) -> Run:
    """The best run that did not know the pins, or one that began with them if it is better."""
    best = best_run(runs[:n_unpinned], by_loo)
    if len(runs) <= n_unpinned:
        return best
    other = best_run(runs[n_unpinned:], by_loo=True)
    return other if other.loo_score > best.loo_score + BETTER else best


def labels_with_pins(
    search: Search, form: QuadraticForm, sizes: Sizes, n_init: int, rng: np.random.Generator
) -> NDArray[np.int32]:
    """What ``RLSClustering`` finds with pins, from random starts that aim at equal sizes."""
    sizes = replace(sizes, free=False)
    free = without_pins(sizes)
    jobs = [
        (Unpinned(search, True), Start.at_random(free, rng, number), rng)
        for number in range(n_init)
    ]
    engine = Engine(form, sizes)
    runs = [engine.run(*job) for job in (*jobs, *jobs_from_pins(search, form, sizes, rng))]
    return best_of_pinned(runs, n_init, by_loo=False).labels
