"""The scikit-learn classes: wiring only, one file each."""
