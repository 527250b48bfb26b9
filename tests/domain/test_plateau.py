import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from oracles import domain as oracle
from sklearn.datasets import make_blobs

from maxmargin._runtime.context import FitContext
from maxmargin._runtime.progress import listening
from maxmargin.domain import Equilibria, Graph
from maxmargin.domain.domain_graph import DomainGraph
from maxmargin.domain.plateau import PLATEAU_WIDTHS, Plateau, find_plateau, longest_plateau
from maxmargin.domain.width import NU_OF_ONE_LEVEL
from maxmargin.solvers import SMO


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
        solution = SMO().solve(graph.distances, gamma, nu=NU_OF_ONE_LEVEL)
        return (assignment or Graph()).clusters(graph, gamma, solution, (smallest,))

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


def test_jobs_do_not_matter(graph):
    one, two = (plateau_of(graph, context=FitContext(n_jobs=n_jobs)) for n_jobs in (1, 2))
    np.testing.assert_array_equal(one.n_clusters, two.n_clusters)
    assert one.gamma == two.gamma
