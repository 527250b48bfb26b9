"""Genie, against the paper's algorithm written out."""

import numpy as np
import pytest
from sklearn.metrics import adjusted_rand_score

from maxmargin.front_door.sources.genie import Genie, genie
from maxmargin.front_door.sources.spanning_tree import SpanningTree


def gini(sizes):
    sizes = np.asarray(sizes, float)
    if len(sizes) == 1:
        return 0.0
    return np.abs(sizes[:, None] - sizes).sum() / 2 / ((len(sizes) - 1) * sizes.sum())


def plain(start, stop, lengths, k, threshold):
    """Every index computed anew, every edge looked at."""
    label = np.arange(len(start) + 1)
    left = np.argsort(lengths, kind="stable").tolist()
    while len(np.unique(label)) > k:
        names, sizes = np.unique(label, return_counts=True)
        size = dict(zip(names.tolist(), sizes.tolist(), strict=True))
        allowed = left
        if gini(sizes) > threshold:
            allowed = [
                e for e in left if min(size[label[start[e]]], size[label[stop[e]]]) == sizes.min()
            ]
        e = allowed[0]
        left.remove(e)
        label[label == label[stop[e]]] = label[start[e]]
    return label


@pytest.mark.parametrize("threshold", [0.0, 0.1, 0.3, 0.7, 1.0])
@pytest.mark.parametrize("k", [1, 2, 5])
def test_the_paper_written_out(threshold, k, rng):
    tree = SpanningTree.of(rng.standard_t(2, size=(70, 2)))
    labels = genie(*tree.edges, k, threshold)
    expected = plain(*tree.edges, k, threshold)
    assert adjusted_rand_score(labels, expected) == 1
    assert len(np.unique(labels)) == k


def test_without_a_threshold_it_is_single_linkage(rng):
    tree = SpanningTree.of(rng.normal(size=(50, 2)))
    labels = genie(*tree.edges, 3, 1.0)
    longest = np.sort(tree.edges[2])[-2:]
    cut = tree.edges[2] >= longest.min()
    apart = labels[tree.edges[0]] != labels[tree.edges[1]]
    np.testing.assert_array_equal(cut, apart)


def test_three_thresholds(rng):
    X = rng.normal(size=(90, 2)) + np.repeat([[0], [9], [18]], 30, axis=0)
    found = list(Genie().propose(SpanningTree.of(X), 3))
    assert [p.setting for p in found] == [f"Gini index {g}" for g in (0.1, 0.3, 0.5)]
    for p in found:
        assert adjusted_rand_score(np.repeat(range(3), 30), p.labels) == 1
    assert list(Genie().propose(SpanningTree.of(X[:2]), 3)) == []
