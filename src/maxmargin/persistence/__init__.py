"""Model files: fitted models on disk, without pickle.

``model_files.py``
    Write a model, read it, and read only what a file says of it.
``type_names.py``
    The names of our types in files, and where each of them is now.
``trust.py``
    What a file may hold, and how it is made.
``saveable.py``
    A copy of a model that can be saved: without callbacks, and no function in it.
``metadata.py``
    What a file says of its model, readable without building it.
``archive.py``
    The zip archive: what it holds, and whether that fits into memory.
"""

from maxmargin.persistence.archive import ModelFileError
from maxmargin.persistence.model_files import load, read_metadata, save

__all__ = ["ModelFileError", "load", "read_metadata", "save"]
