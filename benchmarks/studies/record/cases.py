"""One case of the record: an estimator, a configuration, a set."""

import base64
import warnings
import zlib
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

import maxmargin
from benchmarks.studies.record.sets import Set, load
from benchmarks.studies.record.variants import OF_THE_SET, VARIANTS, Variant

#: Estimators that are told the number of clusters.
WITH_NUMBER = (
    "MaxMarginClustering",
    "RLSClustering",
    "CuttingPlaneClustering",
    "MultipleKernelClustering",
)
#: What is kept of a fitted model, where it has it, besides labels.
ATTRIBUTES = (
    *("objective_", "loo_score_", "best_score_", "best_params_"),
    *("n_clusters_", "n_pinned_", "n_disagreements_", "k_confidence_"),
    *("alpha_", "norm_", "gamma_", "nu_", "C_", "kernel_weights_"),
    *("levels_", "outlier_threshold_", "dual_gap_", "duality_gap_"),
)
CHOSEN = ("score", "kernel", "gamma", "alpha", "source", "start")
#: Digits that are kept of a number.
DIGITS = 9


@dataclass(frozen=True)
class Case:
    """One estimator, one configuration, one set."""

    estimator: str
    variant: str
    set: str
    clear: bool
    how: Variant

    @property
    def name(self) -> str:
        """The name of the case in the record."""
        return f"{self.estimator}/{self.variant}/{self.set}"

    def load(self) -> Set:
        """Return the data in the form that the estimator takes."""
        return load(self.set, self.how.form)

    def fitted(self) -> Any:
        """Make the model."""
        data = self.load()
        model = self._model(data)
        if self.how.via == "partial_fit":
            for batch in np.array_split(data.rows, 3):
                model.partial_fit(batch)
            model.predict(data.rows[:1])  # which fits the model
            return model
        model.fit(data.rows, data.pins(self.how.pinned) if self.how.pinned else None)
        if self.how.via == "alternative":
            return model.use_alternative(0, data.rows)
        return model

    def outcome(self) -> dict[str, Any]:
        """Return what the model says, in numbers and words that JSON can hold."""
        with warnings.catch_warnings(record=True) as raised:
            warnings.simplefilter("always")
            try:
                model = self.fitted()
                found = {"labels": encode(model.labels_), **figures(model)}
                if hasattr(model, "predict"):
                    found |= self._of_new_rows(model)
            except ValueError as error:
                return {"error": str(error)}
        if raised:
            found["warnings"] = [str(warning.message) for warning in raised]
        return found

    def _model(self, data: Set) -> Any:
        params = {
            name: value(data) if callable(value) and value in OF_THE_SET else value
            for name, value in self.how.params.items()
        }
        if self.estimator in WITH_NUMBER:
            params = {"n_clusters": int(data.truth.max()) + 1, **params}
        if self.estimator != "UnsupervisedSearch":  # it has none; its estimators have theirs
            params["random_state"] = 0
        return getattr(maxmargin, self.estimator)(**params)

    def _of_new_rows(self, model: Any) -> dict[str, Any]:
        new = self.load().new
        found = {"predicted": encode(model.predict(new))}
        for method in ("decision_function", "predict_proba"):
            if hasattr(model, method):
                values = np.asarray(getattr(model, method)(new), dtype=float)
                found[method] = jsonable(np.sqrt(np.mean(values**2)))
        return found


CASES = {
    case.name: case
    for estimator, variants in VARIANTS.items()
    for variant, how in variants.items()
    for clear, sets in ((True, how.clear), (False, how.other))
    for case in (Case(estimator, variant, name, clear, how) for name in sets.split())
}


def figures(model: Any) -> dict[str, Any]:
    """Return the numbers that a fitted model tells about itself."""
    found = {name: getattr(model, name) for name in ATTRIBUTES if hasattr(model, name)}
    if hasattr(model, "chosen_"):
        found |= {f"chosen {key}": model.chosen_[key] for key in CHOSEN if key in model.chosen_}
        found["margin_"] = np.mean(model.margin_)
        found["alternatives_"] = [other.score for other in model.alternatives_]
        found["exemplars_"] = [rows[0] for rows in model.exemplars_]
    if hasattr(model, "cv_results_"):
        found["scores"] = model.cv_results_["score"]
    if hasattr(model, "candidates_"):
        found["split_gap"] = np.max(model.candidates_["split_gap"])
    return {name: jsonable(value) for name, value in found.items()}


def jsonable(value: Any) -> Any:
    """Return a value as JSON knows it, numbers with nine digits."""
    if isinstance(value, dict):
        return {str(key): jsonable(item) for key, item in value.items()}
    if isinstance(value, (list, tuple, np.ndarray)):
        return [jsonable(item) for item in value]
    if isinstance(value, np.generic):
        value = value.item()
    return float(f"{value:.{DIGITS}g}") if isinstance(value, float) else value


def encode(labels: ArrayLike) -> str:
    """Return labels as a short word."""
    packed = zlib.compress(np.asarray(labels, dtype=np.int8).tobytes(), 9)
    return base64.b85encode(packed).decode()


def decode(word: str) -> NDArray[np.int8]:
    """Return the labels of ``encode``."""
    return np.frombuffer(zlib.decompress(base64.b85decode(word)), dtype=np.int8)
