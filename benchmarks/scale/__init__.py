"""The front door on many rows."""
