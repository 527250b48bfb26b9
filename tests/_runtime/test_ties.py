"""Ties are broken in one way, and labels are counted where values leave no doubt."""

import numpy as np
import pytest

from maxmargin._runtime.ties import count_other_labels, first_of_largest


@pytest.mark.parametrize("k", [1, 2, 5])
@pytest.mark.parametrize("doubt", [0.01, 2.0])
def test_other_labels_are_those_that_all_predictions_would_tell(k, doubt, global_random_seed):
    rng = np.random.default_rng(global_random_seed)
    values = rng.normal(size=(400, k))
    values[::3] = values[::3, :1] + 1e-3 * rng.normal(size=(len(values[::3]), k))
    known = values + 1e-3 * np.abs(values).max(axis=1, keepdims=True) * rng.uniform(-1, 1, (400, k))
    labels = rng.integers(k, size=400)
    asked = []

    def predict(rows):
        asked.append(len(rows))
        return first_of_largest(rows)

    expected = np.count_nonzero(first_of_largest(values) != labels)
    assert count_other_labels(known, labels, values, predict, doubt) == expected
    assert sum(asked) == (0 if k == 1 else 400 if doubt == 2 else sum(asked))
    assert doubt == 2 or sum(asked) < 200


def test_values_that_tie_take_the_first_label_in_either_precision():
    values = np.array([[1.0, 1 + 1e-12, 0.0], [1.0, 1.1, 0.0]])
    assert first_of_largest(values).tolist() == [0, 1]
    single = np.array([[1.0, 1 + 1e-7, 0.0], [1.0, 1.1, 0.0]], np.float32)
    assert first_of_largest(single, single).tolist() == [0, 1]
