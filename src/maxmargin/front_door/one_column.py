"""A gap that is only a value is no gap: a partition that one discrete column tells alone.

Two values of a flag have empty space between them, and any partition by them is predicted without
an error. But a cluster shows in several columns at once; a flag shows only itself. So where one
discrete column (or two together) tells the partition, or where all columns are discrete, margins
are the wrong question, and models of the columns are asked instead (``table_models.py``). The first
are latent classes: a mixture in which each class has its own distribution of every column. They
take a flag for the cluster only where other columns go with it: a flag that knows nothing of them
is worth nothing to the likelihood, for what it saves in its own column it costs in naming the
class.

Two values of a flag are not far apart, and the search may pass by what a flag says though all other
columns say it too, but less clearly. So what the discrete columns say is one of the starts, and the
answer where latent classes stay near it and no gap in the numbers speaks for another.
"""

from collections.abc import Sequence
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.metrics import adjusted_rand_score

from maxmargin.blocks.indicators import indicator_blocks
from maxmargin.front_door.latent_classes import latent_classes
from maxmargin.front_door.sources.neighbors_graph import NeighborsGraph
from maxmargin.front_door.sources.spanning_tree import SpanningTree
from maxmargin.front_door.table_models import most_agreed, table_models, views_of
from maxmargin.sizes import Sizes
from maxmargin.spaces.metric import Matrix

#: Adjusted Goodman–Kruskal tau from which a discrete column tells a partition alone,
ALONE = 0.8
#: and from which two do.
BY_TWO = 0.95
#: Labels that tell so little of a column tell nothing of it.
HARDLY_TOLD = 0.1
#: Groups of equal size that a number is cut into to ask what it tells, and their rows at least.
MOST_BINS, ROWS_OF_A_BIN = 30, 10
#: The most discrete columns that are looked at in pairs.
MOST_IN_PAIRS = 15
#: The share of discrete variables from which latent classes are asked where margins are not wide.
MIXED = 0.4
#: A number with at most so many values is discrete; a coarse one (0 to 15) is still a number.
MOST_CODES = 6
#: A flag that fewer rows have is nearly constant: it does not make a table mixed.
RARE = 0.05
#: Tables have at most so many columns, unless most are categories; pixels and genes are more, and
#: no column of them is a flag.
MOST_VARIABLES = 50
#: Latent classes that agree with the answer so far (adjusted Rand index) are no other answer.
AS_GOOD = 0.9
#: Latent classes that agree so much with what discrete columns say mean the same.
AS_THEY_SAY = 0.6
#: The share of its nearness that a cluster has with others across a gap.
BORDER_OF_A_GAP = 0.005
#: Different rows for each cluster that there must be to speak of columns at all.
ROWS_FOR_EACH = 2
#: What is added to the variance of a number in a class.
SMALLEST_VARIANCE = 1e-2
#: Standard deviations at which numbers are cut.
FARTHEST_NUMBER = 4.0

FLAG_IS_CLUSTER = "it is what the columns of few values say, and the other columns go with it"


class Variables:
    """The variables of a table: its columns, those of one category together.

    Attributes
    ----------
    numbers : ndarray of shape (n, n_numbers)
        Those that are no categories, standardised.
    indicators : list of ndarray of shape (n, n_values)
        The categories and flags, as zeros and ones.
    discrete : list of ndarray of shape (n,)
        The codes of the values of each discrete variable: of these, and of numbers of few values.
    floor : ndarray of shape (n_numbers,)
        The variance of half a step between two values: no class is narrower than that, or each
        value of a number of few values would be one.
    n : int
        How many variables there are.
    """

    def __init__(self, X: NDArray[np.floating]) -> None:
        X = np.asarray(X[:, np.ptp(X, axis=0) > 0], np.float64)
        blocks = indicator_blocks(X) if X.shape[1] else []
        self.indicators: list[NDArray[Any]] = []
        self.discrete: list[NDArray[np.intp]] = []
        for block in blocks:
            values = X[:, block]
            values = (values - values.min(axis=0)) / np.ptp(values, axis=0)
            if len(block) == 1:
                values = np.hstack([1 - values, values])
            self.indicators.append(values)
            self.discrete.append(np.argmax(values, axis=1))
        inside = np.concatenate([*blocks, np.empty(0, np.intp)]).astype(np.intp)
        numbers = np.delete(X, inside, axis=1)
        codes = [np.unique(column, return_inverse=True)[1] for column in numbers.T]
        self.discrete += [code for code in codes if code.max() < MOST_CODES]
        self.n = len(blocks) + numbers.shape[1]
        # by a power of two, which costs no digits: squares of tiny and of huge numbers have none
        numbers = np.ldexp(numbers, -np.frexp(np.ptp(numbers, axis=0))[1])
        scaled = (numbers - numbers.mean(axis=0)) / numbers.std(axis=0)
        self.numbers = np.clip(scaled, -FARTHEST_NUMBER, FARTHEST_NUMBER)
        steps = [np.median(np.diff(np.unique(column))) for column in self.numbers.T]
        self.floor = np.maximum(np.square(np.array(steps)) / 4, SMALLEST_VARIANCE)

    @property
    def in_doubt(self) -> bool:
        """Whether there are values to be taken for gaps, and other columns to ask."""
        categories = sum(values.shape[1] > 2 for values in self.indicators)
        few = self.n <= MOST_VARIABLES or categories > self.n / 2
        return bool(self.discrete) and self.n > 1 and few

    def groupings(self, k: int) -> list[NDArray[np.intp]]:
        """What the discrete variables say, all together or one alone, where that is k groups."""
        if not self.in_doubt or len(self.discrete) == self.n:
            return []
        together = np.unique(np.column_stack(self.discrete), axis=0, return_inverse=True)[1].ravel()
        every = [together, *(self.discrete if len(self.discrete) > 1 else [])]
        return [codes for codes in every if len(np.unique(codes)) == codes.max() + 1 == k]

    def gap_between(self, labels: NDArray[np.integer]) -> bool:
        """Whether numbers alone have empty space between the clusters, of whatever shape.

        Latent classes know no shapes: two rings are nothing to them, and any flag is more. One
        column has no shapes.
        """
        if self.numbers.shape[1] < 2:
            return False
        border = NeighborsGraph.of(SpanningTree.of(self.numbers)).border(labels)
        return border <= BORDER_OF_A_GAP * (labels.max() + 1)

    def tell_alone(self, labels: NDArray[np.integer]) -> bool:
        """Whether one discrete variable tells the labels, or two of them together do."""
        if any(_tau(codes, labels) >= ALONE for codes in self.discrete):
            return True
        if len(self.discrete) > MOST_IN_PAIRS:
            return False
        pairs = combinations(self.discrete, 2)
        return any(_tau(a * (b.max() + 1) + b, labels) >= BY_TWO for a, b in pairs)

    def told_by(self, labels: NDArray[np.integer]) -> NDArray[np.float64]:
        """The share of each variable that the labels tell, adjusted for the number of clusters."""
        n, k = len(labels), len(np.unique(labels))
        members = np.eye(labels.max() + 1)[labels]
        means = members.T @ self.numbers / np.maximum(members.sum(axis=0), 1)[:, None]
        left = np.square(self.numbers - means[labels]).mean(axis=0) / self.numbers.var(axis=0)
        categories = [_tau(labels, codes) for codes in self.discrete[: len(self.indicators)]]
        return np.array([*(1 - left * (n - 1) / max(n - k, 1)), *categories])

    def told_alone(self, labels: NDArray[np.integer]) -> str:
        """What single columns tell of an answer that margins are sure of.

        All of it, while it tells next to nothing of the other columns (which a gap in one number
        does); or two of its clusters apart, while others are told by margins.
        """
        told = np.sort(self.told_by(labels))
        if len(told) > 1 and told[-2] < HARDLY_TOLD:
            bins = min(MOST_BINS, len(labels) // ROWS_OF_A_BIN)
            at = np.arange(1, bins) / max(bins, 1)
            for column in self.numbers.T:
                codes = np.searchsorted(np.quantile(column, at), column, side="right")
                if _tau(codes, labels) >= ALONE:
                    return "one number tells the margins' answer alone, and no other column knows"
        for two in combinations(np.unique(labels), 2):
            rows = np.isin(labels, two)
            which = (labels[rows] == two[0]).astype(np.intp)
            if any(_tau(codes[rows], which) >= ALONE for codes in self.discrete):
                return "one column of few values alone parts two clusters of the margins' answer"
        return ""

    def doubts(
        self, labels: NDArray[np.integer], clean: bool, gaussian: bool = False, poor: bool = False
    ) -> str:
        """Why margins are the wrong question, where they are: models of columns are asked then.

        ``clean`` says whether there are wide margins around the labels, ``poor`` whether these
        hardly predict themselves, ``gaussian`` whether they are those of a mixture of Gaussians.
        """
        if not self.in_doubt:
            return ""
        share = len(self.discrete) / self.n
        if share == 1:
            return "all columns have few values, and gaps between values are no gaps"
        if self.tell_alone(labels):
            return "one or two columns of few values tell the margins' answer alone"
        if gaussian and any(np.max(v.mean(axis=0)) <= 1 - RARE for v in self.indicators):
            return "Gaussians know no categories"
        if share >= MIXED and not clean:
            return "many columns have few values, and margins are not wide"
        if poor:
            return "some columns have few values, and the margins' answer hardly predicts itself"
        return ""


def judge_by_classes(
    X: NDArray[np.floating],
    labels: NDArray[np.integer],
    others: Sequence[NDArray[np.integer]],
    sizes: Sizes,
    seed: int,
    clean: bool = True,
    gaussian: bool = False,
    poor: bool = False,
    prepared: Matrix | None = None,
) -> tuple[NDArray[np.int32], str] | None:
    """What to answer instead of labels that a discrete column tells alone, and why.

    Parameters
    ----------
    X : ndarray of shape (n, d)
        Rows as they were given.
    labels : ndarray of shape (n,)
        The answer so far.
    others : sequence of label arrays
        Where the latent classes begin, besides the answer and random starts.
    sizes : Sizes
        What the answer must keep to.
    seed : int
    clean : bool, default=True
        Whether there are wide margins around the answer.
    gaussian : bool, default=False
        Whether the answer is that of a mixture of Gaussians.
    poor : bool, default=False
        Whether the answer hardly predicts itself.
    prepared : matrix or None, default=None
        The rows as they are compared.

    Returns
    -------
    tuple of labels and a reason, or None where the answer may stay

    Examples
    --------
    >>> import numpy as np
    >>> from maxmargin.front_door.one_column import judge_by_classes
    >>> from maxmargin.sizes import read_pins, read_sizes
    >>> rng = np.random.default_rng(0)
    >>> y, flag = np.repeat([0, 1], 100), rng.integers(0, 2, 200)
    >>> X = np.column_stack([rng.normal(3 * y), rng.normal(3 * y), flag])
    >>> sizes = read_sizes(200, 2, None, None, None, read_pins(None, 200, 2))
    >>> found, why = judge_by_classes(X, flag, [], sizes, seed=0)
    >>> bool(max(np.mean(found == y), np.mean(found != y)) > 0.95)
    True
    """
    variables = Variables(X)
    if len(np.unique(X, axis=0)) <= ROWS_FOR_EACH * sizes.n_clusters:  # copies of a few rows
        return None
    said = _said_by_values(variables, labels, others, sizes, seed)
    if said is not None:
        same = adjusted_rand_score(said, labels) == 1
        return None if same else (sizes.adopted(said), FLAG_IS_CLUSTER)
    why = variables.doubts(labels, clean, gaussian, poor)
    if not why and variables.in_doubt:
        why = variables.told_alone(labels)
    if not why:
        return None
    models = table_models(
        *(variables, views_of(X, prepared), sizes.n_clusters),
        *([labels, *others], seed, sizes.weights),
    )
    answers = [*(np.argmax(values, axis=1) for values in models), labels]
    best = most_agreed(answers)
    found = answers[best]
    if adjusted_rand_score(found, labels) >= AS_GOOD:
        return None
    values = models[best]
    named = sizes.matched_by_size(found)
    named = sizes.named(named) if sizes.n_pinned else named
    place = np.full(sizes.n_clusters, -1)
    place[named] = found
    place[place < 0] = np.setdiff1d(np.arange(sizes.n_clusters), found)
    return sizes.assign(values[:, place]), f"several models of the columns agree on it; {why}"


def _said_by_values(
    variables: Variables,
    labels: NDArray[np.integer],
    others: Sequence[NDArray[np.integer]],
    sizes: Sizes,
    seed: int,
) -> NDArray[np.intp] | None:
    """What discrete variables say, where latent classes that begin there stay near it.

    Nearer than to the answer so far; and that has no gap in the numbers for it.
    """
    said = [g for g in variables.groupings(sizes.n_clusters) if _allowed(g, sizes)]
    if not said or variables.gap_between(labels):
        return None
    starts = [*said, labels, *others]
    values = latent_classes(variables, sizes.n_clusters, starts, seed, weights=sizes.weights)
    found = np.argmax(values, axis=1)
    agreement = [adjusted_rand_score(found, grouping) for grouping in said]
    best = int(np.argmax(agreement))
    own = adjusted_rand_score(found, labels)
    return said[best] if agreement[best] >= max(own, AS_THEY_SAY) else None


def _allowed(grouping: NDArray[np.intp], sizes: Sizes) -> bool:
    """Whether it keeps the bounds, and no pin contradicts it."""
    adopted = sizes.adopted(grouping)
    return sizes.hold(adopted) and adjusted_rand_score(adopted, grouping) == 1


def crossing(X: NDArray[np.floating], labels: NDArray[np.integer] | None) -> NDArray[np.bool_]:
    """Which columns of few values the labels tell: a flag beside k clusters makes 2k of them.

    Examples
    --------
    >>> import numpy as np
    >>> from maxmargin.front_door.one_column import crossing
    >>> flag, height = np.array([0, 0, 1, 1] * 10), np.arange(40.0)
    >>> crossing(np.column_stack([flag, height]), flag + 2 * (height > 20)).tolist()
    [True, False]
    """
    told = np.zeros(X.shape[1], bool)
    if labels is not None and 2 <= X.shape[1] <= MOST_VARIABLES:
        for c, column in enumerate(X.T):
            codes = np.unique(column, return_inverse=True)[1]
            told[c] = 0 < codes.max() < MOST_CODES and _tau(labels, codes) >= ALONE
    return told


def _tau(codes: NDArray[np.integer], labels: NDArray[np.integer]) -> float:
    """Goodman and Kruskal's tau: the share of the errors in guessing labels that codes avoid.

    Adjusted for the number of codes, as R² is for the number of predictors.
    """
    n = len(labels)
    levels, codes = np.unique(codes, return_inverse=True)
    table = np.zeros((len(levels), int(labels.max()) + 1))
    np.add.at(table, (codes, labels), 1)
    blind = 1 - np.sum(np.square(table.sum(axis=0) / n))
    told = 1 - np.sum(np.square(table).sum(axis=1) / table.sum(axis=1)) / n
    if blind <= 0 or n <= len(levels):
        return 0.0
    return float(1 - told / blind * (n - 1) / (n - len(levels)))
