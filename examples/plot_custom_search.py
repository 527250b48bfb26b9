"""
A search of your own
====================

How labels move is one class with one method. Here is simulated annealing in twenty lines: two rows
trade their clusters at random, and a trade that loses is made as well, less and less often.
"""

# %%
# One class
# ---------
# ``problem.labelling(labels)`` knows the objective (``value``), which rows are not pinned
# (``movable``), and how to bring sizes within their bounds (``repair``). Returned are a labelling,
# the objective on the way, and how many rounds it took.
import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import load_iris
from sklearn.metrics import adjusted_rand_score
from sklearn.preprocessing import StandardScaler

from maxmargin import RLSClustering
from maxmargin.search import Found, Search


class Annealing(Search):
    """Random trades; those that lose are made with a probability that falls."""

    random = True

    def __init__(self, rounds=120, temperature=0.5):
        self.rounds = rounds
        self.temperature = temperature

    def run(self, problem, start, rng):
        """Cool down from the start."""
        labelling = problem.labelling(start.labels)
        rows, path = np.flatnonzero(labelling.movable), []
        for step in range(self.rounds):
            heat = self.temperature * 0.96**step
            for _ in range(len(rows)):
                before, value = labelling.labels, labelling.value
                pair = rng.choice(rows, 2, replace=False)
                traded = before.copy()
                traded[pair] = traded[pair[::-1]]
                labelling.relabel(traded)
                if np.log(rng.random()) > (labelling.value - value) / heat:
                    labelling.relabel(before)
            path.append(labelling.value)
        labelling.repair()
        return Found(labelling, path, len(path))


# %%
# It is used like any other
# -------------------------
# Starts, the polish to a local optimum, restarts, sizes, pins and predictions come with it.
X, y = load_iris(return_X_y=True)
X = StandardScaler().fit_transform(X)
figure, panels = plt.subplots(1, 2, figsize=(11, 4), layout="constrained")
colors = {"annealing": "#D55E00", "shaking": "#0072B2", "steepest": "#009E73"}
for i, (name, search) in enumerate(
    {"annealing": Annealing(), "shaking": "shaking", "steepest": "steepest"}.items()
):
    runs = [
        RLSClustering(3, search=search, n_init=1, init="random", random_state=seed).fit(X)
        for seed in range(6)
    ]
    ends = [run.objective_ for run in runs]
    agreement = np.mean([adjusted_rand_score(y, run.labels_) for run in runs])
    print(f"{name}: objective {np.mean(ends):.2f} (best {max(ends):.2f}), mean ARI {agreement:.2f}")
    panels[1].scatter(ends, np.full(len(ends), i), color=colors[name], s=40)
    if name == "annealing":
        for run in runs:
            panels[0].plot(run.objective_path_, color=colors[name], alpha=0.6)
panels[0].set(xlabel="round", ylabel="objective", title="six runs of annealing")
panels[1].set(yticks=range(3), yticklabels=list(colors), xlabel="objective after the polish")
panels[1].set_title("where six runs of each search end")
plt.show()
