"""The front door on the public battery of the field: Gagolewski's benchmark suite."""
