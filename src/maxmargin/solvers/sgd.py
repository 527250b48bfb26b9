"""SGD-LMSVC: the one-class machine by stochastic gradient descent."""

import numpy as np

from maxmargin._core.violations import descend
from maxmargin.solvers.one_class import OneClass, describe_box, row_cache
from maxmargin.spaces.pairs import GaussianRows, Pairs


def solve_sgd(
    pairs: Pairs,
    gamma: float,
    C: float,
    *,
    theta: float,
    max_iter: int,
    min_epochs: float,
    average: bool,
    rng: np.random.Generator,
) -> OneClass:
    """Run Algorithm 1: w_{t+1} = (1 − 1/t) w_t + (C'/t) [w_t·φ(x) < 1] φ(x) for random rows x.

    The last w is α_i = C' · violations of i / t with C' = C × N. Its paper ends the rounds at
    ‖w_{t+1} − w_t‖ ≤ θ, which most often is a round without a violation, ‖w_t‖/t ≤ θ, long
    before each row was looked at once. ``min_epochs`` keeps it going; ``average`` returns the
    mean of all w_{t+1} with weights t (t + 1) (t + 2), in closed form as well (polynomial
    decay: Shamir and Zhang, 2013).

    Parameters
    ----------
    pairs : Pairs
    gamma : float
    C : float
        The bound on a weight, in the paper's convention C × N.
    theta : float
        The paper's θ.
    max_iter : int
        The most rounds.
    min_epochs : float
        Rounds before θ is looked at, in units of n.
    average : bool
    rng : Generator

    Examples
    --------
    >>> import numpy as np
    >>> from maxmargin.spaces.pairs import Pairs
    >>> from maxmargin.solvers.sgd import solve_sgd
    >>> pairs = Pairs(np.array([[0.0], [0.1], [5.0]]))
    >>> found = solve_sgd(
    ...     pairs, 1.0, 1.0, theta=0.001, max_iter=100_000, min_epochs=100, average=True,
    ...     rng=np.random.default_rng(0),
    ... )
    >>> found.heights.round(1).tolist()
    [1.0, 1.0, 1.0]
    """
    n = pairs.n
    # From 1 on every C is the same problem, and the larger it is the slower: to the letter it
    # is the paper's.
    bound = min(C, 1.0) if average else C
    kernel = GaussianRows(pairs, gamma)
    rows = row_cache(kernel)
    sums, counts, moments = np.zeros(n), np.zeros(n), np.zeros(n)
    t, squared_norm, ended = 1, 0.0, False
    first_end = int(min(np.ceil(min_epochs * n), max_iter))
    while not ended and t <= max_iter:
        draws = rng.integers(n, size=min(n, max_iter - t + 1)).astype(np.intp)
        t, squared_norm, ended = descend(
            *(rows, bound * n, draws, t, squared_norm, theta, first_end),
            *(sums, counts, moments),
        )
    rounds = t - 1
    if average:
        # A violation in round s weighs C'/t in every w_{t+1}, t ≥ s, and
        # Σ_{t=s}^T (t + 1)(t + 2) = ((T + 1)(T + 2)(T + 3) − s (s + 1)(s + 2)) / 3.
        all_rounds = float((rounds + 1) * (rounds + 2) * (rounds + 3))
        alpha = bound * n / rounds * (4 / 3) * (counts - moments / all_rounds)
    else:
        alpha = bound * n * counts / rounds
    # weights above C are no bound on the optimum
    feasible = np.minimum(alpha, C)
    dual = float(feasible.sum() - 0.5 * feasible @ kernel.sums(feasible))
    return describe_box(alpha, kernel.sums(alpha), C, rounds, ended, dual)
