"""Several sources of the same rows: what each source says of the same rows, and the classes.

Sources whose name begins with "noise" know nothing of the classes.
"""

import os
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array, hstack, issparse
from sklearn.datasets import load_breast_cancer, load_digits, load_wine
from sklearn.feature_extraction.text import CountVectorizer, TfidfTransformer
from sklearn.preprocessing import scale

from benchmarks.datasets.stored import VARIABLE, load


@dataclass(frozen=True)
class Sources:
    """Tables of the same rows by the name of their source, and the classes of the rows."""

    tables: dict[str, Any]
    y: NDArray[np.integer]
    kernel: str = "rbf"

    @property
    def n_clusters(self) -> int:
        """As many as classes."""
        return len(np.unique(self.y))

    @property
    def X(self) -> Any:
        """All columns side by side."""
        tables = list(self.tables.values())
        return hstack(tables, format="csr") if issparse(tables[0]) else np.hstack(tables)

    @property
    def kernels(self) -> dict[str, dict[str, Any]]:
        """A kernel for the columns of each source."""
        kernels, start = {}, 0
        for name, table in self.tables.items():
            columns = slice(start, start := start + table.shape[1])
            kernels[name] = {"kernel": self.kernel, "columns": columns, "name": name}
        return kernels


def digits(seed: int) -> Sources:
    X, y = load_digits(return_X_y=True)
    return Sources(_of_images(X, 8), y)


def digits_and_noise(seed: int) -> Sources:
    """The fourth source has the pixels of other rows: what digits look like, but not these."""
    X, y = load_digits(return_X_y=True)
    others = np.random.default_rng(seed).permutation(len(X))
    return Sources({**_of_images(X, 8), "noise": X[others]}, y)


def usps(seed: int) -> Sources:
    X, y = _some("usps", 2000, seed)
    return Sources(_of_images(X, 16), y)


def coil(seed: int) -> Sources:
    """Grey levels, low frequencies, and how often each grey level occurs."""
    X, y = load("coil20")
    images = X.reshape(-1, 32, 32).astype(float)
    waves = np.abs(np.fft.rfft2(images))
    waves = np.concatenate([waves[:, :8, :9], waves[:, -7:, :9]], axis=1)
    levels = [np.histogram(image, bins=16, range=(0, images.max()))[0] for image in images]
    tables = {"pixels": images, "Fourier": waves, "histogram": np.sqrt(np.stack(levels))}
    return Sources({name: table.reshape(len(y), -1) for name, table in tables.items()}, y)


def satellite(seed: int) -> Sources:
    """Each of four spectral bands sees the same nine pixels."""
    X, y = _some("satellite", 2000, seed)
    bands = X.reshape(len(y), 9, 4)
    return Sources({f"band {j + 1}": bands[:, :, j] for j in range(4)}, y)


def text(seed: int, most: int | None = None) -> Sources:
    words, characters, y = _texts()
    rows = np.random.default_rng(seed).permutation(len(y))[:most] if most else np.arange(len(y))
    tables = {"words": words[rows], "characters": characters[rows]}
    return Sources(tables, y[rows], "cosine")


def text_1000(seed: int) -> Sources:
    return text(seed, 1000)


def redundant(seed: int) -> Sources:
    """Three sources that know the same four clusters, and two that know nothing."""
    rng = np.random.default_rng(seed)
    y = rng.integers(4, size=600)
    good = [(2.6, 4), (3.0, 6), (3.2, 9)]
    tables = {f"good {i + 1}": _gaussians(rng, y, *shape) for i, shape in enumerate(good)}
    return Sources(tables | _noise(rng, 600, (3, 8)), y)


def two_of_eight(seed: int) -> Sources:
    """Two sources know the same four clusters, and six know nothing."""
    rng = np.random.default_rng(seed)
    y = rng.integers(4, size=600)
    tables = {f"good {i + 1}": _gaussians(rng, y, *s) for i, s in enumerate([(2.6, 4), (3.0, 6)])}
    return Sources(tables | _noise(rng, 600, (2, 3, 5, 8, 12, 20)), y)


def halves(seed: int) -> Sources:
    """Four clusters of two bits; one source knows each bit, a third one nothing."""
    rng = np.random.default_rng(seed)
    y = rng.integers(4, size=600)
    tables = {}
    for number, bit in enumerate((y // 2, y % 2)):
        means = np.outer(2 * bit - 1, np.full(5, 2.25 / np.sqrt(5)))
        tables[f"bit {number + 1}"] = means + rng.normal(size=(600, 5))
    return Sources(tables | _noise(rng, 600, (10,)), y)


def one_of_three(seed: int) -> Sources:
    """One source knows three clusters, two know nothing."""
    rng = np.random.default_rng(seed)
    y = rng.integers(3, size=400)
    good = 3.3 * np.eye(3)[y] + rng.normal(size=(400, 3))
    return Sources({"good": good, **_noise(rng, 400, (3, 9))}, y)


def wine(seed: int) -> Sources:
    X, y = load_wine(return_X_y=True)
    X, rng = scale(X), np.random.default_rng(seed)
    tables = {"columns 0–3": X[:, :4], "4–8": X[:, 4:9], "9–12": X[:, 9:]}
    return Sources(tables | _noise(rng, len(y), (4,)), y)


def breast_cancer(seed: int) -> Sources:
    X, y = load_breast_cancer(return_X_y=True)
    X, rng = scale(X), np.random.default_rng(seed)
    tables = {"mean": X[:, :10], "error": X[:, 10:20], "worst": X[:, 20:]}
    return Sources(tables | _noise(rng, len(y), (10,)), y)


#: The sets by name; a seed draws the rows of some, and the noise of others.
SETS: dict[str, Callable[[int], Sources]] = {
    "redundant + 2 noise": redundant,
    "2 good + 6 noise": two_of_eight,
    "halves + noise": halves,
    "1 good + 2 noise": one_of_three,
    "wine + noise": wine,
    "breast cancer + noise": breast_cancer,
    "digits": digits,
    "digits + noise": digits_and_noise,
    "USPS, 2000 rows": usps,
    "satellite, 2000 rows": satellite,
    "COIL-20": coil,
    "20-news rec": text,
    "20-news rec, 1000 rows": text_1000,
}


def _of_images(X: NDArray, side: int) -> dict[str, NDArray]:
    """Pixels, the sums of columns and rows, and the magnitudes of the Fourier transform."""
    images = X.reshape(-1, side, side)
    return {
        "pixels": X,
        "profiles": np.hstack([images.sum(axis=1), images.sum(axis=2)]),
        "Fourier": np.abs(np.fft.rfft2(images)).reshape(len(X), -1),
    }


def _gaussians(rng: np.random.Generator, y: NDArray, size: float, d: int) -> NDArray:
    """Rows around a random centre for each class, of about the given length."""
    centers = rng.normal(size=(y.max() + 1, d)) * size / np.sqrt(d)
    return centers[y] + rng.normal(size=(len(y), d))


def _noise(rng: np.random.Generator, n: int, dimensions: tuple[int, ...]) -> dict[str, NDArray]:
    if len(dimensions) == 1:
        return {"noise": rng.normal(size=(n, dimensions[0]))}
    return {f"noise {i + 1}": rng.normal(size=(n, d)) for i, d in enumerate(dimensions)}


def _some(name: str, most: int, seed: int) -> tuple[NDArray, NDArray[np.int64]]:
    X, y = load(name)
    rows = np.random.default_rng(seed).permutation(len(y))[:most]
    return X[rows].astype(float), y[rows]


@cache
def _texts() -> tuple[csr_array, csr_array, NDArray[np.int64]]:
    """Words, and the 3- to 5-grams of characters in these words."""
    words, y = load("news20_rec")
    with np.load(Path(os.environ[VARIABLE]) / "news20_rec.npz", allow_pickle=False) as file:
        terms = [f"_{term}_" for term in file["terms"]]
    grams = CountVectorizer(analyzer="char", ngram_range=(3, 5), lowercase=False)
    counts = words @ csr_array(grams.fit_transform(terms))
    return words, TfidfTransformer(sublinear_tf=True).fit_transform(counts.tocsr()), y
