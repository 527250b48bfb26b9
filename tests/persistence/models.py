"""Models of all kinds, fitted once for all tests of model files."""

import warnings
from functools import cache

import numpy as np
import pandas as pd
import scipy
from scipy.sparse import csr_array, csr_matrix
from sklearn.cluster import DBSCAN, AgglomerativeClustering, KMeans
from sklearn.compose import ColumnTransformer
from sklearn.datasets import make_blobs
from sklearn.decomposition import PCA
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.impute import SimpleImputer
from sklearn.kernel_approximation import Nystroem
from sklearn.metrics import pairwise_distances
from sklearn.metrics.pairwise import rbf_kernel
from sklearn.model_selection import ParameterGrid, ParameterSampler
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer, OneHotEncoder, StandardScaler
from sklearn.utils.fixes import parse_version

from maxmargin import (
    CuttingPlaneClustering,
    IterativeSVRClustering,
    MaxMarginClustering,
    MaxMarginWarning,
    MultipleKernelClustering,
    RLSClustering,
    SDPClustering,
    SupportVectorClustering,
    TableEncoder,
    UnsupervisedSearch,
)
from maxmargin.domain import Equilibria, Graph
from maxmargin.search import Evolutionary, Shaking, Steepest, Stochastic
from maxmargin.selection import LeaveOneOutCriterion, SplitGapCriterion
from maxmargin.solvers import CCCP, CPM3C, CPMMC, SGD, SMO, Alternation, LibSVM, OnlineSGD

X, y = make_blobs([30, 25, 20], centers=[[0, 0, 1], [6, 0, 2], [0, 6, 3]], random_state=0)
NEW = X[::3] + 0.1
POSITIVE = np.abs(X) + 0.1
TEXTS = csr_matrix(np.where(np.arange(X.size).reshape(X.shape) % 4, np.abs(X), 0.0))
FRAME = pd.DataFrame(X, columns=["a", "b", "c"])
SQUARE = rbf_kernel(X, gamma=0.1)
DISTANCES = pairwise_distances(X)
MANY = np.vstack([X] * 14) + np.random.default_rng(0).normal(size=(14 * len(X), 3)) * 0.1
GAPS = FRAME.assign(
    a=np.where(np.arange(len(X)) % 7, X[:, 0], np.nan),
    kind=pd.Series(np.array(["red", "blue", None], dtype=object)[y], dtype=object),
)
WORDS = ["a cat sat", "cats sit", "the dog ran", "dogs run", "birds fly", "a bird flew"] * 3
PINS = np.where(np.arange(len(X)) % 10, -1, y)


def front_door(k=3, **parameters):
    return MaxMarginClustering(k, **{"effort": "fast", "random_state": 0, **parameters})


def rls(**parameters):
    return RLSClustering(3, **{"random_state": 0, "n_init": 2, **parameters})


def planes(**parameters):
    return CuttingPlaneClustering(3, **{"random_state": 0, "n_init": 2, **parameters})


def several(**parameters):
    return MultipleKernelClustering(3, **{"random_state": 0, "n_init": 2, **parameters})


def domains(**parameters):
    return SupportVectorClustering(**{"gamma": 0.5, "random_state": 0, **parameters})


def batches(**parameters):
    return domains(n_landmarks=40, **parameters).partial_fit(X[:50]).partial_fit(X[50:])


def asked(model):
    model.predict(X)
    return model


VIEWS = [
    {"kernel": "rbf", "columns": ["a", "b"], "name": "size"},
    {"kernel": "poly", "degree": 2, "columns": [2]},
    ("rbf", {"gamma": 0.1}),
    PCA(2),
    Nystroem(n_components=5, random_state=0),
]

#: A fitted model and rows to ask it about, by name.
MODELS = {
    "front door": lambda: (front_door().fit(X), NEW),
    "front door, k unknown": lambda: (front_door(None).fit(X), NEW),
    "front door, weights": lambda: (
        front_door().fit(X, sample_weight=1 + np.arange(len(X)) % 3),
        NEW,
    ),
    "front door, one cluster": lambda: (front_door(1).fit(X), NEW),
    "front door, sparse matrix": lambda: (front_door().fit(TEXTS), TEXTS[:9]),
    "front door, cosine": lambda: (front_door(metric="cosine").fit(X), NEW),
    "front door, distances": lambda: (
        front_door(metric="precomputed").fit(DISTANCES),
        DISTANCES[:9],
    ),
    "front door, pins and table": lambda: (front_door().fit(FRAME, PINS), FRAME[:9]),
    "front door, mixed table": lambda: (front_door().fit(GAPS), GAPS[:9]),
    "front door, encoder": lambda: (
        front_door(encoder=TableEncoder(impute="mean")).fit(GAPS),
        GAPS[:9],
    ),
    "front door, alternative": lambda: (front_door().fit(X).use_alternative(0), NEW),
    "front door, many rows": lambda: (front_door(kernels=("gaussian",)).fit(MANY), NEW),
    "front door, kernels": lambda: (front_door(kernels=frozenset(["gaussian"])).fit(X), NEW),
    "rls, table": lambda: (rls().fit(FRAME), FRAME[:9]),
    **{
        f"rls, {kernel}": lambda kernel=kernel: (rls(kernel=kernel).fit(POSITIVE), POSITIVE[:9])
        for kernel in ("rbf", "laplacian", "poly", "sigmoid", "cosine", "chi2", "additive_chi2")
    },
    "rls, linear primal": lambda: (rls(kernel="linear").fit(X), NEW),
    "rls, sparse": lambda: (rls(kernel="rbf").fit(TEXTS), TEXTS[:9]),
    "rls, matrix": lambda: (rls(kernel="precomputed").fit(SQUARE), SQUARE[:9]),
    "rls, nystroem": lambda: (rls(approximation="nystroem", n_components=20).fit(X), NEW),
    "rls, float32": lambda: (rls().fit(X.astype(np.float32)), NEW.astype(np.float32)),
    **{
        f"rls, {search!r}": lambda search=search: (rls(search=search).fit(X), NEW)
        for search in ("evolutionary", Shaking(rounds=20), Steepest(), Stochastic(), Evolutionary())
    },
    "rls, init": lambda: (rls(init=y, n_init=1, proportions=[0.4, 0.3, 0.3]).fit(X), NEW),
    "rls, random state": lambda: (rls(random_state=np.random.RandomState(3)).fit(X), NEW),
    "planes": lambda: (planes().fit(X), NEW),
    "planes, sparse": lambda: (planes().fit(TEXTS), TEXTS[:9]),
    "planes, rbf": lambda: (planes(kernel="rbf", gamma=0.1).fit(X), NEW),
    "planes, auto": lambda: (planes(kernel="auto").fit(X), NEW),
    "planes, cccp": lambda: (planes(optimizer=CCCP(patience=3)).fit(X), NEW),
    "planes, alternation": lambda: (planes(optimizer=Alternation(max_rounds=9)).fit(X), NEW),
    "planes, paper": lambda: (planes(optimizer=CPM3C(max_cuts=20)).fit(X), NEW),
    "planes, two classes": lambda: (
        CuttingPlaneClustering(2, optimizer=CPMMC(max_cuts=9), random_state=0).fit(X),
        NEW,
    ),
    "planes, matrix": lambda: (planes(kernel="precomputed").fit(SQUARE), SQUARE[:9]),
    "several": lambda: (several().fit(X), NEW),
    "several, sparse": lambda: (several().fit(TEXTS), TEXTS[:9]),
    "several, views": lambda: (several(kernels=VIEWS, norm=2).fit(FRAME), FRAME[:9]),
    "several, matrices": lambda: (
        several(kernels="precomputed", norm=2).fit([SQUARE, X @ X.T]),
        [SQUARE[:9], (X @ X.T)[:9]],
    ),
    "several, weights": lambda: (
        several(kernels=["rbf", "linear"], kernel_weights=np.array([0.5, 0.5])).fit(X),
        NEW,
    ),
    "svr": lambda: (IterativeSVRClustering(3, n_init=2, random_state=0).fit(X), NEW),
    "svr, sparse": lambda: (IterativeSVRClustering(2, random_state=0).fit(TEXTS), TEXTS[:9]),
    "sdp": lambda: (SDPClustering(3, init_size=12, random_state=0).fit(X), NEW),
    "sdp, multiclass": lambda: (
        SDPClustering(3, relaxation="multiclass", init_size=9, random_state=0).fit(X),
        NEW,
    ),
    "domains": lambda: (domains(gamma="auto").fit(X), NEW),
    "domains, plateau": lambda: (domains(gamma="plateau").fit(X), NEW),
    "domains, equilibria": lambda: (domains(assignment="equilibria").fit(X), NEW),
    "domains, sgd": lambda: (domains(solver="sgd").fit(X), NEW),
    "domains, libsvm": lambda: (domains(solver="libsvm").fit(X), NEW),
    "domains, objects": lambda: (domains(solver=SMO(tol=1e-5), assignment=Graph()).fit(X), NEW),
    "domains, online": lambda: (domains(solver=OnlineSGD(budget=30), nu=0.2).fit(X), NEW),
    "domains, stream online": lambda: (
        asked(domains(solver="online", nu=0.2).partial_fit(X[:40]).partial_fit(X[40:])),
        NEW,
    ),
    "domains, objects of sgd": lambda: (
        domains(solver=SGD(min_epochs=1), assignment=Equilibria(0.02)).fit(X),
        NEW,
    ),
    "domains, objects of libsvm": lambda: (domains(solver=LibSVM()).fit(X), NEW),
    "domains, outliers": lambda: (domains(outlier_fraction=0.1, n_landmarks=40).fit(X), NEW),
    "domains, refit due": lambda: (batches(), NEW),
    "domains, refit done": lambda: (asked(batches()), NEW),
    "search": lambda: (UnsupervisedSearch(rls(), {"gamma": [0.1, 1.0]}).fit(X), NEW),
    "search, objects": lambda: (
        UnsupervisedSearch(
            rls(),
            ParameterGrid([{"search": [Shaking(rounds=5), "steepest"]}, {"alpha": [0.1]}]),
            criterion=LeaveOneOutCriterion(),
        ).fit(X),
        NEW,
    ),
    "search, sampler": lambda: (
        UnsupervisedSearch(
            KMeans(n_init=1, random_state=0),
            ParameterSampler({"n_clusters": [2, 3, 4]}, 2, random_state=0),
            criterion=SplitGapCriterion(),
        ).fit(X),
        NEW,
    ),
    "search, no predict": lambda: (
        UnsupervisedSearch(AgglomerativeClustering(), {"linkage": ["ward", "single"]}).fit(X),
        None,
    ),
    "search, noise": lambda: (UnsupervisedSearch(DBSCAN(), {"eps": [1.0, 2.0]}).fit(X), None),
    "search in a pipeline": lambda: (
        make_pipeline(StandardScaler(), UnsupervisedSearch(planes(), {"alpha": [0.1, 1.0]})).fit(X),
        NEW,
    ),
    "pipeline, encoder": lambda: (make_pipeline(TableEncoder(), rls()).fit(GAPS), GAPS[:9]),
    "pipeline": lambda: (make_pipeline(StandardScaler(), front_door()).fit(X), NEW),
    "pipeline, ufunc": lambda: (
        make_pipeline(FunctionTransformer(np.log1p), PCA(2), domains()).fit(POSITIVE),
        POSITIVE[:9],
    ),
    "pipeline, columns": lambda: (
        make_pipeline(
            ColumnTransformer([("scale", StandardScaler(), ["a"]), ("keep", "passthrough", ["b"])]),
            rls(),
        ).fit(FRAME),
        FRAME[:9],
    ),
    "pipeline, table with gaps": lambda: (
        make_pipeline(
            ColumnTransformer(
                [
                    ("numbers", make_pipeline(SimpleImputer(), StandardScaler()), ["a", "b", "c"]),
                    (
                        "words",
                        make_pipeline(
                            SimpleImputer(missing_values=None, strategy="most_frequent"),
                            OneHotEncoder(handle_unknown="ignore"),
                        ),
                        ["kind"],
                    ),
                ]
            ),
            front_door(),
        ).fit(GAPS),
        GAPS[:9],
    ),
    "pipeline, texts": lambda: (make_pipeline(TfidfVectorizer(), rls()).fit(WORDS), WORDS[:4]),
}

if parse_version(scipy.__version__) >= parse_version("1.12"):  # older ones load them as matrices
    MODELS["front door, sparse array"] = lambda: (front_door().fit(csr_array(TEXTS)), TEXTS[:9])

UNFITTED = {
    "front door": MaxMarginClustering(),
    "rls": RLSClustering(init=y, search=Shaking(rounds=3), random_state=np.random.RandomState(1)),
    "planes": CuttingPlaneClustering(min_size=(1, 2), kernel="auto", init_size=None),
    "several": MultipleKernelClustering(kernels=[*VIEWS, {"kernel": "rbf", "columns": slice(2)}]),
    "domains": SupportVectorClustering(n_landmarks=None),
    "encoder": TableEncoder(max_categories=5, categorical_features=["a", 2]),
    "svr": IterativeSVRClustering(2, loss="squared_error"),
    "sdp": SDPClustering(2, relaxation="mmc", sdp_solver="scs"),
    "search": UnsupervisedSearch(RLSClustering(), {"alpha": np.logspace(-3, 0, 4)}),
    "pipeline": make_pipeline(StandardScaler(), MaxMarginClustering()),
}


@cache
def fitted(name):
    """A model of the list and rows to ask it about."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", MaxMarginWarning)
        return MODELS[name]()
