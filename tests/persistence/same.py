"""Whether two models are the same to the last bit."""

import math

import numpy as np
from scipy.sparse import issparse


def assert_same(one, other, where="model"):
    """The same types and the same bits, all the way down."""
    assert type(one) is type(other), where
    if isinstance(one, np.ma.MaskedArray):
        assert_same(one.mask, other.mask, where)
        assert_same(one.tolist(), other.tolist(), where)
    elif isinstance(one, np.ndarray) and one.dtype == object:
        assert_same(one.tolist(), other.tolist(), where)
    elif isinstance(one, (np.ndarray, np.generic)):
        assert (one.dtype, one.shape) == (other.dtype, other.shape), where
        assert one.tobytes() == other.tobytes(), where
    elif issparse(one):
        for name in ("data", "indices", "indptr"):
            assert_same(getattr(one, name), getattr(other, name), f"{where}.{name}")
        assert one.shape == other.shape
    elif isinstance(one, np.random.RandomState):
        assert_same(one.get_state(), other.get_state(), where)
    elif isinstance(one, np.random.Generator):
        assert one.bit_generator.state == other.bit_generator.state, where
    elif isinstance(one, dict):
        assert list(one) == list(other), where
        for key in one:
            assert_same(one[key], other[key], f"{where}[{key!r}]")
    elif isinstance(one, (list, tuple)):
        assert len(one) == len(other), where
        for i, (a, b) in enumerate(zip(one, other, strict=True)):
            assert_same(a, b, f"{where}[{i}]")
    elif isinstance(one, float):
        assert one == other or (math.isnan(one) and math.isnan(other)), where
    elif hasattr(one, "__dict__") and not isinstance(one, type):
        assert set(vars(one)) == set(vars(other)), where
        for name in set(vars(one)) - {"_finder"}:  # a search tree, grown again
            assert_same(vars(one)[name], vars(other)[name], f"{where}.{name}")
    else:
        assert one == other, where
