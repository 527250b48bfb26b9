"""Tables in files, and in standard input."""

import io
import sys

import pytest


@pytest.fixture
def given(tmp_path, monkeypatch):
    """Put content into a file (by a short relative name) and return that name."""
    monkeypatch.chdir(tmp_path)

    def put(content, name="t.csv"):
        (tmp_path / name).write_bytes(content if isinstance(content, bytes) else content.encode())
        return name

    return put


@pytest.fixture
def piped(monkeypatch):
    """Put content into standard input and return its name."""

    def put(content):
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(content)))
        return "-"

    return put
