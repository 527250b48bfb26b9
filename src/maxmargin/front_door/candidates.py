"""Candidates: groupings found from several starts in every space, by the engine."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import LinAlgError, eigh
from scipy.sparse import csr_array
from scipy.sparse.linalg import ArpackError, eigsh

from maxmargin._core.k_means import k_means
from maxmargin._runtime.context import FitContext
from maxmargin.front_door.effort import CONCENTRATED, CONCENTRATED_JUDGE, JUDGES, Effort
from maxmargin.front_door.sources.source import Proposal
from maxmargin.objectives.leave_one_out import ErrorForm, LeaveOneOut
from maxmargin.search.engine import Engine, Start
from maxmargin.search.shaking import Shaking
from maxmargin.sizes import Sizes
from maxmargin.spaces.neighbors import GraphSpace
from maxmargin.spaces.pairwise import (
    GAUSSIANS,
    GaussianSettings,
    GaussianSpace,
    GraphSettings,
    PairwiseDistances,
)
from maxmargin.spaces.quadratic_form import QuadraticForm

#: Restarts after which Lanczos gives up: isolated rows make the leading eigenvalues equal. The
#: product with a sparse matrix costs next to nothing.
MAX_RESTARTS = {"dense": 8, "sparse": 200}
#: The share of entries below which a matrix is treated as sparse.
SPARSE_SHARE = 0.1
#: A start is polished afterwards: four digits are enough.
EIGENVECTOR_TOLERANCE = 1e-4
#: Rows up to which the dense solver is as quick.
DENSE_EIGH_ROWS = 200

Settings = GaussianSettings | GraphSettings


@dataclass(frozen=True)
class Candidate:
    """A labelling, and where it comes from.

    Attributes
    ----------
    labels : ndarray of shape (n,)
    source : str
        The space that it was found in.
    start : str
        What the search began with: ``"spectral"``, ``"shaking"`` or ``"mixture"``; or what
        another source found it with.
    proposal : Proposal or None
        What another source says of it, and its labels of all rows.
    """

    labels: NDArray[np.int32]
    source: str
    start: str
    proposal: Proposal | None = None

    def everywhere(self, numbers: NDArray[np.int32], n: int) -> NDArray[np.int32] | None:
        """The labels of all n rows, with these numbers, where it was found on all of them."""
        if self.proposal is None or len(self.proposal.labels) != n:
            return None
        return numbers[self.proposal.labels]


@dataclass(frozen=True)
class CandidatePool:
    """What all spaces found, for every number of clusters that was asked for.

    Attributes
    ----------
    distances : PairwiseDistances
    candidates : dict of int to list of Candidate
    judges : dict of settings to LeaveOneOut
        The spaces that score candidates.
    models : dict of GaussianSettings to LeaveOneOut
        The Gaussian spaces that the final model may be in.
    """

    distances: PairwiseDistances
    candidates: dict[int, list[Candidate]]
    judges: dict[Settings, LeaveOneOut]
    models: dict[GaussianSettings, LeaveOneOut]

    def best_model(self, labels: NDArray[np.int32]) -> GaussianSettings:
        """The Gaussian space in which the labels predict themselves best."""
        scores = {settings: model.scores([labels])[0] for settings, model in self.models.items()}
        return max(scores, key=lambda settings: scores[settings])


def generate(
    distances: PairwiseDistances,
    effort: Effort,
    limits: Mapping[int, Sizes],
    seed: np.random.SeedSequence,
    context: FitContext | None = None,
    task: str = "space",
) -> CandidatePool:
    """Search all spaces for candidates; when it is late, those that have not begun are left out.

    Parameters
    ----------
    distances : PairwiseDistances
    effort : Effort
    limits : mapping of int to Sizes
        The numbers of clusters that are asked for, with their size limits.
    seed : SeedSequence
    context : FitContext or None
    task : str
        What the context calls a group of spaces.
    """
    context = context or FitContext()
    if list(limits) == [1]:  # nothing to choose
        one = Candidate(np.zeros(distances.n, np.int32), "", "")
        model = GAUSSIANS[1]
        return CandidatePool(
            distances, {1: [one]}, {}, {model: LeaveOneOut.in_space(distances, model)}
        )
    groups = by_affinity(effort.spaces)
    jobs = list(zip(groups, seed.spawn(len(groups)), strict=True))
    judging: list[Settings] = [s for s in JUDGES if s in effort.spaces]
    if distances.concentration > CONCENTRATED:
        judging = [CONCENTRATED_JUDGE]
    modelling = [s for s in GAUSSIANS if s in effort.spaces] or list(GAUSSIANS[1::2])
    known: dict[Settings, LeaveOneOut] = {}
    pool: dict[int, list[Candidate]] = {k: [] for k in limits}

    def search(job: tuple[tuple[Settings, ...], np.random.SeedSequence]) -> list[_Searched]:
        spaces, child = job
        return list(_search_group(distances, spaces, limits, effort, child))

    for found in context.imap(search, jobs, task=task):
        for settings, criterion, candidates in found:
            if settings in judging or settings in modelling:  # each has 4n² bytes
                known[settings] = criterion
            for k in limits:
                pool[k] += candidates[k]

    def criteria(wanted: Sequence[Settings]) -> dict[Settings, LeaveOneOut]:
        """All that are wanted; if it is late those that were made, or else one."""
        for settings in wanted:
            enough = context.late and any(other in known for other in wanted)
            if settings not in known and not enough:
                known[settings] = LeaveOneOut.in_space(distances, settings)
        return {settings: known[settings] for settings in wanted if settings in known}

    models = {
        settings: model
        for settings, model in criteria(modelling).items()
        if isinstance(settings, GaussianSettings)
    }
    return CandidatePool(distances, pool, criteria(judging), models)


def limits_at(
    numbers: Sequence[int], limits: Callable[[int], Sizes], seen: NDArray[np.intp]
) -> tuple[dict[int, Sizes], list[ValueError]]:
    """The size limits of some rows at each number; bounds in rows fit some numbers only."""
    wanted, refused = {}, []
    for k in numbers:
        try:
            wanted[k] = limits(k).subset(seen)
        except ValueError as error:
            refused.append(error)
    return wanted, refused


def by_affinity(spaces: Sequence[Settings]) -> list[tuple[Settings, ...]]:
    """Group the spaces that share a kernel matrix: it and its eigenvectors are made once."""

    def affinity(settings: Settings) -> tuple[str, float]:
        width = settings.width if isinstance(settings, GaussianSettings) else settings.n_neighbors
        return settings.kernel, width

    return [tuple(group) for _, group in groupby(sorted(spaces, key=affinity), affinity)]


_Searched = tuple[Settings, LeaveOneOut, dict[int, list[Candidate]]]


@dataclass(frozen=True, eq=False)
class SearchSpace:
    """What a search needs of a space, whatever the number of clusters.

    Attributes
    ----------
    form : QuadraticForm
        R in single precision: claims read it row by row.
    criterion : LeaveOneOut
    errors : ErrorForm
        Its square, to polish by.
    """

    form: QuadraticForm
    criterion: LeaveOneOut
    errors: ErrorForm

    @classmethod
    def of_affinity(
        cls,
        distances: PairwiseDistances,
        space: GaussianSpace | GraphSpace,
        settings: Settings,
        affinity: NDArray[np.float64],
    ) -> "SearchSpace":
        """One inverse and one product; the affinity is used up."""
        form = space.form(distances, settings.lam(distances.n), affinity)
        criterion = LeaveOneOut.of_form(form, space.dropped)
        errors = criterion.form(once=distances.made is None)
        if distances.made is not None:
            criterion = replace(criterion, squared=errors)
        return cls(form.narrowed(), criterion, errors)


def _search_group(
    distances: PairwiseDistances,
    spaces: tuple[Settings, ...],
    limits: Mapping[int, Sizes],
    effort: Effort,
    seed: np.random.SeedSequence,
) -> Iterator[_Searched]:
    """Find candidates in the spaces of one affinity, whatever other groups do."""
    rng = np.random.default_rng(seed)
    shared, made = spaces[0].space(distances), distances.made or {}
    vectors, affinity = made.get(spaces), None
    if vectors is None or vectors.shape[1] < min(max(limits), distances.n):
        affinity = shared.affinity(distances)
        vectors = leading_vectors(affinity, max(limits), rng)
    spectral = {
        k: spectral_labels(vectors, k, int(rng.integers(2**31)), effort.n_init) for k in limits
    }
    for settings in spaces:
        space = made.get(settings)
        if space is None:
            assert affinity is not None  # vectors and spaces are made together
            own = affinity if settings is spaces[-1] else affinity.copy()
            space = SearchSpace.of_affinity(distances, shared, settings, own)
        if distances.made is not None:
            distances.made |= {spaces: vectors, settings: space}
        candidates = {}
        for k, sizes in limits.items():
            engine = Engine(space.form, sizes, polish=False)
            labels = space.errors.polish(engine.settled(spectral[k]), sizes, rng)
            candidates[k] = [Candidate(labels, settings.name, "spectral")]
            for number in range(effort.n_shakes):
                # aims at other sizes from the third run on, where they are free
                start = Start.at_random(sizes, rng, number, aim=max(0, number - 1))
                run = engine.run(Shaking(), start, rng)
                labels = space.errors.polish(run.labels, sizes, rng)
                candidates[k].append(Candidate(labels, settings.name, "shaking"))
        yield settings, space.criterion, candidates


def leading_vectors(
    affinity: NDArray[np.float64], k: int, rng: np.random.Generator
) -> NDArray[np.float64]:
    """Return the k leading eigenvectors of D^-½ W D^-½, largest eigenvalue first."""
    n = len(affinity)
    roots = 1 / np.sqrt(np.maximum(affinity.sum(axis=1), 1e-12))
    k = min(k, n)
    if n > DENSE_EIGH_ROWS and 4 * k < n:
        start = np.sqrt(1 / n) * (1 + 0.1 * rng.standard_normal(n))
        light = affinity.astype(np.float32)
        light *= roots[:, None].astype(np.float32)
        light *= roots.astype(np.float32)
        sparse = np.count_nonzero(light) < SPARSE_SHARE * n * n
        try:
            values, vectors = eigsh(
                csr_array(light) if sparse else light,
                k,
                v0=start.astype(np.float32),
                tol=EIGENVECTOR_TOLERANCE,
                maxiter=MAX_RESTARTS["sparse" if sparse else "dense"],
            )
            return vectors[:, np.argsort(-values)].astype(np.float64)
        except ArpackError:
            pass
    normalised = affinity * roots[:, None] * roots
    try:
        _, vectors = eigh(normalised, subset_by_index=[n - k, n - 1])
    except LinAlgError:
        vectors = normalised[:, :0]
    if vectors.shape[1] < k:  # LAPACK's quick driver fails where many eigenvalues are equal
        vectors = eigh(normalised, driver="evd")[1][:, n - k :]
    return vectors[:, ::-1]


def spectral_labels(
    vectors: NDArray[np.float64], k: int, seed: int, n_init: int = 5
) -> NDArray[np.int32]:
    """Cut the rows of the first k eigenvectors, scaled to unit length (Ng, Jordan and Weiss)."""
    V = vectors[:, :k]
    V = V / np.maximum(np.linalg.norm(V, axis=1, keepdims=True), 1e-12)
    if len(np.unique(V.round(9), axis=0)) < k:
        V = V + 1e-6 * np.random.default_rng(seed).standard_normal(V.shape)
    return k_means(V, k, seed, n_init)
