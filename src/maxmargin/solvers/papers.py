"""The papers to the letter, to compare: CPM3C and MKC for any number of clusters, CPMMC for two."""

import numpy as np

from maxmargin._runtime.parameters import NONE, POSITIVE, Bool, Integer
from maxmargin.objectives.hinge import Hyperplanes
from maxmargin.solvers.cutting_plane import CuttingPlane, Limits
from maxmargin.solvers.optimizers import Optimizer, OptimizerResult, settle

MANY_STEPS = 50  # of CCCP between two cuts, at most


class CPM3C(Optimizer):
    """CPM3C to the letter (for several kernels MKC, whose steps are the same), to compare.

    A constraint is linearised with the rival that it was made with (eqs. 18–19), so that the
    objective may rise for three clusters and more; nothing but the balance of the biases
    keeps a cluster from disappearing, and the last hyperplanes are kept, not the best ones.

    Parameters
    ----------
    max_cuts : int or None, default=None
        Cuts at most; None leaves that to ``max_iter``. The paper keeps all of them, and may go
        round in circles: its small problems become large ones.
    centred : bool, default=True
        Whether rows are centred, and hyperplanes have biases. False is problem (17) as it is
        written: rows as they are, no biases, and (w_p − w_q)ᵀ Σ x ≤ l for the balance.
    constant_start : float or None, default=None
        The papers begin at some w⁰ that they do not tell; their authors took constants. A number c
        begins with all entries of w_p at c · (p/(k − 1) − ½), for rows in our unit of length, and
        not with labels of ``init``; all ``n_init`` runs are then one. None begins with labels.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from maxmargin import CuttingPlaneClustering
    >>> from maxmargin.solvers import CPM3C
    >>> model = CuttingPlaneClustering(2, optimizer=CPM3C(max_cuts=20), random_state=0)
    >>> model.fit(load_iris().data).n_cuts_ <= 20
    True
    """

    takes = ()
    to_the_letter = True
    swap = False
    drops_cuts = False
    _parameters = {
        "max_cuts": NONE | Integer(1),
        "centred": Bool(),
        "constant_start": NONE | POSITIVE,
    }

    def __init__(
        self, max_cuts: int | None = None, centred: bool = True, constant_start: float | None = None
    ) -> None:
        self.max_cuts = max_cuts
        self.centred = centred
        self.constant_start = constant_start

    def begin(self, problem: CuttingPlane, limits: Limits) -> None:
        """Make the first cut: from the means of the clusters, or from w⁰."""
        if self.constant_start is None:
            problem.begin()
            return
        k, d = problem.k, problem.rows.shape[1]
        steps = self.constant_start * np.linspace(-0.5, 0.5, k)
        problem.begin_with(Hyperplanes(np.repeat(steps[:, None], d, 1), np.zeros(k)), limits.pins)

    def run(self, problem: CuttingPlane, limits: Limits) -> OptimizerResult:
        """Algorithm 1."""
        most_cuts = min(limits.max_iter, self.max_cuts or limits.max_iter)
        path = [[problem.solve()]]
        n_cuts, n_steps = 1, 0
        while True:
            ranking, steps = settle(problem, limits.pins, path[-1], MANY_STEPS)
            n_steps += steps
            converged = ranking.loss - problem.solution.slack <= limits.tol
            if converged or n_cuts >= most_cuts:
                break
            problem.add(ranking)
            path.append([problem.solve()])
            n_cuts += 1
        return OptimizerResult(
            problem, problem.planes, ranking.labels, problem.objective(ranking),
            problem.solution.gap, path, n_cuts, n_steps, converged,
        )  # fmt: skip

    def polish(self) -> None:
        """Nothing, as in the paper."""


class CPMMC(CPM3C):
    """The two-class form to the letter: CPMMC, and for several kernels the two-class MKC.

    One hyperplane f = wᵀφ + b, the loss ``max(0, 1 − |f|)``, and ``|Σ f| ≤ l``, n · ``balance``.
    ½ ‖w‖² + C ξ of the papers has C = 2 / ``alpha``. Here it is f₁ − f₀ of two hyperplanes with
    w₁ = −w₀, for which ½ α (‖w₀‖² + ‖w₁‖²) is ¼ α ‖w‖². A constraint is linearised with the
    signs of f, so that no step raises the objective. Nothing else keeps a cluster from
    disappearing, and the last hyperplane is kept. That rows are centred changes nothing: with a
    bias, ‖w‖ and Σ f are the same for rows as they are.

    Parameters
    ----------
    max_cuts : int or None, default=None
        Cuts at most; None leaves that to ``max_iter``.
    constant_start : float or None, default=None
        As in :class:`CPM3C`: w⁰ has all entries at this number.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from maxmargin import CuttingPlaneClustering
    >>> from maxmargin.solvers import CPMMC
    >>> X = load_iris().data
    >>> model = CuttingPlaneClustering(2, optimizer=CPMMC(), balance=0.1, random_state=0).fit(X)
    >>> bool(abs(model.decision_function(X).mean()) <= 0.1 + 1e-9)
    True
    """

    swap = True
    n_clusters = 2
    _parameters = {"max_cuts": NONE | Integer(1), "constant_start": NONE | POSITIVE}

    def __init__(self, max_cuts: int | None = None, constant_start: float | None = None) -> None:
        super().__init__(max_cuts, constant_start=constant_start)
