"""Whether rows are those of fit: labels that a model keeps belong to its rows, in their order."""

import numpy as np
from sklearn.metrics import adjusted_rand_score

from maxmargin.explain.clustering import Clustering

#: Labels and predictions that agree less (adjusted Rand index) are hardly of the same rows.
DOUBTFUL = 0.5


def count_disagreements(clustering: Clustering) -> int:
    """For how many rows kept labels are not what the model predicts; 0 where most agree.

    Pins and sizes keep some rows away from where the model would put them. Other rows than
    those of fit, or the same in another order, are elsewhere as often as not.

    Examples
    --------
    >>> import numpy as np
    >>> from sklearn.cluster import KMeans
    >>> from maxmargin.explain.clustering import Clustering
    >>> from maxmargin.explain.disagreements import count_disagreements
    >>> X = np.repeat([[0.0], [1.0], [5.0], [6.0]], 5, axis=0)
    >>> model = KMeans(2, random_state=0).fit(X)
    >>> in_turns = X.reshape(4, 5).T.reshape(-1, 1)
    >>> [count_disagreements(Clustering.of(model, rows)) for rows in (X, in_turns)]
    [0, 8]
    """
    estimator, labels = clustering.estimator, clustering.labels
    kept = getattr(clustering.model, "labels_", ())
    if len(kept) != len(labels) or not hasattr(estimator, "predict"):
        return 0
    try:
        predicted = np.asarray(estimator.predict(clustering.given))
    except ValueError:  # models of pairs that predict rows only
        return 0
    if adjusted_rand_score(labels, predicted) >= DOUBTFUL:
        return 0
    return int(np.sum(labels != predicted))
