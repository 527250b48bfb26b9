"""A stream that is clustered online: what is kept of it."""

from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from maxmargin._runtime.units import Units
from maxmargin._runtime.warnings import warn_user
from maxmargin.estimators.arrival import Arrival
from maxmargin.estimators.streaming import Reservoir
from maxmargin.solvers.online import OnlineSGD, Streamed
from maxmargin.solvers.violations import Violations


@dataclass(frozen=True, eq=False)
class OnlineReservoir:
    """A fair sample of a stream, to find clusters among, and the violations that make the domain.

    Parameters
    ----------
    sample : Reservoir
    violations : Violations
        In safe units.
    average : bool
        As in :class:`~maxmargin.solvers.OnlineSGD`.
    units : Units
    arrival : Arrival
        Says whether the rows came in an order.
    """

    sample: Reservoir
    violations: Violations
    average: bool
    units: Units
    arrival: Arrival = field(default_factory=Arrival)

    @classmethod
    def empty(
        cls, sample: Reservoir, solver: OnlineSGD, gamma: float | str, nu: float, units: Units
    ) -> "OnlineReservoir":
        """Before the first row; the width must be known by then."""
        if isinstance(gamma, str):
            raise ValueError(
                f"gamma must be a number for partial_fit with {solver!r}, which looks at each row "
                f"once; got {gamma!r}. A fit to the first rows chooses one: see its gamma_."
            )
        rng = np.random.default_rng(sample.rng.integers(2**63))
        violations = Violations(units.of_gamma(float(gamma)), nu, solver.budget, rng)
        return cls(sample, violations, solver.average, units)

    def grown(self, X: NDArray[np.floating]) -> "OnlineReservoir":
        """What is kept after more rows; this one keeps its rows."""
        scaled = self.units.scaled(X)
        return replace(
            self,
            sample=self.sample.grown(X),
            violations=self.violations.grown(scaled),
            arrival=self.arrival.grown(scaled),
        )

    @property
    def rows(self) -> NDArray[np.floating]:
        """The sample, and then the violations."""
        sample = self.sample.rows
        return np.concatenate(
            [sample, (self.violations.rows / self.units.factor).astype(sample.dtype)]
        )

    @property
    def known(self) -> tuple[NDArray[np.float64], Streamed]:
        """What each row counts for, violations nothing: they are no fair sample; and the domain.

        A warning says so if the rows came in an order.
        """
        if self.arrival.in_order:
            warn_user(
                "the rows of partial_fit came in an order: those that came together are alike, and "
                "solver='online' takes them for the whole. Shuffle them, or use solver='exact', "
                "to which the order does not matter."
            )
        sizes = [len(self.sample.rows), len(self.violations.rows)]
        return np.repeat([1.0, 0.0], sizes), Streamed(self.violations, self.average)

    @property
    def n_seen(self) -> int:
        """The rows that came."""
        return self.sample.n_seen
