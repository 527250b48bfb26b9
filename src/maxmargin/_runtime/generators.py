"""Random generators in states that are saved."""

from collections.abc import Mapping
from typing import Any

import numpy as np


def with_plain_generator(state: Mapping[str, Any]) -> dict[str, Any]:
    """A state whose ``rng`` is plain numbers: a file could seed a generator so it never ends."""
    return {**state, "rng": state["rng"].bit_generator.state}


def with_generator(state: Mapping[str, Any]) -> dict[str, Any]:
    """The state of ``with_plain_generator``, with its generator again."""
    bits = np.random.PCG64()
    bits.state = state["rng"]
    return {**state, "rng": np.random.Generator(bits)}
