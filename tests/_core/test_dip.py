"""The dip against its slow twin, and cases computed by hand."""

import numpy as np
import pytest
from oracles import dip as oracle

from maxmargin._core.dip import dip

SAMPLES = {
    "normal": lambda rng, n: rng.normal(size=n),
    "heavy tails": lambda rng, n: rng.standard_cauchy(size=n),
    "atoms": lambda rng, n: rng.integers(4, size=n).astype(float),
    "lattice": lambda rng, n: np.cumsum(rng.integers(3, size=n)).astype(float),
    "two groups": lambda rng, n: rng.normal(size=n) + 4 * rng.integers(2, size=n),
}


@pytest.mark.parametrize("kind", SAMPLES)
def test_it_is_the_distance_to_the_nearest_unimodal_distribution(kind, rng):
    for n in [*range(1, 8)] * 5 + [15, 25]:
        values = SAMPLES[kind](rng, n)
        assert dip(values) == pytest.approx(oracle.dip(values), abs=1e-9)


@pytest.mark.parametrize("n", [2, 3, 10, 101])
def test_even_samples_have_the_smallest_dip(n):
    assert dip(np.arange(n)) == pytest.approx(1 / (2 * n))


def test_cases_computed_by_hand():
    assert dip(np.array([3.0])) == 0  # one atom is unimodal
    assert dip(np.full(6, 3.0)) == 0
    assert dip(np.array([0, 1])) == pytest.approx(1 / 4)
    assert dip(np.array([0, 0, 1, 1])) == pytest.approx(1 / 4)
    # the mode is the larger atom; half of the smaller one is what remains
    assert dip(np.array([0, 0, 0, 1])) == pytest.approx(1 / 8)
    assert dip(np.repeat([0, 1], [3, 7])) == pytest.approx(0.3 / 2)
    # three atoms of 1/3 side by side: any of them is the mode, the others need 1/6
    assert dip(np.array([0, 1, 2])) == pytest.approx(1 / 6)


def test_bounds(rng):
    for kind in SAMPLES.values():
        for n in (2, 5, 40, 300):
            values = kind(rng, n)
            if np.ptp(values) > 0:
                assert 1 / (2 * n) - 1e-12 <= dip(values) <= 1 / 4 + 1e-12


@pytest.mark.parametrize("kind", SAMPLES)
def test_shift_scale_and_reflection_do_not_matter(kind, rng):
    values = SAMPLES[kind](rng, 80)
    expected = dip(values)
    for other in (values[::-1], -values, 3 * values + 5, 1e-200 * values, 1e200 * values):
        assert dip(other) == pytest.approx(expected, rel=1e-9)
    assert dip(np.repeat(values, 3)) == pytest.approx(expected) or kind != "atoms"


def test_two_groups_have_a_larger_dip_than_one(rng):
    one = rng.normal(size=200)
    assert dip(np.append(one, one + 6)) > 3 * dip(np.append(one, rng.normal(size=200)))
