"""How the clusters were found: parameters, what was chosen among, and why."""

import inspect
import re
from typing import Any

import numpy as np
from sklearn.pipeline import Pipeline

from maxmargin.blocks.noise_columns import said_of_columns
from maxmargin.explain.candidates import CandidateScores
from maxmargin.explain.clustering import Clustering, nested_estimators
from maxmargin.explain.formatting import count, listed, number, shorten
from maxmargin.explain.objective import ObjectivePath

#: What fitted numbers say, in a few words.
ATTRIBUTE_MEANINGS = {
    "best_score_": "score of the best candidate",
    "complete_": "whether the search came to its end",
    "dual_gap_": "how far the objective may be from its optimum",
    "duality_gap_": "how far the objective may be from its optimum, as a share",
    "inertia_": "summed squared distances to the nearest centre",
    "k_confidence_": "the probability that the number of clusters is exact",
    "loo_score_": "R² of predicting the cluster of a row that was left out",
    "lower_bound_": "log-likelihood per row",
    "n_clusters_": "clusters found",
    "n_cuts_": "constraints of the cutting planes",
    "n_disagreements_": "rows whose label is not what the model predicts",
    "n_iter_": "steps of the solver",
    "n_moves_": "rows moved by the search",
    "n_pinned_": "rows whose label was given",
    "n_samples_seen_": "rows seen",
    "objective_": "the objective at the answer",
    "outlier_threshold_": "rows with a smaller value are outliers",
    "stability_": "agreement of the answers for random subsets of the rows, 1 at most",
}


def evidence_of(clustering: Clustering) -> dict[str, Any]:
    """What the fit kept of how it chose, to be drawn; None where that is nothing or one value."""
    estimator, model = clustering.estimator, clustering.model
    candidates = CandidateScores.of(estimator)
    path = ObjectivePath.of(model) if hasattr(model, "objective_path_") else None
    curve = getattr(model, "k_curve_", {"k": []})
    return {
        "number": {"chosen": model.n_clusters_, **curve} if len(curve["k"]) > 1 else None,
        "candidates": candidates
        if candidates is not None and np.isfinite(candidates.values).sum() > 1
        else None,
        "plateau": getattr(model, "plateau_", None),
        "weights": getattr(model, "kernel_weights_", None),
        "objective": path if path is not None and sum(map(len, path.stretches)) > 1 else None,
    }


def method_of(clustering: Clustering) -> dict[str, Any]:
    """The method, its parameters, and everything that says why they are what they are."""
    model, found = clustering.model, evidence_of(clustering)
    plateau, path, weights = found["plateau"], found["objective"], found["weights"] or {}
    return {
        "name": type(model).__name__,
        "steps": _steps(clustering.estimator),
        "why": _why(clustering),
        "parameters": _parameters(model),
        "fitted": _fitted(model),
        "candidates": None if found["candidates"] is None else vars(found["candidates"]),
        "k_curve": found["number"],
        "plateau": None
        if plateau is None
        else {
            "gamma": plateau.gammas,
            "n_clusters": plateau.n_clusters,
            "first": plateau.first,
            "last": plateau.last,
            "chosen": plateau.gamma,
        },
        "kernel_weights": [{"name": name, "weight": weight} for name, weight in weights.items()],
        "objective_path": [] if path is None else np.concatenate(path.stretches),
    }


def _steps(estimator: Any) -> list[str]:
    """What the rows go through, from the first step to the clusterer."""
    if isinstance(estimator, Pipeline):
        return [name for _, step in estimator.steps for name in _steps(step)]
    if hasattr(estimator, "best_estimator_"):
        return [type(estimator).__name__, *_steps(estimator.best_estimator_)]
    return [type(estimator).__name__]


def _named(why: str, clustering: Clustering) -> str:
    """The sentence with the names of columns, where the fit knew only their places."""
    left_out = clustering.model.chosen_.get("left_out", [])
    unnamed = said_of_columns(left_out, None)
    if not left_out or unnamed not in why or max(left_out) >= len(clustering.names):
        return why
    return why.replace(unnamed, said_of_columns(left_out, clustering.names))


def _why(clustering: Clustering) -> str:
    model = clustering.model
    sentences = []
    for search in nested_estimators(clustering.estimator):
        if hasattr(search, "best_params_") and hasattr(search, "cv_results_"):
            settings = [f"{name} = {_text(v)}" for name, v in search.best_params_.items()]
            best = listed(settings) if settings else ""
            n = len(search.cv_results_["params"])
            rule = _text(getattr(search, "criterion", "its criterion"))
            sentences.append(
                f"Of {n} candidates, {best or 'the default'} has the best score: "
                f"{number(search.best_score_)} by {rule}."
                if n > 1
                else f"There was one candidate, {best or 'the default'}."
            )
    if isinstance(getattr(model, "chosen_", None), dict):
        sentences.append(_named(model.chosen_["why"], clustering))
    elif hasattr(model, "candidates_"):
        n = len(model.candidates_["gamma"])
        gap = float(model.candidates_["split_gap"][model.candidates_["chosen"]][0])
        sentences.append(
            f"Of {n} candidates, gamma = {number(float(model.gamma_))} gives clusters that are "
            f"hardest to split and easiest to tell apart (split gap {number(gap)})."
            if np.isfinite(gap)
            else f"Of {count(n, 'candidate')}, none gives more than one cluster; gamma = "
            f"{number(float(model.gamma_))} is the first of them."
        )
    elif hasattr(model, "plateau_"):
        found = model.plateau_
        sentences.append(
            f"gamma = {number(found.gamma)} is the middle of the longest stretch of widths with "
            f"the same number of clusters: {found.length} of {len(found.gammas)}."
        )
    if not sentences:
        used = [p for p in _parameters(model) if p["used"] is not None]
        settled = [f"{p['name']} = {p['used']} (given as {p['given']})" for p in used]
        sentences.append(
            f"The fit settled {listed(settled)}; all else is as it was given."
            if settled
            else "The parameters are as they were given."
        )
    return " ".join(sentences)


def _parameters(model: Any) -> list[dict[str, Any]]:
    """Every parameter: as given, whether that is the default, and what came of it."""
    defaults = inspect.signature(type(model)).parameters
    found = []
    for name, value in model.get_params(deep=False).items():
        default = defaults[name].default if name in defaults else inspect.Parameter.empty
        used = getattr(model, f"{name}_", None)
        given = _text(value)
        differs = _is_scalar(used) and _text(used) != given
        found.append(
            {
                "name": name,
                "given": given,
                "default": default is not inspect.Parameter.empty and _text(default) == given,
                "used": _text(used) if differs else None,
            }
        )
    return found


def _fitted(model: Any) -> list[dict[str, Any]]:
    """The fitted attributes that are single numbers, or a word."""
    inputs = {f"{name}_" for name in model.get_params(deep=False)} - {"n_clusters_"}
    return [
        {"name": name, "value": value, "meaning": ATTRIBUTE_MEANINGS.get(name, "")}
        for name, value in sorted(vars(model).items())
        if name.endswith("_") and not name.startswith(("_", "n_features_in")) and name not in inputs
        if _is_scalar(value)
    ]


def _is_scalar(value: Any) -> bool:
    return isinstance(value, (bool, int, float, str, np.number, np.bool_))


def _text(value: Any) -> str:
    """A value as code, kept short."""
    if isinstance(value, (np.number, np.bool_)):
        value = value.item()
    if isinstance(value, float):
        return f"{value:.4g}"
    text = re.sub(r" at 0x[0-9A-Fa-f]+", "", repr(value))  # a place in memory says nothing
    return shorten(text)
