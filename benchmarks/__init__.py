"""One benchmark: data sets, methods, and studies that compare them; ``python -m benchmarks``."""
