"""The choice of a width and of levels without labels."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from oracles import domain as oracle
from sklearn.datasets import make_blobs, make_circles, make_moons
from sklearn.metrics import adjusted_rand_score

from maxmargin._runtime.context import FitContext
from maxmargin._runtime.progress import listening
from maxmargin.domain import Equilibria, Graph
from maxmargin.domain.base import DomainClusters
from maxmargin.domain.domain_graph import GAP_NEIGHBORS, VALLEY_OF_DOMAIN, DomainGraph
from maxmargin.domain.graph import STEPS_OF_LEVELS
from maxmargin.domain.width import (
    NARROW_WIDTHS,
    NU_OF_LEVELS,
    NU_OF_ONE_LEVEL,
    PLATEAU_WIDTHS,
    Plateau,
    choose_width,
    find_plateau,
    longest_plateau,
    smallest_sizes,
)
from maxmargin.selection.split_gap import SplitGap
from maxmargin.solvers import SMO, OneClassProblem


def data(name, seed):
    if name == "moons":
        return make_moons(300, noise=0.05, random_state=seed)
    if name == "circles":
        return make_circles(400, noise=0.04, factor=0.4, random_state=seed)
    return make_blobs([120, 90, 60], centers=[[0, 0], [9, 0], [0, 9]], random_state=seed)


def clusters_of(graph, smallest):
    def clusters_at(gamma):
        solution = SMO().solve(OneClassProblem(graph.distances, gamma, nu=NU_OF_LEVELS))
        return Graph().clusters_at_levels(graph, solution, smallest)

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
    assert table["gamma"][at] == best.solution.gamma
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
    levels = graph.edge_levels(best.solution, STEPS_OF_LEVELS)
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
    np.testing.assert_allclose(far.solution.gamma * 1024**2, near.solution.gamma, rtol=1e-9)
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


# -- plateaus -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("counts", "ends"),
    [
        ([1, 1, 1, 1, 2, 3, 3, 3, 5, 9], (5, 7)),
        ([2, 2, 3, 3], (0, 1)),  # the first one of equals
        ([2], (0, 0)),
        ([1, 1, 5], (2, 2)),
        ([2, 2, 1, 2, 2, 2], (3, 5)),  # a run that is broken is two
        ([3, 3, 0, 0, 0, 0], (0, 1)),  # none is no number of clusters
        ([4, 4, 4, 4], (0, 3)),
    ],
)
def test_plateaus_by_hand(counts, ends):
    assert longest_plateau(np.array(counts)) == ends


@given(st.lists(st.integers(0, 4), min_size=1, max_size=25))
def test_plateaus_by_brute_force(counts):
    length, first, last = oracle.longest_run(counts)
    found = longest_plateau(np.array(counts))
    gammas = np.arange(1.0, len(counts) + 1)
    plateau = Plateau(gammas, np.array(counts), *found)
    assert plateau.length == length
    if length:
        assert found == (first, last)
        assert plateau.gamma == gammas[(first + last) // 2]
        assert plateau.at_edge == (first == 0 or last == len(counts) - 1)
    else:
        assert max(counts) < 2
        assert not plateau.at_edge


@pytest.fixture
def graph(global_random_seed):
    X, _ = make_blobs(90, centers=[[0, 0], [9, 0], [0, 9]], random_state=global_random_seed)
    return DomainGraph(X)


def plateau_of(graph, smallest=3, assignment=None, **how):

    def clusters_at(gamma):
        solution = SMO().solve(OneClassProblem(graph.distances, gamma, nu=NU_OF_ONE_LEVEL))
        return (assignment or Graph()).clusters(graph, solution, (smallest,))

    return find_plateau(graph.gammas(PLATEAU_WIDTHS), clusters_at, **how)


def test_three_blobs_have_a_plateau_of_three(graph):
    seen = []
    with listening(seen.append):
        found = plateau_of(graph)
    assert found.n_clusters[found.first] == 3
    assert found.length >= 3
    assert set(found.n_clusters[found.first : found.last + 1]) == {3}
    assert found.gammas[found.first] <= found.gamma <= found.gammas[found.last]
    # from wide to narrow, evenly in the logarithm
    np.testing.assert_allclose(np.diff(np.log(found.gammas), 2), 0, atol=1e-9)
    assert (np.diff(found.gammas) > 0).all()
    assert len(found.gammas) == len(found.n_clusters) == 23
    assert [step.done for step in seen] == [*range(24)]
    assert found.n_clusters[0] == 1


@pytest.mark.filterwarnings("ignore:the .* plateau of")  # of little worth here
def test_small_pieces_do_not_count(graph):
    many, few = plateau_of(graph, 1), plateau_of(graph, 20)
    assert (many.n_clusters >= few.n_clusters).all()
    assert many.n_clusters[-1] > few.n_clusters[-1]
    none = plateau_of(graph, 1000)
    assert none.n_clusters.tolist() == [0] * 23
    assert none.length == 0


def test_basins_have_plateaus_too(graph):
    found = plateau_of(graph, 1, Equilibria())
    assert found.n_clusters[found.first] == 3
    assert found.length >= 3


def test_jobs_do_not_matter_to_a_plateau(graph):
    one, two = (plateau_of(graph, context=FitContext(n_jobs=n_jobs)) for n_jobs in (1, 2))
    np.testing.assert_array_equal(one.n_clusters, two.n_clusters)
    assert one.gamma == two.gamma
