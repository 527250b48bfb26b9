"""Rows in blocks: every pass over the data is a sum over blocks, in a fixed order."""

from maxmargin.blocks.rows import Block, MemoryRows, Rows

__all__ = ["Block", "MemoryRows", "Rows"]
