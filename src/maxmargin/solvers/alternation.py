"""Labels outside, cuts inside."""
import numpy as np

from maxmargin.solvers.cccp import Outcome
from maxmargin.solvers.labels import cheapest_labels

def run_alternation(problem, sizes, tol, max_rounds, max_cuts, stop):
    path=[]
    n_cuts=n_steps=0
    best=None
    for round_ in range(max_rounds):
        for _ in range(max_cuts):
            ranking = problem.rank(problem.labels); n_steps+=1
            if ranking.loss - problem.solution.slack <= tol: break
            problem.add(ranking); n_cuts+=1
            problem.solve()
        objective = problem.objective(ranking)
        path.append(objective)
        if best is None or objective < best.objective:
            best = Outcome(problem.planes, ranking.labels.copy(), objective, problem.solution.gap,0,0,False)
        labels = cheapest_labels(problem.hinge.losses(problem.planes), sizes, stop)
        if np.count_nonzero(labels != problem.labels) <= .0005*len(labels):
            break
        problem.relabel(labels)
        problem.solve()
    best.n_cuts, best.n_steps, best.path = n_cuts, n_steps, [path]
    return best
