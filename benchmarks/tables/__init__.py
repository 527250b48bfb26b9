"""Mixed tables: ways to scale their columns, and the front door beside its peers."""
