"""The choice of a width and of levels without labels."""

import numpy as np
import pytest
from sklearn.datasets import make_blobs, make_circles, make_moons
from sklearn.metrics import adjusted_rand_score

from maxmargin._runtime.context import FitContext
from maxmargin._runtime.progress import listening
from maxmargin.selection.domains import NARROW, NU_OF_NARROW, choose_domain, smallest_sizes
from maxmargin.selection.reading import (
    STEPS,
    WEAK,
    AllLevels,
    Basins,
    LevelZero,
    Reading,
    merge_weak,
)
from maxmargin.selection.scene import GRAPHS, VALLEY, Scene
from maxmargin.selection.split_gap import SplitGap
from maxmargin.solvers.one_class import solve_nu
from maxmargin.spaces.neighbors import Neighbors


def data(name, seed):
    if name == "moons":
        return make_moons(300, noise=0.05, random_state=seed)
    if name == "circles":
        return make_circles(400, noise=0.04, factor=0.4, random_state=seed)
    return make_blobs([120, 90, 60], centers=[[0, 0], [9, 0], [0, 9]], random_state=seed)


def solver(scene, nu=NU_OF_NARROW):
    return lambda gamma: solve_nu(scene.pairs, gamma, nu, tol=1e-4, max_iter=10**6)


def choose(X, smallest=None, widths=NARROW, **how):
    scene = Scene.of_rows(X)
    sizes = smallest_sizes(len(X)) if smallest is None else smallest
    read = AllLevels(scene, sizes)
    return scene, *choose_domain(scene, scene.gammas(widths), solver(scene), read, **how)


@pytest.mark.parametrize("name", ["moons", "circles", "blobs"])
def test_shapes_are_found(name, global_random_seed):
    X, y = data(name, global_random_seed)
    scene, best, _ = choose(X)
    inside = best.labels >= 0
    assert adjusted_rand_score(y[inside], best.labels[inside]) == 1
    assert adjusted_rand_score(y, scene.complete(best.labels)) == 1
    assert best.n_clusters == len(best.levels) == len(np.unique(y))
    assert best.solution.converged


def test_the_table_says_what_was_compared(global_random_seed):
    X, _ = data("moons", global_random_seed)
    scene, best, table = choose(X)
    assert list(table) == ["gamma", "min_cluster_size", "n_clusters", "split_gap", "chosen"]
    sizes = smallest_sizes(300)
    assert sizes == (5, 15)
    assert all(len(column) == len(NARROW) * len(sizes) for column in table.values())
    np.testing.assert_allclose(table["gamma"], np.repeat(scene.gammas(NARROW), len(sizes)))
    assert table["min_cluster_size"].tolist() == [*sizes] * len(NARROW)
    assert table["chosen"].sum() == 1
    at = int(np.argmax(table["chosen"]))
    assert table["split_gap"][at] == table["split_gap"].max()
    assert table["gamma"][at] == best.gamma
    assert table["min_cluster_size"][at] == best.smallest
    assert table["n_clusters"][at] == best.n_clusters
    # the gap of the choice, by itself
    gaps = [SplitGap(scene.neighbors, VALLEY, j).score(scene.complete(best.labels)) for j in GRAPHS]
    assert np.mean(gaps) == pytest.approx(table["split_gap"][at])


def test_no_candidate_was_better(global_random_seed):
    """All of them again, with nothing given up early."""
    X, _ = data("blobs", global_random_seed)
    X = X + np.random.default_rng(global_random_seed).normal(size=X.shape)
    scene, _, table = choose(X)
    read, gaps = AllLevels(scene, smallest_sizes(len(X))), []
    for gamma in scene.gammas(NARROW):
        for reading in read(gamma, solver(scene)(gamma)):
            labels = scene.complete(reading.labels)
            each = [SplitGap(scene.neighbors, VALLEY, j).score(labels) for j in GRAPHS]
            gaps.append(np.mean(each) if reading.n_clusters > 1 else -np.inf)
    assert int(np.argmax(gaps)) == int(np.argmax(table["chosen"]))
    assert max(gaps) == pytest.approx(table["split_gap"].max())
    assert (table["split_gap"] >= np.array(gaps) - 1e-12).all()  # given up early: no more


def test_levels_are_where_clusters_come_off(global_random_seed):
    """No edge between two clusters is above the level of either."""
    X, _ = data("moons", global_random_seed)
    scene, best, _ = choose(X)
    levels = scene.edge_levels(best.solution, best.gamma, STEPS)
    a, b = (best.labels[end] for end in scene.edges)
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
    assert [step.done for step in seen] == [*range(len(NARROW) + 1)]
    assert {(step.task, step.total) for step in seen} == {("width", len(NARROW))}


def test_units_do_not_matter(global_random_seed):
    X, _ = data("moons", global_random_seed)
    _, near, _ = choose(X)
    _, far, _ = choose(1024 * X + 4096)
    np.testing.assert_allclose(far.gamma * 1024**2, near.gamma, rtol=1e-9)
    assert adjusted_rand_score(near.labels, far.labels) == 1


def test_widths_are_in_units_of_the_7th_neighbour(rng):
    X = rng.normal(size=(60, 2))
    reach = np.sort(np.linalg.norm(X[:, np.newaxis] - X, axis=-1), axis=1)[:, 7]
    expected = [1 / (2 * (w * np.median(reach)) ** 2) for w in (0.5, 2.0)]
    np.testing.assert_allclose(Scene.of_rows(X).gammas((0.5, 2.0)), expected)
    # with fewer rows, the last neighbour there is; copies of a row tell nothing
    assert Scene.of_rows(np.array([[0.0], [2.0]])).gammas([1.0]) == pytest.approx([1 / 8])
    assert Scene.of_rows(np.zeros((20, 2))).gammas([1.0]) == [0.5]
    some_equal = np.append(np.zeros((9, 1)), [[3.0], [6.0]], axis=0)
    assert np.isfinite(Scene.of_rows(some_equal).gammas([1.0])).all()


@pytest.mark.parametrize(
    ("n", "sizes"),
    [(2, (1,)), (4, (2,)), (10, (5,)), (99, (5,)), (100, (5,)), (120, (5, 6)), (1000, (10, 50))],
)
def test_sizes_of_the_smallest_cluster(n, sizes):
    assert smallest_sizes(n) == sizes


# -- weak pairs --------------------------------------------------------------------------


def three_blobs(rng):
    return rng.normal(size=(150, 2)) + np.repeat([[0, 0], [9, 0], [0, 9]], 50, axis=0)


def test_halves_of_a_blob_are_one_again(rng):
    X = three_blobs(rng)
    side = X[:, 1] > np.repeat([0, 0, 9], 50)
    halves = 2 * np.repeat([0, 1, 2], 50) + side
    numbers = merge_weak(SplitGap(Neighbors.of_rows(X, 10), VALLEY), halves, WEAK)
    assert adjusted_rand_score(numbers[halves], np.repeat([0, 1, 2], 50)) == 1
    assert sorted(set(numbers)) == [0, 1, 2]


def test_what_is_left_is_strong_enough(rng):
    X = rng.normal(size=(200, 2))
    gap = SplitGap(Neighbors.of_rows(X, 10), VALLEY)
    labels = rng.integers(5, size=200)
    for weakest in (-1.0, 0.0, 0.12, 0.5, 2.0):
        numbers = merge_weak(gap, labels, weakest)
        assert len(numbers) == 5
        assert set(numbers) == set(range(numbers.max() + 1))
        assert numbers.max() >= 1  # two stay, however weak
        assert numbers.max() == 1 or gap.weakness(numbers[labels]).max() <= weakest
    assert merge_weak(gap, labels, 2.0).tolist() == [0, 1, 2, 3, 4]  # no weakness is above 1.05


def test_the_weakest_pair_goes_first(rng):
    X = three_blobs(rng)
    gap = SplitGap(Neighbors.of_rows(X, 10), VALLEY)
    labels = np.repeat([0, 1, 2, 3], [30, 20, 50, 50])
    weakness = gap.weakness(labels)
    a, b = np.unravel_index(np.argmax(weakness), weakness.shape)
    once = merge_weak(gap, labels, np.sort(weakness[np.isfinite(weakness)])[-1] - 1e-9)
    assert once[a] == once[b]


def test_one_cluster_has_no_pair(rng):
    gap = SplitGap(Neighbors.of_rows(rng.normal(size=(30, 2)), 10))
    assert merge_weak(gap, np.zeros(30, dtype=np.intp), WEAK).tolist() == [0]


def test_joined_clusters_have_the_lower_level(rng):
    X = three_blobs(rng)
    scene = Scene.of_rows(X)
    halves = 2 * np.repeat([0, 1, 2], 50) + np.tile([0, 1], 75)  # as weakly apart as can be

    class Tree:
        def clusters(self, smallest):
            return halves, np.array([0.6, 0.5, 0.4, 0.3, 0.2, 0.1])

    labels, levels = AllLevels(scene, (5,))._clusters(Tree(), 5)
    assert adjusted_rand_score(labels, np.repeat([0, 1, 2], 50)) == 1
    expected = [min((0.6 - 0.1 * h) for h in set(halves[labels == c])) for c in range(3)]
    np.testing.assert_allclose(levels, expected)


# -- readings ------------------------------------------------------------------------------


def test_a_domain_is_read_in_three_ways(rng):
    """Far apart they agree; only basins have peaks, only all levels have levels below 1."""
    X = three_blobs(rng) + 500
    scene = Scene.of_rows(X)
    truth, gamma = np.repeat([0, 1, 2], 50), 0.2
    solution = solver(scene, 0.5)(gamma)
    for read in (AllLevels(scene, (5,)), LevelZero(scene, 5), Basins(scene)):
        (found,) = read(gamma, solution)
        assert found.gamma == gamma
        assert found.solution is solution
        assert found.n_clusters == 3
        assert adjusted_rand_score(truth, scene.complete(found.labels)) == 1
        assert found.notes == ()
        if isinstance(read, Basins):  # in the units of the rows
            assert np.linalg.norm(found.equilibria - 503, axis=1).max() < 12
            followed = np.abs(solution.heights - 1) <= 0.01
            np.testing.assert_array_equal(found.labels >= 0, followed)
        else:
            assert found.equilibria is None
        if isinstance(read, AllLevels):
            assert (found.levels < 1).all()
        else:
            np.testing.assert_array_equal(found.levels, 1)


def test_pieces_that_are_lost_are_noted(rng):
    X = three_blobs(rng)
    scene = Scene.of_rows(X)
    solution = solver(scene, 0.5)(1e4)
    (found,) = LevelZero(scene, 5)(1e4, solution)
    assert found.n_clusters == 0
    assert "min_cluster_size" in found.notes[0]
    assert "gamma=1e+04 is too large" in found.notes[0]


def test_rows_of_none_go_to_the_nearest():
    scene = Scene.of_rows(np.array([[0.0], [1.0], [5.0], [4.0]]))
    assert scene.n == 4
    assert scene.complete(np.array([0, -1, 1, -1])).tolist() == [0, 0, 1, 1]
    assert scene.complete(np.array([1, 1, 0, 0])).tolist() == [1, 1, 0, 0]


# -- the split gap, given up early ---------------------------------------------------------


@pytest.mark.parametrize("k", [2, 3, 5])
def test_a_gap_that_does_not_beat_is_no_more_than_that(k, rng):
    """And where it does, it is the gap."""
    X = three_blobs(rng)
    scene = Scene.of_rows(X)
    for _ in range(10):
        labels = rng.integers(k, size=150)
        labels[:50] = 0
        each = [[d.gap for d in gap.falling(labels)] for gap in scene.gaps]
        assert all((np.diff(gaps) <= 0).all() for gaps in each)
        assert [gaps[-1] for gaps in each] == [gap.score(labels) for gap in scene.gaps]
        truth = scene.split_gap(labels)
        assert truth == pytest.approx(np.mean([gaps[-1] for gaps in each]))
        for beat in (truth - 0.1, truth - 1e-9, truth, truth + 1e-9, truth + 0.3, np.inf, -np.inf):
            found = Scene.of_rows(X).split_gap(labels, beat=beat)
            if truth > beat:
                assert found == truth
            else:
                assert truth <= found <= beat


def test_nothing_stands_out(rng):
    """No reading has two clusters: the first one, no levels, and every gap is −inf."""
    _, best, table = choose(rng.normal(size=(30, 2)), smallest=(16,), widths=(0.5,))
    assert isinstance(best, Reading)
    assert best.n_clusters == 0
    assert (best.labels == -1).all()
    assert table["split_gap"].tolist() == [-np.inf]
    assert table["chosen"].tolist() == [True]
