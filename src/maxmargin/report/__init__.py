"""A page about a fitted clustering: a summary in plain numbers, then charts and tables of it."""
