"""The papers to the letter, to compare: CPM3C and MKC for any number of clusters, CPMMC for two."""

from maxmargin._runtime.parameters import NONE, Bool, Integer
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
    _parameters = {"max_cuts": NONE | Integer(1), "centred": Bool()}

    def __init__(self, max_cuts: int | None = None, centred: bool = True) -> None:
        self.max_cuts = max_cuts
        self.centred = centred

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
    _parameters = {"max_cuts": NONE | Integer(1)}

    def __init__(self, max_cuts: int | None = None) -> None:
        super().__init__(max_cuts)
