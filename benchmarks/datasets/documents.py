"""Many rows for the speed of cutting planes: Gaussians, text made up from topics, real sets."""

from collections.abc import Callable
from functools import partial

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array
from sklearn.feature_extraction.text import TfidfTransformer

from benchmarks.datasets.stored import load

Data = tuple[NDArray[np.floating] | csr_array, NDArray[np.int64]]

N_FEATURES = 50
#: Distance between two centres, in standard deviations: about a tenth of the rows overlap.
APART = 2.8
N_DOCUMENTS, N_WORDS, N_TOPICS = 20_000, 47_000, 4
#: Drawn words of a document, some of them twice: about 75 different ones.
LENGTH = 83


def blobs(n: int, k: int) -> Data:
    """K spherical Gaussians with equal shares in 50 dimensions, float64."""
    rng = np.random.default_rng(0)
    centres, _ = np.linalg.qr(rng.normal(size=(N_FEATURES, k)))
    y = rng.integers(k, size=n)
    X = rng.normal(size=(n, N_FEATURES))
    X += (APART / np.sqrt(2) * centres.T)[y]
    return X, y


def documents() -> Data:
    """20,000 × 47,000 TF-IDF, rows of unit length; words by Zipf's law, four topics.

    Each word is drawn from the law for all topics, or (with a probability of its document's
    own, 0.3 on average) from that of the document's topic.
    """
    rng = np.random.default_rng(0)
    common = 1 / (np.arange(N_WORDS) + 10.0)
    topics = common * np.exp(1.5 * rng.normal(size=(N_TOPICS, N_WORDS)))
    y = rng.integers(N_TOPICS, size=N_DOCUMENTS)
    lengths = np.maximum(5, rng.lognormal(np.log(LENGTH) - 0.125, 0.5, N_DOCUMENTS)).astype(int)
    rows = np.repeat(np.arange(N_DOCUMENTS), lengths)
    on_topic = rng.random(len(rows)) < rng.beta(3, 7, N_DOCUMENTS)[rows]
    words = _draw(common, len(rows), rng)
    for topic, law in enumerate(topics):
        own = np.flatnonzero(on_topic & (y[rows] == topic))
        words[own] = _draw(law, len(own), rng)
    counts = csr_array((np.ones(len(rows)), (rows, words)), shape=(N_DOCUMENTS, N_WORDS))
    counts.sum_duplicates()
    X = csr_array(TfidfTransformer().fit_transform(counts))
    X.indices, X.indptr = X.indices.astype(np.int32), X.indptr.astype(np.int32)  # for k-means
    return X, y


def mnist(*digits: int) -> Data:
    """Rows of MNIST in [0, 1], float32; all digits if none are given."""
    X, y = load("mnist")
    if digits:
        rows = np.isin(y, digits)
        X, y = X[rows], y[rows]
    return X.astype(np.float32) / 255, y


#: The sets by name, and their numbers of clusters.
SIZES = (1_000, 3_000, 10_000, 30_000, 100_000, 300_000, 1_000_000)
SETS: dict[str, tuple[Callable[[], Data], int]] = {
    **{f"blobs {n}, k = {k}": (partial(blobs, n, k), k) for k in (2, 4) for n in SIZES},
    "text-like": (documents, N_TOPICS),
    "20-news rec": (partial(load, "news20_rec"), 4),
    "MNIST 01234": (partial(mnist, 0, 1, 2, 3, 4), 5),
    "MNIST": (mnist, 10),
}


def _draw(law: NDArray[np.float64], size: int, rng: np.random.Generator) -> NDArray[np.intp]:
    ends = np.cumsum(law)
    return np.searchsorted(ends / ends[-1], rng.random(size), side="right").clip(max=len(law) - 1)
