"""Must-link and cannot-link pairs: contradictions are named, placements are exact."""

import numpy as np
import pytest

from maxmargin import MaxMarginWarning
from maxmargin.links import Links, place, read_links
from maxmargin.sizes import read_pins, read_sizes


def limits(n, k, y=None, min_size=None, max_size=None, proportions=None):
    return read_sizes(n, k, proportions, min_size, max_size, read_pins(y, n, k))


def labellings(n, k, must, cannot, sizes):
    """All labels of n rows that keep the pairs, the pins and the sizes, one in each row."""
    every = np.stack(np.unravel_index(np.arange(k**n), (k,) * n), axis=1).astype(np.int8)
    for pairs, together in ((must, True), (cannot, False)):
        for i, j in pairs:
            every = every[(every[:, i] == every[:, j]) == together]
    every = every[np.all((sizes.pins < 0) | (every == sizes.pins), axis=1)]
    counts = np.stack([(every == c).sum(axis=1) for c in range(k)], axis=1)
    return every[np.all((counts >= sizes.lower) & (counts <= sizes.upper), axis=1)]


@pytest.mark.parametrize("seed", range(60))
def test_placements_are_those_of_brute_force(seed):
    rng = np.random.default_rng(seed)
    k = int(rng.integers(2, 4))
    n = 12 if seed < 6 else int(rng.integers(4, 13 if k == 2 else 10))
    must = rng.integers(0, n, size=(int(rng.integers(0, 3)), 2)).tolist()
    cannot = rng.integers(0, n, size=(int(rng.integers(1, 7)), 2)).tolist()
    values = rng.normal(size=(n, k))
    y = np.where(rng.random(n) < 0.15, rng.integers(0, k, n), np.nan)
    bounds = [{}, {"min_size": 1}, {"max_size": int(np.ceil(n / k))}][seed % 3]
    sizes = limits(n, k, y, **bounds) if np.isnan(y).any() else limits(n, k, None, **bounds)
    linked = sorted({row for pair in (*must, *cannot) for row in pair})
    scores = [
        values[linked, labels[linked]].sum() for labels in labellings(n, k, must, cannot, sizes)
    ]
    constraints = {"must_link": must, "cannot_link": cannot}
    if not scores:
        with pytest.raises(ValueError, match=r"constraints (contradict|cannot be met)"):
            place(read_links(constraints, n), values, sizes)
        return
    pins = place(read_links(constraints, n), values, sizes)
    assert np.all(pins[linked] >= 0)
    assert values[linked, pins[linked]].sum() == pytest.approx(max(scores))


def test_contradictions_are_named():
    with pytest.raises(ValueError, match="rows 0 and 3 cannot be together, but must be: 0 with 1"):
        read_links({"must_link": [(0, 1), (2, 1), (3, 2)], "cannot_link": [(0, 3)]}, 4)
    with pytest.raises(ValueError, match="rows 2 and 2 cannot be together, but must be with"):
        read_links({"cannot_link": [(2, 2)]}, 4)
    values, y = np.zeros((4, 2)), [0, 1, np.nan, np.nan]
    with pytest.raises(ValueError, match="rows 0 and 1 must be together, and y pins them to"):
        place(read_links({"must_link": [(0, 1)]}, 4), values, limits(4, 2, y))
    y = [0, 0, np.nan, np.nan]
    with pytest.raises(ValueError, match=r"rows 0 and 1 .*y pins both to cluster 0"):
        place(read_links({"cannot_link": [(0, 1)]}, 4), values, limits(4, 2, y))


def test_too_few_clusters():
    triangle = {"cannot_link": [(0, 1), (1, 2), (2, 0)]}
    with pytest.raises(ValueError, match="cannot be met with 2 clusters"):
        place(read_links(triangle, 5), np.zeros((5, 2)), limits(5, 2))
    assert sorted(place(read_links(triangle, 5), np.zeros((5, 3)), limits(5, 3))[:3]) == [0, 1, 2]


def test_a_hard_question_is_not_decided(monkeypatch):
    monkeypatch.setattr("maxmargin.links.MOST_PLACEMENTS", 5)
    pairs = [(i, j) for i in range(8) for j in range(i)]
    with pytest.raises(ValueError, match="after 5 steps it is not decided"):
        place(read_links({"cannot_link": pairs}, 9), np.zeros((9, 7)), limits(9, 7))


def test_a_placement_that_is_not_known_to_be_best_says_so(rng, monkeypatch):
    monkeypatch.setattr("maxmargin.links.MOST_PLACEMENTS", 15)
    links = read_links({"cannot_link": [(i, i + 1) for i in range(11)]}, 12)
    with pytest.warns(MaxMarginWarning, match="best of 15 placements that were tried"):
        pins = place(links, rng.normal(size=(12, 3)), limits(12, 3))
    assert links.hold(pins)


@pytest.mark.parametrize(
    "wrong",
    [
        [(0, 1)],
        {"must": [(0, 1)]},
        {"must_link": [0, 1]},
        {"must_link": [(0, 1, 2)]},
        {"must_link": [(0, 9)]},
        {"cannot_link": [(-1, 2)]},
        {"cannot_link": [(0.5, 2)]},
        {"cannot_link": [(0, 1), (2,)]},
    ],
)
def test_what_are_no_pairs(wrong):
    with pytest.raises(ValueError, match=r"constraints.* must be"):
        read_links(wrong, 9)


def test_many_independent_pairs_are_quick(rng):
    n = 2000
    pairs = rng.permutation(n).reshape(-1, 2)
    links = read_links({"must_link": pairs[:500], "cannot_link": pairs[500:]}, n)
    values = rng.normal(size=(n, 3))
    pins = place(links, values, limits(n, 3))
    assert links.hold(pins)
    assert isinstance(links, Links)
    best = sum(values[list(pair)].sum(axis=0).max() for pair in pairs[:500])
    assert values[pairs[:500].ravel(), pins[pairs[:500].ravel()]].sum() == pytest.approx(best)
