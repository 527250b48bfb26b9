"""Slow and exact references that the tests compare the package with."""
