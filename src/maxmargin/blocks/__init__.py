"""Rows in blocks: every pass over the data is a sum over blocks, in a fixed order."""

from typing import TYPE_CHECKING, Any

from maxmargin.blocks.rows import Block, MemoryRows, Rows

if TYPE_CHECKING:
    from maxmargin.blocks.opening import open_rows

__all__ = ["Block", "MemoryRows", "Rows", "open_rows"]


def __getattr__(name: str) -> Any:
    if name == "open_rows":  # its readers are needed by nobody who has an array
        from maxmargin.blocks.opening import open_rows

        return open_rows
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
