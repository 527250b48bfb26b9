"""Write the model files beside this one: ``python tests/persistence/golden/write.py``.

Every later version must read them. So they are written anew only with a new format, or before the
first release.
"""

from pathlib import Path

import numpy as np
from sklearn.pipeline import make_pipeline

from maxmargin import (
    CuttingPlaneClustering,
    MaxMarginClustering,
    MultipleKernelClustering,
    RLSClustering,
    SupportVectorClustering,
    TableEncoder,
    save,
)
from maxmargin.search import Shaking

CORNERS = np.array([[0.0, 0.0], [0.5, 0.0], [0.0, 0.5], [0.5, 0.5]])
X = np.vstack([CORNERS + shift for shift in ([0, 0], [8, 0], [0, 8])])

MODELS = {
    "front_door": MaxMarginClustering(3, effort="fast", random_state=0),
    "rls": RLSClustering(
        3, approximation="nystroem", n_components=6, search=Shaking(rounds=5), random_state=0
    ),
    "cutting_plane": CuttingPlaneClustering(3, kernel="rbf", gamma=0.1, random_state=0),
    "multiple_kernel": MultipleKernelClustering(3, kernels=["rbf", "linear"], random_state=0),
    "table_encoder": make_pipeline(
        TableEncoder(categorical_features=[1]), RLSClustering(3, random_state=0)
    ),
    "support_vector": SupportVectorClustering(gamma=0.5, random_state=0),
}

if __name__ == "__main__":
    for name, model in MODELS.items():
        model.fit(X)
        known = {"rows": X.tolist(), "predicted": model.predict(X).tolist()}
        save(model, Path(__file__).with_name(f"{name}.skops"), metadata=known)
