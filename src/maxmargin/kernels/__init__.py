"""Distances, kernel functions, width rules and explicit maps.

``geometry.py``
    How rows are compared: standardised, by angle, or by given distances.
``neighbors.py``
    The nearest rows of each row, and the graphs that they make.
``joined.py``
    A graph of neighbours that joins all rows.
``pairs.py``
    The Gaussian kernel between all pairs of rows, at any width.
``coordinates.py``
    Principal coordinates, from distances only.
``kernel.py``
    A kernel by name, callable or matrix, its Gram matrix built in place.
``widths.py``
    Rules that choose gamma from the data.
``nystroem.py``
    The Nyström map: a kernel as features on a few landmarks.
``space.py``
    The space that a method works in: a kernel itself, or explicit features.
``seeding.py``
    k-means++ in the space of a kernel.
"""
