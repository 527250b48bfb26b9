"""Write a model, read it, and read only what a file says of it."""

import io
import json
import os
import warnings
from typing import Any
from zipfile import ZipFile

import sklearn
from scipy.sparse import issparse
from sklearn.base import BaseEstimator
from sklearn.exceptions import InconsistentVersionWarning

from maxmargin._runtime.warnings import warn_user
from maxmargin._version import __version__
from maxmargin.persistence import archive as files
from maxmargin.persistence.archive import ModelFileError, PathLike, only_file_errors
from maxmargin.persistence.metadata import FORMAT, describe
from maxmargin.persistence.saveable import SaveableCopy, parts
from maxmargin.persistence.trust import trusted_types, wrongly_made
from maxmargin.persistence.type_names import read_names, stable_name, write_names

#: The oldest protocol of skops that files of ours have; older ones name functions elsewhere.
PROTOCOL = 2


def save(model: BaseEstimator, path: PathLike, *, metadata: Any = None) -> None:
    """Write a model to a file, without pickle.

    The file is a zip archive: the arrays and the structure of the model, by skops, and
    ``maxmargin.json``, which says what it is. It is there whole or not at all.

    Parameters
    ----------
    model : estimator
        Any estimator of this package, fitted or not, or one of scikit-learn around it, such
        as a pipeline. Callbacks that were set on it are left out.
    path : str or path-like
        Where to write it, with whatever ending. What is there is replaced.
    metadata : object that JSON can hold, default=None
        What you want to know of it later; see :func:`read_metadata`.

    Raises
    ------
    ValueError
        If the model holds what :func:`load` would refuse: a function, such as a callable
        kernel, or an object of a type that is not trusted. Nothing is written then.

    Examples
    --------
    >>> import tempfile
    >>> from pathlib import Path
    >>> import maxmargin
    >>> from sklearn.datasets import load_iris
    >>> X = load_iris().data
    >>> model = maxmargin.MaxMarginClustering(3, random_state=0).fit(X)
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     maxmargin.save(model, Path(folder, "iris.skops"))
    ...     loaded = maxmargin.load(Path(folder, "iris.skops"))
    >>> bool((loaded.predict(X) == model.predict(X)).all())
    True
    """
    skops = _skops("maxmargin.save")
    if not isinstance(model, BaseEstimator) or isinstance(model, type):
        raise ValueError(f"model must be an estimator; got {model!r}.")
    who, buffer = type(model).__name__, io.BytesIO()
    try:
        copy = SaveableCopy(model)
    except RecursionError:
        raise ValueError(f"cannot save {who}: something in it refers to itself.") from None
    described = describe(model, metadata)
    try:
        skops.dump(copy.model, buffer)
        with ZipFile(buffer) as archive:
            schema = json.loads(archive.read(files.SCHEMA))
        refused = set(skops.get_untrusted_types(file=buffer)) - set(trusted_types())
        refused |= wrongly_made(schema)
    except Exception as error:  # whatever a type that is not meant for files may raise
        raise ValueError(f"cannot save {who}: {error}") from error
    if refused:
        found = "; ".join(f"{name} ({copy.where(name)})" for name in sorted(refused))
        raise ValueError(f"cannot save {who}: it holds types that load would refuse: {found}.")
    write_names(schema)
    files.write(path, buffer, schema, described)


def load(path: PathLike) -> Any:
    """Read a model that :func:`save` wrote.

    Only types of a list are built, and none of them runs code of the file. A file of another
    version is read, or the error says which version wrote it.

    Parameters
    ----------
    path : str or path-like

    Returns
    -------
    estimator

    Raises
    ------
    ModelFileError
        If the file is no model file, is damaged, was written in another format, or names types
        that are not trusted: then nothing of it was built. It is a ValueError.
    MemoryError
        If the model would not fit.

    Warns
    -----
    MaxMarginWarning
        If objects of scikit-learn are in the model and come from another minor version of it.

    Examples
    --------
    >>> import tempfile
    >>> from pathlib import Path
    >>> import maxmargin
    >>> from sklearn.datasets import load_iris
    >>> X = load_iris().data
    >>> model = maxmargin.RLSClustering(3, random_state=0).fit(X)
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     maxmargin.save(model, Path(folder, "iris.skops"))
    ...     loaded = maxmargin.load(Path(folder, "iris.skops"))
    >>> loaded
    RLSClustering(n_clusters=3, random_state=0)
    """
    skops = _skops("maxmargin.load")
    with open(path, "rb") as file, files.open_archive(file, path) as archive:
        metadata = _read_metadata(archive, path)
        schema = files.read_json(archive, files.MODEL, path)
        files.require_room(archive, schema, path)
        with only_file_errors(path, _other_version(metadata)):
            model = _build(skops, file, schema, path)
            of_sklearn = _check(model, metadata)
    wrote = str(metadata.get("scikit-learn"))
    if of_sklearn and _minor(wrote) != _minor(sklearn.__version__):
        warn_user(
            f"{os.fspath(path)} holds objects of scikit-learn {wrote} ({', '.join(of_sklearn)}), "
            f"and this is {sklearn.__version__}: results may differ. "
            f"Fit the model again to be sure."
        )
    return model


def read_metadata(path: PathLike) -> dict[str, Any]:
    """Read what a model file says of its model, without building it.

    Parameters
    ----------
    path : str or path-like

    Returns
    -------
    dict
        ``format``, the versions ``maxmargin``, ``scikit-learn`` and ``numpy`` that wrote it,
        ``estimator`` (its class), ``parameters``, ``saved`` (when, UTC), ``fitted`` (the
        number of rows, features and clusters, and their sizes) and ``metadata``, as it was
        given to :func:`save`.

    Examples
    --------
    >>> import tempfile
    >>> from pathlib import Path
    >>> from maxmargin import RLSClustering
    >>> from maxmargin.persistence import read_metadata, save
    >>> model = RLSClustering(2, gamma=0.1).fit([[0.0], [1.0], [8.0], [9.0]])
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     save(model, Path(folder, "model.skops"), metadata={"rows": "four numbers"})
    ...     metadata = read_metadata(Path(folder, "model.skops"))
    >>> metadata["estimator"], metadata["parameters"]["gamma"], metadata["fitted"]["sizes"]
    ('RLSClustering', 0.1, [2, 2])
    >>> metadata["metadata"]
    {'rows': 'four numbers'}
    """
    with open(path, "rb") as file, files.open_archive(file, path) as archive:
        return _read_metadata(archive, path)


def _skops(who: str) -> Any:
    try:
        import skops.io
    except ImportError as error:
        raise ImportError(
            f'{who} needs skops: install it with pip install "maxmargin[models]".'
        ) from error
    return skops.io


def _read_metadata(archive: ZipFile, path: PathLike) -> dict[str, Any]:
    metadata = files.read_json(archive, files.METADATA, path)
    number = metadata.get("format")
    if not isinstance(number, int) or isinstance(number, bool) or number < 1:
        raise ModelFileError(
            f"{os.fspath(path)} is no model file of maxmargin: its format is {number!r}."
        )
    if number > FORMAT:
        raise ModelFileError(
            f"{os.fspath(path)} was written by maxmargin {metadata.get('maxmargin')} in format "
            f"{number}, and maxmargin {__version__} knows formats up to {FORMAT}: "
            f"upgrade maxmargin to read it."
        )
    if number < FORMAT:
        raise ModelFileError(
            f"{os.fspath(path)} was written by maxmargin {metadata.get('maxmargin')} in format "
            f"{number}, which maxmargin {__version__} no longer reads: fit the model again and "
            f"save it."
        )
    return metadata


def _build(skops: Any, file: Any, schema: dict[str, Any], path: PathLike) -> Any:
    if schema["protocol"] < PROTOCOL:
        raise ValueError(f"it has the protocol {schema['protocol']} of skops")
    refused = read_names(schema) | wrongly_made(schema)
    reason = ", ".join(sorted(refused))
    if not refused:
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", InconsistentVersionWarning)  # we say it once
                return skops.load(files.for_skops(file, schema), trusted=trusted_types())
        except skops.exceptions.UntrustedTypesFoundException as error:
            reason = str(error)
    raise ModelFileError(
        f"{os.fspath(path)} names types that are not trusted, and nothing of it was built or "
        f"executed: {reason.rstrip('.')}."
    )


def _check(model: Any, metadata: dict[str, Any]) -> list[str]:
    """Check what was built; return the classes of scikit-learn in it."""
    expected, found = metadata.get("estimator"), stable_name(type(model))
    if found != expected or not isinstance(model, BaseEstimator):
        raise ValueError(f"it says that it holds {expected!r}, and holds {found!r}")
    of_sklearn = set()
    for part in parts(model):
        if isinstance(part, BaseEstimator) and not isinstance(part, type):
            part.get_params(deep=False)  # an AttributeError names what another version lacks
            if type(part).__module__.startswith("sklearn."):
                of_sklearn.add(type(part).__name__)
        elif issparse(part):
            if part.format != "csr":
                raise ValueError(f"a sparse matrix has the format {part.format!r}, not 'csr'")
            part.check_format(full_check=True)  # compiled loops follow its indices unchecked
    return sorted(of_sklearn)


def _other_version(metadata: dict[str, Any]) -> str:
    wrote = metadata.get("maxmargin")
    if wrote == __version__:
        return ""
    return f" maxmargin {wrote} wrote it, and this is {__version__}."


def _minor(version: str) -> list[str]:
    return version.split(".")[:2]
