"""The alternatives of a model as clusterings of all rows."""

from typing import Any

from sklearn.pipeline import Pipeline

from maxmargin.explain.clustering import Clustering, unwrap


def alternatives_of(clustering: Clustering) -> list[Clustering]:
    """The front door's ``alternatives_`` as clusterings of all rows; empty for other models.

    Examples
    --------
    >>> from sklearn.datasets import load_wine
    >>> from maxmargin import MaxMarginClustering
    >>> from maxmargin.explain.alternatives import alternatives_of
    >>> from maxmargin.explain.clustering import Clustering
    >>> X = load_wine().data
    >>> model = MaxMarginClustering(n_clusters=3, random_state=0).fit(X)
    >>> others = alternatives_of(Clustering.of(model, X))
    >>> len(others) == len(model.alternatives_)
    True
    """
    model = clustering.model
    known = getattr(model, "alternatives_", [])
    if known and len(clustering.labels) != len(model.labels_):
        # New rows: a partition of a subsample cannot be carried over to them.
        known = known if len(known[0].rows) == len(model.labels_) else []
    rows = unwrap(clustering.estimator, clustering.given)[1] if known else None
    return [
        Clustering.of(
            _with_model(clustering.estimator, model.use_alternative(i, rows)),
            clustering.given,
            columns=clustering.names,
        )
        for i in range(len(known))
    ]


def _with_model(estimator: Any, model: Any) -> Any:
    """The same pipeline, or what a search chose, with another clusterer inside."""
    if isinstance(estimator, Pipeline):
        name, last = estimator.steps[-1]
        return Pipeline([*estimator.steps[:-1], (name, _with_model(last, model))])
    if hasattr(estimator, "best_estimator_"):
        return _with_model(estimator.best_estimator_, model)
    return model
