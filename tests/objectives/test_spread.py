"""What labels vary by, where one row outweighs all others."""

from fractions import Fraction

import numpy as np
import pytest

from maxmargin.objectives.leave_one_out import spread_of


@pytest.mark.parametrize("power", [20, 100, 300])
def test_the_spread_beside_one_that_outweighs_all_others(power):
    counts = [Fraction(2) ** power, Fraction(3), Fraction(1, 2)]
    n = sum(counts)
    expected = float(n - sum(c * c for c in counts) / n)
    assert spread_of(np.array(counts, float)) == pytest.approx(expected, rel=1e-9)
