"""Tables for the command line: read, turned into numbers, written."""

from maxmargin.cli.tables.errors import TableError
from maxmargin.cli.tables.read import read_table
from maxmargin.cli.tables.table import Column, Table

__all__ = ["Column", "Table", "TableError", "read_table"]
