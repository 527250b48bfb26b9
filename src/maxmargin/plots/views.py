"""What a picture of clusters needs: a plane, a grid over it, rows that stand for clusters."""

import numpy as np
from numpy.typing import NDArray

from maxmargin._runtime.validation import check_choice
from maxmargin.explain.clustering import Clustering
from maxmargin.explain.formatting import count
from maxmargin.explain.plane import (
    Plane,
    discriminant_plane,
    feature_plane,
    plane_of,
    principal_plane,
)

VIEWS = ("auto", "features", "discriminant", "principal")


def plane_for(clustering: Clustering, view: str) -> Plane:
    """The plane of that name; an error says why there is none."""
    check_choice("view", view, VIEWS)
    if view == "auto":
        return plane_of(clustering)
    if view == "principal":
        return principal_plane(clustering)
    plane = (feature_plane if view == "features" else discriminant_plane)(clustering)
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


def grid_over(
    points: NDArray[np.float64], resolution: int, eps: float
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """A square grid that extends beyond points by a share of their range."""
    spread = np.ptp(points, axis=0)
    beyond = np.where(spread > 0, eps * spread, 1.0)
    sides = np.linspace(points.min(axis=0) - beyond, points.max(axis=0) + beyond, resolution)
    x0, x1 = np.meshgrid(*sides.T)
    return x0, x1


def exemplars_of(clustering: Clustering) -> NDArray[np.intp]:
    """The rows that stand for the clusters; an error says why there are none."""
    model = clustering.model
    if not hasattr(model, "exemplars_"):
        raise ValueError(
            f"exemplars=True needs a model with exemplars_, as MaxMarginClustering has; got "
            f"{type(model).__name__}."
        )
    if len(model.labels_) != len(clustering.labels):
        raise ValueError(
            f"exemplars=True needs the {count(len(model.labels_), 'row')} of fit as X, which "
            f"exemplars_ are some of; got {len(clustering.labels):,}."
        )
    return np.concatenate(model.exemplars_).astype(np.intp)
