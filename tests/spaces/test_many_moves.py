"""Many rows with a factor of R: moves in batches end, keep the limits, and find clear clusters."""

import numpy as np
import pytest
from sklearn.metrics import adjusted_rand_score

from maxmargin.sizes import read_sizes
from maxmargin.spaces import quadratic_form
from maxmargin.spaces.many_moves import BATCH
from maxmargin.spaces.quadratic_form import Labelling, QuadraticForm


@pytest.fixture
def labelling(rng, monkeypatch):
    """More rows than the limit, which is low here."""
    monkeypatch.setattr(quadratic_form, "MANY_TO_MOVE", 100)
    y = np.arange(320, dtype=np.int32) % 4
    X = rng.normal(size=(320, 2)) + np.array([[0, 0], [9, 0], [0, 9], [9, 9]])[y]
    features = np.exp(-0.05 * np.square(X[:, None] - X[::20]).sum(axis=2))
    form = QuadraticForm.from_features(features, 0.3)
    pins = np.full(320, -1, np.int32)
    pins[:4] = y[:4]
    sizes = read_sizes(320, 4, None, 40, 130, pins)
    labels = sizes.pinned(rng.integers(4, size=320))
    return Labelling(form, sizes, labels), y


def test_a_claim_takes_what_gains_most_batch_by_batch(labelling):
    found, _ = labelling
    before = found.labels.copy()
    gains = found.scores[2] - found.own
    found.claim(2, int(BATCH * 320))
    taken = np.flatnonzero(found.labels != before)
    others = (before != 2) & found.movable.astype(bool)
    assert len(taken) == 10
    assert set(found.labels[taken]) == {2}
    assert gains[taken].min() >= np.sort(gains[others])[-10]
    found.claim(2, 25)
    assert np.count_nonzero(found.labels == 2) == np.count_nonzero(before == 2) + 35
    assert found.value == pytest.approx(found.form.value(found.labels, 4))
    found.claim(0, 10**6)  # all there are
    assert np.count_nonzero(found.labels == 0) == 317


def test_what_is_settled_has_no_single_move_that_gains(labelling):
    found, y = labelling
    found.polish()
    assert found.sizes.hold(found.labels)
    np.testing.assert_array_equal(found.labels[:4], y[:4])
    assert adjusted_rand_score(y, found.labels) > 0.3
    assert found.value == pytest.approx(found.form.value(found.labels, 4))
    gains = found.scores - found.own
    gains[:, ~found.movable.astype(bool)] = -1
    gains[found.labels, np.arange(320)] = -1
    gains[:, (found.counts <= 40)[found.labels]] = -1
    gains[found.counts >= 130] = -1
    assert gains.max() <= found.form.tol
