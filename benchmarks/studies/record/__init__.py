"""The behaviour of every estimator, recorded, so that two commits can be compared."""
