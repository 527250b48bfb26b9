"""The choice of a width and of levels without labels."""

import numpy as np
import pytest
from sklearn.datasets import make_blobs, make_circles, make_moons
from sklearn.metrics import adjusted_rand_score

from maxmargin._runtime.context import FitContext
from maxmargin._runtime.progress import listening
from maxmargin.domain import Graph
from maxmargin.domain.base import DomainClusters
from maxmargin.domain.domain_graph import GAP_NEIGHBORS, VALLEY_OF_DOMAIN, DomainGraph
from maxmargin.domain.graph import STEPS_OF_LEVELS
from maxmargin.domain.width import NARROW_WIDTHS, NU_OF_LEVELS, choose_width, smallest_sizes
from maxmargin.selection.split_gap import SplitGap
from maxmargin.solvers import SMO


def data(name, seed):
    if name == "moons":
        return make_moons(300, noise=0.05, random_state=seed)
    if name == "circles":
        return make_circles(400, noise=0.04, factor=0.4, random_state=seed)
    return make_blobs([120, 90, 60], centers=[[0, 0], [9, 0], [0, 9]], random_state=seed)


def clusters_of(graph, smallest):
    def clusters_at(gamma):
        solution = SMO().solve(graph.distances, gamma, nu=NU_OF_LEVELS)
        return Graph().clusters(graph, gamma, solution, smallest, own_levels=True)

    return clusters_at


def choose(X, smallest=None, widths=NARROW_WIDTHS, **how):
    graph = DomainGraph(X)
    sizes = smallest_sizes(len(X)) if smallest is None else smallest
    return graph, *choose_width(graph, graph.gammas(widths), clusters_of(graph, sizes), **how)


@pytest.mark.parametrize("name", ["moons", "circles", "blobs"])
def test_shapes_are_found(name, global_random_seed):
    X, y = data(name, global_random_seed)
    graph, best, _ = choose(X)
    inside = best.labels >= 0
    assert adjusted_rand_score(y[inside], best.labels[inside]) == 1
    assert adjusted_rand_score(y, graph.complete(best.labels)) == 1
    assert best.n_clusters == len(best.levels) == len(np.unique(y))
    assert best.solution.converged


def test_the_table_says_what_was_compared(global_random_seed):
    X, _ = data("moons", global_random_seed)
    graph, best, table = choose(X)
    assert list(table) == ["gamma", "min_cluster_size", "n_clusters", "split_gap", "chosen"]
    sizes = smallest_sizes(300)
    assert sizes == (5, 15)
    assert all(len(column) == len(NARROW_WIDTHS) * len(sizes) for column in table.values())
    np.testing.assert_allclose(table["gamma"], np.repeat(graph.gammas(NARROW_WIDTHS), len(sizes)))
    assert table["min_cluster_size"].tolist() == [*sizes] * len(NARROW_WIDTHS)
    assert table["chosen"].sum() == 1
    at = int(np.argmax(table["chosen"]))
    assert table["split_gap"][at] == table["split_gap"].max()
    assert table["gamma"][at] == best.gamma
    assert table["min_cluster_size"][at] == best.smallest
    assert table["n_clusters"][at] == best.n_clusters
    # the gap of the choice, by itself
    gaps = [
        SplitGap(graph.neighbors, VALLEY_OF_DOMAIN, j).score(graph.complete(best.labels))
        for j in GAP_NEIGHBORS
    ]
    assert np.mean(gaps) == pytest.approx(table["split_gap"][at])


def test_no_candidate_was_better(global_random_seed):
    """All of them again, with nothing given up early."""
    X, _ = data("blobs", global_random_seed)
    X = X + np.random.default_rng(global_random_seed).normal(size=X.shape)
    graph, _, table = choose(X)
    clusters_at, gaps = clusters_of(graph, smallest_sizes(len(X))), []
    for gamma in graph.gammas(NARROW_WIDTHS):
        for clusters in clusters_at(gamma):
            labels = graph.complete(clusters.labels)
            each = [
                SplitGap(graph.neighbors, VALLEY_OF_DOMAIN, j).score(labels) for j in GAP_NEIGHBORS
            ]
            gaps.append(np.mean(each) if clusters.n_clusters > 1 else -np.inf)
    assert int(np.argmax(gaps)) == int(np.argmax(table["chosen"]))
    assert max(gaps) == pytest.approx(table["split_gap"].max())
    assert (table["split_gap"] >= np.array(gaps) - 1e-12).all()  # given up early: no more


def test_levels_are_where_clusters_come_off(global_random_seed):
    """No edge between two clusters is above the level of either."""
    X, _ = data("moons", global_random_seed)
    graph, best, _ = choose(X)
    levels = graph.edge_levels(best.solution, best.gamma, STEPS_OF_LEVELS)
    a, b = (best.labels[end] for end in graph.edges)
    for c, level in enumerate(best.levels):
        leaving = ((a == c) & (b >= 0) & (b != c)) | ((b == c) & (a >= 0) & (a != c))
        if leaving.any():
            assert levels[leaving].max() <= level + 1e-9


@pytest.mark.parametrize("n_jobs", [2, -1])
def test_jobs_do_not_matter(n_jobs, global_random_seed):
    X, _ = data("moons", global_random_seed)
    _, one, table = choose(X)
    _, many, other = choose(X, context=FitContext(n_jobs=n_jobs))
    np.testing.assert_array_equal(one.labels, many.labels)
    np.testing.assert_array_equal(table["split_gap"], other["split_gap"])


def test_progress_is_reported(global_random_seed):
    X, _ = data("blobs", global_random_seed)
    seen = []
    with listening(seen.append):
        choose(X)
    assert [step.done for step in seen] == [*range(len(NARROW_WIDTHS) + 1)]
    assert {(step.task, step.total) for step in seen} == {("width", len(NARROW_WIDTHS))}


def test_units_do_not_matter(global_random_seed):
    X, _ = data("moons", global_random_seed)
    _, near, _ = choose(X)
    _, far, _ = choose(1024 * X + 4096)
    np.testing.assert_allclose(far.gamma * 1024**2, near.gamma, rtol=1e-9)
    assert adjusted_rand_score(near.labels, far.labels) == 1


@pytest.mark.parametrize(
    ("n", "sizes"),
    [(2, (1,)), (4, (2,)), (10, (5,)), (99, (5,)), (100, (5,)), (120, (5, 6)), (1000, (10, 50))],
)
def test_sizes_of_the_smallest_cluster(n, sizes):
    assert smallest_sizes(n) == sizes


def test_nothing_stands_out(rng):
    """No candidate has two clusters: the first one, no levels, and every gap is −inf."""
    _, best, table = choose(rng.normal(size=(30, 2)), smallest=(16,), widths=(0.5,))
    assert isinstance(best, DomainClusters)
    assert best.n_clusters == 0
    assert (best.labels == -1).all()
    assert table["split_gap"].tolist() == [-np.inf]
    assert table["chosen"].tolist() == [True]
