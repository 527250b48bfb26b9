"""A fitted clustering as one page: a summary in plain numbers first, then what shows it."""
