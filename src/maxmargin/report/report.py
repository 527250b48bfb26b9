"""The report: one page, or one JSON file, about a fitted clustering."""

import html
import json
import os
from collections.abc import Iterable, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any

from sklearn.utils._missing import is_pandas_na, is_scalar_nan

from maxmargin._runtime.files import replacing
from maxmargin._runtime.parameters import Bool, Integer
from maxmargin.explain.clustering import Clustering
from maxmargin.explain.sample import sample_of
from maxmargin.report.page import render
from maxmargin.report.partition_view import PartitionView, partition_views
from maxmargin.report.summary import summarize


class Report:
    """What a fitted clusterer found, as a page that works offline or as plain numbers.

    Parameters
    ----------
    estimator : clusterer
        Fitted: any estimator of this package or of scikit-learn, also as the last step of a
        pipeline or in an :class:`~maxmargin.UnsupervisedSearch`.
    X : array-like, CSR matrix or data frame of shape (n_samples, n_features)
        The rows of ``fit``; others too, if the estimator can predict.
    columns : sequence of str, default=None
        The names of the columns. None takes those that the estimator or X knows.
    ids : array-like of shape (n_samples,), default=None
        Names of the rows. None numbers them from 0.
    truth : array-like of shape (n_samples,), default=None
        Known labels, None or NaN where unknown. They score the answer and do nothing else.
    title : str, default=None
        The title of the page. None names the method.
    warnings : iterable of str or Warning, default=None
        What was warned of during the fit. None asks the model what it remembers of it.
    alternatives : bool, default=True
        Whether the front door's ``alternatives_`` are shown. Each is fitted to all rows, which
        takes its time where they are many.
    max_points : int, default=2000
        The most rows that are drawn. Numbers are always those of all rows.
    random_state : int or None, default=0
        Fixes which rows are drawn.

    Attributes
    ----------
    clustering : Clustering
        The answer, row by row.
    summary : dict
        Numbers, strings, lists and dicts only:

        - ``"version"`` of these keys, ``"maxmargin"`` (the package's version), ``"title"``;
        - ``"headline"``: a ``"sentence"``, the strongest ``"differences"``, ``"facts"``,
          ``"n_clusters"``, ``"n_outliers"``, ``"n_uncertain"``;
        - ``"data"``: ``"kind"`` ("dense", "sparse" or "pairs"), ``"n_rows"``,
          ``"n_columns"``, ``"columns"`` (1000 at most), ``"n_constant"``;
        - ``"method"``: ``"name"``, ``"steps"``, ``"why"``, ``"parameters"``, ``"fitted"``,
          and what there is of ``"candidates"``, ``"k_curve"``, ``"plateau"``,
          ``"kernel_weights"``, ``"objective_path"``;
        - ``"partitions"``: the answer, then the front door's alternatives, each with
          ``"name"``, ``"score"``, ``"n_outliers"``, ``"clusters"`` (sizes, what differs),
          ``"margins"`` and ``"changes"``. Clusters of alternatives have the ``"number"`` of
          the most similar cluster of the answer; ``"own_number"`` is the model's;
        - ``"truth"``: ``"ari"``, ``"accuracy"`` under the best matching, a table of counts;
        - ``"drawn"``: how many rows are drawn; ``"warnings"``: a list of sentences.

    Examples
    --------
    >>> from sklearn.datasets import load_wine
    >>> from maxmargin import MaxMarginClustering, Report
    >>> X = load_wine(as_frame=True).data
    >>> model = MaxMarginClustering(n_clusters=3, random_state=0).fit(X)
    >>> report = Report(model, X)
    >>> report.summary["headline"]["sentence"]
    'MaxMarginClustering found 3 clusters in 178 rows: ...'
    >>> report.save("wine.html")  # doctest: +SKIP
    """

    def __init__(
        self,
        estimator: Any,
        X: Any,
        *,
        columns: Sequence[str] | None = None,
        ids: Iterable[Any] | None = None,
        truth: Iterable[Any] | None = None,
        title: str | None = None,
        warnings: Iterable[str | Warning] | None = None,
        alternatives: bool = True,
        max_points: int = 2000,
        random_state: int | None = 0,
    ) -> None:
        Integer(1).check("max_points", max_points)
        Bool().check("alternatives", alternatives)
        if title is not None and not isinstance(title, str):
            raise ValueError(f"title must be a string or None; got {title!r}.")
        self._alternatives = alternatives
        self.clustering = Clustering.of(estimator, X, columns=columns)
        n = len(self.clustering.labels)
        self._ids = [str(row) for row in range(n)] if ids is None else _texts("ids", ids, n)
        self._truth = None if truth is None else _classes(truth, n)
        self._title = title
        several = [warnings] if isinstance(warnings, (str, Warning)) else warnings
        self._warnings = None if several is None else [str(warning) for warning in several]
        self._drawn = sample_of(self.clustering.labels, max_points, random_state)[0]

    @cached_property
    def _partitions(self) -> list[PartitionView]:
        return partition_views(self.clustering, self._alternatives)

    @cached_property
    def summary(self) -> dict[str, Any]:
        """Everything that the report says, as plain values; the keys are described above."""
        return summarize(
            self._partitions,
            title=self._title or f"Clusters by {type(self.clustering.model).__name__}",
            ids=self._ids,
            truth=self._truth,
            warnings=self._warnings,
            drawn=self._drawn,
        )

    def json(self) -> str:
        """The summary as JSON; null where a number is missing or infinite."""
        return json.dumps(self.summary, ensure_ascii=False, allow_nan=False, indent=1)

    def html(self) -> str:
        """The page: one HTML document that needs nothing else, and no network."""
        return render(self.summary, self._partitions, self._ids, self._truth, self._drawn)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the page to a file that ends in .html, or the summary to one in .json.

        The file is there whole or not at all.
        """
        makers = {".html": self.html, ".htm": self.html, ".json": self.json}
        ending = Path(path).suffix.lower()
        if ending not in makers:
            raise ValueError(f"path must end in .html or .json; got {os.fspath(path)!r}.")
        text = makers[ending]()
        with replacing(path) as draft:
            draft.write_text(text, encoding="utf-8")

    def _repr_html_(self) -> str:
        # A frame of its own: the notebook's styles and the page's do not meet.
        return (
            f'<iframe srcdoc="{html.escape(self.html())}" sandbox="allow-scripts" '
            f'title="{html.escape(self.summary["title"])}" '
            f'style="width: 100%; height: 50rem; border: 0"></iframe>'
        )


def _texts(name: str, values: Iterable[Any], n: int) -> list[str]:
    found = [str(value) for value in values]
    if len(found) != n:
        raise ValueError(f"{name} must have one entry for each of the {n} rows; got {len(found)}.")
    return found


def _classes(truth: Iterable[Any], n: int) -> list[str | None]:
    values = list(truth)
    texts: list[str | None] = [*_texts("truth", values, n)]
    for i, value in enumerate(values):
        if value is None or is_scalar_nan(value) or is_pandas_na(value):
            texts[i] = None
    return texts
