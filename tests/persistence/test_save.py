import pickle
import threading
from functools import partial

import numpy as np
import pytest
from persistence.models import UNFITTED, X, fitted, planes, rls, several
from sklearn.cluster import KMeans
from sklearn.metrics import silhouette_score
from sklearn.metrics.pairwise import rbf_kernel
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer, StandardScaler

from maxmargin import UnsupervisedSearch, load, save
from maxmargin.search import Shaking


def dot(a, b, power=1):
    return float(a @ b) ** power


class OwnSearch(Shaking):
    """A search that nobody but the user knows."""


class OwnKernel:
    def __call__(self, a, b):
        return float(a @ b)


FUNCTIONS = {
    "its parameter kernel": rls(kernel=dot),
    "cannot save RLSClustering: its parameter kernel": rls(kernel=lambda a, b: float(a @ b)),
    "parameter kernel is a function": rls(kernel=OwnKernel()),
    "parameter kernel ": rls(kernel=partial(dot, power=2)),
    "cannot save CuttingPlaneClustering: its parameter kernel": planes(kernel=dot),
    "its parameter kernel_params": rls(kernel_params={"power": np.mean}),
    r"its parameter kernels\[0\]": several(kernels=[dot]),
    r"its parameter kernels\[1\]\[0\]": several(kernels=["rbf", (dot, {"power": 2})]),
    r"its parameter kernels\[0\]\['kernel'\]": several(kernels=[{"kernel": dot}]),
    r"the parameter func of FunctionTransformer \(in kernels\[0\]\)": several(
        kernels=[FunctionTransformer(dot)]
    ),
    r"cannot save Pipeline: the parameter kernel of RLSClustering \(in steps\[1\]\[1\]\)": (
        make_pipeline(StandardScaler(), rls(kernel=dot))
    ),
    r"the parameter kernel of RLSClustering \(in estimator\)": UnsupervisedSearch(
        rls(kernel=dot), {}
    ),
    r"its parameter param_grid\['kernel'\]\[1\]": UnsupervisedSearch(
        rls(), {"kernel": ["rbf", dot]}
    ),
    "its parameter criterion": UnsupervisedSearch(rls(), {}, criterion=silhouette_score),
    r"the parameter kernel of RLSClustering \(in steps\[0\]\[1\]\.estimator\)": make_pipeline(
        UnsupervisedSearch(rls(kernel=dot), {})
    ),
}


@pytest.mark.parametrize("words", FUNCTIONS)
def test_a_function_is_refused_by_its_place(words, tmp_path):
    with pytest.raises(ValueError, match=words) as caught:
        save(FUNCTIONS[words], tmp_path / "model.skops")
    assert "holds no code" in str(caught.value)
    assert list(tmp_path.iterdir()) == []


def test_a_fitted_function_is_refused_by_its_parameter(tmp_path):
    with pytest.raises(ValueError, match="its parameter kernel is a function") as caught:
        save(rls(kernel=dot).fit(X), tmp_path / "model.skops")
    assert 'kernel="precomputed"' in str(caught.value)
    chosen = UnsupervisedSearch(rls(), {"alpha": [1.0]}, criterion=silhouette_score).fit(X)
    with pytest.raises(ValueError, match="save best_estimator_ alone"):
        save(chosen, tmp_path / "model.skops")
    save(chosen.best_estimator_, tmp_path / "model.skops")


def test_the_way_out_works(tmp_path):
    model = rls(kernel="precomputed").fit(rbf_kernel(X))
    save(model, tmp_path / "model.skops")
    again = load(tmp_path / "model.skops")
    np.testing.assert_array_equal(again.predict(rbf_kernel(X)), model.predict(rbf_kernel(X)))


@pytest.mark.parametrize(
    ("model", "words"),
    [
        (rls(search=OwnSearch()), r"OwnSearch \(its parameter search\)|OwnSearch \(in search\)"),
        (rls(kernel=OwnSearch), r"OwnSearch \(its parameter kernel\)"),
        (rls(search=Shaking), r"search\.shaking\.Shaking \(its parameter search\)"),
        (make_pipeline(KNeighborsClassifier(algorithm="kd_tree").fit(X, X[:, 0] > 3)), "KDTree"),
        (rls(init=np.array([dot], dtype=object)), "dot"),
        (rls(n_jobs=threading.Lock()), "cannot save RLSClustering"),
        (rls(kernel_params={(1, 2): 3}), "cannot save RLSClustering"),
    ],
)
def test_what_load_would_refuse_is_not_written(model, words, tmp_path):
    (tmp_path / "model.skops").write_text("an earlier one")
    with pytest.raises(ValueError, match=words):
        save(model, tmp_path / "model.skops")
    assert (tmp_path / "model.skops").read_text() == "an earlier one"
    assert len(list(tmp_path.iterdir())) == 1


def test_a_model_that_holds_itself(tmp_path):
    model = rls()
    model.kernel_params = {"self": [model]}
    with pytest.raises(ValueError, match="refers to itself"):
        save(model, tmp_path / "model.skops")


@pytest.mark.parametrize("model", [None, "model", KMeans, {"a": KMeans()}, dot])
def test_only_estimators_are_saved(model, tmp_path):
    with pytest.raises(ValueError, match="model must be an estimator"):
        save(model, tmp_path / "model.skops")


def test_a_folder_that_is_not_there(tmp_path):
    with pytest.raises(FileNotFoundError):
        save(UNFITTED["rls"], tmp_path / "no" / "model.skops")


def test_large_files_are_smaller_than_those_of_pickle(tmp_path):
    model, _ = fitted("front door, many rows")
    save(model, tmp_path / "model.skops")
    assert (tmp_path / "model.skops").stat().st_size < len(pickle.dumps(model))
