"""Studies: which methods on which data sets, measured how, written where; a folder for each."""
