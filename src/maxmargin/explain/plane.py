"""Rows in the plane: as they are, by principal components, or as the model tells them apart."""

import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import issparse
from scipy.sparse.linalg import eigsh
from sklearn.decomposition import PCA, TruncatedSVD
from sklearn.preprocessing import StandardScaler

from maxmargin._runtime.parameters import OneOf
from maxmargin.explain.axis_limits import EPS, grid_over
from maxmargin.explain.clustering import Clustering
from maxmargin.explain.features import scales
from maxmargin.explain.formatting import count
from maxmargin.spaces.metric import Matrix

Points = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Plane:
    """Two coordinates for each row.

    Attributes
    ----------
    kind : {"features", "discriminant", "principal"}
    points : ndarray of shape (n, 2)
    axes : pair of str
        What the coordinates are.
    labels_at : callable or None
        The cluster at points of the plane, where the model says it.
    exact : bool
        Whether the regions of ``labels_at`` are the whole truth: the plane may be a cut
        through more dimensions.
    """

    kind: str
    points: Points
    axes: tuple[str, str]
    labels_at: Callable[[Points], NDArray[np.intp]] | None
    exact: bool = True

    def regions(
        self, resolution: int, eps: float = EPS
    ) -> tuple[Points, Points, NDArray[np.intp]] | None:
        """A square grid over the rows, and the cluster of each of its points.

        The grid is as of :func:`numpy.meshgrid`, with ``resolution`` points on each side; it
        extends beyond the rows by ``eps`` of their range. None without ``labels_at``.
        """
        if self.labels_at is None:
            return None
        x0, x1 = grid_over(self.points, resolution, eps)
        with warnings.catch_warnings():
            # a model of a data frame, whose rows come without names
            warnings.filterwarnings("ignore", message="X does not have valid feature names")
            labels = self.labels_at(np.column_stack([x0.ravel(), x1.ravel()]))
        return x0, x1, labels.reshape(x0.shape)


def plane_of(clustering: Clustering, view: str = "auto") -> Plane:
    """The plane of a view; an error says why there is none.

    ``"auto"`` takes the first that there is: the two features, the directions that tell the
    clusters apart, the principal components.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from maxmargin import RLSClustering
    >>> from maxmargin.explain.clustering import Clustering
    >>> from maxmargin.explain.plane import plane_of
    >>> X = load_iris().data
    >>> plane = plane_of(Clustering.of(RLSClustering(3, random_state=0).fit(X), X))
    >>> plane.kind, plane.points.shape
    ('discriminant', (150, 2))
    """
    makers: dict[str, Callable[[Clustering], Plane | None]] = {
        "features": feature_plane,
        "discriminant": discriminant_plane,
        "principal": principal_plane,
    }
    OneOf("auto", *makers).check("view", view)
    for kind in makers if view == "auto" else [view]:
        plane = makers[kind](clustering)
        if plane is not None:
            return plane
    if view == "features":
        found = "a matrix of pairs" if clustering.pairwise else f"{clustering.X.shape[1]} columns"
        raise ValueError(
            f'view="features" needs rows of two columns; got {found}. Use view="discriminant" or '
            f'"principal".'
        )
    raise ValueError(
        f'view="discriminant" needs two clusters or more with a model for each, and two rows; got '
        f"{type(clustering.model).__name__} with {len(clustering.clusters)} clusters of "
        f'{count(len(clustering.labels), "row")}. Use view="principal".'
    )


def feature_plane(clustering: Clustering) -> Plane | None:
    """The two features themselves; None where there are not just two."""
    if clustering.X.shape[1] != 2 or clustering.pairwise:
        return None
    X = clustering.X.toarray() if issparse(clustering.X) else clustering.X
    estimator = clustering.estimator

    def labels_at(points: Points) -> NDArray[np.intp]:
        return np.asarray(estimator.predict(clustering.like_given(points)), dtype=np.intp)

    names = clustering.names
    return Plane(
        "features",
        np.asarray(X, dtype=np.float64),
        (names[0], names[1]),
        labels_at if hasattr(estimator, "predict") else None,
    )


def principal_plane(clustering: Clustering) -> Plane:
    """The first two principal components of the rows, as the model compares them."""
    rows = clustering.rows
    if clustering.pairwise and _symmetric(rows):
        points, shares = _of_pairs(np.asarray(rows, dtype=np.float64))
    else:
        chosen = getattr(clustering.model, "chosen_", {})
        if chosen.get("standardized", False) and not issparse(rows):
            rows = StandardScaler().fit_transform(rows / scales(rows))
        points, shares = _principal(rows)
    return Plane("principal", points, _principal_axes(shares), None)


def rows_plane(rows: Matrix, names: Sequence[str]) -> Plane:
    """Rows without a model: their two features, or their first two principal components."""
    if rows.shape[1] == 2:
        points = rows.toarray() if issparse(rows) else np.asarray(rows, dtype=np.float64)
        return Plane("features", points, (names[0], names[1]), None)
    points, shares = _principal(rows)
    return Plane("principal", points, _principal_axes(shares), None)


def discriminant_plane(clustering: Clustering) -> Plane | None:
    """Where the clusters' models put the rows; None without models, or with one cluster.

    Two clusters: the difference of their models, and the principal direction that it says
    nothing of. Three: the two directions in which the models differ. More: the clusters stand
    around a circle, and each model pulls a row to its cluster by its value; the regions are
    those of a cut through the point where all models are equal.
    """
    values = clustering.values
    if values is None or values.shape[1] < 2 or len(values) < 2:
        return None
    if values.shape[1] == 2:
        difference = values[:, 1] - values[:, 0]
        rest = _residual(principal_plane(clustering).points, difference)
        return Plane(
            "discriminant",
            np.column_stack([difference, _principal(rest)[0][:, 0]]),
            ("model of cluster 1 minus model of cluster 0", "principal direction of the rest"),
            lambda points: (points[:, 0] > 0).astype(np.intp),
        )
    # Only differences between models matter; without what they share, three fit the plane.
    values = values - values.mean(axis=1, keepdims=True)
    k = values.shape[1]
    directions = _principal_directions(values)
    axes = ("1st discriminant direction", "2nd discriminant direction")
    if k > 3:
        directions = _around_a_circle(directions)
        axes = ("models of the clusters around a circle, across", "upwards")
    back = np.linalg.pinv(directions)
    mean = values.mean(axis=0) if k == 3 else np.zeros(k)
    middle = mean @ directions

    def labels_at(points: Points) -> NDArray[np.intp]:
        return np.argmax(mean + (points - middle) @ back, axis=1)

    return Plane("discriminant", values @ directions, axes, labels_at, exact=k == 3)


def _principal_directions(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """The two columns along which values vary most."""
    with np.errstate(invalid="ignore"):  # models that are all the same have no variance
        return PCA(2, svd_solver="full").fit(values).components_.T


def _around_a_circle(directions: NDArray[np.float64]) -> NDArray[np.float64]:
    """A place on the circle for each cluster, in the order in which they stand around it.

    Values of models are near 1 for one cluster and near 0 for the others. No two directions
    show more of them than any others, and the principal ones hide most clusters behind each
    other; from the circle each of them is pulled to a side of its own.
    """
    k = len(directions)
    turn = np.empty(k)
    turn[np.argsort(np.arctan2(directions[:, 1], directions[:, 0]), kind="stable")] = np.arange(k)
    angles = 2 * np.pi * turn / k
    return np.column_stack([np.cos(angles), np.sin(angles)])


def _principal_axes(shares: NDArray[np.float64]) -> tuple[str, str]:
    return (
        f"1st principal component ({shares[0]:.0%} of the variance)",
        f"2nd principal component ({shares[1]:.0%})",
    )


def _principal(rows: Matrix) -> tuple[Points, NDArray[np.float64]]:
    """Two coordinates for each row (0 where there is only one), and their shares of variance."""
    n_components = min(2, *rows.shape)
    scale = float(scales(rows).max())  # squares of the largest numbers are too large
    rows = rows / scale
    if issparse(rows):
        if rows.shape[1] <= 2:
            return _principal(rows.toarray())
        found = TruncatedSVD(n_components, random_state=0)
    else:
        found = PCA(n_components, random_state=0)
    with np.errstate(invalid="ignore", divide="ignore"):  # rows without any variance
        points = found.fit_transform(rows).astype(np.float64)
    shares = np.nan_to_num(found.explained_variance_ratio_)
    missing = 2 - n_components
    return np.pad(scale * points, ((0, 0), (0, missing))), np.pad(shares, (0, missing))


def _symmetric(rows: Matrix) -> bool:
    """Whether rows hold all pairs; sparse ones leave out far pairs, which are not zeros."""
    return not issparse(rows) and rows.shape[0] == rows.shape[1] and np.allclose(rows, rows.T)


def _of_pairs(pairs: NDArray[np.float64]) -> tuple[Points, NDArray[np.float64]]:
    """Principal coordinates from a kernel, or from distances: these have zeros on the diagonal."""
    kernel = pairs if np.diagonal(pairs).any() else -np.square(pairs) / 2
    means = kernel.mean(axis=0)
    kernel = kernel - means - means[:, None] + means.mean()
    n = len(kernel)
    if n < 3:
        return _principal(kernel)
    lengths, directions = eigsh(kernel, k=2, which="LA", v0=np.arange(1.0, n + 1))
    lengths, directions = np.clip(lengths[::-1], 0, None), directions[:, ::-1]
    total = max(float(np.trace(kernel)), float(lengths.sum()))
    return directions * np.sqrt(lengths), lengths / total if total else lengths


def _residual(points: Points, values: NDArray[np.float64]) -> Points:
    """What values do not explain of points, by least squares."""
    values = values - values.mean()
    points = points - points.mean(axis=0)
    length = float(values @ values)
    return points - np.outer(values, values @ points) / length if length else points
