"""Tables for the command line: read, turned into numbers, written."""

from maxmargin.cli.tables.errors import TableError
from maxmargin.cli.tables.prepare import Preparation, Prepared
from maxmargin.cli.tables.read import read_table
from maxmargin.cli.tables.table import Column, Table
from maxmargin.cli.tables.write import check_output, check_place, write_table

__all__ = [
    "Column",
    "Preparation",
    "Prepared",
    "Table",
    "TableError",
    "check_output",
    "check_place",
    "read_table",
    "write_table",
]
