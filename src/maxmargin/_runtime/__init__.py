"""What every estimator needs and no method is about."""
