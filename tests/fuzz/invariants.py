"""What is promised of every fit: one list.

A cheap promise is checked after every fit, a dear one (it fits again) when the case draws it.
"""

import pickle
import tempfile
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from fuzz.cases import Fit, fit_quietly, plain
from fuzz.rows import CLEAR, SAME_NUMBERS, SOURCES, SPARSE, TEXT
from fuzz.targets import pins_of
from scipy import sparse
from sklearn.metrics import adjusted_rand_score

from maxmargin import load, save

CHEAP: dict[str, Callable[[Fit], None]] = {}
DEAR: dict[str, Callable[[Fit], None]] = {}


def cheap(check: Callable[[Fit], None]) -> Callable[[Fit], None]:
    """Add to the list: checked after every fit."""
    CHEAP[check.__name__] = check
    return check


def dear(check: Callable[[Fit], None]) -> Callable[[Fit], None]:
    """Add to the list: checked when a case draws it."""
    DEAR[check.__name__] = check
    return check


def check(fit: Fit) -> None:
    """Check all that is cheap, and the dear one that the case draws."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        if "sample_weight" in fit.given:  # words of rows without weight are unknown to the fit
            warnings.filterwarnings("ignore", ".*did not occur in the training data")
        for promise in CHEAP.values():
            promise(fit)
        if fit.case.invariant in DEAR:
            DEAR[fit.case.invariant](fit)


def same(labels: Any, others: Any) -> bool:
    """Whether two labellings are one clustering."""
    return adjusted_rand_score(labels, others) == 1


def fitted(fit: Fit) -> Any:
    """The model; that of the best candidate for a search."""
    return getattr(fit.model, "best_estimator_", fit.model)


def given(fit: Fit, name: str) -> Any:
    return fitted(fit).get_params(deep=False).get(name)


# -- after every fit -----------------------------------------------------------------------


@cheap
def labels_are_labels(fit: Fit) -> None:
    labels = fit.model.labels_
    assert labels.shape == (fit.case.rows.numbers().shape[0],)
    assert labels.dtype == np.int32
    outliers = bool(given(fit, "outlier_fraction"))
    assert labels.min() >= -outliers
    n_clusters = len(set(labels.tolist()) - {-1})
    # all rows of a cluster may be outliers; it is still one, for new rows
    assert n_clusters == fit.model.n_clusters_ or (outliers and n_clusters < fit.model.n_clusters_)


@cheap
def values_are_finite(fit: Fit) -> None:
    assert np.isfinite(fit.model.decision_function(fit.X)).all()
    for name in ("objective_", "loo_score_", "gamma_", "duality_gap_"):
        assert np.isfinite(getattr(fit.model, name, 0.0)), name


@cheap
def predict_says_the_labels(fit: Fit) -> None:
    wrong = int(np.sum(fit.model.predict(fit.X) != fit.model.labels_))
    assert wrong == getattr(fitted(fit), "n_disagreements_", 0)


@cheap
def rows_alone_are_predicted_as_in_company(fit: Fit) -> None:
    if given(fit, "kernel") == "precomputed" or given(fit, "metric") == "precomputed":
        return
    said = fit.model.predict(fit.X)
    rows = fit.case.rows.numbers() if fit.case.rows.storage in SOURCES else fit.X
    with warnings.catch_warnings():  # scikit-learn's, of columns that have names in files
        warnings.filterwarnings("ignore", ".*does not have valid feature names")
        for i in {0, fit.n // 2, fit.n - 1}:
            assert fit.model.predict(_row(rows, i))[0] == said[i], i


def _row(X: Any, i: int) -> Any:
    if sparse.issparse(X):
        return sparse.csr_matrix(X)[i : i + 1]
    return X.iloc[i : i + 1] if hasattr(X, "iloc") else X[i : i + 1]


@cheap
def sizes_are_within_their_bounds(fit: Fit) -> None:
    if "min_size" not in fitted(fit).get_params(deep=False) or "sample_weight" in fit.given:
        return  # sums of weights are within the largest weight
    k = fit.model.n_clusters_ if given(fit, "n_clusters") is None else int(given(fit, "n_clusters"))
    counts, n = np.bincount(fit.model.labels_, minlength=k), fit.n
    low, high = given(fit, "min_size"), given(fit, "max_size")
    proportions = given(fit, "proportions")
    if proportions is not None and not isinstance(proportions, str):
        assert np.all(np.abs(counts - np.asarray(proportions, float) * n) <= 1)
        return
    with np.errstate(over="ignore"):  # a bound of 1e308 is none
        if low is not None and not isinstance(low, str):
            assert np.all(counts >= (low if _whole(low) else np.floor(np.asarray(low) * n / k)))
        if high is not None:
            assert np.all(counts <= (high if _whole(high) else np.ceil(np.asarray(high) * n / k)))


def _whole(bound: Any) -> bool:
    return np.asarray(bound).dtype.kind in "iu"


@cheap
def pins_are_kept(fit: Fit) -> None:
    if not hasattr(fitted(fit), "n_pinned_"):
        return
    pins = pins_of(fit.y, fit.n)
    pinned = pins >= 0
    if not fit.given:  # rows without weight are left out, linked ones are pinned
        assert fitted(fit).n_pinned_ == pinned.sum()
    assert np.array_equal(fit.model.labels_[pinned], pins[pinned])


@cheap
def pairs_are_kept(fit: Fit) -> None:
    pairs, labels = fit.given.get("constraints", {}), fit.model.labels_
    for i, j in pairs.get("must_link", []):
        assert labels[i] == labels[j]
    for i, j in pairs.get("cannot_link", []):
        assert labels[i] != labels[j]


@cheap
def clusters_are_numbered_by_size(fit: Fit) -> None:
    bounds = [given(fit, name) for name in ("proportions", "min_size", "max_size")]
    told_apart = any(np.ndim(bound) for bound in bounds if bound is not None)
    if not (told_apart or fit.given or getattr(fitted(fit), "n_pinned_", 0)):
        counts = np.bincount(fit.model.labels_[fit.model.labels_ >= 0])
        assert np.all(np.diff(counts) <= 0)


@cheap
def nothing_that_was_given_is_changed(fit: Fit) -> None:
    assert repr(fit.model.get_params(deep=False)) == repr(fit.case.model().get_params(deep=False))
    fresh = fit.case.rows.make()
    if fit.case.rows.storage in SOURCES:
        return  # a file that is written anew
    if fit.case.rows.storage in TEXT:
        assert fit.X.equals(fresh)
        return
    a, b = (_numbers(rows) for rows in (fit.X, fresh))
    assert np.array_equal(a, b)


def _numbers(X: Any) -> Any:
    return X.toarray() if sparse.issparse(X) else np.asarray(X, dtype=float)


# -- when a case draws it ------------------------------------------------------------------


def _repeatable(fit: Fit) -> bool:
    return given(fit, "random_state") is not None


@dear
def the_same_again(fit: Fit) -> None:
    if _repeatable(fit):
        assert np.array_equal(fit.again().labels_, fit.model.labels_)


@dear
def jobs_do_not_matter(fit: Fit) -> None:
    if _repeatable(fit):
        assert np.array_equal(fit.again(n_jobs=2).labels_, fit.model.labels_)


@dear
def weights_of_one_are_none(fit: Fit) -> None:
    if _repeatable(fit) and fit.case.weights == "ones" and "sample_weight" in fit.given:
        rest = {name: value for name, value in fit.given.items() if name != "sample_weight"}
        plain_fit = fit_quietly(fit.case.model(), fit.X, fit.case.y(fit.n), **rest)
        assert plain_fit is not None, "refused"
        assert np.array_equal(plain_fit.labels_, fit.model.labels_)


@dear
def storage_does_not_matter(fit: Fit) -> None:
    if _repeatable(fit) and fit.case.rows.storage in SAME_NUMBERS:
        other = fit.again(plain(fit.case).rows.make())
        if not (other is None and fit.case.rows.type in ("object", "longdouble")):
            assert np.array_equal(other.labels_, fit.model.labels_)


@dear
def a_file_holds_the_model(fit: Fit) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "model.skops"
        try:
            save(fit.model, path)
        except ValueError as error:  # of a Fraction, say
            if "cannot save" in str(error) and "parameter" in str(error):
                return
            raise
        assert np.array_equal(load(path).predict(fit.X), fit.model.predict(fit.X))


@dear
def a_pickle_holds_the_model(fit: Fit) -> None:
    other = pickle.loads(pickle.dumps(fit.model))
    assert np.array_equal(other.predict(fit.X), fit.model.predict(fit.X))


def _is_clear(fit: Fit) -> bool:
    """Clear clusters, and nothing asked for that would part them otherwise."""
    rows = fit.case.rows
    usual = rows.content in CLEAR and rows.n >= 30 and rows.scale == "1"
    asked = set(fit.case.parameters) - {"n_init", "random_state", "n_clusters", "effort", "tol"}
    three = given(fit, "n_clusters") in (None, 3)
    types = rows.type in ("float64", "float32") and rows.storage not in {*SPARSE, *TEXT}
    unpinned = not getattr(fitted(fit), "n_pinned_", 0)
    search = asked <= {"estimator", "param_grid", "n_jobs", "on_interrupt", "init_size"}
    return usual and search and three and types and unpinned and not fit.given


@dear
def clear_clusters_are_found(fit: Fit) -> None:
    if _is_clear(fit) and _repeatable(fit):
        assert fit.model.n_clusters_ == 3
        rows = fit.case.rows.numbers().astype(float)
        nearest = np.argmin([np.hypot(*(rows - c).T) for c in _centers()], axis=0)
        assert same(fit.model.labels_, nearest)


def _centers() -> Any:
    from fuzz.rows import CENTERS

    return CENTERS


@dear
def the_order_does_not_matter(fit: Fit) -> None:
    if _is_clear(fit) and _repeatable(fit):
        X = fit.case.rows.numbers()
        order = np.random.default_rng(1).permutation(len(X))
        assert same(fit.again(X[order]).labels_, fit.model.labels_[order])


@dear
def the_origin_does_not_matter(fit: Fit) -> None:
    if _is_clear(fit) and _repeatable(fit):
        X = fit.case.rows.numbers().astype(float)
        assert same(fit.again(X + np.array([40.0, -30.0])).labels_, fit.model.labels_)


@dear
def a_power_of_two_does_not_matter(fit: Fit) -> None:
    if not _only_distances(fit) or not _repeatable(fit):
        return
    X = fit.case.rows.numbers()
    if X.dtype != np.float64 or fit.case.rows.storage in {*SPARSE, *TEXT}:
        return
    for power in (-900, 37, 800):
        with np.errstate(over="ignore", under="ignore"):
            other = np.ldexp(X, power)
            back = np.ldexp(other, -power)
        if np.array_equal(back, X):  # it keeps the rows representable
            again = fit.again(other)
            assert again is not None, "refused"
            assert np.array_equal(again.labels_, fit.model.labels_), power


def _only_distances(fit: Fit) -> bool:
    """Whether kernels know distances only, and their widths are chosen by a rule."""
    kernel = given(fit, "kernel")
    gamma = given(fit, "gamma")
    if fit.case.estimator == "MaxMarginClustering":
        return given(fit, "metric") == "euclidean"
    if fit.case.estimator == "SupportVectorClustering":
        return isinstance(gamma, str)
    if fit.case.estimator == "MultipleKernelClustering":
        return given(fit, "kernels") == ["rbf"]
    return kernel in ("rbf", "laplacian") and isinstance(gamma, str)


@dear
def a_far_row_moved_farther_changes_nothing(fit: Fit) -> None:
    if not (_is_clear(fit) and _repeatable(fit) and _only_distances(fit)):
        return
    X = fit.case.rows.numbers().astype(float)
    near, far, farthest = (
        fit.again(np.vstack([X, [[place, -place]]])) for place in (1e6, 1e12, 1e300)
    )
    assert near is not None, "refused"
    assert far is not None, "refused"
    assert farthest is not None, "refused"
    assert np.array_equal(near.labels_[:-1], far.labels_[:-1])
    assert np.array_equal(far.labels_[:-1], farthest.labels_[:-1])
