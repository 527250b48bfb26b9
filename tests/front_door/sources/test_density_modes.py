"""Hills of the density as clusters."""

import numpy as np
from sklearn.metrics import adjusted_rand_score

from maxmargin.front_door.sources.density_modes import DensityModes, hills
from maxmargin.front_door.sources.spanning_tree import SpanningTree


def test_hills_that_touch(rng):
    y = np.repeat(range(3), 150)
    X = rng.normal(size=(450, 2)) + np.array([[0, 0], [4.5, 0], [0, 4.5]])[y]
    found = list(DensityModes().propose(SpanningTree.of(X), 3))
    assert [p.setting for p in found] == ["7 neighbours", "12 neighbours", "25 neighbours"]
    assert adjusted_rand_score(y, found[1].labels) > 0.85
    assert found[0].why == found[2].why == ""
    assert found[1].why.startswith("the density has 3 peaks that stand out")


def test_noise_has_no_peaks_that_stand_out(rng):
    for X in (rng.random((400, 2)), rng.normal(size=(400, 3))):
        for k in (2, 4):
            assert not any(p.why for p in DensityModes().propose(SpanningTree.of(X), k))


def test_k_clusters_and_falling_prominences(rng):
    tree = SpanningTree.of(rng.normal(size=(300, 2)))
    for k in (2, 3, 6):
        labels, prominences = hills(tree, k, 7)
        assert len(np.unique(labels)) == k
        assert np.all(np.diff(prominences) <= 0)


def test_more_clusters_than_peaks():
    line = SpanningTree.of(np.arange(6.0)[:, None])
    assert not list(DensityModes().propose(line, 5))
