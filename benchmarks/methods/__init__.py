"""Methods: functions from a number of clusters and a seed to a model, a file for each kind."""
