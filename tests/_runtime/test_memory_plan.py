"""What a fit takes is known before it, and said where it is too much."""

import json

import pytest

import maxmargin
from benchmarks.runner import run, study
from maxmargin._runtime import memory
from maxmargin._runtime.memory_plan import PLANS, planned_memory


@pytest.mark.parametrize(
    ("name", "n", "d", "size", "parameters"),
    [
        ("CuttingPlaneClustering", 60_000, 10, 8, {"kernel": "rbf", "n_components": 100}),
        ("RLSClustering", 3000, 10, 8, {"n_init": 1}),
        # a matrix of 2000 rows is below 32 MiB: the C library may keep gaps for it (1.4 times)
        ("SupportVectorClustering", 3000, 10, 8, {"n_landmarks": 2200}),
    ],
)
def test_peaks_are_as_planned(name, n, d, size, parameters):
    robustness = study.load("robustness")
    key = {"group": "test", "estimator": name, "n": n, "d": d, "bytes": size}
    key["parameters"] = json.dumps(parameters)
    (row,) = run.apart(robustness, robustness.part("memory"), key)
    assert 0.6 <= float(row["ratio"]) <= 1.2


@pytest.mark.parametrize("name", PLANS)
def test_what_does_not_fit_is_said_before_the_work(name, monkeypatch, rng):
    model, X = getattr(maxmargin, name)(), rng.normal(size=(2000, 3))
    needed = planned_memory(model, 2000, 3, 8)
    monkeypatch.setattr(memory, "available_memory", lambda: needed - 1)
    with pytest.raises(MemoryError, match=f"{name} on 2000 rows needs .*, and .* is free. Use "):
        model.fit(X)
    assert not hasattr(model, "labels_")
