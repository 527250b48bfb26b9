"""How the clusters were found, and why."""

import numpy as np
import pytest
from sklearn.cluster import KMeans
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from maxmargin import (
    MaxMarginWarning,
    Report,
    RLSClustering,
    SupportVectorClustering,
    UnsupervisedSearch,
)


def test_the_method_says_what_was_given_and_why(wine, wine_report):
    model, _ = wine
    method = wine_report.summary["method"]
    assert method["why"] == model.chosen_["why"]
    given = {p["name"]: p for p in method["parameters"]}
    assert given["n_clusters"]["given"] == "3"
    assert not given["n_clusters"]["default"]
    assert given["effort"]["default"]
    candidates = method["candidates"]
    assert np.shape(candidates["values"]) == (len(candidates["rows"]), len(candidates["columns"]))


def test_a_search_inside_a_pipeline_says_what_it_chose(blobs):
    search = UnsupervisedSearch(KMeans(3, random_state=0), {"n_init": [1, 2]})
    why = Report(make_pipeline(StandardScaler(), search).fit(blobs), blobs).summary["method"]["why"]
    assert why.startswith("Of 2 candidates, n_init = ")


def test_one_domain_is_not_said_to_be_told_apart(blobs):
    blobs = blobs[:3]
    with pytest.warns(MaxMarginWarning, match="one cluster"):
        model = SupportVectorClustering().fit(blobs)
    method = Report(model, blobs).summary["method"]
    assert "none gives more than one cluster" in method["why"]
    assert method["candidates"] is None


def test_a_random_state_has_no_address(blobs):
    model = RLSClustering(3, random_state=np.random.RandomState(0)).fit(blobs)
    assert " at 0x" not in Report(model, blobs).json()
