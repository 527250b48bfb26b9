"""Data sets: functions that return rows and classes, a file for each kind."""
