import numpy as np
import pytest

from benchmarks.datasets import clouds, columns, curves
from benchmarks.datasets import unseen as draws
from benchmarks.datasets.unseen import Draw
from benchmarks.methods import peers
from benchmarks.studies.unseen.tables import better_columns, lines

SHAPES = curves.PLANE + curves.SPACE


@pytest.mark.parametrize("shape", SHAPES, ids=lambda shape: shape.__name__)
def test_shapes_have_empty_space_between_them(shape, global_random_seed):
    X, y = shape(np.random.default_rng(global_random_seed), 600)
    distances = np.linalg.norm(X[:, None] - X[None], axis=2)
    between = distances[y[:, None] != y[None]].min()
    spacing = np.median(np.sort(distances, axis=1)[:, 3])
    assert len(np.unique(y)) == y.max() + 1 >= 2
    assert between > spacing


@pytest.mark.parametrize("family", draws.GENERATED)
def test_a_family_is_drawn_anew_from_its_seed(family):
    one, again, other = (
        draws.GENERATED[family](np.random.default_rng([seed, 3]), 3) for seed in (0, 0, 1)
    )
    np.testing.assert_array_equal(one[0], again[0])
    assert one[0].shape != other[0].shape or not np.array_equal(one[0], other[0])
    assert len(one[0]) == len(one[1]) <= 3000
    assert set(np.unique(one[1])) - {-1} == set(range(one[1].max() + 1))


@pytest.mark.parametrize("ratio", [2, 50, 1000])
def test_imbalance_is_what_it_says(ratio):
    for seed in range(5):
        _, y = clouds.imbalance(np.random.default_rng(seed), ratio)
        sizes = np.bincount(y)
        assert 2 <= len(sizes) <= 10
        assert 1990 <= len(y) <= 10000
        assert sizes.max() / sizes.min() == pytest.approx(ratio, rel=0.2)


def test_columns_do_what_real_tables_do():
    rng = np.random.default_rng(0)
    pair = curves.letters(rng, 400)
    rounded = columns.rounded(pair, 1)[0]
    np.testing.assert_allclose(10 * rounded, np.round(10 * rounded), atol=1e-9)
    X, y = columns.repeated(rng, pair)
    assert len(np.unique(X, axis=0)) < len(X) == len(y)
    X, _ = columns.flags_beside(rng, pair)
    assert set(np.unique(X[:, 2:])) == {0, 1}
    X, y = columns.background(rng, pair)
    assert (y == -1).sum() == len(X) - len(pair[0]) > 0


def test_rows_that_belong_nowhere_do_not_count():
    draw = Draw("f", "d", np.zeros((4, 1)), np.array([0, 0, 1, -1]))
    assert draw.k == 2
    assert draw.ari(np.array([3, 3, 4, 3])) == 1


def test_a_peer_counts_with_its_better_columns():
    scores = {"a, raw": {"d": 0.2}, "a, standardised": {"d": 0.3}, "b, raw": {"d": 0.1}}
    assert better_columns(scores, ["d"]) == {"a": {"d": 0.3}, "b": {"d": 0.1}}


def test_versions_are_compared_on_common_draws():
    families = {"one": "counts", "two": "counts", "three": "digits"}
    before = {"one": 0.5, "two": 0.5, "three": 0.1}
    after = {"one": 0.7, "two": 0.4}
    peer = {"peer, raw": {"one": 0.6, "two": 0.2}, "peer, standardised": {"one": 0, "two": 0}}
    found = list(lines(before, after, families, peer))
    assert found[0][:4] == ["counts", "2", "0.500", "0.550"]
    assert found[0][4].startswith("+0.050")
    assert found[0][5:] == ["1 : 1", "0.400"]
    assert [line[0] for line in found] == ["counts", "**generated**"]


def test_an_optional_peer_that_is_not_there_is_named(monkeypatch, capsys):
    monkeypatch.setitem(peers.OPTIONAL, "Genie", "no_such_package")
    assert peers.optional("Genie") is None
    assert "pip install no_such_package" in capsys.readouterr().out
    assert "Genie" not in peers.peers()


def test_a_peer_that_fails_has_one_cluster(capsys):
    labels = peers.run("GMM (defaults)", peers.gmm, np.zeros((3, 2)), 5, 0, "raw")
    assert labels.tolist() == [0, 0, 0]
    assert "GMM (defaults), raw columns: ValueError" in capsys.readouterr().out
