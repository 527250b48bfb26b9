"""What a user of a new installation does first; wheel.py runs it where nothing else is installed.

mypy reads it too, against the stubs of the installed wheel. `--with-others` lets other packages and
compilers be there.
"""

import os
import re
import shutil
import sys
import tempfile
from importlib.metadata import distributions, requires, version
from typing import Any

import numpy as np

import maxmargin
from maxmargin import (
    CuttingPlaneClustering,
    IterativeSVRClustering,
    MaxMarginClustering,
    MultipleKernelClustering,
    RLSClustering,
    SupportVectorClustering,
    UnsupervisedSearch,
)

COMPILERS = ["cc", "gcc", "g++", "clang", "cl", "cython", "meson", "ninja"]


def check_surroundings() -> None:
    """No compiler, and no package but what the dependencies bring."""
    found = [name for name in COMPILERS if shutil.which(name)]
    assert not found, f"not a clean environment: {found}"
    here = {re.sub(r"[-_.]+", "-", one.metadata["Name"]).lower() for one in distributions()}
    wanted, todo = {"pip", "setuptools"}, ["maxmargin"]
    while todo:
        wanted.add(name := todo.pop())
        lines = [line for line in requires(name) or [] if "extra ==" not in line]
        names = [re.split(r"[^\w.-]", line)[0].lower() for line in lines]
        todo += [name for name in names if name in here - wanted]
    assert here <= wanted, f"not a clean environment: {here - wanted}"
    print("maxmargin", version("maxmargin"), "on Python", sys.version.split()[0], "with", end=" ")
    print(*sorted(f"{name} {version(name)}" for name in here - {"pip", "setuptools", "maxmargin"}))


def fit_and_predict() -> None:
    """Each estimator that needs no extra finds two moons or blobs, and labels new rows."""
    rng = np.random.default_rng(0)
    angle = rng.uniform(0, np.pi, 300)
    side = np.repeat([0, 1], 150)
    moons = np.c_[np.cos(angle) + side, np.sin(angle)]
    moons[side == 1, 1] = 0.5 - moons[side == 1, 1]
    moons += rng.normal(scale=0.04, size=moons.shape)
    blobs = rng.normal(size=(200, 4)) + 8.0 * (np.arange(200) % 2)[:, None]
    cases: list[tuple[Any, Any]] = [
        (MaxMarginClustering(random_state=0), moons),
        (MaxMarginClustering(2, random_state=0), moons),
        (SupportVectorClustering(), moons),
        (RLSClustering(2, random_state=0), blobs),
        (CuttingPlaneClustering(2, random_state=0), blobs),
        (IterativeSVRClustering(2, random_state=0), blobs),
        (MultipleKernelClustering(2, random_state=0), blobs),
        (UnsupervisedSearch(RLSClustering(2, random_state=0), {"alpha": [1e-4, 1e-2]}), blobs),
    ]
    for model, X in cases:
        truth = side if X is moons else np.arange(200) % 2
        model.fit(X)
        same = model.predict(X) == truth
        assert max(same.mean(), 1 - same.mean()) > 0.98, model
    typed = RLSClustering(2, random_state=0).fit(blobs)
    assert typed.predict(blobs).shape == typed.labels_.shape == (200,)
    print("fit and predict:", *dict.fromkeys(type(model).__name__ for model, _ in cases))


def ask_for_extras() -> None:
    """What needs an extra says which one."""
    with tempfile.TemporaryDirectory() as folder:
        try:
            maxmargin.save(RLSClustering(2), os.path.join(folder, "model.skops"))
        except ImportError as error:
            print("without an extra:", error)


if __name__ == "__main__":
    if "--with-others" not in sys.argv:
        check_surroundings()
    fit_and_predict()
    ask_for_extras()
