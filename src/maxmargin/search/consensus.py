"""Labels that several kernels agree on, and how much each of them knows of the labels."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from sklearn.metrics import adjusted_rand_score

from maxmargin.objectives.leave_one_out import LeaveOneOut
from maxmargin.search.engine import Engine, Start, best_run
from maxmargin.search.shaking import Shaking
from maxmargin.sizes import Sizes
from maxmargin.spaces.quadratic_form import QuadraticForm

#: Strengths of the regularisation per row: wide kernels need little of it, narrow ones much.
ALPHAS = (1e-5, 3e-4, 3e-3)
#: A kernel that predicts the labels perfectly still is one among others.
LARGEST_SHARE = 0.98
CONSENSUS_ROUNDS = 6
N_INIT = 4
#: The rounds end when two labellings agree so well (adjusted Rand index).
AGREED = 0.995


class Consensus:
    """Labels and kernel weights in turn, by least squares.

    What a kernel knows of labels is the R² of its leave-one-out predictions; its weight is
    R²/(1 − R²), signal over noise, which is 0 for a kernel that knows nothing. The labels
    are those for which the weighted sum of the kernels predicts best, by shaking.

    Parameters
    ----------
    grams : sequence of ndarray of shape (n, n)
        Kernel matrices, centred and with mean diagonal 1.
    sizes : Sizes
    rng : Generator

    Attributes
    ----------
    alpha : float
        The strength of the regularisation with which the plain sum of the kernels predicts
        its own labels best.
    of_equals : ndarray of shape (n,)
        These labels.
    """

    def __init__(
        self, grams: Sequence[NDArray[np.float64]], sizes: Sizes, rng: np.random.Generator
    ) -> None:
        self.grams, self.sizes, self.rng = grams, sizes, rng
        equal = np.full(len(grams), 1 / len(grams))
        found = [self._best(equal, alpha) for alpha in ALPHAS]
        best = int(np.argmax([score for score, _ in found]))
        self.alpha, self.of_equals = ALPHAS[best], found[best][1]
        self.criteria = [LeaveOneOut.of_form(self._form(K.copy(), self.alpha)) for K in grams]

    def weights(self, labels: NDArray[np.integer]) -> NDArray[np.float64]:
        """Signal over noise of each kernel, with sum 1; all alike where none knows anything.

        A kernel that predicts rows that it does not see worse than the sizes of the clusters
        do, R² < 0, knows nothing of the labels.
        """
        known = np.array([criterion.scores([labels])[0] for criterion in self.criteria])
        known = np.clip(known, 0, LARGEST_SHARE)
        ratios = known / (1 - known)
        if not ratios.any():
            return np.full(len(ratios), 1 / len(ratios))
        return ratios / ratios.sum()

    def known(self, labels: NDArray[np.integer]) -> float:
        """R² of what the kernels, weighed by what they know, predict together."""
        return float(
            LeaveOneOut.of_form(self._sum(self.weights(labels), self.alpha)).scores([labels])[0]
        )

    def labels(
        self, weights: NDArray[np.float64], known: Sequence[NDArray[np.int32]] = ()
    ) -> NDArray[np.int32]:
        """The labels that the weighted sum of the kernels predicts best.

        Runs start from nothing, and from labels that are known.
        """
        return self._best(weights, self.alpha, known)[1]

    def reached_from(self, labels: NDArray[np.int32]) -> NDArray[np.int32]:
        """Weigh the kernels by what they know of labels, label again, and so on."""
        for _ in range(CONSENSUS_ROUNDS):
            weights = self.weights(labels)
            if np.count_nonzero(weights) == 1:
                break  # one kernel agrees with itself
            before, labels = labels, self.labels(weights, [labels])
            if adjusted_rand_score(before, labels) >= AGREED:
                break
        return labels

    def _best(
        self, weights: NDArray[np.float64], alpha: float, known: Sequence[NDArray[np.int32]] = ()
    ) -> tuple[float, NDArray[np.int32]]:
        """The R² of the best run, and its labels."""
        engine = Engine(self._sum(weights, alpha).narrowed(), self.sizes)
        starts = [Start.at_random(self.sizes, self.rng, number) for number in range(N_INIT)]
        starts += [
            Start(labels, True, self.sizes.quota, N_INIT + number)
            for number, labels in enumerate(known)
        ]
        runs = [engine.run(Shaking(), start, self.rng) for start in starts]
        best = best_run(runs, by_loo=True)
        return best.loo_score, best.labels

    def _sum(self, weights: NDArray[np.float64], alpha: float) -> QuadraticForm:
        K = np.zeros_like(self.grams[0])
        for weight, gram in zip(weights, self.grams, strict=True):
            K += weight * gram
        return self._form(K, alpha)

    def _form(self, K: NDArray[np.float64], alpha: float) -> QuadraticForm:
        return QuadraticForm.from_gram(K, alpha * len(K))
